// The oldest messages of an inbox without listing all of it each time. A look at a long inbox keeps the names of its oldest part in a
// file beside it, and the drains that follow take from there; what arrives meanwhile is newer and is listed when the part is used
// up. So emptying a box costs as much for each message however many there are. The file is a hint: names are claimed by a
// rename, which fails for what is gone, and it is not used when a message that was in somebody's hands has come back since.

import type { Mailbox } from "./mailbox.ts";
import { readMessageName } from "./message-name.ts";

/** Shorter boxes are simply listed. */
const longBox = 2_000;
/** Of a long one, so many at least, or this share of it, so that the number of listings does not grow with the box. */
const leastKept = 1_000;
const keptShare = 1 / 50;
/** Fewer than this are not worth the file: the box is listed again, and what is new is seen. */
const fewLeft = 200;

const keptName = ".oldest.json";

interface Kept {
  readonly names: readonly string[];
  /** The messages that others had in hand when the box was listed. */
  readonly held: readonly string[];
}

/** Names in the inbox: all of them, or of a long box the oldest part. */
export function oldestIn(box: Mailbox, held: readonly string[]): { readonly names: string[]; readonly part: boolean } {
  const kept = keptFor(box);
  if (kept !== undefined) return { names: kept, part: true };
  const names = box.unsorted("inbox");
  if (names.length <= longBox) return { names, part: false };
  const oldest = smallest(names, Math.max(leastKept, Math.ceil(names.length * keptShare)));
  box.remember(keptName, JSON.stringify({ names: oldest, held } satisfies Kept));
  return { names: oldest, part: true };
}

function keptFor(box: Mailbox): string[] | undefined {
  const kept = read(box);
  if (kept === undefined) return undefined;
  const inbox = box.room("inbox");
  const isThere = (name: string): boolean => inbox.stat(name) !== undefined;
  if (kept.held.some(isThere)) return undefined;
  const left = kept.names.filter(isThere);
  return left.length < fewLeft ? undefined : left;
}

function read(box: Mailbox): Kept | undefined {
  try {
    const { names, held } = JSON.parse(box.remembered(keptName) ?? "") as Partial<Kept>;
    const areNames = (list: unknown): list is string[] =>
      Array.isArray(list) && list.every((name) => typeof name === "string" && readMessageName(name) !== undefined);
    return areNames(names) && areNames(held) ? { names, held } : undefined;
  } catch {
    return undefined;
  }
}

/** The first so many in order, without putting the rest into order. */
function smallest(names: readonly string[], count: number): string[] {
  let kept: string[] = [];
  let bound: string | undefined;
  for (const name of names) {
    if (bound !== undefined && name > bound) continue;
    kept.push(name);
    if (kept.length < 2 * count) continue;
    kept = kept.sort().slice(0, count);
    bound = kept.at(-1);
  }
  return kept.sort().slice(0, count);
}
