// Reads an HTTP answer as its pieces come. It stands before the daemon's own server, or a proxy in front of it, and knows the forms which that writes: a body of a known
// length, one in chunks, and, of what Bun refuses before our code sees it, one that lasts until the connection is closed. Anything else is an error, so
// that no half answer is taken for a whole one.

export interface Answer {
  readonly status: number;
  /** By their names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** The daemon's own are some 200 bytes. */
const longestHead = 64 * 1024;
const endOfHead = "\r\n\r\n";
const nothing = Buffer.alloc(0);

interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Of the body, in bytes where that is known. */
  readonly length: number | "chunked" | "until closed";
}

export class AnswerReader {
  #head: Head | undefined;
  /** The part of the head, or of a chunk's size, that has come so far. */
  #pending: Buffer = nothing;
  readonly #body: Buffer[] = [];
  #bodyBytes = 0;
  /** The number of bytes of this chunk that are still to come, with the line end behind it. */
  #chunkLeft = 0;
  readonly #mostBytes: number;

  /** `mostBytes`: a longer answer is none. */
  constructor(mostBytes = Number.POSITIVE_INFINITY) {
    this.#mostBytes = mostBytes;
  }

  /** The answer, once all of it is here. */
  read(piece: Buffer): Answer | undefined {
    const head = this.#head;
    if (head === undefined) return this.#readHead(joined(this.#pending, piece));
    if (head.length === "chunked") return this.#readChunks(head, piece);
    return this.#readBody(head, head.length === "until closed" ? Number.POSITIVE_INFINITY : head.length, piece);
  }

  /** The other end closed the connection: the answer, where this is how it ends. */
  close(): Answer | undefined {
    return this.#head?.length === "until closed" ? this.#whole(this.#head) : undefined;
  }

  #readHead(bytes: Buffer): Answer | undefined {
    const end = bytes.indexOf(endOfHead);
    if (end === -1 && bytes.length <= longestHead) {
      this.#pending = bytes;
      return undefined;
    }
    if (end === -1) throw malformed("its head does not end");
    this.#pending = nothing;
    this.#head = headOf(bytes.toString("latin1", 0, end));
    return this.read(bytes.subarray(end + endOfHead.length));
  }

  #readBody(head: Head, length: number, piece: Buffer): Answer | undefined {
    this.#keep(piece);
    if (this.#bodyBytes > length) throw malformed("more came than was announced");
    return this.#bodyBytes === length ? this.#whole(head) : undefined;
  }

  #readChunks(head: Head, piece: Buffer): Answer | undefined {
    let rest = joined(this.#pending, piece);
    this.#pending = nothing;
    for (;;) {
      if (this.#chunkLeft > 0) {
        const taken = rest.subarray(0, this.#chunkLeft);
        const lineEnd = 2;
        this.#keep(taken.subarray(0, Math.max(0, this.#chunkLeft - lineEnd)));
        this.#chunkLeft -= taken.length;
        rest = rest.subarray(taken.length);
        if (this.#chunkLeft > 0) return undefined;
      }
      const end = rest.indexOf("\r\n");
      if (end === -1) {
        if (rest.length > longestHead) throw malformed("the size of a chunk does not end");
        this.#pending = rest;
        return undefined;
      }
      const size = rest.toString("latin1", 0, end);
      if (!/^[0-9a-f]{1,8}$/i.test(size)) throw malformed("a chunk has no size");
      const bytes = Number.parseInt(size, 16);
      if (bytes === 0) {
        // The last chunk ends with an empty line.
        if (rest.length < end + 4) {
          this.#pending = rest;
          return undefined;
        }
        if (rest.toString("latin1", end) !== endOfHead) throw malformed("something came after its end");
        return this.#whole(head);
      }
      this.#chunkLeft = bytes + 2;
      rest = rest.subarray(end + 2);
    }
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#body.push(piece);
    this.#bodyBytes += piece.length;
    if (this.#bodyBytes > this.#mostBytes) throw malformed(`it has more than ${this.#mostBytes} bytes`);
  }

  #whole({ status, headers }: Head): Answer {
    const body = this.#body.length === 1 ? this.#body[0] : Buffer.concat(this.#body);
    return { status, headers, text: (body ?? nothing).toString("utf8") };
  }
}

const joined = (first: Buffer, second: Buffer): Buffer =>
  first.length === 0 ? second : Buffer.concat([first, second]);

const malformed = (why: string): Error => new Error(`the answer cannot be read: ${why}`);

function headOf(text: string): Head {
  const [first = "", ...lines] = text.split("\r\n");
  const status = /^HTTP\/1\.1 ([1-5][0-9]{2})(?: |$)/.exec(first)?.[1];
  if (status === undefined) throw malformed("it is not HTTP");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) throw malformed("a header has no name");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers, length: lengthOf(headers) };
}

function lengthOf(headers: ReadonlyMap<string, string>): Head["length"] {
  const said = headers.get("content-length");
  const coding = headers.get("transfer-encoding");
  if (said === undefined && coding === "chunked") return "chunked";
  if (said === undefined && coding === undefined && headers.get("connection") === "close") return "until closed";
  if (coding !== undefined || said === undefined || !/^[0-9]{1,12}$/.test(said))
    throw malformed("its length is not known");
  return Number(said);
}
