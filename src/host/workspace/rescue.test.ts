// Workspaces removed and brought back: nothing may be lost, whatever state they were in, and wherever a kill struck.

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { until } from "../../../test/kit/home.ts";
import { Refusal } from "../../protocol/errors.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import { printOf, Stage, stirUp } from "./workspace.suite.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(async () => {
  await stage.close();
});

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work;
  } catch (cause) {
    if (cause instanceof Refusal) return cause;
    throw cause;
  }
  throw new Error("it was not refused");
}

for (let seed = 1; seed <= 8; seed++) {
  test(`a workspace in a random state comes back byte for byte (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const path = await stage.make();
    const done = stirUp(stage, path, (below) => Math.floor(random.fraction() * below));
    const before = printOf(stage, path);
    const rescue = await stage.workspaces.remove(stage.removal());
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(join(stage.top, "workspaces/1"))).toEqual([]);
    // The rescue must stand on its own feet: nothing but its ref keeps it.
    stage.git(stage.source, "reflog", "expire", "--expire=now", "--all");
    stage.git(stage.source, "gc", "-q", "--prune=now");
    await stage.bringBack(rescue?.where ?? "");
    expect({ done, print: printOf(stage, path) }).toEqual({ done, print: before });
    expect(stage.tryGit(stage.source, "fsck", "--no-dangling").code).toBe(0);
    expect(stage.git(stage.source, "status", "--porcelain")).toBe("");
  });
}

test("an empty repository's workspace cannot be made, and says why", async () => {
  const empty = stage.path("empty");
  mkdirSync(empty);
  stage.git(empty, "init", "-q");
  expect((await refusalOf(stage.make("workspaces/2/repo", { source: empty }))).code).toBe("workspace.no-target");
  expect(readdirSync(join(stage.top, "workspaces/2"))).toEqual([]);
});

test("a workspace whose branch has no commit yet comes back too", async () => {
  const path = await stage.make();
  stage.git(path, "checkout", "-q", "--orphan", "fresh");
  stage.git(path, "rm", "-rfq", "--cached", ".");
  const before = printOf(stage, path);
  const rescue = await stage.workspaces.remove(stage.removal());
  await stage.bringBack(rescue?.where ?? "");
  expect(printOf(stage, path)).toEqual(before);
});

test("when the source is gone the rescue is a bundle, and restores the same", async () => {
  const path = await stage.make();
  stage.commit(path, { "a.txt": "mine\n" });
  stage.write(path, { untracked: "u" });
  const before = printOf(stage, path);
  rmSync(stage.source, { recursive: true });
  const rescue = await stage.workspaces.remove(stage.removal());
  expect(rescue?.where).toStartWith(`bundle:${stage.path("bundles")}/1-repo-`);
  expect(readdirSync(stage.path("bundles"))).toHaveLength(1);
  await stage.bringBack(rescue?.where ?? "");
  expect(printOf(stage, path)).toEqual(before);
});

test("what only git's own search would still find comes back: a dropped stash, a blob staged and staged over", async () => {
  const path = await stage.make();
  stage.write(path, { "a.txt": "stashed and dropped\n" });
  stage.git(path, "stash", "push", "-q");
  const dropped = stage.git(path, "rev-parse", "stash@{0}").trim();
  stage.git(path, "stash", "drop", "-q");
  stage.write(path, { "a.txt": "staged over\n" });
  stage.git(path, "add", "a.txt");
  const blob = stage.git(path, "rev-parse", ":a.txt").trim();
  stage.git(path, "reset", "-q", "--hard");
  const rescue = await stage.workspaces.remove(stage.removal());
  stage.git(stage.source, "gc", "-q", "--prune=now");
  await stage.bringBack(rescue?.where ?? "");
  expect(stage.git(path, "show", `${dropped}:a.txt`)).toBe("stashed and dropped\n");
  expect(stage.git(path, "cat-file", "blob", blob)).toBe("staged over\n");
});

test("nothing is removed while a process stands inside, or holds a file there", async () => {
  const path = await stage.make();
  const inside = Bun.spawn(["sleep", "600"], { cwd: join(path, "b"), stdin: "ignore", stdout: "ignore" });
  const first = await stage.workspaces.remove(stage.removal()).catch((cause: Refusal) => cause);
  inside.kill();
  await inside.exited;
  expect(first).toMatchObject({ code: "workspace.in-use", message: expect.stringContaining(String(inside.pid)) });
  const holding = Bun.spawn(["sleep", "600"], { cwd: "/", stdin: Bun.file(join(path, "a.txt")), stdout: "ignore" });
  const second = await stage.workspaces.remove(stage.removal()).catch((cause: Refusal) => cause);
  holding.kill();
  await holding.exited;
  expect(second).toMatchObject({ code: "workspace.in-use" });
  expect(existsSync(path)).toBe(true);
  expect((await stage.workspaces.remove(stage.removal()))?.files).toBeGreaterThan(0);
});

test("a git of our own that looks at it for sensing keeps no workspace", async () => {
  const path = await stage.make();
  const looking = Bun.spawn(["git", "cat-file", "--batch"], { cwd: path, stdin: "pipe", stdout: "ignore" });
  try {
    await until(
      "it runs",
      () => liveComm(looking.pid),
      (comm) => comm === "git",
    );
    await stage.workspaces.remove(stage.removal());
    expect(existsSync(path)).toBe(false);
  } finally {
    looking.kill();
    await looking.exited;
  }
});

/** The name of the program a process runs now: that of its parent until it has become itself. */
const liveComm = (pid: number): string => readFileSync(`/proc/${pid}/comm`, "utf8").trim();

/** Returns the place of a workspace while it is being saved. */
const inTrash = (): string => join(stage.top, "workspaces/1/.removing-repo");

test("a file that changes while it is being saved is saved again; one that always changes is not removed", async () => {
  const path = await stage.make();
  let changes = 0;
  const rescue = await stage.workspaces.remove(
    stage.removal(undefined, {
      step: (name) => {
        if (name === "rescue.hashed" && changes++ === 0) writeFileSync(join(inTrash(), "late.txt"), "written late");
      },
    }),
  );
  await stage.bringBack(rescue?.where ?? "");
  expect(await Bun.file(join(path, "late.txt")).text()).toBe("written late");
  const restless = stage.removal(undefined, {
    step: (name) => name === "rescue.hashed" && writeFileSync(join(inTrash(), "late.txt"), String(changes++)),
  });
  expect((await refusalOf(stage.workspaces.remove(restless))).code).toBe("workspace.changing");
  expect(readdirSync(join(stage.top, "workspaces/1"))).toEqual(["repo"]);
});

test("what a workspace's own settings, hooks and filters name is never run by saving it", async () => {
  const path = await stage.make();
  const proof = stage.path("ran");
  const run = `touch ${proof}`;
  const program = stage.path("program");
  writeFileSync(program, `#!/bin/sh\n${run}\ncat\n`, { mode: 0o755 });
  for (const key of ["core.fsmonitor", "filter.x.clean", "filter.x.smudge", "diff.external", "core.sshCommand"])
    stage.git(path, "config", key, program);
  for (const key of ["core.editor", "core.pager", "core.alternateRefsCommand", "uploadpack.packObjectsHook"])
    stage.git(path, "config", key, program);
  mkdirSync(join(path, ".git/hooks"), { recursive: true });
  for (const hook of ["post-checkout", "pre-commit", "reference-transaction", "post-index-change"])
    writeFileSync(join(path, ".git/hooks", hook), `#!/bin/sh\n${run}\n`, { mode: 0o755 });
  writeFileSync(join(path, ".gitattributes"), "* filter=x\n");
  writeFileSync(join(path, "a.txt"), "changed\n");
  await stage.workspaces.look(path, "HEAD", "main");
  const rescue = await stage.workspaces.remove(stage.removal());
  await stage.bringBack(rescue?.where ?? "");
  expect(existsSync(proof)).toBe(false);
  expect(existsSync(join(path, ".git/hooks/pre-commit"))).toBe(true);
});

test("a link planted on the way to a workspace is refused", async () => {
  await stage.make();
  renameSync(join(stage.top, "workspaces/1"), stage.path("elsewhere"));
  symlinkSync(stage.path("elsewhere"), join(stage.top, "workspaces/1"));
  expect((await refusalOf(stage.workspaces.remove(stage.removal()))).code).toBe("path.symlink");
  expect((await refusalOf(stage.make("workspaces/1/other"))).code).toBe("path.symlink");
});

const removalSteps = [
  "remove.begun",
  "remove.renamed",
  "rescue.hashed",
  "rescue.written",
  "rescue.brought",
  "rescue.kept",
  "remove.saved",
  "remove.partly",
  "remove.deleted",
];

test("the steps at which a removal is killed are all the steps it has", async () => {
  await stage.make();
  const seen: string[] = [];
  await stage.workspaces.remove(stage.removal(undefined, { step: (name) => void seen.push(name) }));
  expect([...new Set(seen)]).toEqual(removalSteps);
});

test("a removal killed at any step loses nothing, and the next one finishes it", async () => {
  for (const step of removalSteps) {
    const path = await stage.make();
    stage.commit(path, { "a.txt": `work ${step}\n` });
    stage.write(path, { "un tracked": step });
    const before = printOf(stage, path);
    const killed = child("remove", stage.removal(), step);
    expect({ step, signal: killed.signalCode }).toEqual({ step, signal: "SIGKILL" });
    const rescue = await stage.workspaces.remove(stage.removal());
    const where = rescue?.where ?? "nowhere";
    expect(existsSync(path)).toBe(false);
    await stage.bringBack(where);
    expect({ step, print: printOf(stage, path) }).toEqual({ step, print: before });
    rmSync(path, { recursive: true });
    for (const ref of stage.git(stage.source, "for-each-ref", "--format=%(refname)", "refs/constel").trim().split("\n"))
      stage.git(stage.source, "update-ref", "-d", ref);
  }
});

test("a restore killed half way leaves no half workspace, and the next one makes it whole", async () => {
  const path = await stage.make();
  const before = printOf(stage, path);
  const rescue = await stage.workspaces.remove(stage.removal());
  const wish = stage.restoring(rescue?.where ?? "");
  for (const step of ["restore.objects", "restore.files", "restore.compared"]) {
    expect(child("restore", wish, step).signalCode).toBe("SIGKILL");
    expect(existsSync(path)).toBe(false);
  }
  await stage.bringBack(rescue?.where ?? "");
  expect(printOf(stage, path)).toEqual(before);
});

function child(verb: string, wish: object, step: string) {
  const script = join(import.meta.dir, "../../../test/kit/remove-child.ts");
  const command = [process.execPath, "--no-env-file", "--config=/dev/null", script, verb, JSON.stringify(wish), step];
  return Bun.spawnSync(command, { env: stage.environment, stdout: "pipe", stderr: "pipe" });
}
