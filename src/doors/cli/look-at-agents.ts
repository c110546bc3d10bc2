// Who is wanted and who is there, with no daemon and no database: the launch files, one question to tmux, and the processes of the
// sessions that people started themselves.

import { listLaunches } from "../../floor/agents/launch-files.ts";
import { listAgents, type ListedAgent } from "../../floor/agents/list-agents.ts";
import { presentGuests } from "../../floor/guests/present-guests.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { withAgents } from "./agent-machine.ts";
import type { CliContext } from "./context.ts";

export function lookAtAgents(context: CliContext): Promise<readonly ListedAgent[]> {
  return withAgents(context, { lenient: true, creates: false }, async ({ home, terminals }) => [
    ...listAgents(listLaunches(home), await terminals.list()),
    ...listGuests(home),
  ]);
}

function listGuests(home: string): ListedAgent[] {
  return presentGuests(home, systemLiveness).here.map(({ agent, runtime, process, startedAt }) => ({
    agent,
    role: "guest",
    wanted: "nothing",
    seen: "up",
    runtime,
    pid: process.pid,
    sinceMs: startedAt,
    attached: false,
  }));
}
