// Files that are made, not written (lock files): where git cannot merge one, the command that constel.toml names for it makes
// it anew, from everything else that was merged. It runs in a clone that is gone afterwards; the named files, as plain files,
// are all that is taken from there. The command is the target's or the root directory's, never the branch's.

import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LandingNote, PickWish } from "../../ports/harvest.ts";
import { inScratch, runHere, whyNot } from "../gate/run-gate.ts";
import { withTrailers, writeCommit } from "./commit-text.ts";
import { differences } from "./compare-paths.ts";
import { cloneInto } from "./disposable-clone.ts";
import type { GroundParts } from "./landing-parts.ts";
import type { Merged } from "./merge-onto.ts";

const deadlineMs = 600_000;
const largestFile = 64 * 1024 * 1024;

export type Made =
  | { readonly tip: string; readonly commits: number; readonly notes: readonly LandingNote[] }
  | { readonly why: string };

export class Regeneration {
  readonly #parts: GroundParts;
  readonly #wish: PickWish;
  readonly #paths = new Set<string>();

  constructor(parts: GroundParts, wish: PickWish) {
    this.#parts = parts;
    this.#wish = wish;
  }

  /** If every file in conflict can be made anew, returns the merge with the target's own version of them, for the time being. */
  async settle(merged: Extract<Merged, { conflicts: unknown }>, ours: string): Promise<{ tree: string } | undefined> {
    const { regenerate } = this.#wish;
    const paths = merged.conflicts.flatMap(({ path, otherPaths }) => [path, ...otherPaths]);
    if (paths.length === 0 || !paths.every((path) => regenerate.has(path))) return undefined;
    for (const path of paths) this.#paths.add(path);
    const back = await differences(this.#parts, merged.marked, ours);
    const entries = paths.flatMap((path) => {
      const entry = back.get(path);
      return entry === undefined ? [] : [{ path, entry: entry.after }];
    });
    return { tree: await this.#withEntries(merged.marked, entries) };
  }

  /** Makes the files anew on top of what was picked, as a commit of its own. */
  async finish(wish: { readonly tip: string; readonly committer: Buffer }): Promise<Made> {
    if (this.#paths.size === 0) return { tip: wish.tip, commits: 0, notes: [] };
    const { git, directory } = this.#parts;
    const paths = [...this.#paths].sort();
    const made = await this.#run(wish.tip, paths);
    if ("why" in made) return made;
    const variables = { GIT_DIR: directory };
    const before = await git.text({ args: ["rev-parse", `${wish.tip}^{tree}`], variables });
    const tree = await this.#withEntries(before, made.entries);
    const names = paths.join(", ");
    const says = `${names} could not be merged and ${paths.length === 1 ? "was" : "were"} made anew by constel.toml's command`;
    const notes: LandingNote[] = [{ kind: "regenerated", commit: null, paths, says }];
    if (tree === before) return { tip: wish.tip, commits: 0, notes };
    const message = withTrailers(Buffer.from(`Make ${names.slice(0, 150)} anew\n`), [
      `Constel-Task: ${this.#wish.task}`,
    ]);
    const { committer } = wish;
    const commit = { tree, parents: [wish.tip], author: committer, committer, message, encoding: undefined };
    return { tip: await writeCommit(git, directory, commit), commits: 1, notes };
  }

  async #run(commit: string, paths: readonly string[]): Promise<{ entries: Entry[] } | { why: string }> {
    const { git, gates } = this.#parts;
    const { regenerate, signal } = this.#wish;
    return inScratch(gates, async (clone) => {
      await cloneInto(this.#parts, clone, { commit, base: this.#wish.onto });
      for (const command of new Set(paths.map((path) => regenerate.get(path) ?? ""))) {
        const run = await runHere(git, { command, cwd: clone, deadlineMs, signal }, gates);
        if (run.kind === "stopped") signal.throwIfAborted();
        if (run.kind === "ended" && run.isGood) continue;
        const said = run.kind === "ended" ? `it ${run.how}\n${run.printed}` : whyNot(run, deadlineMs);
        return { why: `${paths.join(", ")} conflicts, and \`${command}\` could not make it anew: ${said.trim()}` };
      }
      const entries: Entry[] = [];
      for (const path of paths) {
        const entry = await this.#take(clone, path);
        if (entry === undefined) return { why: `\`${regenerate.get(path)}\` left no plain file at ${path}` };
        entries.push({ path, entry });
      }
      return { entries };
    });
  }

  /** "" when the command removed it: then it is not wanted any more. */
  async #take(clone: string, path: string): Promise<string | undefined> {
    const parts = path.split("/");
    for (let count = 1; count < parts.length; count++) {
      const above = lstatSync(join(clone, ...parts.slice(0, count)), { throwIfNoEntry: false });
      if (above !== undefined && !above.isDirectory()) return undefined;
    }
    const file = join(clone, path);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return "";
    if (!stat.isFile() || stat.size > largestFile) return undefined;
    const { git, directory } = this.#parts;
    const args = ["hash-object", "-w", "-t", "blob", "--no-filters", "--stdin"];
    const blob = await git.text({ args, variables: { GIT_DIR: directory }, stdin: readFileSync(file) });
    return `${(stat.mode & 0o100) === 0 ? "100644" : "100755"} ${blob}`;
  }

  async #withEntries(tree: string, entries: readonly Entry[]): Promise<string> {
    if (entries.length === 0) return tree;
    const { git, directory } = this.#parts;
    const index = join(directory, "regenerate.index");
    const variables = { GIT_DIR: directory, GIT_INDEX_FILE: index };
    try {
      await git.bytes({ args: ["read-tree", tree], variables });
      const lines = entries.map(({ path, entry }) =>
        entry === "" ? `0 ${"0".repeat(tree.length)}\t${path}\0` : `${entry}\t${path}\0`,
      );
      await git.bytes({ args: ["update-index", "-z", "--index-info"], variables, stdin: lines.join("") });
      return await git.text({ args: ["write-tree"], variables });
    } finally {
      rmSync(index, { force: true });
    }
  }
}

interface Entry {
  readonly path: string;
  /** Mode and blob; "" for a file that goes. */
  readonly entry: string;
}
