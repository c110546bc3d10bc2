// Keeps handshakes within limits: so many at once, over all and from one place, each within a few seconds. A wire past them is closed unread.
// Each kind of refusal from one place is told once an hour, with a count of those since.

import type { Clock } from "../../ports/machine.ts";
import { Bounded } from "../../ports/bounded.ts";
import { MeshTrouble, type Wire } from "../../ports/mesh.ts";
import { keyId } from "../keys/ed25519.ts";
import { answerHandshake, type Answering, dialHandshake, type Dialling, type Proven, Refused } from "./handshake.ts";

export const handshakeMs = 10_000;
const mostAtOnce = 64;
const mostFromOnePlace = 8;
const toldAgainAfterMs = 3_600_000;
const rememberedPlaces = 1_000;

export async function dialWithin(wire: Wire, dialling: Dialling, clock: Clock): Promise<Proven<true>> {
  const late = new MeshTrouble("silence", wire.route.at, `it said nothing for ${handshakeMs / 1_000} s`);
  try {
    return await within(clock, dialHandshake(wire, dialling), late);
  } catch (cause) {
    wire.close();
    throw cause;
  }
}

async function within<T>(clock: Clock, work: Promise<T>, late: Error): Promise<T> {
  const done = new AbortController();
  const timer = clock.sleep(handshakeMs, done.signal).then((): T => {
    throw late;
  });
  timer.catch(() => {});
  work.catch(() => {});
  try {
    return await Promise.race([work, timer]);
  } finally {
    done.abort();
  }
}

export class Greeter<Admitted> {
  readonly #answering: Answering<Admitted>;
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  readonly #open = new Map<string, number>();
  readonly #told = new Bounded<{ readonly atMs: number; count: number }>(rememberedPlaces);
  #count = 0;

  constructor(answering: Answering<Admitted>, clock: Clock, log: (line: string) => void) {
    this.#answering = answering;
    this.#clock = clock;
    this.#log = log;
  }

  /** The number of wires whose other end has not proved its key yet. */
  get halfOpen(): number {
    return this.#count;
  }

  /** Undefined for a wire that was refused, and is closed. */
  async answer(wire: Wire): Promise<Proven<Admitted> | undefined> {
    const place = placeOf(wire);
    const here = this.#open.get(place) ?? 0;
    if (this.#count >= mostAtOnce || here >= mostFromOnePlace) {
      wire.close();
      this.refused(wire, "too many of its connections have not proved a key");
      return undefined;
    }
    this.#count += 1;
    this.#open.set(place, here + 1);
    try {
      const late = new Refused(`it did not prove its key within ${handshakeMs / 1_000} s`);
      return await within(this.#clock, answerHandshake(wire, this.#answering), late);
    } catch (cause) {
      wire.close();
      if (cause instanceof Refused) this.refused(wire, cause.message, cause.key);
      else this.refused(wire, "its connection broke before it proved its key");
      return undefined;
    } finally {
      this.#count -= 1;
      const left = (this.#open.get(place) ?? 1) - 1;
      if (left <= 0) this.#open.delete(place);
      else this.#open.set(place, left);
    }
  }

  /** Tells of a refusal, once an hour for each reason and place. */
  refused({ route }: Pick<Wire, "route">, why: string, key?: string): void {
    const place = placeOf({ route });
    const what = `${route.transport} ${place} ${why} ${key ?? ""}`;
    const nowMs = this.#clock.monotonicMs();
    const before = this.#told.get(what);
    if (before !== undefined && nowMs - before.atMs < toldAgainAfterMs) {
      before.count += 1;
      return;
    }
    const again =
      before === undefined || before.count === 0 ? "" : ` (and ${before.count} times since it was last said)`;
    this.#told.set(what, { atMs: nowMs, count: 0 });
    const named = key === undefined ? "" : `, key ${keyId(key)}`;
    this.#log(`mesh: refused ${route.transport} from ${place}${named}: ${why}${again}`);
  }
}

/** The other end without its port, which is another each time. */
const placeOf = ({ route }: Pick<Wire, "route">): string =>
  route.at.replace(/^\[?(.*?)\]?:\d+$/, "$1").replaceAll(/[^\x21-\x7e]/g, "?");
