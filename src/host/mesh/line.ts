// A line: whole frames in both directions over a wire whose ends proved their keys. It beats every few seconds by itself, and ends when
// nothing came for longer. A reader that is slow slows the sender: no more than a few frames wait here.

import type { Clock } from "../../ports/machine.ts";
import { largestFrameBytes, type Line, type Route } from "../../ports/mesh.ts";
import { messageOf } from "../../protocol/errors.ts";
import { plainWords, type Proven } from "./handshake.ts";
import { type Kind, lengthBytes, type OpenedRecord, recordLength } from "./sealed-records.ts";

const beatMs = 2_500;
/** Three beats and a little. */
const silentMs = 8_000;
const mostWaitingBytes = 4 * largestFrameBytes;
const mostWaitingFrames = 256;
const beatBytes = 8;

export interface LineParts {
  readonly peer: string;
  readonly entry: string;
  readonly clock: Clock;
  /** True where we dialled. */
  readonly isOurs: boolean;
}

export function openLine(proven: Proven<unknown>, parts: LineParts): Line {
  const line = new ProvenLine(proven, parts);
  line.begin();
  return line;
}

class ProvenLine implements Line {
  readonly peer: string;
  readonly entry: string;
  readonly version: number;
  readonly route: Route;
  readonly isOurs: boolean;
  readonly clockAheadMs: number;
  readonly frames: AsyncIterable<Uint8Array>;
  readonly ended: Promise<string>;
  readonly #tellEnded: (why: string) => void;
  readonly #proven: Proven<unknown>;
  readonly #clock: Clock;
  readonly #resting = new AbortController();
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #hasEnded = false;
  #heardMs: number;
  #roundTripMs: number | undefined;
  #isHeldUp = false;
  #wakeReader = (): void => {};
  #wakeTaker = (): void => {};
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(proven: Proven<unknown>, { peer, entry, clock, isOurs }: LineParts) {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.ended = promise;
    this.#tellEnded = resolve;
    this.#proven = proven;
    this.#clock = clock;
    this.#heardMs = clock.monotonicMs();
    this.peer = peer;
    this.entry = entry;
    this.isOurs = isOurs;
    this.version = proven.version;
    this.route = proven.wire.route;
    this.clockAheadMs = proven.theySaid.now_ms - clock.nowMs();
    this.frames = this.#taken();
  }

  begin(): void {
    this.#read().catch((cause: unknown) => this.#end(`it broke: ${messageOf(cause)}`));
    void this.#beat();
  }

  roundTripMs = (): number | undefined => this.#roundTripMs;

  async send(frame: Uint8Array): Promise<void> {
    if (frame.length > largestFrameBytes)
      throw new Error(`a frame of ${frame.length} bytes is larger than ${largestFrameBytes}`);
    await this.#write("frame", frame);
  }

  close(why: string): void {
    if (this.#hasEnded) return;
    // Said if it can be said at once; whoever hears nothing notices by the silence. What waits here is dropped now.
    void this.#write("end", Buffer.from(why.slice(0, 200))).catch(() => {});
    this.#drop();
    queueMicrotask(() => queueMicrotask(() => this.#end(why)));
  }

  #drop(): void {
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
  }

  #end(why: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#drop();
    this.#resting.abort();
    this.#proven.wire.close();
    this.#wakeReader();
    this.#wakeTaker();
    this.#tellEnded(why);
  }

  /** One after the other: records are numbered in the order in which they are sealed. */
  #write(kind: Kind, payload: Uint8Array): Promise<void> {
    const written = this.#writeAfter(this.#lastWrite, kind, payload);
    this.#lastWrite = written.catch((cause: unknown) => this.#end(`it broke: ${messageOf(cause)}`));
    return written;
  }

  async #writeAfter(before: Promise<void>, kind: Kind, payload: Uint8Array): Promise<void> {
    await before;
    if (this.#hasEnded) throw new Error("the line has ended");
    await this.#proven.wire.write(this.#proven.sealer.seal(kind, payload));
  }

  async #read(): Promise<void> {
    while (!this.#hasEnded) {
      const record = await this.#nextRecord();
      if (this.#hasEnded) return;
      if (typeof record === "string") return this.#end(record);
      this.#heardMs = this.#clock.monotonicMs();
      const { kind, payload } = record;
      if (kind === "end") return this.#end(`the other end closed it: ${plainWords(payload)}`);
      if (kind === "beat") void this.#write("echo", payload.subarray(0, beatBytes)).catch(() => {});
      else if (kind === "echo") this.#noteEcho(payload);
      else await this.#keep(payload);
    }
  }

  async #nextRecord(): Promise<OpenedRecord | string> {
    const { reader, opener } = this.#proven;
    const head = await reader.take(lengthBytes);
    if (head === undefined) return "the other end closed it";
    const length = recordLength(head);
    if (length === undefined) return "it sent a record that is too large";
    const record = await reader.take(length);
    if (record === undefined) return "the other end closed it";
    return opener.open(record) ?? "it sent a record that was not sealed as the next one of this line";
  }

  #noteEcho(payload: Buffer): void {
    const sentMs = payload.length === beatBytes ? payload.readDoubleBE(0) : Number.NaN;
    const tookMs = this.#clock.monotonicMs() - sentMs;
    if (tookMs >= 0 && tookMs < silentMs) this.#roundTripMs = tookMs;
  }

  async #keep(frame: Buffer): Promise<void> {
    this.#waiting.push(frame);
    this.#waitingBytes += frame.length;
    this.#wakeTaker();
    while (!this.#hasEnded && this.#isFull()) {
      this.#isHeldUp = true;
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
    if (this.#isHeldUp) this.#heardMs = this.#clock.monotonicMs(); // nothing was read meanwhile, by our own will
    this.#isHeldUp = false;
  }

  #isFull = (): boolean => this.#waitingBytes > mostWaitingBytes || this.#waiting.length > mostWaitingFrames;

  async #beat(): Promise<void> {
    while (!this.#hasEnded) {
      const at = Buffer.allocUnsafe(beatBytes);
      at.writeDoubleBE(this.#clock.monotonicMs(), 0);
      void this.#write("beat", at).catch(() => {});
      await this.#clock.sleep(beatMs, this.#resting.signal);
      if (!this.#isHeldUp && this.#clock.monotonicMs() - this.#heardMs > silentMs)
        this.#end(`nothing was heard for ${silentMs / 1_000} s`);
    }
  }

  async *#taken(): AsyncGenerator<Uint8Array> {
    while (!this.#hasEnded) {
      const frame = this.#waiting.shift();
      if (frame === undefined) {
        await new Promise<void>((resolve) => (this.#wakeTaker = resolve));
        continue;
      }
      this.#waitingBytes -= frame.length;
      this.#wakeReader();
      yield frame;
    }
  }
}
