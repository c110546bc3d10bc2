// The moment at which a worktree began to be read, to be compared with the times of its files: one whose node has not changed since is as it was
// read. Said only where that is certain: the clock was not set meanwhile, and the file system goes by it.

import { statfsSync } from "node:fs";
import type { Clock } from "../../../ports/machine.ts";

export interface ReadMoment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export const momentOf = (clock: Clock): ReadMoment => ({ wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() });

/** The kernel stamps a change with a clock that may be a tick behind. */
const behindMs = 50;
/** More than this between the two clocks, and one of them was set, or stood still. */
const setMs = 20;

/** Returns the time from which on a change of a file counts as later. Undefined when times of files there say nothing about it. */
export function comparableMs(moment: ReadMoment, clock: Clock, top: string): number | undefined {
  const now = momentOf(clock);
  const apart = now.wallMs - moment.wallMs - (now.monotonicMs - moment.monotonicMs);
  return Math.abs(apart) > setMs || !goesByOurClock(top) ? undefined : moment.wallMs - behindMs;
}

/** Kinds of file systems by the kernel's numbers, all of which stamp also a file that is moved: ext, XFS, Btrfs, memory, overlays, F2FS. A network's go by the clock of a server. */
const local: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010]);

function goesByOurClock(path: string): boolean {
  if (process.platform !== "linux") return false;
  try {
    return local.has(statfsSync(path).type >>> 0);
  } catch {
    return false; // gone: the next look says so
  }
}
