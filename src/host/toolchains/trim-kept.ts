// Makes room in what compilers keep by content. Go trims its cache by itself when it builds, and never when it is only asked to list, which is
// all that is asked of it here: without this every tree that was ever looked at would stay.

import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { TrustedPlace } from "../../files/trusted-place.ts";

export interface KeptBounds {
  readonly maxBytes: number;
  readonly unusedMs: number;
  /** Used later than this before now: a compiler that runs may be about to read it. */
  readonly inUseMs: number;
  readonly everyMs: number;
}

const minuteMs = 60_000;

/** Go notes the use of an entry once an hour, and no question to a compiler lasts for minutes. The standard library is some 100 MB of it. */
export const keptBounds: KeptBounds = {
  maxBytes: 1024 ** 3,
  unusedMs: 5 * 24 * 60 * minuteMs,
  inUseMs: 75 * minuteMs,
  everyMs: 60 * minuteMs,
};

/** Its time says when room was last made, to whatever process asks next. */
const mark = "trimmed";

/** What cannot be removed now is removed another time: it costs disk, and nobody an answer. */
export function trimKept(place: TrustedPlace, nowMs: number, bounds: KeptBounds = keptBounds): void {
  try {
    using top = absentAsUndefined(() => TrustedDirectory.open(place.root, place.relative));
    if (top === undefined) return;
    const last = top.stat(mark)?.mtimeMs;
    // A clock that was set back must not keep it from ever being done again.
    if (last !== undefined && last <= nowMs && nowMs - last < bounds.everyMs) return;
    top.write(mark, "", { sync: false });
    top.setTime(mark, nowMs / 1000);
    trim(top, nowMs, bounds);
  } catch {
    // another process is at it, or the disk does not let us
  }
}

interface Entry {
  readonly directory: readonly string[];
  readonly name: string;
  readonly bytes: number;
  readonly usedMs: number;
}

function trim(top: TrustedDirectory, nowMs: number, { maxBytes, unusedMs, inUseMs }: KeptBounds): void {
  const entries = entriesBelow(top, []).sort((one, other) => one.usedMs - other.usedMs);
  let bytes = entries.reduce((sum, one) => sum + one.bytes, 0);
  const gone = new Map<string, Entry[]>();
  for (const entry of entries) {
    const age = nowMs - entry.usedMs;
    if (age < inUseMs || (age < unusedMs && bytes <= maxBytes)) break;
    bytes -= entry.bytes;
    const key = entry.directory.join("/");
    gone.set(key, [...(gone.get(key) ?? []), entry]);
  }
  for (const [, there] of gone) {
    using directory = absentAsUndefined(() => top.descend((there[0]?.directory ?? []).join("/")));
    for (const { name } of there) directory?.remove(name);
  }
}

function entriesBelow(top: TrustedDirectory, directory: readonly string[]): Entry[] {
  using here = absentAsUndefined(() => top.descend(directory.join("/")));
  if (here === undefined) return [];
  return here.list().flatMap((name): Entry[] => {
    const stats = here.stat(name);
    if (stats === undefined || name === mark) return [];
    if (stats.isDirectory()) return entriesBelow(top, [...directory, name]);
    return [{ directory, name, bytes: stats.size, usedMs: stats.mtimeMs }];
  });
}
