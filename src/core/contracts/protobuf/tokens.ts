// The words of a .proto file, one at a time, with their lines. Nothing is kept, so a file of megabytes costs no more than
// its text.

/** The words of all files of one version. Parsed, each takes some three hundred bytes. */
export const maximumTokens = 2_000_000;
export const tooManyTokens = `There are more than ${maximumTokens} words, which is larger than constel looks at.`;

export class ProtoError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export interface Token {
  readonly kind: "word" | "number" | "text" | "sign" | "end";
  /** For text: the decoded contents. */
  readonly text: string;
  readonly line: number;
}

// Sticky, so that each is tried where the last one ended.
const space = /[\s\uFEFF]+/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const number = /(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?)/y;
const signs = new Set("{}[]()<>;,.=:+-/");

export class Tokens {
  readonly #source: string;
  #at = 0;
  #line = 1;
  #count = 0;
  #ahead: Token[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  /** The number of tokens read. */
  get count(): number {
    return this.#count;
  }

  /** The token that comes `distance` tokens after the next one. */
  peek(distance = 0): Token {
    while (this.#ahead.length <= distance) this.#ahead.push(this.#read());
    return this.#ahead[distance] as Token;
  }

  next(): Token {
    return this.#ahead.shift() ?? this.#read();
  }

  is(text: string): boolean {
    const token = this.peek();
    return token.text === text && (token.kind === "word" || token.kind === "sign");
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  expect(text: string): Token {
    if (!this.is(text)) throw this.unexpected(`"${text}"`);
    return this.next();
  }

  word(what: string): Token {
    if (this.peek().kind !== "word") throw this.unexpected(what);
    return this.next();
  }

  /** A string; adjacent ones are one. */
  string(what: string): string {
    if (this.peek().kind !== "text") throw this.unexpected(what);
    let joined = "";
    while (this.peek().kind === "text") joined += this.next().text;
    return joined;
  }

  integer(what: string): number {
    const negative = this.take("-");
    const token = this.peek();
    const value = token.kind === "number" ? integerOf(token.text) : undefined;
    if (value === undefined) throw this.unexpected(what);
    this.next();
    return negative ? -value : value;
  }

  unexpected(wanted: string): ProtoError {
    const { kind, text, line } = this.peek();
    const found = kind === "end" ? "the end of the file" : `"${text.length > 40 ? `${text.slice(0, 39)}…` : text}"`;
    return new ProtoError(line, `Expected ${wanted}, found ${found}.`);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#source) ?? [];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return found;
  }

  /** Space and comments. */
  #skipGaps(): void {
    for (;;) {
      const gap = this.#match(space) ?? this.#comment();
      if (gap === undefined) return;
      this.#line += lineBreaks(gap);
    }
  }

  #comment(): string | undefined {
    const from = this.#at;
    let end: number;
    if (this.#source.startsWith("//", from)) {
      end = this.#source.indexOf("\n", from);
      if (end < 0) end = this.#source.length;
    } else if (this.#source.startsWith("/*", from)) {
      end = this.#source.indexOf("*/", from + 2) + 2;
      if (end < 2) throw new ProtoError(this.#line, "A comment does not end.");
    } else return undefined;
    this.#at = end;
    return this.#source.slice(from, end);
  }

  #quoted(quote: string): string {
    const from = this.#at + 1;
    for (let at = from; at < this.#source.length; at += 1) {
      const character = this.#source[at];
      if (character === "\n" || character === "\0") break;
      if (character === "\\") at += 1;
      else if (character === quote) {
        this.#at = at + 1;
        return this.#source.slice(from, at);
      }
    }
    throw new ProtoError(this.#line, "A string does not end on its line.");
  }

  #read(): Token {
    this.#skipGaps();
    this.#count += 1;
    if (this.#count > maximumTokens) throw new ProtoError(this.#line, tooManyTokens);
    const line = this.#line;
    const character = this.#source[this.#at];
    if (character === undefined) return { kind: "end", text: "", line };
    const name = this.#match(word);
    if (name !== undefined) return { kind: "word", text: name, line };
    if (character === '"' || character === "'") {
      return { kind: "text", text: decode(this.#quoted(character)), line };
    }
    const digits = /[\d.]/.test(character) ? this.#match(number) : undefined;
    if (digits !== undefined) return { kind: "number", text: digits, line };
    if (!signs.has(character)) throw new ProtoError(line, `Unexpected character ${JSON.stringify(character)}.`);
    this.#at += 1;
    return { kind: "sign", text: character, line };
  }
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function integerOf(text: string): number | undefined {
  if (/^0[xX]/.test(text)) return Number.parseInt(text, 16);
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", a: "\x07", b: "\b", f: "\f", v: "\v" };

function decode(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(
    /\\(?:[xX]([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/g,
    (...groups) => {
      const [, hex, octal, short, long, plain] = groups as (string | undefined)[];
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      const code = hex ?? short ?? long;
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
      return escapes[plain ?? ""] ?? plain ?? "";
    },
  );
}
