// For fault tests: questions about a repository that never end. CONSTEL_ENDLESS names them, with commas between: a path or two
// branches ("a and b"), with the kind of question before it where that matters ("contract api.yaml"). Unset, a question costs one comparison.

import { readEnv } from "./env.ts";

let names: ReadonlySet<string> | undefined;

export function endlessPoint({ kind, name }: { readonly kind: string; readonly name: string }): void {
  names ??= new Set((readEnv().CONSTEL_ENDLESS ?? "").split(",").filter((one) => one !== ""));
  if (names.size === 0 || !(names.has(name) || names.has(`${kind} ${name}`))) return;
  for (let at = 0; ; at = (at * 31 + 1) | 0) if (at === 0.5) return;
}

/** Returns the environment that a process of ours must be started with so that it does the same. */
export function endlessEnvironment(): Record<string, string> {
  const { CONSTEL_ENDLESS: named } = readEnv();
  return named === undefined ? {} : { CONSTEL_ENDLESS: named };
}
