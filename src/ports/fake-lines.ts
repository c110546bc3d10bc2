// Lines between constellations in one process, for tests: frames arrive in order until the line is cut, and what was on its way then is gone.

import type { Line } from "./mesh.ts";

interface End {
  readonly line: Line;
  /** Lets so many frames that wait be read by the other side; the rest are on their way. */
  readonly waiting: Uint8Array[];
  readonly wake: () => void;
}

export interface LinePair {
  readonly here: Line;
  readonly there: Line;
  /** Both ends see it end. Frames that were sent and not yet read are lost. */
  cut(why?: string): void;
}

/** `entries`: the admission that each side has the other under. */
export function makeLinePair(
  names: { readonly here: string; readonly there: string },
  entries: { readonly here: string; readonly there: string },
): LinePair {
  let isOver = false;
  const over = Promise.withResolvers<string>();
  const ends: End[] = [];
  const cut = (why = "the line was cut"): void => {
    if (isOver) return;
    isOver = true;
    for (const end of ends) end.waiting.length = 0;
    over.resolve(why);
    for (const end of ends) end.wake();
  };
  const makeEnd = (peer: string, entry: string, other: () => End | undefined): End => {
    const waiting: Uint8Array[] = [];
    let readers: (() => void)[] = [];
    const wake = (): void => {
      const woken = readers;
      readers = [];
      for (const go of woken) go();
    };
    async function* frames(): AsyncGenerator<Uint8Array> {
      for (;;) {
        if (isOver) return;
        const next = waiting.shift();
        if (next === undefined) await new Promise<void>((resolve) => readers.push(resolve));
        else yield next;
      }
    }
    const line: Line = {
      peer,
      entry,
      version: 1,
      isOurs: true,
      clockAheadMs: 0,
      roundTripMs: () => undefined,
      route: { transport: "tls", at: "127.0.0.1:1" },
      frames: frames(),
      send: async (frame) => {
        if (isOver) throw new Error("the line is over");
        other()?.waiting.push(frame);
        other()?.wake();
      },
      close: (why) => cut(why),
      ended: over.promise,
    };
    return { line, waiting, wake };
  };
  const here = makeEnd(names.there, entries.here, () => ends[1]);
  const there = makeEnd(names.here, entries.there, () => ends[0]);
  ends.push(here, there);
  return { here: here.line, there: there.line, cut };
}
