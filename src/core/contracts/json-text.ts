// A JSON text that is gone over token by token, as far as somebody needs who only wants to know where its parts are. What is inside a
// part is not looked at, so a text that is gone over to its end need not be JSON.

const tab = 9;
const newline = 10;
const carriageReturn = 13;
const space = 32;
const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

export class JsonText {
  readonly text: string;
  at = 0;
  /** The number of keys gone over. */
  keys = 0;
  /** Set where something stands that cannot stand there. */
  isBroken = false;

  constructor(text: string) {
    this.text = text;
  }

  isAtEnd(): boolean {
    this.next();
    return this.at >= this.text.length;
  }

  /** The next character that is no space, which is not gone over; not a number at the end. */
  next(): number {
    let code = this.text.charCodeAt(this.at);
    while (code === space || code === newline || code === carriageReturn || code === tab) {
      this.at += 1;
      code = this.text.charCodeAt(this.at);
    }
    return code;
  }

  /** Goes over the next character that is no space. */
  take(): number {
    const code = this.next();
    this.at += 1;
    return code;
  }

  /** Goes into an object that has something in it; goes over an empty one. */
  opens(): boolean {
    if (this.take() !== openBrace) return this.broken() ?? false;
    if (this.next() !== closeBrace) return true;
    this.at += 1;
    return false;
  }

  /** Goes over a key and its colon. */
  key(): string | undefined {
    if (this.next() !== quote) return this.broken();
    const start = this.at;
    for (let isPlain = true; ;) {
      this.at += 1;
      const code = this.text.charCodeAt(this.at);
      if (code === quote) {
        const end = this.at;
        this.at += 1;
        if (this.take() !== colon) return this.broken();
        this.keys += 1;
        return isPlain ? this.text.slice(start + 1, end) : (JSON.parse(this.text.slice(start, end + 1)) as string);
      }
      // Also where the text has ended.
      if (!(code >= space)) return this.broken();
      if (code !== backslash) continue;
      isPlain = false;
      this.at += 1;
    }
  }

  /** Goes over a value, up to what separates it from the next. Most of the time goes into this loop: it makes nothing. */
  skip(): boolean {
    const { text } = this;
    const start = this.at;
    let at = start;
    let depth = 0;
    let keys = 0;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        at += 1;
        for (let inside = text.charCodeAt(at); inside !== quote; inside = text.charCodeAt(at)) {
          if (at >= text.length) break;
          at += inside === backslash ? 2 : 1;
        }
      } else if (code === openBrace || code === openBracket) depth += 1;
      else if (code === colon) keys += 1;
      else if (code === closeBrace || code === closeBracket) {
        if (depth === 0) break;
        depth -= 1;
      } else if (code === comma && depth === 0) break;
    }
    this.at = at;
    this.keys += keys;
    this.isBroken ||= at === start || at >= text.length;
    return !this.isBroken;
  }

  /** Goes over these words, where they come next and something that separates follows. */
  continues(words: string): boolean {
    if (!this.text.startsWith(words, this.at)) return false;
    const code = this.text.charCodeAt(this.at + words.length);
    if (code !== comma && code !== closeBrace) return false;
    this.at += words.length;
    return true;
  }

  broken(): undefined {
    this.isBroken = true;
    return undefined;
  }
}
