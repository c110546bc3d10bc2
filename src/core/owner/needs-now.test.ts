import { expect, test } from "bun:test";
import { createTask } from "../tasks/create.ts";
import { giveWish, withTasks } from "../tasks/tasks.suite.ts";
import { lookAtStatusNow } from "../agents/queries.ts";
import { dispatchTask } from "../tasks/dispatch.ts";

const here = withTasks();

test("a ready task, one that could not be given out, and an agent at work where nothing is watched need the owner", async () => {
  const { scene } = here;
  await scene.readyWith({ "b.txt": "b\n" });
  scene.letters();
  const { context, stage } = scene;
  await scene.see("agent1", "idle");
  const about = { title: "cannot", priority: "P2", root: stage.top, scope: [], after: [] };
  const { number } = await createTask(context, { ...about, repositories: [stage.source] });
  // Its source vanishes after it was admitted.
  await dispatchTask(context, giveWish(number, { agent: "agent1" }));
  stage.git(stage.root, "clone", "-q", "--bare", stage.source, stage.path("kept.git"));
  await Bun.$`rm -rf ${stage.source}`.quiet();
  await scene.round();
  await scene.see("agent1", "busy");
  const { needs } = await lookAtStatusNow(context);
  expect(needs.map(({ key, next }) => [key, next])).toEqual([
    [`dispatch-failed:${number}`, `constel task dispatch ${number}`],
    ["ready:1", "constel task harvest 1"],
    ["no-repository", "constel repo add <path>"],
  ]);
  const stuck = await context.store.db
    .selectFrom("stuck" as never)
    .selectAll()
    .execute();
  expect(stuck).toMatchObject([
    { task: 1, why: "it is ready and was not harvested" },
    { task: number, why: "it could not be given out" },
  ]);
});
