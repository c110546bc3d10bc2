// Restarts an agent for whoever asks over the local API: by the floor's own verb, in a process of its own, which goes on when the daemon does not.

import { wasSeen } from "../../core/agents/queries.ts";
import type { Context } from "../../core/context.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import type { restartAgent as restartOperation } from "../../protocol/operations/agents.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { Settings } from "../../settings/settings.ts";
import { runOwnCommand } from "./run-own-command.ts";

const deadlineMs = 60_000;

export async function restartAgent(
  settings: Settings,
  context: Context,
  { agent, fresh }: ParsedInputOf<typeof restartOperation>,
): Promise<OutputOf<typeof restartOperation>> {
  if (!(await wasSeen(context, agent)))
    throw new Refusal("agent.unknown", `no agent called ${agent} was ever seen`, { agent });
  const words = ["restart", "--no-wait", ...(fresh ? ["--fresh"] : []), agent];
  const { stdout } = await runOwnCommand(settings, words, {
    deadlineMs,
    cwd: settings.root,
    tooSlow: () => new Outage("restart", agent, `it was not begun within ${deadlineMs / 1_000} s`),
  });
  const { agents } = JSON.parse(stdout) as { agents: readonly string[] };
  return { agents: [...agents] };
}
