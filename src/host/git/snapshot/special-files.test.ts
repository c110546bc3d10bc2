// Pipes and sockets where git and we expect files: every look ends soon, says what it could not read, and leaves the other worktrees'
// looks as they were. Each case is planted in one worktree of three, or in what they share.

import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makePipe } from "../../../../test/bus-kit.ts";
import { systemClock } from "../../clock/system-clock.ts";
import { systemProcesses } from "../../process/run.ts";
import { observe } from "../observer.ts";
import { Scratch } from "../scratch.suite.ts";
import { throwing } from "../../../../test/kit/rejection.ts";

class Planted extends Scratch {
  readonly main = this.repository("main", { "a.txt": "one\n", "sub/b.txt": "two\n" });
  readonly common = join(this.main, ".git");
  readonly a = this.path("a");
  readonly b = this.path("b");
  readonly own = join(this.common, "worktrees/a");

  constructor() {
    super();
    for (const name of ["a", "b"]) this.git(this.main, "worktree", "add", "-q", "-b", name, this.path(name));
    this.write(this.a, { "a.txt": "changed\n", "new.txt": "new\n" });
    this.write(this.b, { "a.txt": "otherwise\n" });
  }

  pipe(path: string): void {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    makePipe(path);
  }
}

type Case = (at: Planted) => void;

/** In worktree a alone: a is skipped or flagged, b is seen as ever. */
const inOne: Record<string, Case> = {
  ".gitignore": (at) => at.pipe(join(at.a, ".gitignore")),
  "a .gitignore below": (at) => at.pipe(join(at.a, "sub/.gitignore")),
  ".gitattributes": (at) => at.pipe(join(at.a, ".gitattributes")),
  "a .gitattributes below": (at) => at.pipe(join(at.a, "sub/.gitattributes")),
  "its HEAD": (at) => at.pipe(join(at.own, "HEAD")),
  "its index": (at) => at.pipe(join(at.own, "index")),
  "its commondir": (at) => at.pipe(join(at.own, "commondir")),
  "its gitdir": (at) => at.pipe(join(at.own, "gitdir")),
  "its .git": (at) => at.pipe(join(at.a, ".git")),
  "its branch": (at) => at.pipe(join(at.common, "refs/heads/a")),
};

for (const [name, plant] of Object.entries(inOne)) {
  test(`a pipe as ${name} ends the look at that worktree with a reason, and leaves the other's alone`, async () => {
    const at = new Planted();
    try {
      const observer = await at.observe(at.main);
      const before = await observer.snapshot(at.b);
      plant(at);
      const { found, skipped } = await observer.worktrees();
      expect(found.map(({ path }) => path)).toContain(at.b);
      const looked = await observer.snapshot(at.a, { full: true });
      const said =
        looked.kind === "skipped"
          ? looked.detail
          : [...looked.snapshot.flags.map(({ path }) => path), ...skipped].join();
      expect(said).not.toBe("");
      const again = await observer.snapshot(at.b, { full: true });
      expect(again).toMatchObject({ kind: "taken", snapshot: { tree: treeOf(before) } });
    } finally {
      await at.close();
    }
  });
}

/** Harmless: everything is looked at, and what is no file is not there. */
const besides: Record<string, Case> = {
  "a new file": (at) => at.pipe(join(at.a, "pipe")),
  ".gitmodules": (at) => at.pipe(join(at.a, ".gitmodules")),
  "constel.toml": (at) => at.pipe(join(at.a, "constel.toml")),
  "what a link named .gitignore leads to": (at) => {
    at.pipe(at.path("pipe"));
    symlinkSync(at.path("pipe"), join(at.a, ".gitignore"));
  },
  "the clone's list of what is ignored": (at) => at.pipe(join(at.common, "info/exclude")),
  "another branch": (at) => at.pipe(join(at.common, "refs/heads/zzz")),
};

for (const [name, plant] of Object.entries(besides)) {
  test(`a pipe as ${name} keeps no worktree from being looked at`, async () => {
    const at = new Planted();
    try {
      plant(at);
      const observer = await at.observe(at.main);
      for (const worktree of [at.a, at.b]) expect((await observer.snapshot(worktree)).kind).toBe("taken");
    } finally {
      await at.close();
    }
  });
}

/** In what all share: nothing can be looked at, and that is said at once. */
const shared: Record<string, Case> = {
  "the configuration": (at) => at.pipe(join(at.common, "config")),
  "an include of the configuration": (at) => {
    at.pipe(at.path("pipe"));
    appendFileSync(join(at.common, "config"), `[include]\n\tpath = ${at.path("pipe")}\n`);
  },
  "the list of packed refs": (at) => at.pipe(join(at.common, "packed-refs")),
  "the list of borrowed objects": (at) => at.pipe(join(at.common, "objects/info/alternates")),
  "the end of history": (at) => at.pipe(join(at.common, "shallow")),
};

for (const [name, plant] of Object.entries(shared)) {
  test(`a pipe as ${name} is told as what it is, and nothing waits for it`, async () => {
    const at = new Planted();
    try {
      plant(at);
      const look = async (): Promise<unknown> => (await at.observe(at.main)).snapshotOf("main");
      expect(await throwing(look())).toThrow("waited for a named pipe");
    } finally {
      await at.close();
    }
  });
}

test("whoever looks ends when told to, also while git waits for an answer of its own", async () => {
  const at = new Planted();
  // A pipe with a writer at its other end: git has opened it and reads for ever, so that only the signal ends it.
  at.pipe(join(at.common, "packed-refs"));
  const writer = Bun.spawn(["sh", "-c", 'exec sleep 600 > "$1"', "sh", join(at.common, "packed-refs")]);
  try {
    const controller = new AbortController();
    const options = { processes: systemProcesses, environment: at.environment, clock: systemClock };
    const look = observe(at.main, { ...options, directory: at.path("private"), signal: controller.signal });
    const done = look
      .then((observer) => observer.snapshotOf("main").finally(() => observer.close()))
      .catch(() => "ended");
    setTimeout(() => controller.abort(), 300);
    expect(await done).toBeDefined();
  } finally {
    writer.kill("SIGKILL");
    await writer.exited;
    await at.close();
  }
}, 120_000);

test("more new files than anybody writes are left out past a bound, and that is said", async () => {
  const at = new Planted();
  try {
    mkdirSync(join(at.a, "many"));
    for (let n = 0; n < 5_010; n++) writeFileSync(join(at.a, `many/${String(n).padStart(6, "0")}`), String(n));
    const observer = await at.observe(at.main);
    const looked = await observer.snapshot(at.a);
    if (looked.kind !== "taken") throw new Error(looked.detail);
    expect(looked.snapshot.flags).toEqual([{ path: "many/005000", reason: "too-many" }]);
  } finally {
    await at.close();
  }
});

const treeOf = (outcome: Awaited<ReturnType<Awaited<ReturnType<typeof observe>>["snapshot"]>>): string =>
  outcome.kind === "taken" ? outcome.snapshot.tree : outcome.detail;
