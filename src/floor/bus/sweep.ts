// Takes away what time has made useless: dot-temps of processes that died, and done messages past their days. Marks of old messages
// move into the list of taken keys: no message is forgotten, because its signature still counts. Poison stays until somebody decides.

import type { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { Bus } from "./bus.ts";
import { Mailbox } from "./mailbox.ts";
import { readClaim, readDone, readMessageName } from "./message-name.ts";
import { type Mark, readMark } from "./seen.ts";
import { addToList, isKey } from "./taken-list.ts";

export interface SweepOptions {
  /** Days that done/ is kept. */
  readonly doneDays?: number;
  /** Days that the mark of a key is a file of its own. Afterwards the list has it. */
  readonly seenDays?: number;
  /** At most so many are, the newest. */
  readonly maxSeen?: number;
  /** The list is written anew when so many are to go into it. */
  readonly enough?: number;
}

export interface Swept {
  readonly temporaries: number;
  readonly done: number;
  /** Marks that went into the list. */
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
    seen: sweepSeen(box, nowMs, options),
    done: sweepDone(box, nowMs - (options.doneDays ?? 7) * dayMs),
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

function sweepSeen(
  box: Mailbox,
  nowMs: number,
  { seenDays = 3, maxSeen = 50_000, enough = 500 }: SweepOptions,
): number {
  const seen = box.room("seen");
  const old = seen
    .list()
    .filter(isKey)
    .map((key) => ({ key, modifiedMs: modifiedMs(seen, key) }))
    .sort((a, b) => b.modifiedMs - a.modifiedMs)
    .filter(({ modifiedMs }, index) => index >= maxSeen || modifiedMs < nowMs - seenDays * dayMs)
    .map(({ key }) => key);
  if (old.length < enough) return 0;
  const waiting = new Set([...box.unsorted("inbox"), ...box.unsorted("poison"), ...namesInHand(box)]);
  const gone = old.filter((key) => isGone(readMark(seen, key), waiting));
  if (gone.length === 0) return 0;
  addToList(seen, gone);
  return gone.filter((key) => seen.remove(key)).length;
}

/** Its message was taken, or is nowhere any more. A message that still waits is not its own duplicate, so its mark stays. */
const isGone = (mark: Mark | undefined, waiting: ReadonlySet<string>): boolean =>
  mark !== undefined && (mark.taken || (readMessageName(mark.owner) !== undefined && !waiting.has(mark.owner)));

const namesInHand = (box: Mailbox): string[] =>
  box.unsorted("processing").flatMap((file) => readClaim(file)?.name ?? []);

/** Infinity for what is gone by now, so that it counts as fresh. */
const modifiedMs = (room: TrustedDirectory, name: string): number => room.stat(name)?.mtimeMs ?? Infinity;
