// The order in which things are written down around a landing, and that nothing is given out twice.

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createTask } from "../create.ts";
import { askHarvest, harvestRound, harvestRows } from "./harvest.ts";
import { leaseClone } from "../assigning/lease-clone.ts";
import { readyTask } from "./ready.ts";
import { leaseSentBack } from "../assigning/send-back.ts";
import { giveWish, withTasks } from "../tasks.suite.ts";
import { rejection } from "../../../../test/kit/rejection.ts";

const here = withTasks();

test("what is about to be pushed is written down before it is pushed, commit by commit", async () => {
  const { scene } = here;
  const { context } = scene;
  const { task, path } = await scene.readyWith({ "x.txt": "1" });
  const commit = scene.stage.git(path, "rev-parse", "HEAD").trim();
  const { train } = await askHarvest(context, { tasks: [task], all: false });
  let pushes = 0;
  const grounds = {
    ...context.machine.grounds,
    open: async (wish: Parameters<typeof context.machine.grounds.open>[0]) => {
      const ground = await context.machine.grounds.open(wish);
      return {
        ...ground,
        async push(about: Parameters<typeof ground.push>[0]) {
          pushes += 1;
          const [row] = (await harvestRows(context, { train })).harvests;
          expect(row).toMatchObject({ phase: "pushing", expected_old: about.expected, new_tip: about.tip });
          const noted = await context.store.db.selectFrom("landed_commits").select(["from_sha", "to_sha"]).execute();
          expect(noted).toEqual([{ from_sha: commit, to_sha: about.tip }]);
          return ground.push(about);
        },
      };
    },
  };
  await harvestRound({ ...context, machine: { ...context.machine, grounds } }, new AbortController().signal);
  expect([pushes, await scene.state(task)]).toEqual([1, "closed"]);
});

/** A task that agent1 has, and whose work came back with a red gate. */
async function sentBack() {
  const { scene } = here;
  const put = scene.letters();
  await scene.see("agent1", "idle");
  const about = { title: "a task", priority: "P2", root: scene.stage.top, scope: [], after: [] };
  const { number: task } = await createTask(scene.context, { ...about, repositories: [scene.stage.source] });
  const { workspaces } = await scene.dispatch(giveWish(task));
  const path = workspaces[0] ?? "";
  scene.stage.commit(path, { broken: "b" }, "breaks it");
  await readyTask({ ...scene.context, actor: "agent1" }, { task });
  expect((await scene.harvest(task))[0]?.outcome).toBe("red");
  const given = async () =>
    (
      await scene.context.store.db
        .selectFrom("dispatches")
        .selectAll()
        .where("task", "=", task)
        .orderBy("asked_ms")
        .execute()
    ).filter(({ about: train }) => train !== null);
  return { scene, task, path, put, given };
}

test("work goes back once for each train, however often it is looked at, and again after the next one", async () => {
  const { scene, task, path, put, given } = await sentBack();
  await leaseSentBack(scene.context);
  await leaseSentBack(scene.context);
  expect(await given()).toHaveLength(1);
  await scene.round();
  await scene.round();
  expect([(await given()).length, put.length]).toEqual([1, 2]);
  // Ended without an answer, the same train still sends nothing a second time.
  await scene.context.store.write((tx) =>
    tx.db.updateTable("dispatches").set({ ended_ms: 1, state: "done" }).where("task", "=", task).execute(),
  );
  await leaseSentBack(scene.context);
  expect(await given()).toHaveLength(1);
  scene.stage.commit(path, { "still.txt": "s" }, "still broken");
  await readyTask({ ...scene.context, actor: "agent1" }, { task });
  scene.clock.advance(1);
  expect((await scene.harvest(task))[0]?.outcome).toBe("red");
  await scene.round();
  const trains = (await given()).map(({ about }) => about);
  expect([trains.length, new Set(trains).size]).toEqual([2, 2]);
});

test("while a clone has work that came back, the task goes to no other", async () => {
  const { scene, task, given } = await sentBack();
  await leaseSentBack(scene.context);
  await scene.see("agent2", "idle");
  expect(await rejection(leaseClone(scene.context, task, {}))).toMatchObject({ code: "task.leased" });
  expect(await given()).toMatchObject([{ agent: "agent1", ended_ms: null }]);
});

test("nothing that a branch brings runs while it lands: no hook of the workspace or of the source", async () => {
  const { scene } = here;
  const { stage } = scene;
  const ran = stage.path("ran");
  const hook = `#!/bin/sh\ntouch ${ran}\n`;
  const hooks = [
    "pre-push",
    "reference-transaction",
    "post-checkout",
    "pre-commit",
    "post-commit",
    "post-index-change",
  ];
  const planted = stage.path("planted");
  for (const name of hooks) stage.write(planted, { [name]: hook });
  for (const name of hooks) Bun.spawnSync(["chmod", "+x", join(planted, name)]);
  const { task, path } = await scene.readyWith({ "x.txt": "1" });
  for (const repository of [path, stage.source]) stage.git(repository, "config", "core.hooksPath", planted);
  await readyTask(scene.context, { task });
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  expect(await Bun.file(ran).exists()).toBe(false);
  rmSync(planted, { recursive: true });
});

test("hooks that the user's own git names do not run in the landing repository; what the origin runs is its own affair", async () => {
  const { scene } = here;
  const { stage } = scene;
  const ran = stage.path("ran");
  const planted = stage.path("planted");
  stage.write(planted, { "reference-transaction": `#!/bin/sh\necho "$PWD $GIT_DIR" >> ${ran}\n` });
  Bun.spawnSync(["chmod", "+x", join(planted, "reference-transaction")]);
  const { task } = await scene.readyWith({ "x.txt": "1" });
  stage.git(stage.root, "config", "--global", "core.hooksPath", planted);
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  const places = (await Bun.file(ran).exists()) ? await Bun.file(ran).text() : "";
  expect(places).not.toContain(scene.ground);
});
