// Who is wanted and who is there, with no daemon and no database: the launch files and one question to tmux.

import { listLaunches } from "../../floor/agents/launch-files.ts";
import { listAgents, type ListedAgent } from "../../floor/agents/list-agents.ts";
import { withAgents } from "./agent-machine.ts";
import type { CliContext } from "./context.ts";

export function lookAtAgents(context: CliContext): Promise<readonly ListedAgent[]> {
  return withAgents(context, { lenient: true, creates: false }, async ({ home, terminals }) =>
    listAgents(listLaunches(home), await terminals.list()),
  );
}
