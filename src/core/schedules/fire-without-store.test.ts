import { beforeEach, expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { addCron, addLoop } from "./change.ts";
import { fireWithoutStore } from "./fire-without-store.ts";
import type { Action, CronState } from "./schedule.ts";
import { ScheduleScene } from "./schedules.suite.ts";

const hourMs = 3_600_000;
const tell: Action = { agent: "agent1", prompt: "look around" };
const here = withStore(sqliteScene);
let scene: ScheduleScene;
beforeEach(() => {
  scene = new ScheduleScene(here);
});

const cron = (label: string, schedule: string, action: Action) =>
  addCron(scene.context(), { label, schedule, zone: "UTC", action, overlap: "queue", jitterMs: 0 });

test("prompts that are due fire with the daemon dead, once, and the daemon that comes back says nothing again", async () => {
  await cron("hourly", "0 * * * *", tell);
  await cron("land", "0 * * * *", { verb: ["task", "harvest", "--all"] });
  await addLoop(scene.context(), { id: "again", action: tell, everyMs: hourMs, overlap: "queue" });
  await addLoop(scene.context(), { id: "green", action: tell, until: "bin/gate", overlap: "queue" });
  await scene.see("agent1", "idle");
  let seen: ReadonlyMap<string, CronState> = new Map([["hourly", { seenMs: here.clock.nowMs() }]]);
  const tick = async (): Promise<readonly string[]> => {
    const done = await fireWithoutStore({ machine: scene.machine, nowMs: here.clock.nowMs(), seen });
    seen = done.seen;
    expect(done.problems).toEqual([]);
    return [...done.fired.map((key) => key.replace(/@.*/, "")), ...done.left.map((label) => `left ${label}`)];
  };
  expect(await tick()).toEqual(["loop:again", "left green"]);
  here.clock.advance(hourMs);
  expect(await tick()).toEqual(["cron:hourly", "loop:again", "left land", "left green"]);
  expect(await tick()).toEqual(["left land", "left green"]);
  expect(scene.inbox.size).toBe(3);
  expect([...scene.inbox.values()].map(({ from }) => from)).toEqual(["agentloop", "agentcron", "agentloop"]);

  // The daemon is back: what it catches up with has the same key, and the verb that was left runs.
  await scene.round();
  const rows = await scene.firings();
  expect(rows.filter(({ key }) => key.startsWith("cron:hourly@")).map(({ key }) => scene.inbox.has(key))).toEqual([
    true,
  ]);
  expect([...scene.inbox.keys()].filter((key) => key.startsWith("cron:"))).toHaveLength(1);
  expect([...scene.runs.values()]).toEqual([1]);
});

test("a file that cannot be read stops nothing else, and nothing fires that was due long before anybody looked", async () => {
  await cron("nightly", "0 3 * * *", tell);
  await addLoop(scene.context(), { id: "again", action: tell, everyMs: hourMs, overlap: "queue" });
  scene.loops.set("broken", "not toml at all =");
  const done = await fireWithoutStore({ machine: scene.machine, nowMs: here.clock.nowMs(), seen: new Map() });
  expect(done.fired.map((key) => key.replace(/@.*/, ""))).toEqual(["loop:again"]);
  expect(done.problems).toHaveLength(1);
});
