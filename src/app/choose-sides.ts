// Decides what the words of `constel check` mean: a path names the worktree it is in, anything else a revision. A word that is both is a
// worktree when it names the top of one or is written as a path (`./docs`), else a revision. `origin/main` is what the origin has now, and
// so is `main` if there is no local branch of that name.

import { existsSync, realpathSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { ReviewedSide } from "../sensing/merged-pair.ts";
import { askOnce, landingBranch, landingLabel, type OriginWord } from "../sensing/landing-branch.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import type { CheckRequest } from "../protocol/check.ts";
import { Refusal } from "../protocol/errors.ts";
import type { RepositoryObserver, WorktreeFacts } from "../ports/git.ts";

export interface ChosenSides {
  readonly observer: RepositoryObserver;
  readonly ours: ReviewedSide;
  readonly theirs: ReviewedSide;
  readonly hints: readonly string[];
}

type Open = (path: string) => Promise<RepositoryObserver>;

export async function chooseSides(request: CheckRequest, open: Open): Promise<ChosenSides> {
  // One word compares the worktree we stand in with it.
  const isSingle = request.ours !== undefined && request.theirs === undefined;
  const words = isSingle ? [undefined, request.ours] : [request.ours, request.theirs];
  const [first, second] = words;
  const start = [first, second].find((word) => word !== undefined && isPath(request.cwd, word));
  const hereIsMeant = first === undefined || start === undefined;
  const observer = await open(hereIsMeant ? request.cwd : resolve(request.cwd, start));
  try {
    const choice = new Choice(observer, request);
    const ours = first === undefined ? await choice.worktree(request.cwd) : await choice.side(first);
    const theirs = second === undefined ? await choice.counterpart(request.cwd) : await choice.side(second);
    return { observer, ours, theirs, hints: choice.hints };
  } catch (cause) {
    await observer.close();
    throw cause;
  }
}

class Choice {
  readonly hints: string[] = [];
  readonly #observer: RepositoryObserver;
  readonly #cwd: string;
  readonly #request: Pick<CheckRequest, "fetch" | "signal">;
  /** The reason why the origin cannot be asked. It is kept because the origin is asked only once. */
  #silent: Extract<OriginWord, { kind: "failed" }> | undefined;

  constructor(observer: RepositoryObserver, request: Pick<CheckRequest, "cwd" | "fetch" | "signal">) {
    this.#observer = observer;
    this.#cwd = request.cwd;
    this.#request = request;
  }

  async side(word: string): Promise<ReviewedSide> {
    if (looksLikePath(word) || (await this.#isTop(word))) return await this.worktree(resolve(this.#cwd, word));
    const revision = await this.revision(word);
    if (revision !== undefined) return revision;
    if (isPath(this.#cwd, word)) return await this.worktree(resolve(this.#cwd, word));
    const asked = this.#silent === undefined ? "" : `, and the origin could not be asked (${this.#silent.why})`;
    const why = `${word} is neither a revision of this repository nor a worktree${asked}`;
    throw new Refusal("check.unknown-side", why, { word });
  }

  /** The worktree that a path is in, with all its uncommitted work. */
  async worktree(path: string): Promise<ReviewedSide> {
    const facts = await this.#worktreeAt(path);
    const taken = await this.#observer.snapshot(facts.path);
    if (taken.kind === "skipped") {
      throw new Refusal("check.unknown-side", `${facts.path} cannot be looked at: ${taken.detail}`, { path });
    }
    const { snapshot } = taken;
    const { branch, operation } = taken.facts;
    const label = branch ?? basename(facts.path);
    const { commit, tree } = snapshot;
    return { side: { label, worktree: facts.path, branch: branch ?? null, commit, tree }, snapshot, operation };
  }

  async revision(word: string): Promise<ReviewedSide | undefined> {
    const branch = /^(?:refs\/remotes\/)?origin\/(.+)$/s.exec(word)?.[1];
    if (branch !== undefined) return await this.#atOrigin(branch);
    const snapshot = await this.#observer.snapshotOf(word);
    if (snapshot === undefined) return isBranchName(word) ? await this.#atOrigin(word) : undefined;
    const { found } = await this.#observer.worktrees();
    const place = found.find(({ branch }) => branch === word);
    const there = place === undefined ? undefined : await this.#observer.snapshot(place.path);
    if (there?.kind === "taken" && there.snapshot.tree !== snapshot.tree) {
      this.hints.push(`${word} has uncommitted work in ${there.facts.path}; give that path to count it.`);
    }
    const label = /^[0-9a-f]{40,}$/.test(word) ? word.slice(0, 12) : word;
    const isBranch = (await this.#observer.snapshotOf(`refs/heads/${word}`))?.commit === snapshot.commit;
    const { commit, tree } = snapshot;
    return { side: { label, worktree: null, branch: isBranch ? word : null, commit, tree }, snapshot };
  }

  /** A branch as the origin has it now; where that cannot be asked, as it was last heard of. */
  async #atOrigin(name: string): Promise<ReviewedSide | undefined> {
    const { word, note } = await this.#ask(name === "HEAD" ? undefined : name);
    if (note !== undefined) this.hints.push(`${note}.`);
    const local = await this.#observer.snapshotOf(`refs/remotes/origin/${name}`);
    const known = local === undefined ? undefined : { name: `origin/${name}`, commit: local.commit };
    const { branch } = landingBranch(known, word.kind === "told" ? { ...word, localWas: local?.commit } : word);
    const snapshot = branch === undefined ? undefined : await this.#observer.snapshotOf(branch.commit);
    if (branch === undefined || snapshot === undefined) return undefined;
    const { commit, tree } = snapshot;
    const label = landingLabel(branch);
    return { side: { label, worktree: null, branch: branch.name, commit, tree }, snapshot, open: branch.open };
  }

  async #ask(branch: string | undefined): Promise<Awaited<ReturnType<typeof askOnce>>> {
    if (this.#silent !== undefined) return { word: this.#silent, note: undefined };
    const { fetch, signal } = this.#request;
    const asked = await askOnce(this.#observer, branch, { fetch, signal, nowMs: systemClock.nowMs() });
    if (asked.word.kind === "failed") this.#silent = asked.word;
    return asked;
  }

  /** Returns the side that the worktree we stand in would land on. */
  async counterpart(path: string): Promise<ReviewedSide> {
    const { branch, upstream } = await this.#worktreeAt(path);
    const names = [upstream, "origin/HEAD", "main", "master", "trunk"];
    for (const name of names) {
      if (name === undefined || name === branch) continue;
      const side = await this.revision(name);
      if (side !== undefined) return side;
    }
    throw new Refusal(
      "check.no-counterpart",
      `${branch ?? path} has no upstream, and no default branch to compare with was found`,
    );
  }

  async #isTop(word: string): Promise<boolean> {
    if (!isPath(this.#cwd, word)) return false;
    const real = realpathSync(resolve(this.#cwd, word));
    return (await this.#observer.worktrees()).found.some(({ path }) => path === real);
  }

  async #worktreeAt(path: string): Promise<WorktreeFacts> {
    await this.#observer.add(path);
    const real = realpathSync(path);
    const { found } = await this.#observer.worktrees();
    const holds = found.filter((one) => real === one.path || real.startsWith(`${one.path}/`));
    // A worktree may stand inside another one: the innermost is meant.
    const [inner] = holds.sort((a, b) => b.path.length - a.path.length);
    if (inner === undefined) throw new Refusal("check.unknown-side", `${path} is not in a worktree that can be read`);
    return inner;
  }
}

const looksLikePath = (word: string): boolean => /^\.{0,2}\//.test(word) || word === "." || word === "..";

/** Not `HEAD~2`, not an id. */
const isBranchName = (word: string): boolean => /^[\w./-]+$/.test(word) && !/^[0-9a-f]{7,}$/.test(word);

const isPath = (cwd: string, word: string): boolean => existsSync(resolve(cwd, word));
