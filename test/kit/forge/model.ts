// What a forge knows, over a real bare repository: pull requests, checks, reviews, comments, issues, a queue and its rules. The
// dialects beside it say it as GitHub, Gitea and GitLab do. It is a double: what it does was written from the forges' public
// documentation, and no real forge has vouched for it.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface DoublePull {
  readonly number: number;
  branch: string;
  base: string;
  title: string;
  body: string;
  author: string;
  state: "open" | "closed" | "merged";
  draft: boolean;
  /** Frozen when it ends. */
  endHead: string | undefined;
  mergeCommit: string | undefined;
  endedBy: string | undefined;
  queued: boolean;
  /** Of a fork: its commits are there, its branch is not. */
  forkHead: string | undefined;
  /** So many questions are answered before mergeability is known. */
  computing: number;
}

export interface DoubleRemark {
  readonly id: number;
  readonly pull: number;
  readonly kind: "comment" | "review" | "line";
  author: string;
  text: string;
  verdict?: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | undefined;
  path?: string | undefined;
  line?: number | undefined;
  review?: number | undefined;
}

export interface DoubleCheck {
  readonly id: number;
  readonly name: string;
  state: "pending" | "green" | "red";
  log: string;
}

export interface DoubleIssue {
  readonly number: number;
  title: string;
  body: string;
  author: string;
  state: "open" | "closed";
  labels: string[];
}

export interface Rules {
  reviews: number;
  requiresChecks: boolean;
  queue: boolean;
  upToDate: boolean;
}

export class ForgeModel {
  readonly bare: string;
  readonly owner = "acme";
  readonly name = "shop";
  readonly pulls: DoublePull[] = [];
  readonly remarks: DoubleRemark[] = [];
  readonly issues: DoubleIssue[] = [];
  readonly checks = new Map<string, DoubleCheck[]>();
  readonly rules: Rules = { reviews: 0, requiresChecks: true, queue: false, upToDate: false };
  /** Who the token belongs to. */
  me = "constel-bot";
  readonly #env: Record<string, string>;
  #next = 1;
  #ids = 1000;

  constructor(top: string) {
    this.bare = join(top, "git", this.owner, `${this.name}.git`);
    this.#env = {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: top,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Forge",
      GIT_AUTHOR_EMAIL: "forge@example.org",
      GIT_COMMITTER_NAME: "Forge",
      GIT_COMMITTER_EMAIL: "forge@example.org",
    };
    if (existsSync(this.bare)) return;
    mkdirSync(dirname(this.bare), { recursive: true });
    this.#run(dirname(this.bare), "init", "-q", "--bare", "-b", "main", this.bare);
    this.git("config", "http.receivepack", "true");
  }

  /** From now on nobody pushes to main. What the forge merges does not come by a push. */
  protect(): void {
    mkdirSync(join(this.bare, "hooks"), { recursive: true });
    const hook =
      '#!/bin/sh\nif [ "$1" = refs/heads/main ]; then\n  echo "error: GH006: Protected branch update failed for refs/heads/main." >&2\n  exit 1\nfi\n';
    writeFileSync(join(this.bare, "hooks", "update"), hook, { mode: 0o755 });
  }

  git(...args: string[]): string {
    return this.#run(this.bare, ...args);
  }

  tip(ref: string): string | undefined {
    const run = Bun.spawnSync(["git", "rev-parse", "-q", "--verify", `${ref}^{commit}`], {
      cwd: this.bare,
      env: this.#env,
    });
    return run.exitCode === 0 ? run.stdout.toString().trim() : undefined;
  }

  headOf(pull: DoublePull): string {
    return pull.endHead ?? pull.forkHead ?? this.tip(`refs/heads/${pull.branch}`) ?? "0".repeat(40);
  }

  baseOf(pull: DoublePull): string {
    return this.tip(`refs/heads/${pull.base}`) ?? "0".repeat(40);
  }

  pull(number: number): DoublePull | undefined {
    return this.pulls.find((one) => one.number === number);
  }

  /** Undefined where there is an open one, or the branch is not there. */
  open(wish: { branch: string; base: string; title: string; body: string; author?: string }): DoublePull | undefined {
    const isThere = this.pulls.some(
      (one) => one.state === "open" && one.branch === wish.branch && one.forkHead === undefined,
    );
    if (isThere || this.tip(`refs/heads/${wish.branch}`) === undefined) return undefined;
    return this.#add({ ...wish, author: wish.author ?? this.me, forkHead: undefined });
  }

  /** Somebody's fork: its commits come in under the pull request's own ref. */
  openFromFork(wish: { from: string; branch: string; title: string; author: string }): DoublePull {
    this.git("fetch", "-q", wish.from, wish.branch);
    const forkHead = this.git("rev-parse", "FETCH_HEAD").trim();
    return this.#add({ ...wish, base: "main", body: "", forkHead });
  }

  #add(wish: Pick<DoublePull, "branch" | "base" | "title" | "body" | "author" | "forkHead">): DoublePull {
    const pull: DoublePull = {
      ...wish,
      number: this.#next++,
      state: "open",
      draft: false,
      endHead: undefined,
      mergeCommit: undefined,
      endedBy: undefined,
      queued: false,
      computing: 0,
    };
    this.pulls.push(pull);
    for (const kind of ["pull", "merge-requests"])
      this.git("update-ref", `refs/${kind}/${pull.number}/head`, this.headOf(pull));
    return pull;
  }

  /** Somebody commits these files on top of a branch, or of main where it is not there. `null` takes a file away. */
  commit(branch: string, files: Readonly<Record<string, string | null>>, message = `work on ${branch}`): string {
    const parent = this.tip(`refs/heads/${branch}`) ?? this.tip("refs/heads/main");
    const index = join(this.bare, "double-index");
    rmSync(index, { force: true });
    const git = (args: readonly string[], stdin = ""): string => {
      const env = { ...this.#env, GIT_INDEX_FILE: index };
      const run = Bun.spawnSync(["git", ...args], { cwd: this.bare, env, stdin: Buffer.from(stdin) });
      if (run.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${run.stderr.toString()}`);
      return run.stdout.toString().trim();
    };
    if (parent !== undefined) git(["read-tree", parent]);
    for (const [path, text] of Object.entries(files)) {
      if (text === null) git(["update-index", "--force-remove", path]);
      else
        git(["update-index", "--add", "--cacheinfo", `100644,${git(["hash-object", "-w", "--stdin"], text)},${path}`]);
    }
    const parents = parent === undefined ? [] : ["-p", parent];
    const commit = git(["commit-tree", git(["write-tree"]), ...parents, "-m", message]);
    git(["update-ref", `refs/heads/${branch}`, commit]);
    return commit;
  }

  /** A file of main. */
  onMain(path: string): string | undefined {
    const run = Bun.spawnSync(["git", "show", `main:${path}`], { cwd: this.bare, env: this.#env });
    return run.exitCode === 0 ? run.stdout.toString() : undefined;
  }

  /** `refs/pull/N/head`, as it is offered for fetching. */
  keepRefs(): void {
    const lines = this.pulls
      .filter(({ state, forkHead }) => state === "open" && forkHead === undefined)
      .map(({ number, branch }) => `${number} refs/heads/${branch}`);
    if (lines.length === 0) return;
    const script =
      'while read number ref; do head=$(git rev-parse -q --verify "$ref") || continue; for kind in pull merge-requests; do echo "update refs/$kind/$number/head $head"; done; done | git update-ref --stdin';
    Bun.spawnSync(["sh", "-c", script], {
      cwd: this.bare,
      env: this.#env,
      stdin: Buffer.from(`${lines.join("\n")}\n`),
    });
  }

  close(pull: DoublePull, by: string): void {
    pull.endHead = this.headOf(pull);
    pull.state = "closed";
    pull.endedBy = by;
    pull.queued = false;
  }

  say(wish: Omit<DoubleRemark, "id">): DoubleRemark {
    const remark = { ...wish, id: this.#ids++ };
    this.remarks.push(remark);
    return remark;
  }

  issue(wish: Partial<DoubleIssue> & { title: string }): DoubleIssue {
    const issue: DoubleIssue = { body: "", author: "mona", state: "open", labels: [], ...wish, number: this.#next++ };
    this.issues.push(issue);
    return issue;
  }

  check(commit: string, name: string, state: DoubleCheck["state"], log = ""): void {
    const all = this.checks.get(commit) ?? [];
    const known = all.find((one) => one.name === name);
    if (known === undefined) all.push({ id: this.#ids++, name, state, log });
    else Object.assign(known, { state, log });
    this.checks.set(commit, all);
  }

  checksOf(commit: string): readonly DoubleCheck[] {
    return this.checks.get(commit) ?? [];
  }

  approvals(pull: number): number {
    const last = new Map<string, string | undefined>();
    for (const one of this.remarks)
      if (one.pull === pull && one.verdict !== undefined && one.verdict !== "COMMENTED")
        last.set(one.author, one.verdict);
    if ([...last.values()].includes("CHANGES_REQUESTED")) return -1;
    return [...last.values()].filter((verdict) => verdict === "APPROVED").length;
  }

  /** Undefined: it can be merged as far as git goes. */
  conflictOf(pull: DoublePull): boolean {
    return this.#mergeTree(this.baseOf(pull), this.headOf(pull)) === undefined;
  }

  isBehind(pull: DoublePull): boolean {
    const run = Bun.spawnSync(["git", "merge-base", "--is-ancestor", this.baseOf(pull), this.headOf(pull)], {
      cwd: this.bare,
      env: this.#env,
    });
    return run.exitCode !== 0;
  }

  /** Says why the rules do not let it in. Undefined: they do. */
  blocked(pull: DoublePull): string | undefined {
    if (this.approvals(pull.number) < 0) return "changes were requested";
    if (this.approvals(pull.number) < this.rules.reviews) return "at least one approving review is required";
    const checks = this.checksOf(this.headOf(pull));
    if (this.rules.requiresChecks && checks.length === 0) return "required status check is expected";
    if (this.rules.requiresChecks && checks.some(({ state }) => state !== "green"))
      return "required status checks have not passed";
    return undefined;
  }

  merge(pull: DoublePull, method: "merge" | "squash" | "rebase", by: string): string {
    const head = this.headOf(pull);
    const base = this.baseOf(pull);
    const tip = method === "rebase" ? this.#rebased(base, head) : this.#merged(pull, base, head, method === "squash");
    this.git("update-ref", `refs/heads/${pull.base}`, tip, base);
    pull.endHead = head;
    pull.mergeCommit = tip;
    pull.state = "merged";
    pull.endedBy = by;
    pull.queued = false;
    return tip;
  }

  /** The queue takes its first in. */
  runQueue(method: "merge" | "squash" | "rebase" = "merge"): void {
    const first = this.pulls.find(({ queued }) => queued);
    if (first !== undefined) this.merge(first, method, "queue");
  }

  #merged(pull: DoublePull, base: string, head: string, isSquash: boolean): string {
    const tree = this.#mergeTree(base, head);
    if (tree === undefined) throw new Error(`pull request ${pull.number} conflicts`);
    const parents = isSquash ? ["-p", base] : ["-p", base, "-p", head];
    return this.git("commit-tree", tree, ...parents, "-m", `${pull.title} (#${pull.number})`).trim();
  }

  #rebased(base: string, head: string): string {
    const commits = this.git("rev-list", "--reverse", "--no-merges", `${base}..${head}`).split("\n").filter(Boolean);
    let tip = base;
    for (const commit of commits) {
      // As if the tip's tree stood on the commit's parent: then that is what the merge starts from.
      const stand = this.git("commit-tree", `${tip}^{tree}`, "-p", `${commit}^`, "-m", "stand-in").trim();
      const tree = this.git("merge-tree", "--write-tree", stand, commit).trim();
      tip = this.git("commit-tree", tree, "-p", tip, "-m", this.git("log", "-1", "--format=%B", commit)).trim();
    }
    return tip;
  }

  #mergeTree(base: string, head: string): string | undefined {
    const run = Bun.spawnSync(["git", "merge-tree", "--write-tree", base, head], { cwd: this.bare, env: this.#env });
    return run.exitCode === 0 ? run.stdout.toString().trim() : undefined;
  }

  #run(cwd: string, ...args: string[]): string {
    const run = Bun.spawnSync(["git", ...args], { cwd, env: this.#env });
    if (run.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${run.stderr.toString()}`);
    return run.stdout.toString();
  }
}
