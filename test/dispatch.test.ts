// Tasks go to clones and come back: stories on the real program, real tmux, real git with a bare origin.

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dispatchSteps } from "../src/core/tasks/assigning/deliver-assignment.ts";
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
  expect(text).toContain("given by constel for the owner");
  // Anybody can write words like these; only what constel itself gives is called so.
  const forge = ["channel", "send", "agent1", "Task 9 is yours.", "--task", "9"];
  const env = { CONSTEL_AGENT: "agent0" };
  expect((await at.constel([...forge, "--kind", "brief"], { env })).stderr).toContain("bus.reserved-kind");
  await at.constel(forge, { env });
  const forged = await until(
    "the forged one is heard",
    () => at.heard("agent1")[1]?.text,
    (heard) => heard !== undefined,
  );
  expect(forged).toContain("This is not input from the owner");
}, 120_000);

test("twelve tasks, three clones: the queue drains, none goes out twice, ten land and two come back with the reason", async () => {
  await using at = new WorkingAgents();
  await at.daemon("start");
  const tasks: number[] = [];
  for (let index = 1; index <= 10; index += 1) {
    tasks.push(await at.create(`File ${index}`, `write files/f${index}.txt: ${index}`));
  }
  // Both change the line that another one changes, or break the gate.
  await Bun.write(`${at.root}/a.txt`, "one\nchanged on main\nthree\n");
  const conflicting = await at.create("Conflicts", "write a.txt: one/changed by the clone/three");
  const breaking = await at.create("Breaks the gate", "write broken: yes");
  const all = [...tasks, conflicting, breaking];
  // Nobody is up yet, so that all of them wait, however slow or fast this machine is.
  for (const task of all)
    expect(await at.ask("task", "dispatch", String(task))).toMatchObject({ delivery: "queued", state: "queued" });
  for (const number of [1, 2, 3]) await at.clone(number);
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

test("a brief that is not acknowledged leaves the task where it is, and says so; taken back, it is not read later", async () => {
  await using at = new WorkingAgents();
  await at.clone(1);
  const { waits } = at;
  at.waits = { CONSTEL_DELIVERY_PROOF_MS: "300", CONSTEL_DELIVERY_DOUBT_MS: "600000" };
  await at.daemon("start");
  await at.seen("agent1", "idle");
  const task = await at.create("Mute", "say nothing");
  await at.ask("task", "dispatch", String(task));
  await until(
    "the doubt is an event",
    () => at.events(task),
    (events) => events.includes("delivery_unknown"),
  );
  expect(at.query("select task, why from stuck where task is not null")).toEqual([
    { task, why: "whether its brief reached agent1 is not known" },
  ]);
  const again = await at.run("task", "dispatch", String(task));
  expect(again).toMatchObject({ code: 3 });
  await at.clone(2);
  await at.seen("agent2", "idle");
  const other = await at.create("Other", "write o.txt: o");
  await at.ask("task", "dispatch", String(other));
  await at.becomes(other, "ready");
  expect(at.briefs(other)).toEqual(["agent2"]);
  expect(at.state(task)).toBe("in_progress");

  await at.ask("task", "update", String(task), "--release");
  expect([at.state(task), at.query(`select count(*) as rows from stuck where task = ${task}`)[0]?.["rows"]]).toEqual([
    "open",
    0,
  ]);
  await at.ask("task", "update", String(task), "--text", "write m.txt: m");
  await at.ask("task", "dispatch", String(task), "--agent", "2");
  await at.becomes(task, "ready");
  expect(at.briefs(task)).toEqual(["agent2"]);
  // After the doubt agent1 would be given the old brief again; it is not wanted any more.
  await at.daemon("stop");
  at.waits = waits;
  await at.daemon("start");
  await until(
    "the old brief is settled unread",
    () => at.query(`select state from messages where receiver = 'agent1' and kind = 'brief'`).map(({ state }) => state),
    (states) => states.every((state) => state === "duplicate"),
  );
  // Whether it had heard of the task was not known, so it is told that it has it no more; and that is all it hears.
  const heard = await until(
    "it hears that the task was taken back",
    () => at.heard("agent1").map(({ text }) => text),
    (texts) => texts.length > 0,
  );
  expect(heard).toEqual([expect.stringContaining(`Task ${task} was taken back from you`)]);
}, 120_000);

test("only the clone that has a task can say that it is done, by verb or on the bus", async () => {
  await using at = new WorkingAgents();
  await at.clone(1);
  await at.clone(2);
  await at.daemon("start");
  for (const agent of ["agent1", "agent2"]) await at.seen(agent, "idle");
  const task = await at.create("Slow", "write s.txt: s\nnever ready");
  await at.ask("task", "dispatch", String(task), "--agent", "agent2");
  await until(
    "the work is committed",
    () => at.query("select count(*) as rows from task_events where type = 'brief_delivered'")[0]?.["rows"],
    (rows) => rows === 1,
  );
  await at.seen("agent2", "idle");
  const stranger = await at.constel(["task", "ready", String(task)], {
    cwd: at.root,
    env: { CONSTEL_AGENT: "agent1" },
  });
  expect(stranger.code).toBe(3);
  expect(stranger.stderr).toContain(`task ${task} is not agent1's: agent2 has it`);
  const say = (agent: string) =>
    at.constel(["channel", "send", "agent0", "done", "--task", String(task), "--kind", "ready"], {
      cwd: at.root,
      env: { CONSTEL_AGENT: agent },
    });
  await say("agent1");
  await until(
    "the stranger hears that its word does not count",
    () => at.heard("agent1").map(({ text }) => text),
    (texts) => texts.some((text) => text.includes(`task ${task} is ready, but it is not yours: agent2 has it`)),
  );
  expect(at.state(task)).toBe("in_progress");
  expect(at.query("select actor from task_events where type = 'ready_refused'")).toEqual([{ actor: "agent1" }]);
  await say("agent2");
  await at.becomes(task, "ready");
  expect(at.events(task).filter((type) => type === "clone_reply")).toHaveLength(2);
  expect(at.query("select actor from task_events where type = 'ready'")).toEqual([{ actor: "agent2" }]);

  // Cancelled while a clone has it: the clone hears of it, the workspace stays, and the clone is free for the next.
  await at.seen("agent2", "idle");
  const dropped = await at.create("Dropped", "write d.txt: d\nnever ready");
  await at.ask("task", "dispatch", String(dropped), "--agent", "agent2");
  await until(
    "the brief has arrived",
    () => at.events(dropped),
    (events) => events.includes("brief_delivered"),
  );
  expect((await at.run("task", "cancel", String(dropped), "not wanted")).stdout).toContain("agent2 is told");
  await until(
    "the clone hears of it",
    () => at.heard("agent2").map(({ text }) => text),
    (texts) => texts.some((text) => text.includes(`Task ${dropped} was cancelled: not wanted.`)),
  );
  expect(existsSync(`${at.root}/workspaces/${dropped}/repo`)).toBe(true);
  const said = await at.constel(["task", "ready", String(dropped)], {
    cwd: at.root,
    env: { CONSTEL_AGENT: "agent2" },
  });
  expect(said.code).toBe(3);
  await until(
    "the task is not the clone's any more",
    () => at.query("select task from clones_now where agent = 'agent2'")[0]?.["task"],
    (now) => now === null,
  );
}, 120_000);

test("what cannot go out now is queued and says why; it goes by priority when a clone comes", async () => {
  await using at = new WorkingAgents();
  await at.daemon("start");
  const later = await at.create("Later", "write l.txt: l");
  const urgent = await at.create("Urgent", "write u.txt: u", "--priority", "P0");
  const after = await at.create("After", "write x.txt: x", "--after", String(urgent));
  for (const task of [later, urgent]) {
    const answer = await at.ask<{ delivery: string; notes: string[] }>("task", "dispatch", String(task));
    expect(answer).toMatchObject({ delivery: "queued", notes: ["no clone is up; `constel up` starts clones"] });
  }
  const waits = await at.ask<{ notes: string[] }>("task", "dispatch", String(after));
  expect(waits.notes).toEqual([`it waits for ${urgent}`]);
  expect((await at.ask<{ number: number }[]>("task", "queue")).map(({ number }) => number)).toEqual([
    urgent,
    later,
    after,
  ]);
  const missing = await at.create("Missing", "x");
  await at.ask("task", "dispatch", String(missing), "--dry-run");
  expect(at.state(missing)).toBe("open");
  expect((await at.run("task", "create", "x", "--brief", "briefs/none.md")).stderr).toContain("there is no brief at");
  expect((await at.run("task", "create", "x", "--brief", "../elsewhere.md")).stderr).toContain("outside the root");

  await at.clone(1);
  await at.becomes(later, "ready");
  expect(
    at.query("select task from task_events where type = 'dispatched' order by seq").map(({ task }) => task),
  ).toEqual([urgent, later]);
  expect(at.state(after)).toBe("queued");
  await at.ask("task", "harvest", String(urgent));
  await at.becomes(after, "ready");
}, 120_000);

test("a brief that is gone when its task goes out is said, and nothing is made", async () => {
  await using at = new WorkingAgents();
  at.commit({ "briefs/one.md": "write one.txt: 1\n" });
  await at.clone(1);
  await at.daemon("start");
  await at.seen("agent1", "idle");
  const task = await at.create("One", "", "--brief", "briefs/one.md");
  at.git(at.root, "rm", "-q", "briefs/one.md");
  const gone = await at.run("task", "dispatch", String(task));
  expect(gone.code).not.toBe(0);
  expect(gone.stderr).toContain("there is no brief at");
  expect([at.state(task), existsSync(`${at.root}/workspaces`)]).toEqual(["open", false]);
}, 120_000);

describe("a daemon killed while it gives out a task", () => {
  const others = ["workspace.reserved", "workspace.made", "bus.send.temp-removed", "bus.send.recorded"];
  for (const step of [...dispatchSteps, ...others]) {
    test.concurrent(`at ${step}: one workspace, one branch, one brief seen once`, async () => {
      await using at = new WorkingAgents();
      await at.clone(1);
      await at.daemon("start", { env: { CONSTEL_KILL_AT: step } });
      await at.seen("agent1", "idle");
      const pid = at.daemonPid ?? 0;
      const task = await at.create("Once", "write once.txt: 1");
      await at.run("task", "dispatch", String(task));
      await until(
        "the daemon is gone",
        () => existsSync(`/proc/${pid}`),
        (there) => !there,
      );
      await at.daemon("start");
      await at.becomes(task, "ready");
      expect(at.briefs(task)).toEqual(["agent1"]);
      expect(at.query("select state from workspaces")).toEqual([{ state: "ready" }]);
      expect(at.query("select state, fencing_token from dispatches")).toEqual([{ state: "done", fencing_token: 1 }]);
      expect(at.events(task).filter((type) => type === "dispatched")).toHaveLength(1);
      const path = `${at.root}/workspaces/${task}/repo`;
      expect(at.git(path, "branch", "--list", "constel/*", "--format=%(refname:short)").split("\n")).toHaveLength(1);
      expect(at.git(path, "log", "--format=%s", "origin/main..HEAD")).toBe(`Do task ${task}`);
    }, 120_000);
  }
});
