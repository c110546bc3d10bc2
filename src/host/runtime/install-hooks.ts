// The hooks of ours in a person's own settings, in the shape that three programs share, and how they are known again.

import type { HookEvent, InstallTarget } from "../../ports/runtime.ts";

export function hooksTarget(
  runtime: string,
  path: string,
  events: Readonly<Record<string, HookEvent>>,
  entryFor: (event: string) => unknown,
  { comments = false, mark = true }: { readonly comments?: boolean; readonly mark?: boolean } = {},
): InstallTarget {
  const entries = Object.fromEntries(Object.keys(events).map((event) => [event, entryFor(event)]));
  return { kind: "hooks", runtime, path, entries, isOurs: (entry) => isOurEntry(runtime, entry), comments, mark };
}

/** Every command in it is ours; one to which somebody added theirs is theirs. */
function isOurEntry(runtime: string, entry: unknown): boolean {
  const hooks = (entry as { hooks?: unknown } | null)?.hooks;
  if (!Array.isArray(hooks) || hooks.length === 0) return false;
  return hooks.every((hook: unknown) => {
    const command = (hook as { command?: unknown } | null)?.command;
    return typeof command === "string" && command.endsWith(` hook ${runtime} --guest`);
  });
}
