// Keeps what is known of files, by the text in them and bounded by bytes: what was not asked for longest goes first. All languages share one
// bound, so that a repository in one language may use all of it. Losing an entry costs a parse, nothing else.
//
// Where facts outlive the process a loss costs a small read, so there those that nobody asks for any more go sooner: each edit makes another
// text of its file, and the facts of the texts before would fill the room, whatever its size.

import { LRUCache } from "lru-cache";
import type { FactsShelf } from "../ports/facts-shelf.ts";

/**
 * Sized by what a loss costs: to parse a Python file anew takes 5 ms of processor, to keep its facts 14 kB. An edit in one of ten
 * worktrees of a repository of 2,600 Python files took 1,940 ms of processor with 2 MB, 830 with 8, 510 with 32 and no less with
 * more; and the process was largest (408 MB) with the smallest memory, because of what it had to read again. Twice that knee, for
 * all repositories together.
 */
export const factsBytes = 64_000_000;

export class FactsMemory {
  readonly #facts: LRUCache<string, Remembered>;
  #turn = 0;
  readonly #shelf: FactsShelf | undefined;

  /** `shelf`: where facts outlive the process. */
  constructor(bytes: number, shelf?: FactsShelf) {
    this.#shelf = shelf;
    this.#facts = new LRUCache({ maxSize: bytes, sizeCalculation: ({ facts }, key) => key.length + bytesOf(facts) });
  }

  /** The part of one language. The same text has other facts in another language. */
  of<Facts extends object>(language: string): FactsOf<Facts> {
    return {
      get: (key) => this.#get(`${language} ${key}`) as Facts | undefined,
      set: (key, facts) => {
        this.#remember(`${language} ${key}`, facts);
        this.#shelf?.set(`${language} ${key}`, facts);
      },
    };
  }

  /** Lets go of what nobody asked for since the call before this one, where it can be read back. */
  forgetUnasked(): void {
    if (this.#shelf !== undefined) {
      const unasked = [...this.#facts.keys()].filter((name) => (this.#facts.peek(name)?.askedIn ?? 0) < this.#turn);
      for (const name of unasked) this.#facts.delete(name);
    }
    this.#turn += 1;
  }

  close(): void {
    this.#shelf?.close();
  }

  #get(name: string): object | undefined {
    const known = this.#facts.get(name);
    if (known !== undefined) {
      known.askedIn = this.#turn;
      return known.facts;
    }
    const kept = this.#shelf?.get(name);
    if (kept !== undefined) this.#remember(name, kept);
    return kept;
  }

  #remember(name: string, facts: object): void {
    this.#facts.set(name, { facts, askedIn: this.#turn });
  }
}

interface Remembered {
  readonly facts: object;
  askedIn: number;
}

export interface FactsOf<Facts> {
  get(key: string): Facts | undefined;
  set(key: string, facts: Facts): void;
}

/**
 * About what plain data takes in memory, and rather more: strings that are shared count each time (measured against the heap: 1.1
 * times for Python, 1.9 for TypeScript). Walks all of it, some 0.1 ms for a file, which takes milliseconds to parse.
 */
function bytesOf(value: unknown): number {
  if (typeof value === "string") return 24 + value.length;
  if (typeof value !== "object" || value === null) return 0;
  let bytes = 32;
  for (const part of Object.values(value)) bytes += 8 + bytesOf(part);
  return bytes;
}
