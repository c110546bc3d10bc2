// What `constel hook <runtime>` needs of each program and nothing more: a hook is paid for at every tool call, so that the
// adapters themselves are not loaded.

import type { HookRecord } from "../../protocol/runtime.ts";

export type HookMaker = (payload: unknown, nowMs: number) => HookRecord | undefined;

const makers: Readonly<Record<string, () => Promise<HookMaker>>> = {
  claude: async () => (await import("./claude/hooks.ts")).claudeHookRecord,
  codex: async () => (await import("./codex/hook-record.ts")).codexHookRecord,
  script: async () => (await import("./script/hook-record.ts")).scriptHookRecord,
};

/** undefined for a program that has no hooks, or that nobody knows. */
export async function hookMaker(runtime: string): Promise<HookMaker | undefined> {
  return Object.hasOwn(makers, runtime) ? makers[runtime]?.() : undefined;
}
