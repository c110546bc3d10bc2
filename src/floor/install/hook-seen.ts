// That a session which a person started has called constel's hook: only then is it known that its program reads what was installed. One
// small file a program, written when such a session registers.

import { readTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { inHome } from "../../settings/paths.ts";

const fileOf = (runtime: string): string => `${inHome.hookSeen}/${runtime}`;

export function markHookSeen(home: string, runtime: string, atMs: number): void {
  writeTrusted(home, fileOf(runtime), `${atMs}\n`, { sync: false });
}

/** Returns when the hook was last seen. Undefined when it never was. */
export function hookSeenMs(home: string, runtime: string): number | undefined {
  const at = Number(readTrusted(home, fileOf(runtime))?.toString("utf8"));
  return Number.isFinite(at) && at > 0 ? at : undefined;
}
