// The texts of blobs, asked of the process that has the repository. What is asked for at the same time goes in one question, and what was
// read stays for the next pair: most files are the same in all trees.

/** Fetches texts by blob id; ids that cannot be read are left out. */
export type FetchTexts = (blobIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** In characters. Past this the memory begins anew: reading again costs milliseconds. */
const mostKept = 40_000_000;

export class TreeTexts {
  readonly #fetch: FetchTexts;
  readonly #kept = new Map<string, string>();
  readonly #asked = new Map<string, Promise<string | undefined>>();
  #next: { readonly blobs: string[]; readonly answer: Promise<ReadonlyMap<string, string>> } | undefined;
  #characters = 0;

  constructor(fetch: FetchTexts) {
    this.#fetch = fetch;
  }

  /** The text of a blob that was read before. */
  known(blob: string): string | undefined {
    return this.#kept.get(blob);
  }

  async read(blob: string): Promise<string | undefined> {
    const known = this.#kept.get(blob);
    if (known !== undefined) return known;
    const asked = this.#asked.get(blob) ?? this.#ask(blob);
    this.#asked.set(blob, asked);
    return await asked;
  }

  /** Makes room before a question, never in the middle of one. */
  makeRoom(): void {
    if (this.#characters < mostKept) return;
    this.#kept.clear();
    this.#characters = 0;
  }

  async #ask(blob: string): Promise<string | undefined> {
    this.#next ??= this.#gather();
    const { blobs, answer } = this.#next;
    blobs.push(blob);
    const text = (await answer).get(blob);
    this.#asked.delete(blob);
    if (text === undefined) return undefined;
    this.#kept.set(blob, text);
    this.#characters += text.length;
    return text;
  }

  #gather(): { readonly blobs: string[]; readonly answer: Promise<ReadonlyMap<string, string>> } {
    const blobs: string[] = [];
    const answer = new Promise<void>((resolve) => {
      setImmediate(resolve);
    }).then(() => {
      this.#next = undefined;
      return this.#fetch(blobs);
    });
    return { blobs, answer };
  }
}
