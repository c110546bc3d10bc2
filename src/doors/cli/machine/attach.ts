// Shows an agent's terminal in the caller's own: this process becomes tmux. What tmux's server then has it become instead, by whoever reaches that
// server, is nobody's (host/tmux/spawn-client.ts says why).

import { findProgram } from "../../../host/runtime/detect.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { markDescendants } from "../../../host/process/mark-descendants.ts";
import { Outage } from "../../../protocol/errors.ts";
import type { CommandResult } from "../input/command.ts";

export async function attachTo(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<CommandResult> {
  const [name = "", ...rest] = command;
  const own = childEnvironment(env);
  const path = findProgram(name, own["PATH"] ?? "/usr/bin:/bin");
  if (path === undefined) throw new Outage("start", name, "it is not on the PATH");
  markDescendants(process.pid);
  if (typeof process.execve === "function") process.execve(path, [name, ...rest], own);
  const child = Bun.spawn([path, ...rest], { env: own, stdin: "inherit", stdout: "inherit", stderr: "inherit" });
  return { json: {}, text: "", exit: await child.exited };
}
