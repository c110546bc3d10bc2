// The lines of a consumer's own files that hold a name of a contract: a plain search for whole words, so what it finds is a hint
// where to look. That a name is not found says something only where everything was searched for it.

export interface UseLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly name: string;
}

export interface NameUses {
  /** To be shown: a few, each name at most some times. */
  readonly lines: readonly UseLine[];
  /** All names that were found. */
  readonly used: readonly string[];
  /** Names that were not searched for, or not everywhere. */
  readonly unsure: readonly string[];
}

const mostLines = 20;
const mostLinesOfFile = 5;
const longestShown = 200;

/** One letter is in every line. */
const isTelling = (name: string): boolean => name.length > 1;

/** Goes through files one by one until everything is known that it was asked for. */
export class UseSearch {
  readonly #lines: UseLine[] = [];
  readonly #used = new Set<string>();
  readonly #words: ReadonlySet<string>;
  /** Names that are more than one word: `order-id`. */
  readonly #others: readonly string[];
  readonly #names: readonly string[];

  constructor(names: readonly string[]) {
    this.#names = names;
    const telling = names.filter(isTelling);
    const isWord = (name: string): boolean => /^[\p{L}\p{N}_]+$/u.test(name);
    this.#words = new Set(telling.filter(isWord));
    this.#others = telling.filter((name) => !isWord(name));
  }

  /** Nothing that another file could add. */
  get isOver(): boolean {
    return this.#used.size === this.#words.size + this.#others.length && this.#lines.length >= mostLines;
  }

  read(path: string, text: string): void {
    const there = this.#namesIn(text);
    // Names that are known and can be shown already are not looked for line by line.
    const wanted = this.#lines.length < mostLines ? there : [];
    for (const name of there) this.#used.add(name);
    if (wanted.length === 0) return;
    const patterns = wanted.map((name) => ({ name, pattern: wholeWord(name) }));
    let shown = 0;
    for (const [index, line] of text.split("\n").entries()) {
      if (shown >= mostLinesOfFile || this.#lines.length >= mostLines) break;
      const hit = patterns.find(({ pattern }) => pattern.test(line));
      if (hit === undefined) continue;
      this.#lines.push({ path, line: index + 1, text: line.slice(0, longestShown), name: hit.name });
      shown += 1;
    }
  }

  /** `isWhole`: all files were read that could hold one. */
  result(isWhole: boolean): NameUses {
    const unsure = this.#names.filter((name) => !this.#used.has(name) && (!isWhole || !isTelling(name)));
    return { lines: this.#lines, used: [...this.#used], unsure };
  }

  #namesIn(text: string): string[] {
    const found = this.#others.filter((name) => text.includes(name) && wholeWord(name).test(text));
    if (this.#words.size === 0) return found;
    const words = new Set<string>();
    for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) if (this.#words.has(word)) words.add(word);
    return [...words, ...found];
  }
}

function wholeWord(name: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${RegExp.escape(name)}(?![\p{L}\p{N}_])`, "u");
}
