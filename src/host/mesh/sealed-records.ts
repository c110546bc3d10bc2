// Records of a line: each is sealed with AES-256-GCM under a key of its direction and a number that goes up, so that a record that was
// changed, left out, moved or sent again does not open. On the wire: four bytes of length, then the sealed kind and payload.

import { createCipheriv, createDecipheriv } from "node:crypto";
import { largestFrameBytes } from "../../ports/mesh.ts";

/** `frame`: for core/mesh. `beat` and `echo`: the heartbeat and its answer. `end`: the other side ends the line, with its reason. */
export const kinds = { frame: 0, beat: 1, echo: 2, end: 3 } as const;
export type Kind = keyof typeof kinds;

const names = Object.keys(kinds) as Kind[];
const tagBytes = 16;
export const lengthBytes = 4;
export const largestRecordBytes = 1 + largestFrameBytes + tagBytes;
const smallestRecordBytes = 1 + tagBytes;
/** A key seals no more than this; the next line has another key. */
const mostRecords = 2 ** 32;

/** Undefined for a length that no record has. */
export function recordLength(head: Buffer): number | undefined {
  const length = head.readUInt32BE(0);
  return length >= smallestRecordBytes && length <= largestRecordBytes ? length : undefined;
}

class Numbers {
  #count = 0;
  readonly #nonce = Buffer.alloc(12);

  next(): Buffer {
    if (this.#count >= mostRecords) throw new Error("this line's key has sealed all it may");
    this.#nonce.writeUIntBE(this.#count, 6, 6);
    this.#count += 1;
    return this.#nonce;
  }
}

export class RecordSealer {
  readonly #numbers = new Numbers();
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  seal(kind: Kind, payload: Uint8Array): Buffer {
    const cipher = createCipheriv("aes-256-gcm", this.#key, this.#numbers.next());
    const head = Buffer.allocUnsafe(lengthBytes);
    head.writeUInt32BE(1 + payload.length + tagBytes, 0);
    const sealed = [cipher.update(Buffer.of(kinds[kind])), cipher.update(payload), cipher.final()];
    return Buffer.concat([head, ...sealed, cipher.getAuthTag()]);
  }
}

export interface OpenedRecord {
  readonly kind: Kind;
  readonly payload: Buffer;
}

export class RecordOpener {
  readonly #numbers = new Numbers();
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Undefined for what the other end did not seal as the next one. */
  open(record: Buffer): OpenedRecord | undefined {
    const decipher = createDecipheriv("aes-256-gcm", this.#key, this.#numbers.next());
    decipher.setAuthTag(record.subarray(record.length - tagBytes));
    try {
      const opened = Buffer.concat([decipher.update(record.subarray(0, record.length - tagBytes)), decipher.final()]);
      const kind = names[opened[0] ?? names.length];
      return kind === undefined ? undefined : { kind, payload: opened.subarray(1) };
    } catch {
      return undefined;
    }
  }
}
