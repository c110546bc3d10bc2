// Claude Code's hooks: which we ask for, and what its payloads mean.

import type { HookEvent, HookRecord, Launch } from "../../../protocol/runtime.ts";
import { recordFrom } from "../hook-records.ts";
import { shellLine } from "../shell-words.ts";

const events: Readonly<Record<string, HookEvent>> = {
  SessionStart: "session-started",
  UserPromptSubmit: "prompt-submitted",
  PreToolUse: "tool-began",
  PermissionRequest: "permission-asked",
  PostToolUse: "tool-ended",
  PostToolUseFailure: "tool-ended",
  Stop: "turn-ended",
  SubagentStop: "turn-ended",
  StopFailure: "turn-failed",
  PreCompact: "compacting",
  PostCompact: "compacted",
  Notification: "notified",
  SessionEnd: "session-ended",
};

/** A hook that hangs must not hold the agent up. */
const hookSeconds = 5;
/** The waiting hook lives as long as the session may. */
const waitSeconds = 7 * 24 * 3600;

export function claudeHookRecord(payload: unknown, nowMs: number): HookRecord | undefined {
  return recordFrom(payload, nowMs, events);
}

/** The `hooks` part of a settings file. */
export function claudeHooks(launch: Launch): Record<string, unknown[]> {
  const command = { type: "command", command: shellLine(launch.hookCommand), timeout: hookSeconds };
  const hooks: Record<string, unknown[]> = {};
  for (const name of Object.keys(events)) {
    const takesMatcher = name.includes("ToolUse") || name === "PermissionRequest";
    hooks[name] = [{ ...(takesMatcher ? { matcher: "*" } : {}), hooks: [command] }];
  }
  if (launch.waitCommand !== undefined) {
    const wait = { type: "command", command: shellLine(launch.waitCommand), asyncRewake: true, timeout: waitSeconds };
    for (const name of ["SessionStart", "Stop"]) hooks[name]?.push({ hooks: [wait] });
  }
  return hooks;
}
