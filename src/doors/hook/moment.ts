// Decides whether something may be said at a hook, and as what. Loaded at every hook of every agent.

import type { HookRecord } from "../../ports/runtime.ts";
import type { HearMoment } from "../../protocol/hear.ts";

/** Tools that change files. A shell command is none: what it will do is not known before it has done it. */
const editTools: Readonly<Record<string, readonly string[]>> = {
  claude: ["Edit", "Write", "MultiEdit", "NotebookEdit"],
  codex: ["apply_patch"],
  gemini: ["write_file", "replace"],
  opencode: ["edit", "write", "multiedit", "patch", "apply_patch"],
};

export interface HookCall {
  readonly runtime: string;
  readonly record: HookRecord;
  readonly payload: unknown;
}

/** Says what this hook is about. Undefined when nothing may be said at it. */
export function momentOf({ runtime, record, payload }: HookCall): HearMoment | undefined {
  if (record.event === "tool-began") {
    const tools = Object.hasOwn(editTools, runtime) ? (editTools[runtime] ?? []) : [];
    return record.tool !== undefined && tools.includes(record.tool) ? "edit" : undefined;
  }
  // The agent does not hear what its subagent hears, so a subagent is told only before its own edits.
  if (record.inSubagent === true) return undefined;
  if (record.event === "session-started") return "start";
  if (record.event === "prompt-submitted") return "prompt";
  // Already held back: never twice in a row.
  const isHeld = (payload as { stop_hook_active?: unknown }).stop_hook_active === true;
  return record.event === "turn-ended" && !isHeld ? "stop" : undefined;
}
