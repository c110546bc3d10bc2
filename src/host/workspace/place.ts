// Finds where a workspace stands below the root directory: the directory it is in, held open, and its name there. No link between the root
// and the place is followed: an agent could have planted it. While a workspace is made, removed or brought back, it stands beside its place
// under a name that says which:
//
//   .making-<name>-<mark>    a clone that is not whole yet, by the process that makes it
//   .removing-<name>         out of the way, and not saved yet: it goes back when saving fails
//   .removed-<name>          saved; all that is left to do is to delete it
//   .restoring-<name>        coming back, not whole yet
//
// What is not whole yet is made by git with the owner's own settings, which an agent must not get its hands on: one that put a directory of
// its own in that place in time had git run its filters, outside of its sandbox. So for a place that is a confined agent's own it stands in
// the topmost directory, which that agent does not see, as `.making-<agent>-<task>-<name>-<mark>`.

import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { Refusal } from "../../protocol/errors.ts";
import { ownPlaceIn } from "../../protocol/own-place.ts";

export class Place {
  readonly parent: TrustedDirectory;
  readonly name: string;
  /** The directory that holds what is not whole yet. */
  readonly aside: TrustedDirectory;
  readonly #root: string;
  readonly #place: string;

  private constructor(root: string, place: string, { parent, aside }: Record<"parent" | "aside", TrustedDirectory>) {
    this.#root = root;
    this.#place = place;
    this.parent = parent;
    this.aside = aside;
    this.name = basename(place);
  }

  /** undefined when a directory above it is missing. */
  static find(root: string, place: string): Place | undefined {
    return absentAsUndefined(() => Place.#open(root, place, {}));
  }

  /** Makes the directories above it. */
  static make(root: string, place: string): Place {
    keepOutOfGit(root, place);
    return Place.#open(root, place, { create: true });
  }

  static #open(root: string, place: string, options: { create?: boolean }): Place {
    if (place.split("/").some((part) => part === "" || part === "." || part === ".."))
      throw new Refusal("path.outside-root", `${place} is not a place below the root directory`, { place });
    const parent = TrustedDirectory.open(root, dirname(place), options);
    try {
      const [top = ""] = place.split("/");
      return new Place(root, place, { parent, aside: isOwn(place) ? TrustedDirectory.open(root, top) : parent });
    } catch (cause) {
      parent.close();
      throw cause;
    }
  }

  get making(): string {
    return `.making-${this.#asideName}-`;
  }

  get removing(): string {
    return `.removing-${this.name}`;
  }

  get removed(): string {
    return `.removed-${this.name}`;
  }

  get restoring(): string {
    return `.restoring-${this.#asideName}`;
  }

  get #asideName(): string {
    return isOwn(this.#place) ? this.#place.split("/").slice(1).join("-") : this.name;
  }

  /** Something has the workspace's own name. */
  get isTaken(): boolean {
    return this.parent.stat(this.name) !== undefined;
  }

  isDirectory(name: string): boolean {
    return this.parent.stat(name)?.isDirectory() === true;
  }

  /** As other programs and the process table know it. Below the root no link was followed, so none is now: it would be a new one. */
  realPath(name: string): string {
    return join(realpathSync(this.#root), dirname(this.#place), name);
  }

  /** What stands aside and is whole now comes to its place. */
  bringIn(from: string): void {
    this.aside.moveTo(from, this.parent, this.name);
    this.parent.sync();
  }

  rename(from: string, to: string): void {
    this.parent.moveTo(from, this.parent, to);
    this.parent.sync();
  }

  [Symbol.dispose](): void {
    this.parent.close();
    if (this.aside !== this.parent) this.aside.close();
  }
}

const isOwn = (place: string): boolean => ownPlaceIn(place) !== undefined;

/**
 * The root directory may itself be in a repository (one with a `constel.toml` is). Its `git add -A` would take workspaces in as
 * repositories inside it, so the topmost directory, which is ours alone, tells git to pass over it.
 */
function keepOutOfGit(root: string, place: string): void {
  const [top = place] = place.split("/");
  if (top === place) return;
  using directory = TrustedDirectory.open(root, top, { create: true });
  if (directory.stat(".gitignore") === undefined) directory.write(".gitignore", "*\n", { sync: false, mode: 0o644 });
}
