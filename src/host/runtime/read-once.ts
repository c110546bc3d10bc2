// Keeps what was read from a file until the file changes: a sweep over a hundred idle agents then costs a hundred stats.

import { statSync } from "node:fs";
import { Bounded } from "../../ports/bounded.ts";

/** More files than agents on one machine; beyond it the one not asked for longest is dropped. */
const most = 500;

export class Kept<T> {
  readonly #byPath = new Bounded<{ stamp: string; value: T }>(most);

  /** The value for this file and question, read anew when the file's size, time or identity is another. */
  of(path: string, question: string, read: () => T): T {
    const stat = statSync(path, { throwIfNoEntry: false });
    const stamp = stat === undefined ? "absent" : `${stat.ino}:${stat.size}:${stat.mtimeMs}:${question}`;
    const known = this.#byPath.get(path);
    if (known?.stamp === stamp) return known.value;
    const value = read();
    this.#byPath.set(path, { stamp, value });
    return value;
  }
}
