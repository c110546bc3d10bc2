// Gemini CLI's hooks, for sessions that people start.

import { join } from "node:path";
import type { InstallTarget, InstallWish } from "../../../ports/runtime.ts";
import { geminiEvents } from "../hook-record.ts";
import { hooksTarget } from "../install-hooks.ts";
import { geminiHome } from "./chat.ts";

const hookMs = 5000;

export function geminiInstalls({ env, project, line, instructions }: InstallWish): readonly InstallTarget[] {
  const directory = project === undefined ? geminiHome(env) : join(project, ".gemini");
  const hook = { hooks: [{ name: "constel", type: "command", command: line, timeout: hookMs }] };
  const path = join(project ?? geminiHome(env), "GEMINI.md");
  return [
    hooksTarget("gemini", join(directory, "settings.json"), geminiEvents, () => hook, { comments: true }),
    { kind: "instructions", runtime: "gemini", path, text: instructions },
  ];
}
