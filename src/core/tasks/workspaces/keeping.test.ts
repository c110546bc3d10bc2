import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDispatches } from "../assigning/dispatches.sql.ts";
import { graceMs, listRescues, pruneRescues } from "./rescues.ts";
import { takePushed } from "../assigning/pushed.ts";
import { briefArrived } from "../assigning/arrival.ts";
import { createTask } from "../create.ts";
import { askHarvest } from "../landing/harvest.ts";
import { showTask } from "../queries.ts";
import { giveWish, withTasks } from "../tasks.suite.ts";
import { tidyGrounds } from "../landing/tidy.ts";
import { removeWorkspace, restoreWorkspace } from "./workspace.ts";
import { rejection } from "../../../../test/kit/rejection.ts";

const here = withTasks();
const day = 86_400_000;
const keepMs = 90 * day;

const refs = (): string[] =>
  here.scene.stage
    .git(here.scene.stage.source, "for-each-ref", "--format=%(refname)", "refs/constel/rescue")
    .split("\n")
    .filter(Boolean);
const prune = (keep = keepMs): Promise<void> => pruneRescues(here.scene.context, { keepMs: keep, log: () => {} });
const rescues = async () => (await listRescues(here.scene.context, { all: true })).rescues;

async function removed(): Promise<{ task: number; path: string }> {
  const { scene } = here;
  const begun = await scene.begun();
  scene.stage.write(begun.path, { "untracked.txt": "u" });
  await removeWorkspace(scene.context, { task: begun.task, with_ignored: false });
  return begun;
}

test("what was saved and never restored is announced when it is old, and goes a week later, not before", async () => {
  const { scene } = here;
  const { task, path } = await removed();
  scene.clock.advance(keepMs - 1);
  await prune();
  expect(await rescues()).toMatchObject([{ task, announced_ms: null, goes_ms: null }]);
  scene.clock.advance(1);
  await prune();
  expect(await rescues()).toMatchObject([{ task, goes_ms: scene.clock.nowMs() + graceMs, pruned_ms: null }]);
  expect((await scene.events(task)).at(-1)).toBe("rescue_expiring");
  scene.clock.advance(graceMs - 1);
  await prune();
  await prune(0);
  expect(refs()).toHaveLength(1);
  scene.clock.advance(1);
  await prune(0);
  expect(refs()).toHaveLength(1);
  await prune();
  await prune();
  expect(refs()).toEqual([]);
  expect((await scene.events(task)).slice(-2)).toEqual(["rescue_expiring", "rescue_pruned"]);
  expect(await rejection(restoreWorkspace(scene.context, { task }))).toMatchObject({
    code: "workspace.no-rescue",
    message: expect.stringContaining(`what was saved of ${path} was kept as long as`),
  });
  expect((await listRescues(scene.context, { all: false })).rescues).toEqual([]);
});

test("restored, it goes when it is old without a word; restored after the announcement, what is saved next begins anew", async () => {
  const { scene } = here;
  const { task, path } = await removed();
  scene.clock.advance(keepMs);
  await prune();
  await restoreWorkspace(scene.context, { task });
  scene.stage.write(path, { "more.txt": "m" });
  await removeWorkspace(scene.context, { task, with_ignored: false });
  await prune();
  // The first one is old and was restored; the second one is new.
  expect((await rescues()).map((row) => row.pruned_ms !== null)).toEqual([true, false]);
  expect(refs()).toHaveLength(1);
  await restoreWorkspace(scene.context, { task });
  expect(await Bun.file(join(path, "more.txt")).text()).toBe("m");
});

test("a source that is gone, or a ref that somebody took away, is no obstacle; a place that is no rescue is never deleted", async () => {
  const { scene } = here;
  const { task } = await removed();
  scene.stage.git(scene.stage.source, "update-ref", "-d", refs()[0] ?? "");
  expect(await rejection(restoreWorkspace(scene.context, { task }))).toMatchObject({ code: "workspace.no-rescue" });
  scene.clock.advance(keepMs);
  await prune();
  scene.clock.advance(graceMs);
  await prune();
  expect((await rescues())[0]?.pruned_ms).toBe(scene.clock.nowMs());
  const { forget } = scene.context.machine.workspaces;
  const { bundles } = scene.context.machine;
  const source = join(scene.stage.source, ".git");
  for (const where of ["ref:refs/heads/main", "bundle:/etc/passwd", `bundle:${bundles}/../x.bundle`, "main"])
    expect(await rejection(forget({ source, where, bundles }))).toMatchObject({ code: "workspace.no-rescue" });
  expect(scene.stage.git(scene.stage.source, "rev-parse", "main")).not.toBe("");
});

test("nothing was there to save: restoring says so", async () => {
  const { scene } = here;
  const { task, path } = await scene.begun();
  rmSync(path, { recursive: true });
  await removeWorkspace(scene.context, { task, with_ignored: false });
  expect(await rejection(restoreWorkspace(scene.context, { task }))).toMatchObject({
    code: "workspace.no-rescue",
    message: `nothing was saved of ${path}`,
  });
});

test("what gates and harvests left behind goes, unless something waits to be harvested", async () => {
  const { scene } = here;
  const { task } = await scene.readyWith({ "x.txt": "x" });
  await scene.harvest(task);
  const [ground = ""] = readdirSync(scene.ground).filter((name) => name.endsWith(".git"));
  const key = ground.replace(".git", "");
  const branches = (): string => scene.stage.git(join(scene.ground, ground), "for-each-ref", "refs/constel/branches");
  expect(branches()).not.toBe("");
  for (const name of [`${key}.scratch`, `${key}.git.making`, "mine"])
    mkdirSync(join(scene.ground, name, "deep"), { recursive: true });
  mkdirSync(join(scene.ground, ground, "worktrees", "old"), { recursive: true });
  const other = await scene.readyWith({ "y.txt": "y" });
  await askHarvest(scene.context, { tasks: [other.task], all: false });
  expect(await tidyGrounds(scene.context)).toEqual([]);
  await scene.harvest(other.task);
  scene.clock.advance(Date.now() - scene.clock.nowMs());
  mkdirSync(join(scene.ground, `${key}.scratch`, "deep"), { recursive: true });
  expect((await tidyGrounds(scene.context)).toSorted()).toEqual([`${key}.git.making`, `${key}.scratch`]);
  expect(readdirSync(scene.ground).toSorted()).toEqual([ground, "mine"]);
  expect([branches(), existsSync(join(scene.ground, ground, "worktrees"))]).toEqual(["", false]);
  // Tidied, it still lands work; unused for a month, it goes, and is made anew.
  const third = await scene.readyWith({ "z.txt": "z" });
  expect((await scene.harvest(third.task))[0]?.outcome).toBe("landed");
  const longAgo = new Date(Date.now() - 31 * day);
  utimesSync(join(scene.ground, ground, "FETCH_HEAD"), longAgo, longAgo);
  expect(await tidyGrounds(scene.context)).toEqual([ground]);
  const fourth = await scene.readyWith({ "w.txt": "w" });
  expect((await scene.harvest(fourth.task))[0]?.outcome).toBe("landed");
  writeFileSync(join(scene.ground, "mine", "kept"), "");
});

test("by setting: who pushed its branch and stands idle is done; busy, unpushed, or with what came back unchanged, it is not", async () => {
  const { scene } = here;
  const put = scene.letters();
  await scene.see("agent1", "idle");
  const about = { title: "a task", priority: "P2", root: scene.stage.top, scope: [], after: [] };
  const { number: task } = await createTask(scene.context, { ...about, repositories: [scene.stage.source] });
  const {
    workspaces: [workspace],
    branch,
  } = await scene.dispatch(giveWish(task));
  const path = workspace ?? "";
  const push = (): void => void scene.stage.git(path, "push", "-q", "origin", "HEAD");
  const look = async (): Promise<string> => {
    await takePushed(scene.context);
    return scene.state(task);
  };
  push();
  await briefArrived(scene.context, { dispatch: put[0]?.id ?? "", agent: "agent1" }, "proof");
  // Pushed, but nothing of its own.
  expect(await look()).toBe("in_progress");
  scene.stage.commit(path, { "a.txt": "one\nmine\nthree\n" }, "mine");
  expect(await look()).toBe("in_progress");
  push();
  await scene.see("agent1", "busy");
  expect(await look()).toBe("in_progress");
  await scene.see("agent1", "idle");
  // The workspace's view of the origin may differ from the origin itself.
  scene.stage.git(scene.stage.origin, "update-ref", "-d", `refs/heads/${branch}`);
  expect(await look()).toBe("in_progress");
  push();
  expect(await look()).toBe("ready");
  const ready = (await showTask(scene.context, { task })).events.at(-1);
  expect(ready).toMatchObject({
    type: "ready",
    actor: "agent1",
    data: { because: "its branch was pushed, and it is idle" },
  });

  const someone = scene.someone();
  scene.stage.commit(someone, { "a.txt": "one\ntheirs\nthree\n" }, "theirs");
  scene.stage.git(someone, "push", "-q");
  await scene.harvest(task);
  await scene.round();
  const [back] = await openDispatches(scene.context.store.db, "constel0", task);
  await briefArrived(scene.context, { dispatch: back?.id ?? "", agent: "agent1" }, "proof");
  expect(await look()).toBe("in_progress");
  scene.stage.git(path, "fetch", "-q", "origin");
  scene.stage.git(path, "reset", "-q", "--hard", "origin/main");
  scene.stage.commit(path, { "a.txt": "one\nboth\nthree\n" }, "both");
  scene.stage.git(path, "push", "-qf", "origin", "HEAD");
  expect(await look()).toBe("ready");
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
});
