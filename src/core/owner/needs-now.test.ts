import { expect, test } from "bun:test";
import { fire } from "../schedules/fire.ts";
import { cronRow } from "../schedules/round.ts";
import type { Action, CronEntry } from "../schedules/schedule.ts";
import { putSchedule } from "../schedules/schedules.sql.ts";
import { createTask } from "../tasks/create.ts";
import { giveWish, withTasks } from "../tasks/tasks.suite.ts";
import { lookAtStatusNow } from "../agents/queries.ts";
import { dispatchTask } from "../tasks/assigning/dispatch.ts";

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
    ["no-repository", "constel repo add <path>"],
    ["ready:1", "constel task harvest 1"],
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

test("a prompt of a schedule that waits for an agent which is down, or never was, needs the owner", async () => {
  const { context } = here.scene;
  const { store } = context;
  await here.scene.see("agent1", "idle");
  const firing = { kind: "cron", catchUp: false, missed: 0, lateMs: 0, dueMs: 0, overlap: "queue" } as const;
  const fireFor = (label: string, action: Action) =>
    store.write(async (tx) => {
      const entry = { label, schedule: "0 9 * * *", zone: "UTC", action, overlap: "queue", jitterMs: 0, paused: false };
      const times = { nextMs: undefined, behindMs: 0 };
      if (label !== "removed") await putSchedule(tx.db, cronRow(context, entry as CronEntry, { seenMs: 0 }, times));
      await fire(context, tx, { ...firing, label, key: `cron:${label}`, action });
    });
  await fireFor("known", { agent: "agent1", prompt: "hello" });
  await fireFor("typo", { agent: "agent55", prompt: "hello" });
  await fireFor("removed", { agent: "agent55", prompt: "hello" });
  await fireFor("verb", { verb: ["task", "harvest"] });
  const needs = async () => (await lookAtStatusNow(context)).needs.filter(({ kind }) => kind === "schedule");
  expect(await needs()).toMatchObject([
    { says: "typo waits for agent55, which was never started", next: "constel agent agent55" },
  ]);
  await store.write((tx) => tx.db.updateTable("agents").set({ wanted: "down" }).execute());
  expect((await needs()).map(({ says }) => says)).toEqual([
    "known waits for agent1, which is down",
    "typo waits for agent55, which was never started",
  ]);
});
