// Keeps one line to each peer on the list: dials those that have a route, again and again with longer rests, takes those that call, and ends
// the line of whoever is no longer listed. Both ends may dial at the same moment: the line that the smaller key dialled stays.

import { backOffMs } from "../../ports/back-off.ts";
import type { LineSeen } from "../../core/peers/list.ts";
import type { Clock, Random } from "../../ports/machine.ts";
import { type Line, type Lines, MeshTrouble, type Transport, type TransportKind } from "../../ports/mesh.ts";
import { messageOf } from "../../protocol/errors.ts";
import { dialWithin } from "../../host/mesh/greet.ts";
import type { Ourselves, Proven } from "../../host/mesh/handshake.ts";
import { openLine } from "../../host/mesh/line.ts";
import type { ListedPeer } from "./peer-book.ts";

export interface LinesParts {
  readonly ourselves: Ourselves;
  readonly transports: ReadonlyMap<TransportKind, Transport>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: (line: string) => void;
  /** Called when a line came to stand, and when it ended. */
  readonly seen: (entry: string) => void;
}

interface Kept {
  readonly peer: ListedPeer;
  readonly gone: AbortController;
  line?: Line;
  standsSinceMs?: number;
  program?: string;
  problem?: LineSeen["problem"];
  /** Resolved when the line that stands has ended. */
  wakeDialler: () => void;
}

const sameRoute = (one: ListedPeer, other: ListedPeer): boolean =>
  one.entry === other.entry &&
  one.name === other.name &&
  one.route?.transport === other.route?.transport &&
  one.route?.at === other.route?.at;

export class MeshLines implements Lines {
  readonly #parts: LinesParts;
  readonly #kept = new Map<string, Kept>();
  readonly #visitors = new Set<(line: Line) => void>();
  #isClosed = false;

  constructor(parts: LinesParts) {
    this.#parts = parts;
  }

  to(peer: string): Line | undefined {
    for (const { peer: listed, line } of this.#kept.values()) if (listed.name === peer) return line;
    return undefined;
  }

  attend(visit: (line: Line) => void): void {
    this.#visitors.add(visit);
    for (const { line } of this.#kept.values()) if (line !== undefined) visit(line);
  }

  /** The list as it is now: what is new is dialled, and lines of those that went end at once. */
  keep(peers: Iterable<ListedPeer>, whyGone = "no longer on the list"): void {
    const wanted = new Map([...peers].map((peer) => [peer.entry, peer]));
    for (const [entry, kept] of this.#kept) {
      const now = wanted.get(entry);
      if (now !== undefined && sameRoute(kept.peer, now)) continue;
      this.#kept.delete(entry);
      kept.gone.abort();
      kept.line?.close(now === undefined ? whyGone : "its entry was changed");
    }
    for (const peer of wanted.values()) {
      if (this.#isClosed || this.#kept.has(peer.entry)) continue;
      const kept: Kept = { peer, gone: new AbortController(), wakeDialler: () => {} };
      this.#kept.set(peer.entry, kept);
      if (peer.route !== undefined) void this.#dialOn(kept);
    }
  }

  /** A wire on which this peer proved its key. */
  take(proven: Proven<unknown>, entry: string, isOurs: boolean): void {
    const kept = this.#kept.get(entry);
    if (kept === undefined || this.#isClosed) return proven.wire.close();
    const { clock } = this.#parts;
    const line = openLine(proven, { peer: kept.peer.name, entry, clock, isOurs });
    const before = kept.line;
    if (before !== undefined && before.isOurs !== isOurs && isOurs !== this.#isOursKept(kept))
      return line.close("another line stands");
    kept.line = line;
    kept.standsSinceMs = clock.nowMs();
    kept.program = proven.theySaid.program;
    delete kept.problem;
    before?.close("a newer line stands");
    if (before === undefined)
      this.#parts.log(`mesh: ${kept.peer.name} is connected over ${line.route.transport} ${line.route.at}`);
    this.#parts.seen(entry);
    void line.ended.then((why) => this.#ended(kept, line, why));
    for (const visit of this.#visitors) visit(line);
  }

  #isOursKept({ peer }: Kept): boolean {
    return this.#parts.ourselves.key.publicKey < peer.key;
  }

  #ended(kept: Kept, line: Line, why: string): void {
    if (kept.line !== line) return;
    const { clock, log, seen } = this.#parts;
    delete kept.line;
    delete kept.standsSinceMs;
    kept.problem = { step: "wire", says: `its line ended: ${why}`, atMs: clock.nowMs() };
    log(`mesh: the line to ${kept.peer.name} ended: ${why}`);
    seen(kept.peer.entry);
    kept.wakeDialler();
  }

  seenOf(entry: string): LineSeen {
    const kept = this.#kept.get(entry);
    const { line } = kept ?? {};
    return {
      problem: kept?.problem,
      ...(line === undefined
        ? {}
        : {
            standsSinceMs: kept?.standsSinceMs,
            roundTripMs: line.roundTripMs(),
            clockAheadMs: line.clockAheadMs,
            version: line.version,
            program: kept?.program,
          }),
    };
  }

  async #dialOn(kept: Kept): Promise<void> {
    const { clock, random } = this.#parts;
    const { signal } = kept.gone;
    let failures = 0;
    while (!signal.aborted) {
      if (kept.line !== undefined) {
        const over = new Promise<void>((resolve) => (kept.wakeDialler = resolve));
        const gone = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        await Promise.race([over, gone]);
        failures = 0;
        // At once the first time: a line that broke is most often back with the next dial.
        await clock.sleep(100 + 200 * random.fraction(), signal);
        continue;
      }
      if (await this.#dial(kept, signal)) continue;
      failures += 1;
      await clock.sleep(backOffMs(failures) * (0.8 + 0.4 * random.fraction()), signal);
    }
  }

  async #dial(kept: Kept, signal: AbortSignal): Promise<boolean> {
    const { transports, ourselves, clock, log } = this.#parts;
    const { peer } = kept;
    const { transport: kind, at } = peer.route ?? { transport: "tls", at: "" };
    try {
      const transport = transports.get(kind);
      if (transport === undefined) throw new MeshTrouble("program", at, `no ${kind} here`);
      const wire = await transport.dial(at, signal);
      const proven = await dialWithin(wire, { ourselves, wanted: peer.key }, clock);
      this.take(proven, peer.entry, true);
      return true;
    } catch (cause) {
      if (signal.aborted) return false;
      const step = cause instanceof MeshTrouble ? cause.step : "wire";
      const says = messageOf(cause);
      if (kept.problem?.says !== says) log(`mesh: ${peer.name} cannot be reached (${step}): ${says}`);
      kept.problem = { step, says, atMs: clock.nowMs() };
      return false;
    }
  }

  close(why: string): void {
    this.#isClosed = true;
    this.keep([], why);
  }
}
