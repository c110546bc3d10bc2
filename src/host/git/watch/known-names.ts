// The names in a tree, without git where they are known: an edit changes what is in a file and not which there are, and most worktrees of a
// repository differ from one another in nothing else.

import type { CompareTrees } from "../objects/compare-trees.ts";

export class KnownNames {
  readonly #compare: Pick<CompareTrees, "of">;
  readonly #read: (tree: string) => Promise<Uint8Array>;
  #last: { readonly tree: string; readonly names: Uint8Array } | undefined;

  /** `read`: asks git. */
  constructor(compare: Pick<CompareTrees, "of">, read: (tree: string) => Promise<Uint8Array>) {
    this.#compare = compare;
    this.#read = read;
  }

  /** As `readNames` has them. */
  async of(tree: string): Promise<Uint8Array> {
    const last = this.#last;
    const isSame = last !== undefined && (last.tree === tree || (await this.#isOnlyEdited(last.tree, tree)));
    const names = isSame ? last.names : await this.#read(tree);
    this.#last = { tree, names };
    return names;
  }

  async #isOnlyEdited(before: string, after: string): Promise<boolean> {
    const files = await this.#compare.of({ before, after });
    return files?.every(({ change }) => change === "modified") === true;
  }
}
