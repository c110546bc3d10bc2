// Work of other machines on real repositories: what goes out, what is taken in, and what hostile objects and names come to.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "../../../../test/kit/directory.ts";
import { FakeClock } from "../../../ports/fake-clock.ts";
import type { RepositoryObserver } from "../../../ports/git.ts";
import type { SideLimits } from "../../../ports/sides.ts";
import { systemProcesses } from "../../process/run.ts";
import { observe } from "../observer.ts";

const ref = (name: string): string => `refs/constel/${name}/0123456789abcdef`;

describe("sides between two clones of one origin", () => {
  let place: ReturnType<typeof temporaryDirectory>;
  let origin: string;
  let ada: string;
  let bob: string;
  const observers: RepositoryObserver[] = [];

  beforeEach(() => {
    place = temporaryDirectory("sides");
    origin = join(place.path, "origin.git");
    git(place.path, "init", "-q", "--bare", "-b", "main", origin);
    ada = clone("ada");
    git(ada, "checkout", "-q", "-B", "main");
    commit(ada, { "a.txt": "one\n" }, "base");
    git(ada, "push", "-q", "origin", "main");
    bob = clone("bob");
  });
  afterEach(async () => {
    for (const one of observers.splice(0)) await one.close();
    place[Symbol.dispose]();
  });

  function run(cwd: string, words: readonly string[], stdin?: Uint8Array): Buffer {
    const who = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
    const env = { PATH: process.env["PATH"] ?? "", HOME: place.path };
    const ran = Bun.spawnSync(["git", ...who, ...words], { cwd, env, ...(stdin === undefined ? {} : { stdin }) });
    if (ran.exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${ran.stderr.toString()}`);
    return ran.stdout;
  }
  const git = (cwd: string, ...words: string[]): string => run(cwd, words).toString().trim();
  const clone = (name: string): string => {
    git(place.path, "clone", "-q", origin, join(place.path, name));
    return join(place.path, name);
  };
  const write = (top: string, files: Readonly<Record<string, string>>): void => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), content);
    }
  };
  const commit = (top: string, files: Readonly<Record<string, string>>, message: string): string => {
    write(top, files);
    git(top, "add", "-A");
    git(top, "commit", "-qm", message);
    return git(top, "rev-parse", "HEAD");
  };
  const look = async (top: string, sideLimits: Partial<SideLimits> = {}): Promise<RepositoryObserver> => {
    const environment = { PATH: process.env["PATH"], HOME: place.path };
    const directory = join(place.path, "observe", top === ada ? "ada" : "bob");
    mkdirSync(directory, { recursive: true });
    const clock = new FakeClock();
    const observer = await observe(top, { processes: systemProcesses, environment, directory, clock, sideLimits });
    observers.push(observer);
    return observer;
  };
  const outgoing = async (observer: RepositoryObserver, top: string) => {
    const seen = await observer.snapshot(top);
    if (seen.kind !== "taken") throw new Error(seen.detail);
    const made = await observer.sides.outgoing(seen.snapshot);
    if (made === undefined) throw new Error("nothing to send");
    return { ...made, tree: seen.snapshot.tree };
  };
  /** A file of objects as git packs them, made in a clone of its own. */
  const packOf = (top: string, ...ids: string[]): string =>
    run(top, ["pack-objects", "--stdout", "--revs", "-q"], Buffer.from(`${ids.join("\n")}\n`)).toString("base64");
  const side = (commit: string, more = {}) => ({ ref: ref("ada"), commit, label: "ada's", doubt: null, ...more });

  test("a worktree goes out as one commit on what the origin has: uncommitted work in it, commits on the way not", async () => {
    write(ada, { "secret.txt": "was here\n" });
    const secret = commit(ada, {}, "with a secret");
    git(ada, "rm", "-q", "secret.txt");
    commit(ada, { "a.txt": "two\n" }, "without it");
    write(ada, { "new.txt": "not committed\n" });
    const [ours, theirs] = [await look(ada), await look(bob)];
    const made = await outgoing(ours, ada);
    expect(made.onto).toEqual([git(ada, "rev-parse", "origin/main")]);
    expect(await ours.sides.push({ put: [{ ref: ref("ada"), commit: made.commit }], remove: [] }, undefined)).toEqual([
      { ref: ref("ada"), why: null },
    ]);
    expect(git(origin, "ls-tree", "-r", "--name-only", ref("ada"))).toBe("a.txt\nnew.txt");
    expect(() => git(origin, "cat-file", "-e", secret)).toThrow();
    const before = readdirSync(join(bob, ".git/objects")).length;
    expect(await theirs.sides.take([side(made.commit)], undefined)).toEqual([{ ref: ref("ada"), kind: "taken" }]);
    expect((await theirs.sides.snapshotOf(made.commit))?.tree).toBe(made.tree);
    expect([readdirSync(join(bob, ".git/objects")).length, git(bob, "for-each-ref", "refs/constel")]).toEqual([
      before,
      "",
    ]);
    // It merges with the work there as any other.
    const mine = await theirs.snapshot(bob);
    const taken = await theirs.sides.snapshotOf(made.commit);
    if (mine.kind !== "taken" || taken === undefined) throw new Error("not seen");
    expect(await theirs.merge([{ ours: mine.snapshot, theirs: taken }])).toMatchObject([{ kind: "clean" }]);
    // Withdrawn: the ref goes at the origin, twice is no failure, and so do the objects here.
    for (const _ of [1, 2])
      expect(await ours.sides.push({ put: [], remove: [ref("ada")] }, undefined)).toEqual([
        { ref: ref("ada"), why: null },
      ]);
    expect(git(origin, "for-each-ref", "refs/constel")).toBe("");
    await theirs.sides.take([], undefined);
    expect(await (await look(bob)).isThere(taken.tree)).toBe(false);
  });

  test("work on a branch that the origin has stands on that branch", async () => {
    git(ada, "checkout", "-q", "-b", "feature");
    const pushed = commit(ada, { "b.txt": "pushed\n" }, "pushed");
    git(ada, "push", "-q", "origin", "feature");
    expect((await outgoing(await look(ada), ada)).commit).toBe(pushed);
    write(ada, { "b.txt": "edited\n" });
    expect((await outgoing(await look(ada), ada)).onto).toEqual([pushed]);
  });

  test("where the origin takes no private refs, one piece has all that is new, and is checked as it is taken in", async () => {
    write(ada, { "a.txt": "one\ntwo\n" });
    const [ours, theirs] = [await look(ada), await look(bob)];
    const made = await outgoing(ours, ada);
    const piece = await ours.sides.bundle(made);
    if ("why" in piece) throw new Error(piece.why);
    const bundle = Buffer.from(piece.content).toString("base64");
    expect(await theirs.sides.take([side(made.commit)], undefined)).toMatchObject([{ kind: "lacking" }]);
    expect(await theirs.sides.take([side(made.commit, { bundle })], undefined)).toMatchObject([{ kind: "taken" }]);
    expect((await theirs.sides.snapshotOf(made.commit))?.tree).toBe(made.tree);
    // Cut off, changed by a bit, of another commit, and none at all.
    const bytes = Buffer.from(piece.content);
    const flipped = Buffer.from(bytes);
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    for (const broken of [bytes.subarray(0, bytes.length - 4), flipped, Buffer.from("PACK"), Buffer.alloc(0)]) {
      await theirs.sides.take([], undefined);
      const given = side(made.commit, { bundle: broken.toString("base64") });
      expect(await theirs.sides.take([given], undefined)).toMatchObject([{ kind: "refused" }]);
    }
    const other = side("b".repeat(40), { bundle });
    expect(await theirs.sides.take([other], undefined)).toMatchObject([{ kind: "refused" }]);
  });

  test("objects that are not sound, trees without end and names of others' refs are refused, and what is ours stays", async () => {
    const theirs = await look(bob);
    const base = git(ada, "rev-parse", "HEAD");
    const tree = (entries: readonly (readonly [mode: string, name: string, id: string])[], check = true): string => {
      const parts = entries.map(([mode, name, id]) =>
        Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]),
      );
      const words = ["hash-object", "-w", "--stdin", "-t", "tree", ...(check ? [] : ["--literally"])];
      return run(ada, words, Buffer.concat(parts)).toString().trim();
    };
    const commitOf = (of: string): string => git(ada, "commit-tree", "-p", base, "-m", "x", of);
    const blob = run(ada, ["hash-object", "-w", "--stdin"], Buffer.from("x\n")).toString().trim();
    // Ten levels of ten: 10^10 files in eleven small objects.
    let bomb = blob;
    for (let level = 0; level < 10; level += 1)
      bomb = tree(Array.from({ length: 10 }, (_, at) => [level === 0 ? "100644" : "40000", `d${at}`, bomb] as const));
    const hostile: Record<string, string> = {
      bomb: commitOf(bomb),
      "a .git in a tree": commitOf(tree([["40000", ".git", tree([["100644", "config", blob]])]], false)),
      "a way up": commitOf(tree([["40000", "..", tree([["100644", "x", blob]])]], false)),
      "two of one name": commitOf(
        tree(
          [
            ["100644", "x", blob],
            ["100644", "x", blob],
          ],
          false,
        ),
      ),
      "a path for a name": commitOf(tree([["100644", "a/b", blob]], false)),
    };
    for (const [what, id] of Object.entries(hostile)) {
      const given = side(id, { bundle: packOf(ada, id, `^${base}`) });
      const [said] = await theirs.sides.take([given], undefined);
      expect([what, said?.kind]).toEqual([what, "refused"]);
      // The same by the origin, which checks nothing itself.
      git(ada, "push", "-q", "origin", `+${id}:${ref("ada")}`);
      const [fetched] = await theirs.sides.take([side(id)], undefined);
      expect([what, fetched?.kind]).toEqual([what, "refused"]);
    }
    for (const name of [
      "refs/heads/main",
      "refs/constel/ada/../../heads/main",
      "--upload-pack=touch x",
      "refs/constel/*/0123456789abcdef",
    ])
      expect(await theirs.sides.take([{ ...side(base), ref: name }], undefined)).toMatchObject([{ kind: "refused" }]);
    expect((await theirs.snapshot(bob)).kind).toBe("taken");
    expect(git(bob, "fsck", "--strict")).toBe("");
  }, 60_000);

  test("more than the bounds is ended while it comes, and nothing of it stays", async () => {
    const theirs = await look(bob, { packBytes: 100_000, packObjects: 100 });
    const random = new Uint8Array(1_000_000);
    for (let from = 0; from < random.length; from += 50_000)
      crypto.getRandomValues(random.subarray(from, from + 50_000));
    writeFileSync(join(ada, "large.bin"), random);
    const large = commit(ada, {}, "large");
    git(ada, "reset", "-q", "--hard", "origin/main");
    const many = commit(
      ada,
      Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`${at}.txt`, `${at}\n`])),
      "many",
    );
    for (const [id, why] of [
      [large, "it is more than 97.65625 KiB"],
      [many, "it has more than 100 objects"],
    ] as const) {
      git(ada, "push", "-q", "origin", `+${id}:${ref("ada")}`);
      expect(await theirs.sides.take([side(id)], undefined)).toEqual([{ ref: ref("ada"), kind: "refused", why }]);
      expect(await (await look(bob)).isThere(id)).toBe(false);
    }
    const ours = await look(ada, { bundleBytes: 100_000 });
    expect(await ours.sides.bundle({ commit: large, onto: [] })).toEqual({ why: "it is more than 97.65625 KiB" });
  }, 60_000);
});
