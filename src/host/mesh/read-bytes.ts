// Reads a wire byte by byte as far as it is asked, and no further: what is not asked for stays with the machine, which slows its sender.

import type { Wire } from "../../ports/mesh.ts";

export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #parts: Uint8Array[] = [];
  #held = 0;
  #received = 0;

  constructor(wire: Pick<Wire, "bytes">) {
    this.#chunks = wire.bytes[Symbol.asyncIterator]();
  }

  /** All bytes that came so far, taken or not. */
  get received(): number {
    return this.#received;
  }

  /** Bytes that came and were not taken. */
  get held(): number {
    return this.#held;
  }

  /** Exactly so many bytes. Undefined if the wire ended before. */
  async take(count: number): Promise<Buffer | undefined> {
    while (this.#held < count) {
      const next = await this.#chunks.next();
      if (next.done === true) return undefined;
      if (next.value.length === 0) continue;
      this.#parts.push(next.value);
      this.#held += next.value.length;
      this.#received += next.value.length;
    }
    return this.#cut(count);
  }

  #cut(count: number): Buffer {
    const taken = Buffer.allocUnsafe(count);
    let at = 0;
    while (at < count) {
      const [first] = this.#parts;
      if (first === undefined) throw new Error("fewer bytes are held than were counted");
      const part = first.subarray(0, count - at);
      taken.set(part, at);
      at += part.length;
      if (part.length === first.length) this.#parts.shift();
      else this.#parts[0] = first.subarray(part.length);
    }
    this.#held -= count;
    return taken;
  }
}
