// Every agent program constel knows. To add one: write its adapter, and add its line here.

import type { Runtime } from "../../ports/runtime.ts";
import { acpRuntime } from "./acp/acp-runtime.ts";
import { acpPrograms } from "./acp/programs.ts";
import { agy } from "./agy/agy.ts";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import { drivable } from "./driving/held.ts";
import { gemini } from "./gemini/gemini.ts";
import { opencode } from "./opencode/opencode.ts";
import { remote } from "./remote/remote.ts";
import { script } from "./script/script.ts";

export const runtimes: readonly Runtime[] = [
  ...[claude, codex, opencode, script].map(drivable),
  gemini,
  remote,
  ...acpPrograms.map(acpRuntime),
  agy,
];

export function runtimeNamed(name: string): Runtime | undefined {
  return runtimes.find((runtime) => runtime.name === name);
}
