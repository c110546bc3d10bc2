// For fault tests: questions about a repository that never end. CONSTEL_ENDLESS names them, with commas between: a path, a contract, two
// branches ("a and b"). Unset, a question costs one comparison.

import { readEnv } from "./env.ts";

let names: ReadonlySet<string> | undefined;

export function endlessPoint(name: string): void {
  names ??= new Set((readEnv().CONSTEL_ENDLESS ?? "").split(",").filter((one) => one !== ""));
  if (names.size === 0 || !names.has(name)) return;
  for (let at = 0; ; at = (at * 31 + 1) | 0) if (at === 0.5) return;
}

/** What a process of ours must be started with so that it does the same. */
export function endlessEnvironment(): Record<string, string> {
  const { CONSTEL_ENDLESS: named } = readEnv();
  return named === undefined ? {} : { CONSTEL_ENDLESS: named };
}
