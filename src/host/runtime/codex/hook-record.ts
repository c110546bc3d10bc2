// What the payloads of Codex's hooks mean.

import type { HookEvent, HookRecord } from "../../../protocol/runtime.ts";
import { recordFrom } from "../hook-records.ts";

export const codexEvents: Readonly<Record<string, HookEvent>> = {
  SessionStart: "session-started",
  UserPromptSubmit: "prompt-submitted",
  PreToolUse: "tool-began",
  PermissionRequest: "permission-asked",
  PostToolUse: "tool-ended",
  Stop: "turn-ended",
  Interrupt: "interrupted",
  PreCompact: "compacting",
  PostCompact: "compacted",
  SessionEnd: "session-ended",
};

export function codexHookRecord(payload: unknown, nowMs: number): HookRecord | undefined {
  return recordFrom(payload, nowMs, codexEvents);
}
