// Takes away what time has made useless: dot-temps of processes that died, done messages past their days, and marks of keys
// that nobody will send again. Poison stays until somebody decides.

import type { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { Bus } from "./bus.ts";
import { Mailbox } from "./mailbox.ts";
import { readDone } from "./message-name.ts";

export interface SweepOptions {
  /** Days that done/ is kept. */
  readonly doneDays?: number;
  /** Days that ids and idempotency keys are remembered: longer than any sender tries again. */
  readonly seenDays?: number;
  /** At most so many keys are remembered, the newest. */
  readonly maxSeen?: number;
}

export interface Swept {
  readonly temporaries: number;
  readonly done: number;
  readonly seen: number;
}

const dayMs = 86_400_000;
/** A write takes milliseconds. A temp this old belongs to nobody. */
const staleTemporaryMs = 600_000;

export function sweep(bus: Bus, agent: string, options: SweepOptions = {}): Swept {
  using box = Mailbox.find(bus, agent);
  if (box === undefined) return { temporaries: 0, done: 0, seen: 0 };
  const nowMs = bus.clock.settledMs();
  const rooms = (["inbox", "poison", "seen"] as const).map((room) => box.room(room));
  return {
    temporaries: rooms.reduce((sum, room) => sum + sweepTemporaries(room, nowMs), 0),
    done: sweepDone(box, nowMs - (options.doneDays ?? 7) * dayMs),
    seen: sweepSeen(box.room("seen"), nowMs - (options.seenDays ?? 30) * dayMs, options.maxSeen ?? 50_000),
  };
}

function sweepTemporaries(room: TrustedDirectory, nowMs: number): number {
  return room
    .list()
    .filter(
      (name) => name.startsWith(".") && name.endsWith(".tmp") && modifiedMs(room, name) < nowMs - staleTemporaryMs,
    )
    .filter((name) => room.remove(name)).length;
}

function sweepDone(box: Mailbox, beforeMs: number): number {
  return box
    .names("done")
    .filter((file) => (readDone(file)?.settledAtMs ?? Infinity) < beforeMs)
    .filter((file) => box.room("done").remove(file)).length;
}

function sweepSeen(seen: TrustedDirectory, beforeMs: number, maxCount: number): number {
  const marks = seen
    .list()
    .filter((name) => !name.startsWith("."))
    .map((name) => ({ name, modifiedMs: modifiedMs(seen, name) }))
    .sort((a, b) => b.modifiedMs - a.modifiedMs);
  return marks
    .filter(({ modifiedMs }, index) => index >= maxCount || modifiedMs < beforeMs)
    .filter(({ name }) => seen.remove(name)).length;
}

/** Infinity for what is gone by now, so that it counts as fresh. */
const modifiedMs = (room: TrustedDirectory, name: string): number => room.stat(name)?.mtimeMs ?? Infinity;
