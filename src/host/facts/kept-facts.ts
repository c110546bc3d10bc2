// Keeps what is known of files on the disk, by what is written in them, for every command and every worktree: a file is parsed once and not
// once a command. One file an entry, private to the user, with the name and a checksum that is looked at before anything is believed. Two
// writers may write the same entry: it is written whole or not at all, and both write the same. An entry that cannot be read, or written, is
// as if it were not there: it costs a parse, nothing else.
//
// Entries belong to one state of the program that made them (`program`): after a change of it all are made anew, and the old go.

import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { TrustedPlace } from "../../files/trusted-place.ts";
import type { FactsShelf } from "../../ports/facts-shelf.ts";

export interface KeptFactsOptions {
  readonly place: TrustedPlace;
  /** Names the state of the program whose readers made the facts: lowercase letters and digits. */
  readonly program: string;
  readonly maxBytes: number;
}

/** Descriptors that are kept open; names within a directory stay few. */
const shelves = 16;
/** Facts of one file past this are not worth the disk. */
const largestEntry = 4 * 1024 * 1024;
/** So many are written together. */
const batch = 64;
/** Programs whose facts are kept beside ours: another version may be in use at the same time. */
const otherPrograms = 2;
const writtenBetweenPrunes = 2_000;
/** The share that is left when there was too much. */
const leftOver = 0.8;

export class KeptFacts implements FactsShelf {
  readonly #options: KeptFactsOptions;
  readonly #open = new Map<string, Shelf | undefined>();
  readonly #waiting = new Map<string, object>();
  #written = 0;
  #isClosed = false;

  constructor(options: KeptFactsOptions) {
    this.#options = options;
  }

  get(name: string): object | undefined {
    const file = fileOf(name);
    const shelf = this.#shelf(file);
    if (shelf === undefined || !shelf.names.has(file)) return undefined;
    try {
      const text = shelf.directory.read(file, { maxBytes: largestEntry })?.toString("utf8");
      return text === undefined ? undefined : believed(name, text);
    } catch {
      return undefined;
    }
  }

  set(name: string, facts: object): void {
    this.#waiting.set(name, facts);
    if (this.#waiting.size >= batch) this.flush();
  }

  /** Writes what waits. */
  flush(): void {
    for (const [name, facts] of this.#waiting) this.#write(name, facts);
    this.#waiting.clear();
    if (this.#written >= writtenBetweenPrunes) this.#prune();
  }

  /** Writes what waits, makes room where there is too much, and lets go of the directories. */
  close(): void {
    this.flush();
    if (this.#written > 0) this.#prune();
    for (const shelf of this.#open.values()) shelf?.directory.close();
    this.#open.clear();
    this.#isClosed = true;
  }

  #write(name: string, facts: object): void {
    const file = fileOf(name);
    const shelf = this.#shelf(file, true);
    const text = JSON.stringify(facts);
    // A value that JSON cannot hold (an infinite number, say) would come back as something else.
    if (shelf === undefined || text.length > largestEntry || !Bun.deepEquals(JSON.parse(text), facts)) return;
    quietly(() => {
      shelf.directory.write(file, `${checksum(name, text)}\n${name}\n${text}`, { sync: false });
      shelf.names.add(file);
      this.#written += 1;
    });
  }

  #shelf(file: string, create = false): Shelf | undefined {
    if (this.#isClosed) return undefined; // somebody may still be in the middle of something
    const name = file.slice(0, 1);
    const known = this.#open.get(name);
    if (known !== undefined || (this.#open.has(name) && !create)) return known;
    const shelf = quietly(() => this.#openShelf(name, create));
    this.#open.set(name, shelf);
    return shelf;
  }

  #openShelf(name: string, create: boolean): Shelf {
    const { place, program } = this.#options;
    if (create) this.#dropOldPrograms();
    const directory = TrustedDirectory.open(place.root, `${place.relative}/${program}/${name}`, { create });
    return { directory, names: new Set(directory.list()) };
  }

  /** Only where ours is not there yet: then something was changed. */
  #dropOldPrograms(): void {
    const { place, program } = this.#options;
    using top = TrustedDirectory.open(place.root, place.relative, { create: true });
    const names = top.list();
    if (names.includes(program)) return;
    const age = (one: string): number => top.stat(one)?.mtimeMs ?? 0;
    for (const old of names.toSorted((a, b) => age(b) - age(a)).slice(otherPrograms)) top.removeTree(old);
    top.make(program);
  }

  /** The oldest go. One shelf in sixteen is measured, for names fall on all alike; only then are all of them. */
  #prune(): void {
    this.#written = 0;
    quietly(() => this.#removeOldest());
  }

  #removeOldest(): void {
    const { place, program, maxBytes } = this.#options;
    using top = TrustedDirectory.open(place.root, `${place.relative}/${program}`);
    const most = maxBytes / shelves;
    const names = top.list();
    const first = names[0];
    if (first === undefined || sizesIn(top, first).reduce((sum, { bytes }) => sum + bytes, 0) <= most) return;
    for (const name of names) {
      using shelf = top.child(name);
      let left = 0;
      for (const { file, bytes } of sizesIn(top, name).toSorted((a, b) => b.writtenMs - a.writtenMs)) {
        left += bytes;
        if (left > most * leftOver) shelf.remove(file);
      }
    }
  }
}

interface Shelf {
  readonly directory: TrustedDirectory;
  /** As they were when it was opened, and ours since: asking for a file that is not there costs more than all the rest. */
  readonly names: Set<string>;
}

function sizesIn(top: TrustedDirectory, name: string): { file: string; bytes: number; writtenMs: number }[] {
  using shelf = top.child(name);
  return shelf.list().map((file) => {
    const stat = shelf.stat(file);
    return { file, bytes: stat?.size ?? 0, writtenMs: stat?.mtimeMs ?? 0 };
  });
}

/** The facts, if the text is what was written under this name. */
function believed(name: string, text: string): object | undefined {
  const sumEnd = text.indexOf("\n");
  const nameEnd = text.indexOf("\n", sumEnd + 1);
  if (sumEnd === -1 || nameEnd === -1 || text.slice(sumEnd + 1, nameEnd) !== name) return undefined;
  const content = text.slice(nameEnd + 1);
  if (text.slice(0, sumEnd) !== checksum(name, content)) return undefined;
  const facts: unknown = JSON.parse(content);
  return typeof facts === "object" && facts !== null ? facts : undefined;
}

const hash = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const checksum = (name: string, text: string): string => hash(`${name}\n${text}`);
const fileOf = (name: string): string => hash(name).slice(0, 40);

/** A memory that fails is no memory. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
