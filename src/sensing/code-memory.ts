// Remembers what the files of a tree say of interfaces, by their content: after an edit only the file that changed is read again.

import { readInterfaces, tellsInterfaces } from "../languages/read-interfaces.ts";
import { OverBudget } from "../ports/budget.ts";
import { Bounded } from "../ports/bounded.ts";
import { type CodeInterfaces, noInterfaces } from "../ports/code-interfaces.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import { textOf } from "../ports/text-of.ts";

const mostBytes = 512 * 1024;
/** Far more than a repository has: two trees of which each is cut somewhere else would seem to differ there. */
const mostFiles = 50_000;
const remembered = 60_000;

export class CodeMemory {
  readonly #files = new Bounded<CodeInterfaces>(remembered);

  /** The same, where a file that takes too long to read is left out. */
  async interfacesReadIn(observer: RepositoryObserver, id: string): Promise<Map<string, CodeInterfaces>> {
    return await this.interfacesIn(observer, id, "", undefined, true);
  }

  /** Of a tree or commit, below a directory; "" is all of it. */
  async interfacesIn(
    observer: RepositoryObserver,
    id: string,
    directory: string,
    wanted: (path: string) => boolean = () => true,
    isPatient = false,
  ): Promise<Map<string, CodeInterfaces>> {
    const found = new Map<string, CodeInterfaces>();
    const prefix = directory === "" || directory === "." ? "" : `${directory}/`;
    for (const [path, { mode, blob }] of await observer.tree(id)) {
      if (found.size >= mostFiles) break;
      if (!path.startsWith(prefix) || !tellsInterfaces(path) || !wanted(path)) continue;
      if (mode === "120000" || mode === "160000") continue;
      try {
        found.set(path, await this.#of(observer, path, blob));
      } catch (cause) {
        if (!isPatient || !(cause instanceof OverBudget)) throw cause;
        found.set(path, noInterfaces);
      }
    }
    return found;
  }

  async #of(observer: RepositoryObserver, path: string, blob: string): Promise<CodeInterfaces> {
    // How a file is read depends on its name too.
    const key = `${blob} ${path.slice(path.lastIndexOf("."))}`;
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const bytes = await observer.read(blob, mostBytes);
    const read = await readInterfaces(path, (bytes === undefined ? undefined : textOf(bytes)) ?? "");
    // What this clone lacks may come, or be there in another one.
    if (bytes !== undefined) this.#files.set(key, read);
    return read;
  }
}
