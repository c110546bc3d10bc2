// A line: whole frames in both directions over a wire whose ends proved their keys. It beats every few seconds by itself, and ends when
// nothing came for longer. A reader that is slow slows the sender: no more than a few frames wait here.

import type { Clock } from "../../ports/machine.ts";
import { largestFrameBytes, type Line } from "../../ports/mesh.ts";
import { messageOf } from "../../protocol/errors.ts";
import { plainWords, type Proven } from "./handshake.ts";
import { type Kind, lengthBytes, type OpenedRecord, recordLength } from "./sealed-records.ts";

const beatMs = 2_500;
/** Three beats and a little. */
const silentMs = 8_000;
const mostWaitingBytes = 4 * 1024 * 1024;
const mostWaitingFrames = 256;

export interface LineParts {
  readonly peer: string;
  readonly entry: string;
  readonly clock: Clock;
  /** True where we dialled. */
  readonly isOurs: boolean;
}

export function openLine(proven: Proven<unknown>, { peer, entry, clock, isOurs }: LineParts): Line {
  const { wire, reader, sealer, opener, version } = proven;
  const { promise: ended, resolve: tellEnded } = Promise.withResolvers<string>();
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let hasEnded = false;
  let heardMs = clock.monotonicMs();
  let roundTripMs: number | undefined;
  let sentMs = heardMs;
  let isHeldUp = false;
  let wakeReader = (): void => {};
  let wakeTaker = (): void => {};
  let lastWrite: Promise<void> = Promise.resolve();
  const resting = new AbortController();

  const end = (why: string): void => {
    if (hasEnded) return;
    hasEnded = true;
    waiting.length = 0;
    waitingBytes = 0;
    resting.abort();
    wire.close();
    wakeReader();
    wakeTaker();
    tellEnded(why);
  };

  /** One after the other: records are numbered in the order in which they are sealed. */
  const write = (kind: Kind, payload: Uint8Array): Promise<void> => {
    const written = lastWrite.then(async () => {
      if (hasEnded) throw new Error("the line has ended");
      sentMs = clock.monotonicMs();
      await wire.write(sealer.seal(kind, payload));
    });
    lastWrite = written.catch((cause: unknown) => end(`it broke: ${messageOf(cause)}`));
    return written;
  };

  async function nextRecord(): Promise<OpenedRecord | string> {
    const head = await reader.take(lengthBytes);
    if (head === undefined) return "the other end closed it";
    const length = recordLength(head);
    if (length === undefined) return "it sent a record that is too large";
    const record = await reader.take(length);
    if (record === undefined) return "the other end closed it";
    return opener.open(record) ?? "it sent a record that was not sealed as the next one of this line";
  }

  async function read(): Promise<void> {
    while (!hasEnded) {
      const record = await nextRecord();
      if (hasEnded) return;
      if (typeof record === "string") return end(record);
      heardMs = clock.monotonicMs();
      const { kind, payload } = record;
      if (kind === "end") return end(`the other end closed it: ${plainWords(payload)}`);
      if (kind === "beat") void write("echo", payload.subarray(0, 8)).catch(() => {});
      else if (kind === "echo") noteEcho(payload);
      else await keep(payload);
    }
  }

  function noteEcho(payload: Buffer): void {
    if (payload.length === 8) roundTripMs = Math.max(0, clock.monotonicMs() - payload.readDoubleBE(0));
  }

  async function keep(frame: Buffer): Promise<void> {
    waiting.push(frame);
    waitingBytes += frame.length;
    wakeTaker();
    while (!hasEnded && (waitingBytes > mostWaitingBytes || waiting.length > mostWaitingFrames)) {
      isHeldUp = true;
      await new Promise<void>((resolve) => (wakeReader = resolve));
    }
    if (isHeldUp) heardMs = clock.monotonicMs(); // nothing was read meanwhile, by our own will
    isHeldUp = false;
  }

  async function beat(): Promise<void> {
    while (!hasEnded) {
      await clock.sleep(beatMs, resting.signal);
      if (hasEnded) return;
      const nowMs = clock.monotonicMs();
      if (!isHeldUp && nowMs - heardMs > silentMs) return end(`nothing was heard for ${silentMs / 1_000} s`);
      // A write that waits for the machine is behind us in the queue: a second beat would only wait with it.
      if (nowMs - sentMs < beatMs / 2 && sentMs > heardMs) continue;
      const at = Buffer.allocUnsafe(8);
      at.writeDoubleBE(nowMs, 0);
      void write("beat", at).catch(() => {});
    }
  }

  async function* frames(): AsyncGenerator<Uint8Array> {
    while (!hasEnded) {
      const frame = waiting.shift();
      if (frame === undefined) {
        await new Promise<void>((resolve) => (wakeTaker = resolve));
        continue;
      }
      waitingBytes -= frame.length;
      wakeReader();
      yield frame;
    }
  }

  read().catch((cause: unknown) => end(`it broke: ${messageOf(cause)}`));
  void beat();
  return {
    peer,
    entry,
    version,
    route: wire.route,
    frames: frames(),
    async send(frame) {
      if (frame.length > largestFrameBytes)
        throw new Error(`a frame of ${frame.length} bytes is larger than ${largestFrameBytes}`);
      await write("frame", frame);
    },
    close(why) {
      // Said if it can be said at once; whoever hears nothing notices by the silence.
      if (!hasEnded) void write("end", Buffer.from(why.slice(0, 200))).catch(() => {});
      queueMicrotask(() => queueMicrotask(() => end(why)));
    },
    ended,
    roundTripMs: () => roundTripMs,
    clockAheadMs: proven.theySaid.now_ms - clock.nowMs(),
    isOurs,
  };
}
