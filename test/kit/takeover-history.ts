// Judges what came of many takeovers: by what each process said that it did, and by what stands in the database at the end. Answers every promise that
// was broken, in words; none when all held.

import type { HolderLine } from "./holder-child.ts";

export interface WrittenEvent {
  readonly seq: number;
  readonly who: string;
  readonly epoch: number;
  readonly n: number;
}

export function brokenPromises(said: readonly HolderLine[], written: readonly WrittenEvent[]): string[] {
  const broken = new Set<string>();
  const key = (one: { who: string; n: number }): string => `${one.who}#${one.n}`;
  const times = Map.groupBy(written, key);
  for (const [one, rows] of times) if (rows.length > 1) broken.add(`written twice: ${one}`);
  const asked = new Set(said.filter(({ did }) => did === "asks").map(key));
  for (const one of written) if (!asked.has(key(one))) broken.add(`written by nobody: ${key(one)}`);
  for (const one of said) {
    if (one.did === "acknowledged" && !times.has(key(one))) broken.add(`lost: ${key(one)}`);
    if (one.did === "refused" && one.why === "store.lease-lost" && times.has(key(one)))
      broken.add(`written although refused: ${key(one)}`);
  }
  const holders = new Map<number, string>();
  for (const { did, who, epoch } of said) {
    if (did !== "holds") continue;
    if ((holders.get(epoch) ?? who) !== who)
      broken.add(`two holders of epoch ${epoch}: ${holders.get(epoch)} and ${who}`);
    holders.set(epoch, who);
  }
  let newest = 0;
  for (const { seq, who, epoch } of written.toSorted((a, b) => a.seq - b.seq)) {
    if (epoch < newest) broken.add(`${who} wrote event ${seq} under epoch ${epoch}, after epoch ${newest} had begun`);
    newest = Math.max(newest, epoch);
    if ((holders.get(epoch) ?? who) !== who)
      broken.add(`${who} wrote under epoch ${epoch}, which ${holders.get(epoch)} holds`);
  }
  return [...broken];
}
