// Claude Code's hooks: which we ask for.

import type { Launch } from "../../../ports/runtime.ts";
import { hookLine } from "../shell-words.ts";
import { claudeEvents } from "../hook-record.ts";

/** A hook that hangs must not hold the agent up. */
const hookSeconds = 5;
/** A question for permission may wait for a person, for as long as the setting says (a day at most); the hook itself ends it. */
const permissionSeconds = 24 * 3600 + 120;
/** The waiting hook lives as long as the session may. */
const waitSeconds = 7 * 24 * 3600;

/** The `hooks` part of a settings file. */
export function claudeHooks(launch: Launch): Record<string, unknown[]> {
  const line = hookLine(launch.hookCommand);
  const hooks: Record<string, unknown[]> = {};
  for (const name of Object.keys(claudeEvents)) {
    const timeout = name === "PermissionRequest" ? permissionSeconds : hookSeconds;
    const command = { type: "command", command: line, timeout };
    const takesMatcher = name.includes("ToolUse") || name === "PermissionRequest";
    hooks[name] = [{ ...(takesMatcher ? { matcher: "*" } : {}), hooks: [command] }];
  }
  if (launch.waitCommand !== undefined) {
    const wait = { type: "command", command: hookLine(launch.waitCommand), asyncRewake: true, timeout: waitSeconds };
    for (const name of ["SessionStart", "Stop"]) hooks[name]?.push({ hooks: [wait] });
  }
  return hooks;
}
