import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { Refusal } from "../../../protocol/errors.ts";
import { createTask } from "../create.ts";
import { askHarvest, harvestRound, harvestRows } from "./harvest.ts";
import { showTask } from "../queries.ts";
import { readyTask } from "./ready.ts";
import { giveWish, withTasks } from "../tasks.suite.ts";
import { changeTask } from "../update.ts";
import { removeWorkspace } from "../workspaces/workspace.ts";
import { rejection } from "../../../../test/kit/rejection.ts";

const here = withTasks();

/** A second repository, `web`, with an origin of its own whose branch is called trunk and whose gate wants no `bad` file. */
function second(): { source: string; origin: string } {
  const { stage } = here.scene;
  const [source, origin] = [stage.path("web"), stage.path("web-origin.git")];
  stage.git(stage.root, "init", "-q", "--bare", "-b", "trunk", origin);
  stage.git(stage.root, "clone", "-q", origin, source);
  stage.commit(source, { "w.txt": "w\n", "constel.toml": '[gate]\ncommand = "test ! -e bad"\n' }, "base");
  stage.git(source, "push", "-q", "origin", "HEAD:trunk");
  stage.git(source, "remote", "set-head", "origin", "-a");
  return { source, origin };
}

async function overTwo(files: { first?: object; second?: object }): Promise<{
  task: number;
  paths: [string, string];
  web: { source: string; origin: string };
}> {
  const { scene } = here;
  const web = second();
  const about = { title: "over two", priority: "P2", root: scene.stage.top, scope: [], after: [] };
  const repositories = [scene.stage.source, web.source, scene.stage.source];
  const { number: task } = await createTask(scene.context, { ...about, repositories });
  const { workspaces } = await scene.dispatch(giveWish(task, { to_workspace: true }));
  const [one = "", two = ""] = workspaces;
  expect(workspaces).toHaveLength(2);
  if (files.first !== undefined) scene.stage.commit(one, files.first as Record<string, string>, "in the first");
  if (files.second !== undefined) scene.stage.commit(two, files.second as Record<string, string>, "in the second");
  await readyTask(scene.context, { task });
  return { task, paths: [one, two], web };
}

const subjects = (origin: string, branch: string): string[] =>
  here.scene.stage.git(origin, "log", "--reverse", "--format=%s", branch).trim().split("\n");

test("a task over two repositories has a workspace in each, one branch name, and lands in both", async () => {
  const { scene } = here;
  const { task, paths, web } = await overTwo({ first: { "x.txt": "x" }, second: { "y.txt": "y" } });
  const branches = paths.map((path) => scene.stage.git(path, "branch", "--show-current").trim());
  expect(new Set(branches).size).toBe(1);
  expect(paths.map((path) => path.split("/").at(-1))).toEqual([scene.stage.source.split("/").at(-1) ?? "?", "web"]);
  const rows = await scene.harvest(task);
  expect(rows.map(({ outcome, target }) => [outcome, target])).toEqual([
    ["landed", "main"],
    ["landed", "trunk"],
  ]);
  expect(scene.log().at(-1)).toBe("in the first");
  expect(subjects(web.origin, "trunk")).toEqual(["base", "in the second"]);
  expect(await scene.state(task)).toBe("closed");
});

test("a repository in which nothing was to be done is no obstacle", async () => {
  const { scene } = here;
  const { task } = await overTwo({ second: { "y.txt": "y" } });
  expect((await scene.harvest(task)).map(({ outcome }) => outcome)).toEqual(["empty", "landed"]);
  expect(await scene.state(task)).toBe("closed");
});

test("when one of two repositories is red the other has landed, the task says both, and the next run lands the rest once", async () => {
  const { scene } = here;
  const { task, paths, web } = await overTwo({ first: { "x.txt": "x" }, second: { bad: "b" } });
  expect((await scene.harvest(task)).map(({ outcome }) => outcome)).toEqual(["landed", "red"]);
  const { task: row } = await showTask(scene.context, { task });
  const sha = scene.stage.git(scene.stage.origin, "rev-parse", "main").slice(0, 12);
  const first = scene.stage.source.split("/").at(-1);
  expect([row.state, row.landed_sha]).toEqual(["needs_review", null]);
  expect(row.reason).toBe(`web did not land: the gate is red\n${first} landed as ${sha}`);
  expect(subjects(web.origin, "trunk")).toEqual(["base"]);
  scene.stage.git(paths[1], "rm", "-q", "bad");
  scene.stage.commit(paths[1], { good: "g" }, "mended");
  await readyTask(scene.context, { task });
  expect((await scene.harvest(task)).map(({ outcome }) => outcome)).toEqual(["landed", "landed"]);
  expect(await scene.state(task)).toBe("closed");
  expect(scene.log().filter((subject) => subject === "in the first")).toHaveLength(1);
  expect(subjects(web.origin, "trunk")).toEqual(["base", "in the second", "mended"]);
});

test("what came back from one of two says where, and that the other is to be left alone", async () => {
  const { scene } = here;
  const put = scene.letters();
  await scene.see("agent1", "idle");
  const web = second();
  const about = { title: "over two", priority: "P2", root: scene.stage.top, scope: [], after: [] };
  const repositories = [scene.stage.source, web.source];
  const { number: task } = await createTask(scene.context, { ...about, repositories });
  const { workspaces } = await scene.dispatch(giveWish(task));
  for (const path of workspaces) expect(put[0]?.text).toContain(`Workspace: ${path} `);
  scene.stage.commit(workspaces[0] ?? "", { "x.txt": "x" }, "x");
  scene.stage.commit(workspaces[1] ?? "", { bad: "b" }, "b");
  await readyTask({ ...scene.context, actor: "agent1" }, { task });
  await scene.harvest(task);
  await scene.round();
  expect(put[1]?.text).toContain(`## In ${workspaces[1]}`);
  expect(put[1]?.text).not.toContain(`## In ${workspaces[0]}`);
  expect(put[1]?.text).toMatch(/landed as [0-9a-f]{40}; leave that as it is/);
});

test("cut off between two repositories, or anywhere else, the next harvester lands each commit once in each", async () => {
  const { scene } = here;
  const perRepository = 6;
  for (const cut of [1, 5, perRepository, perRepository + 1, perRepository + 4]) {
    const files = { first: { [`x${cut}`]: "x" }, second: { [`y${cut}`]: "y" } };
    const web = existsSync(scene.stage.path("web")) ? scene.stage.path("web") : second().source;
    const about = { title: `cut at ${cut}`, priority: "P2", root: scene.stage.top, scope: [], after: [] };
    const { number: task } = await createTask(scene.context, { ...about, repositories: [scene.stage.source, web] });
    const { workspaces } = await scene.dispatch(giveWish(task, { to_workspace: true, fetch: true }));
    scene.stage.commit(workspaces[0] ?? "", files.first, `first ${cut}`);
    scene.stage.commit(workspaces[1] ?? "", files.second, `second ${cut}`);
    await readyTask(scene.context, { task });
    const { train } = await askHarvest(scene.context, { tasks: [task], all: false });
    let steps = 0;
    scene.holder = `dead ${cut}`;
    scene.step = (name) => {
      if (name.startsWith("harvest.")) steps += 1;
      if (steps === cut) throw new Refusal("task.lease-lost", "as if killed: nothing more is written");
    };
    const rounds = async (): Promise<void> => {
      while (await harvestRound(scene.context, new AbortController().signal));
    };
    expect(await rejection(rounds())).toMatchObject({ code: "task.lease-lost" });
    scene.gone.add(scene.holder);
    scene.holder = `alive ${cut}`;
    scene.step = () => {};
    const between = await harvestRows(scene.context, { train });
    expect(between.harvests.map(({ ended_ms: ended }) => ended !== null)).toEqual([cut >= perRepository, false]);
    await rounds();
    const after = (await harvestRows(scene.context, { train })).harvests;
    expect(after.map(({ outcome }) => outcome)).toEqual(["landed", "landed"]);
    expect(await scene.state(task)).toBe("closed");
    expect(scene.log().filter((subject) => subject === `first ${cut}`)).toHaveLength(1);
    const there = subjects(scene.stage.path("web-origin.git"), "trunk");
    expect(there.filter((subject) => subject === `second ${cut}`)).toHaveLength(1);
  }
});

test("of several workspaces one must be named, and the answer says which there are", async () => {
  const { scene } = here;
  const { task } = await overTwo({ second: { "y.txt": "y" } });
  const first = scene.stage.source.split("/").at(-1);
  expect(await rejection(removeWorkspace(scene.context, { task, with_ignored: false }))).toMatchObject({
    code: "workspace.unknown",
    message: `task ${task} has the workspaces ${first}, web`,
  });
  await removeWorkspace(scene.context, { task, name: "web", with_ignored: false });
  // Only one is left, so that it need not be named.
  await removeWorkspace(scene.context, { task, with_ignored: false });
});

test("a workspace that was deleted by hand: ready says so, and another dispatch makes a new one", async () => {
  const { scene } = here;
  const { task, path } = await scene.begun();
  scene.stage.commit(path, { "x.txt": "x" }, "x");
  await Bun.$`rm -rf ${path}`.quiet();
  expect(await rejection(readyTask(scene.context, { task }))).toMatchObject({
    code: "task.no-workspace",
    message: expect.stringContaining(`the workspace ${path} is gone`),
  });
  expect(await scene.state(task)).toBe("in_progress");
  await changeTask(scene.context, { task, move: "release" });
  const again = await scene.dispatch(giveWish(task, { to_workspace: true }));
  expect(again.notes[0]).toContain("was gone");
  expect(existsSync(`${path}/a.txt`)).toBe(true);
  expect((await scene.events(task)).filter((type) => type === "workspace_lost")).toHaveLength(1);
});
