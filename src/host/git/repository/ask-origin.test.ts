// Asking the origin, on real repositories: what it says is known, what it has can be read, and no clone is changed.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { OriginAnswer, RepositoryObserver } from "../../../ports/git.ts";
import { systemProcesses } from "../../process/run.ts";
import { fingerprint, Scratch, snapshotOf } from "../scratch.suite.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

const deadlineMs = 30_000;

function ask(observer: RepositoryObserver, branch = "main", orHead = false): Promise<OriginAnswer> {
  return observer.askOrigin({ branch, orHead, deadlineMs });
}

/** A bare origin, a clone of it that is observed, and somebody else's. */
function scene(): { origin: string; mine: string; other: string } {
  const first = scratch.repository("first", { "a.txt": "one\n", "b.txt": "b\n" });
  const origin = scratch.path("origin.git");
  scratch.git(scratch.root, "clone", "-q", "--bare", first, origin);
  // Its only remote is where it was made from; an origin has none.
  scratch.git(origin, "remote", "remove", "origin");
  for (const name of ["mine", "other"]) scratch.git(scratch.root, "clone", "-q", origin, scratch.path(name));
  return { origin, mine: scratch.path("mine"), other: scratch.path("other") };
}

function push(from: string, files: Readonly<Record<string, string>>, to = "main"): string {
  const commit = scratch.commit(from, files);
  scratch.git(from, "push", "-q", "origin", `HEAD:${to}`);
  return commit;
}

describe("the origin", () => {
  test("tells what nobody has pulled, so that it can be merged, and the clone stays as it is", async () => {
    const { mine, other } = scene();
    scratch.write(mine, { "a.txt": "mine\n" });
    const commit = push(other, { "a.txt": "theirs\n" });
    const before = fingerprint(scratch, mine);
    const times = objectTimes(mine);
    const observer = await scratch.observe(mine);
    expect(await ask(observer)).toEqual({ kind: "told", branch: "main", commit });
    const theirs = await observer.snapshotOf(commit);
    if (theirs === undefined) throw new Error("it cannot be read");
    const [outcome] = await observer.merge([{ ours: await snapshotOf(observer, mine), theirs }]);
    expect(outcome).toMatchObject({ kind: "conflicted", conflicts: [{ path: "a.txt" }] });
    expect(await observer.standing(await snapshotOf(observer, mine), commit)).toMatchObject({ ahead: 0, behind: 1 });
    expect(fingerprint(scratch, mine)).toEqual(before);
    expect(objectTimes(mine)).toEqual(times);
  });

  test("is asked for its HEAD where it has no such branch, and only where that was allowed", async () => {
    const { mine, origin, other } = scene();
    const commit = push(other, { "a.txt": "new\n" }, "trunk");
    scratch.git(origin, "symbolic-ref", "HEAD", "refs/heads/trunk");
    scratch.git(origin, "branch", "-D", "main");
    const observer = await scratch.observe(mine);
    expect(await ask(observer)).toEqual({ kind: "absent" });
    expect(await ask(observer, "main", true)).toEqual({ kind: "told", branch: "trunk", commit });
    expect(await observer.askOrigin({ branch: undefined, deadlineMs })).toEqual({
      kind: "told",
      branch: "trunk",
      commit,
    });
  });

  test("of a shallow clone brings only what is new", async () => {
    const { origin, other } = scene();
    push(other, { "a.txt": "two\n" });
    const shallow = scratch.path("shallow");
    scratch.git(scratch.root, "clone", "-q", "--depth", "1", `file://${origin}`, shallow);
    const commit = push(other, { "a.txt": "three\n" });
    const observer = await scratch.observe(shallow);
    expect(await ask(observer)).toMatchObject({ kind: "told", commit });
    expect(await observer.standing(await snapshotOf(observer, shallow), commit)).toMatchObject({ behind: 1 });
  });

  test("that is rewritten is followed, also back and forth", async () => {
    const { mine, other } = scene();
    const observer = await scratch.observe(mine);
    const one = push(other, { "a.txt": "one more\n" });
    expect(await ask(observer)).toMatchObject({ commit: one });
    scratch.git(other, "reset", "-q", "--hard", "HEAD~1");
    const two = scratch.commit(other, { "a.txt": "another\n" });
    scratch.git(other, "push", "-q", "--force", "origin", "HEAD:main");
    expect(await ask(observer)).toMatchObject({ commit: two });
    scratch.git(other, "push", "-q", "--force", "origin", `${one}:main`);
    expect(await ask(observer)).toMatchObject({ commit: one });
  });

  test("that is not there is a failure with its reason, and is told again when it is back", async () => {
    const { mine, origin, other } = scene();
    const observer = await scratch.observe(mine);
    renameSync(origin, `${origin}.away`);
    expect(await ask(observer)).toEqual({ kind: "failed", why: `there is no repository at ${origin}` });
    renameSync(`${origin}.away`, origin);
    const commit = push(other, { "a.txt": "back\n" });
    expect(await ask(observer)).toMatchObject({ kind: "told", commit });
  });

  test("is nobody where there is none, and where it is observed itself", async () => {
    const alone = scratch.repository("alone");
    expect(await ask(await scratch.observe(alone))).toEqual({ kind: "none" });
    const work = scratch.path("work");
    scratch.git(scratch.root, "clone", "-q", alone, work);
    const observer = await scratch.observe(work);
    await observer.add(alone);
    expect(await ask(observer)).toEqual({ kind: "none" });
  });

  test("whose address was exchanged for another repository's is not asked", async () => {
    const { mine } = scene();
    const observer = await scratch.observe(mine);
    const stranger = scratch.repository("stranger", { "z.txt": "z\n" });
    for (const address of [stranger, "https://example.org/other/app.git", "ext::sh -c touch% planted"]) {
      scratch.git(mine, "remote", "set-url", "origin", address);
      expect([address, (await ask(observer)).kind]).toEqual([address, "failed"]);
    }
  });

  test("runs nothing that a clone or the origin plants, asks nobody, and ends at its deadline", async () => {
    const { mine, origin, other } = scene();
    const trap = scratch.path("trap");
    scratch.write(scratch.root, { "trap.sh": `#!/bin/sh\ntouch ${trap}\n` });
    const script = scratch.path("trap.sh");
    chmodSync(script, 0o755);
    for (const place of [mine, origin])
      for (const setting of ["core.sshCommand", "core.askPass", "core.fsmonitor", "core.alternateRefsCommand"])
        scratch.git(place, "config", setting, script);
    scratch.git(mine, "config", "uploadpack.packObjectsHook", script);
    scratch.git(origin, "config", "uploadpack.packObjectsHook", script);
    scratch.git(mine, "config", "remote.origin.uploadpack", script);
    for (const place of [join(mine, ".git"), origin])
      for (const hook of ["reference-transaction", "post-checkout", "pre-auto-gc", "post-index-change"]) {
        scratch.write(join(place, "hooks"), { [hook]: `#!/bin/sh\ntouch ${trap}\n` });
        chmodSync(join(place, "hooks", hook), 0o755);
      }
    const commands: { words: readonly string[]; env: Readonly<Record<string, string>>; deadlineMs: number }[] = [];
    const run: typeof systemProcesses.run = (words, options) => {
      commands.push({ words, env: options.env, deadlineMs: options.deadlineMs });
      return systemProcesses.run(words, options);
    };
    const commit = push(other, { "a.txt": "theirs\n" });
    rmSync(trap, { force: true });
    const observer = await scratch.observe(mine, { processes: { run } });
    expect(await ask(observer)).toMatchObject({ kind: "told", commit });
    expect(existsSync(trap)).toBe(false);
    const talking = commands.filter(({ words }) => words.includes("ls-remote") || words.includes("fetch"));
    expect(talking.length).toBe(2);
    for (const { env, deadlineMs: bound } of talking) {
      expect(env).toMatchObject({ GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "", SSH_ASKPASS: "" });
      expect(bound).toBe(deadlineMs);
    }
  });

  test("that moves very often leaves few packs", async () => {
    const { mine, other } = scene();
    const observer = await scratch.observe(mine);
    let commit = "";
    for (let at = 0; at < 14; at += 1) {
      commit = push(other, { "a.txt": `${at}\n` });
      expect(await ask(observer)).toMatchObject({ commit });
    }
    const [place = ""] = readdirSync(scratch.path("observe"));
    const packs = readdirSync(scratch.path("observe", place, "origin/objects/pack")).filter((name) =>
      name.endsWith(".pack"),
    );
    expect(packs.length).toBeLessThan(8);
    expect(await observer.snapshotOf(commit)).toBeDefined();
  });
});

/** Returns the time when each object was last written: git marks objects that it need not write again as fresh. */
function objectTimes(clone: string): string[] {
  const objects = join(clone, ".git/objects");
  const names = readdirSync(objects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return names.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path} ${Bun.file(path).lastModified}`;
  });
}
