// Tasks go to clones and come back: stories on the real program, real tmux, real git with a bare origin.

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dispatchSteps } from "../src/core/tasks/carry-out.ts";
import { until } from "./kit/home.ts";
import { WorkingAgents } from "./kit/working-agents.ts";

test("two verbs by the owner: dispatched, done by the clone, harvested", async () => {
  await using at = new WorkingAgents();
  await at.clone(1);
  await at.daemon("start");
  await at.seen("agent1", "idle");
  const task = await at.create("Add b", "write b.txt: hello\nreply: halfway there");
  const given = await at.ask("task", "dispatch", String(task));
  expect(given).toMatchObject({ delivery: "sent", agent: "agent1", state: "in_progress" });
  await at.becomes(task, "ready");
  await until(
    "the reply is an event",
    () => at.events(task),
    (events) => events.includes("clone_reply"),
  );
  const landed = await at.run("task", "harvest", String(task));
  expect(landed).toMatchObject({ code: 0 });
  expect(at.git(at.origin, "log", "-1", "--format=%s|%(trailers:key=Constel-Task,valueonly)", "main").trim()).toBe(
    `Do task ${task}|${task}`,
  );
  const story = await at.ask<{
    task: Record<string, unknown>;
    events: { type: string; actor: string }[];
    dispatches: object[];
  }>("task", "show", String(task));
  expect(story.task).toMatchObject({
    state: "closed",
    agent: "agent1",
    landed_sha: at.git(at.origin, "rev-parse", "main"),
  });
  const events = story.events.map(({ type }) => type);
  for (const type of [
    "created",
    "dispatched",
    "workspace_made",
    "brief_delivered",
    "clone_reply",
    "ready",
    "gate_passed",
    "harvested",
    "closed",
  ])
    expect(events.filter((one) => one === type)).toEqual([type]);
  expect(events.indexOf("dispatched")).toBeLessThan(events.indexOf("brief_delivered"));
  expect(story.events.find(({ type }) => type === "ready")?.actor).toBe("agent1");
  expect(story.dispatches).toMatchObject([{ agent: "agent1", state: "done" }]);
  const text = at.heard("agent1")[0]?.text ?? "";
  expect(text).toContain(`constel task ready ${task}`);
  expect(text).toContain(`constel channel send agent0 "..." --task ${task}`);
}, 60_000);

test("twelve tasks, three clones: the queue drains, none goes out twice, ten land and two come back with the reason", async () => {
  await using at = new WorkingAgents();
  for (const number of [1, 2, 3]) await at.clone(number);
  await at.daemon("start");
  for (const agent of ["agent1", "agent2", "agent3"]) await at.seen(agent, "idle");
  const tasks: number[] = [];
  for (let index = 1; index <= 10; index += 1) {
    tasks.push(await at.create(`File ${index}`, `write files/f${index}.txt: ${index}`));
  }
  // Both change the line that another one changes, or break the gate.
  await Bun.write(`${at.root}/a.txt`, "one\nchanged on main\nthree\n");
  const conflicting = await at.create("Conflicts", "write a.txt: one/changed by the clone/three");
  const breaking = await at.create("Breaks the gate", "write broken: yes");
  const all = [...tasks, conflicting, breaking];
  const states: string[] = [];
  for (const task of all) states.push((await at.ask<{ delivery: string }>("task", "dispatch", String(task))).delivery);
  expect(states.slice(0, 3)).toEqual(["sent", "sent", "sent"]);
  expect(states).toContain("queued");
  await until(
    "all are ready",
    () => all.map((task) => at.state(task)),
    (now) => now.every((state) => state === "ready"),
  );
  for (const task of all) expect(at.briefs(task)).toHaveLength(1);
  expect(await at.ask<object[]>("task", "queue")).toEqual([]);
  at.git(at.root, "commit", "-qam", "on main");
  at.git(at.root, "push", "-q");

  const harvested = await at.run("task", "harvest", "--all", "--json");
  expect(harvested.code).toBe(1);
  const { harvests } = JSON.parse(harvested.stdout) as { harvests: { task: number; outcome: string }[] };
  const outcomes = new Map(harvests.map(({ task, outcome }) => [task, outcome]));
  expect(tasks.map((task) => outcomes.get(task))).toEqual(tasks.map(() => "landed"));
  expect([outcomes.get(conflicting), outcomes.get(breaking)]).toEqual(["conflict", "red"]);
  for (const index of [1, 5, 10]) expect(at.git(at.origin, "show", `main:files/f${index}.txt`)).toBe(String(index));

  const back = async (task: number): Promise<string> => {
    const agent = String(at.query(`select agent from tasks where number = ${task}`)[0]?.["agent"]);
    const heard = await until(
      `${agent} hears of task ${task}`,
      () => at.heard(agent).find(({ text }) => text.includes(`Task ${task} could not land`)),
      (one) => one !== undefined,
    );
    return heard?.text ?? "";
  };
  const conflict = await back(conflicting);
  for (const words of ["a.txt", "changed on main", "changed by the clone"]) expect(conflict).toContain(words);
  expect(await back(breaking)).toContain("it is broken");
  await at.becomes(conflicting, "in_progress");
  await at.becomes(breaking, "in_progress");
}, 120_000);
