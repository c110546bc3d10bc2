// A whole night with nobody there: the evening's cron gives a task out, another starts a loop that asks the clone until its gate is
// green, and the morning's cron lands the work. Real git, a clock that the test moves, an agent that is a few lines of script.

import { expect, test } from "bun:test";
import { createTask } from "../tasks/create.ts";
import { readyTask } from "../tasks/landing/ready.ts";
import { giveWish, withTasks } from "../tasks/tasks.suite.ts";
import { addCron, addLoop } from "./change.ts";
import { listSchedules } from "./queries.ts";
import { ScheduleScene } from "./schedules.suite.ts";

const here = withTasks();
const minuteMs = 60_000;

test("the night runs with no hand in the chain, and the origin has the commit in the morning", async () => {
  const { scene: tasks } = here;
  const { stage, clock, context } = tasks;
  tasks.letters();
  clock.jumpTo(Date.parse("2026-11-16T20:00:00Z"));
  const night = new ScheduleScene({ store: context.store, clock } as never);
  const about = {
    title: "mend it",
    priority: "P2",
    root: stage.top,
    repositories: [stage.source],
    scope: [],
    after: [],
  };
  const { number: task } = await createTask(context, about);
  let workspace = "";

  night.perform = async (words) => {
    const verb = words.slice(0, 2).join(" ");
    if (verb === "task dispatch") {
      const given = await tasks.dispatch(giveWish(Number(words[2]), { agent: "agent1" }));
      workspace = given.workspaces[0] ?? "";
    } else if (verb === "task harvest") await tasks.harvest();
    else if (verb === "loop create") {
      const action = { agent: "agent1", prompt: "Go on until the gate is green." };
      await addLoop(night.context(), {
        id: "green",
        action,
        everyMs: 30 * minuteMs,
        until: "test -e work.txt && sh gate.sh",
        overlap: "queue",
      });
    } else return 2;
    return 0;
  };
  const asked: string[] = [];
  night.until = async (command, directory) => {
    asked.push(directory ?? "nowhere");
    return { ran: true, exit: Bun.spawnSync(["sh", "-c", command], { cwd: directory ?? "/" }).exitCode };
  };
  const cron = (label: string, schedule: string, verb: string[]) =>
    addCron(night.context(), { label, schedule, zone: "UTC", action: { verb }, overlap: "queue", jitterMs: 0 });
  await cron("evening", "0 22 * * *", ["task", "dispatch", String(task)]);
  await cron("watch", "5 22 * * *", ["loop", "create"]);
  await cron("morning", "0 6 * * *", ["task", "harvest", "--all"]);
  await tasks.see("agent1", "idle");

  let visits = 0;
  let handled = 0;
  while (clock.nowMs() < Date.parse("2026-11-17T07:00:00Z")) {
    clock.advance(5 * minuteMs);
    await night.round();
    if (night.inbox.size === handled) continue;
    // The clone at work: it breaks the gate first, and mends it at its third visit.
    handled = night.inbox.size;
    visits++;
    if (visits === 1) stage.commit(workspace, { "work.txt": "half\n", broken: "" }, "half of it");
    if (visits === 3) {
      stage.git(workspace, "rm", "-q", "broken");
      stage.commit(workspace, { "work.txt": "whole\n" }, "all of it");
      await readyTask({ ...context, actor: "agent1" }, { task });
    }
    await night.takeAll("agent1");
  }
  expect(visits).toBe(3);
  expect(new Set(asked)).toEqual(new Set([workspace]));
  expect((await listSchedules(night.context(), { kind: "loop" })).schedules).toMatchObject([
    { label: "green", ended_why: "its until command succeeded" },
  ]);
  expect(tasks.log()).toContain("all of it");
  expect(stage.git(stage.origin, "show", "main:work.txt")).toBe("whole\n");
  expect(await tasks.state(task)).toBe("closed");
  const rows = await night.firings();
  expect(rows.every(({ state, catch_up: late }) => state === "done" && late === 0)).toBe(true);
});
