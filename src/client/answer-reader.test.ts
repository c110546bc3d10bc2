import { describe, expect, test } from "bun:test";
import { type Answer, AnswerReader } from "./answer-reader.ts";

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Own:  a: b \r\n";
const text = 'a "ü" 漢\n';
const bytes = Buffer.byteLength(text);
const half = Buffer.from(text).subarray(0, 4);
const rest = Buffer.from(text).subarray(4);

const forms: Readonly<Record<string, Buffer>> = {
  "of a known length": Buffer.from(`${head}Content-Length: ${bytes}\r\n\r\n${text}`),
  "in chunks": Buffer.concat([
    Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${half.length}\r\n`),
    half,
    Buffer.from(`\r\n${rest.length.toString(16).toUpperCase()}\r\n`),
    rest,
    Buffer.from("\r\n0\r\n\r\n"),
  ]),
};

/** Returns the answers after each piece. */
const read = (pieces: readonly Buffer[]): (Answer | undefined)[] => {
  const reader = new AnswerReader();
  return pieces.map((piece) => reader.read(piece));
};

describe("an answer", () => {
  for (const [form, whole] of Object.entries(forms)) {
    test(`${form} is the same wherever it is cut, and is not there before its last byte`, () => {
      for (let first = 0; first <= whole.length; first++) {
        for (const second of [first, Math.min(first + 1, whole.length), whole.length - 1]) {
          if (second < first) continue;
          const pieces = [whole.subarray(0, first), whole.subarray(first, second), whole.subarray(second)];
          const last = pieces.findLastIndex((piece) => piece.length > 0);
          const answers = read(pieces.slice(0, last + 1));
          expect(answers.slice(0, -1).every((one) => one === undefined)).toBe(true);
          expect(answers.at(-1)).toMatchObject({ status: 200, text });
        }
      }
      expect(read([whole])[0]?.headers.get("x-own")).toBe("a: b");
    });
  }

  test("may be empty, long, and of any status", () => {
    expect(read([Buffer.from("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")])[0]).toMatchObject({ text: "" });
    expect(read([Buffer.from("HTTP/1.1 404\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")])[0]).toMatchObject({
      status: 404,
      text: "",
    });
    const long = "x".repeat(3_000_000);
    const whole = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${long.length}\r\n\r\n${long}`);
    const pieces = Array.from({ length: 100 }, (_, at) => whole.subarray(at * 30_001, (at + 1) * 30_001));
    expect(read(pieces).at(-1)?.text).toBe(long);
  });

  test("lasts until the connection is closed where it says so, and no other does", () => {
    const reader = new AnswerReader();
    const refused = Buffer.from("HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\n\r\ntoo");
    expect([reader.read(refused), reader.read(Buffer.from(" large"))]).toEqual([undefined, undefined]);
    expect(reader.close()).toMatchObject({ status: 413, text: "too large" });
    for (const whole of Object.values(forms)) {
      const cut = new AnswerReader();
      expect(cut.read(whole.subarray(0, -1))).toBeUndefined();
      expect(cut.close()).toBeUndefined();
    }
    expect(new AnswerReader().close()).toBeUndefined();
  });

  test("that is anything else is an error, never a shorter answer", () => {
    const odd = {
      "no HTTP": "SSH-2.0-OpenSSH\r\n\r\n",
      "an older HTTP": "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
      "no length": "HTTP/1.1 200 OK\r\n\r\n",
      "a coding that is not known": "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nConnection: close\r\n\r\n",
      "two lengths": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      "a length that is none": "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
      "a header without a name": "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
      "more than announced": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab",
      "a chunk without a size": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "something after the last chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nx",
      "a head without an end": `HTTP/1.1 200 OK\r\nX: ${"x".repeat(70_000)}`,
      "a size without an end": `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1".repeat(70_000)}`,
    };
    for (const [what, wrong] of Object.entries(odd))
      expect(() => read([Buffer.from(wrong)]), what).toThrow("the answer cannot be read");
  });
});
