// Restarts an agent for whoever asks over the local API: by the floor's own verb, in a process of its own, which goes on when the daemon does
// not. What the daemon starts is nobody's, so this one process is noted as the owner's: whether its asker may was decided before.

import { wasSeen } from "../../core/agents/queries.ts";
import type { Context } from "../../core/context.ts";
import { noteOwned } from "../../floor/agents/owned-files.ts";
import { sealForConstel } from "../../host/keys/seal-for-constel.ts";
import { markOf, systemLiveness } from "../../host/process/liveness.ts";
import { ownCommand, ownEnvironment } from "../../host/process/own-command.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import type { restartAgent as restartOperation } from "../../protocol/operations/agents.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import { readEnv } from "../../settings/env.ts";
import type { Settings } from "../../settings/settings.ts";
import { failureIn } from "./run-own-command.ts";

/** It checks what could be refused and begins; what follows is not waited for. */
const deadlineMs = 60_000;

export async function restartAgent(
  { home, root }: Settings,
  context: Context,
  { agent, fresh }: ParsedInputOf<typeof restartOperation>,
): Promise<OutputOf<typeof restartOperation>> {
  if (!(await wasSeen(context, agent)))
    throw new Refusal("agent.unknown", `no agent called ${agent} was ever seen`, { agent });
  return { agents: [...(await beginRestart({ home, root }, [agent, ...(fresh ? ["--fresh"] : [])]))] };
}

/** `given`: the agent, and what else `constel restart` is told. Answers who is restarted. */
export async function beginRestart(
  { home, root }: Pick<Settings, "home" | "root">,
  given: readonly [string, ...string[]],
): Promise<readonly string[]> {
  const [agent] = given;
  const { CONSTEL_AGENT: _, AGENT_N: __, ...env } = ownEnvironment(readEnv());
  const words = ["restart", ...given, "--no-wait", "--json"];
  const child = Bun.spawn([...ownCommand(), ...words, "--home", home, "--root", root], {
    cwd: root,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: deadlineMs,
  });
  const mark = markOf(child.pid);
  if (mark !== undefined) noteOwned(home, mark, sealForConstel(home), systemLiveness);
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (child.signalCode !== null) throw new Outage("restart", agent, `it was not begun within ${deadlineMs / 1_000} s`);
  if (code !== 0) throw failureIn("constel restart", stderr);
  const { agents } = JSON.parse(stdout) as { agents: readonly string[] };
  return agents;
}
