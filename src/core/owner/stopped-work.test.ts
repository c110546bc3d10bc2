// Every way in which an agent can stand still with work in hand and no state of its own says so.

import { expect, test } from "bun:test";
import { idleWithShell, type LastWords } from "../../ports/runtime.ts";
import type { AgentSighting } from "../agents/agent.ts";
import { guestsLeave } from "../agents/leave.ts";
import type { Need } from "../agents/needs.ts";
import { listAgents } from "../agents/queries.ts";
import { readyTask } from "../tasks/landing/ready.ts";
import { withTasks } from "../tasks/tasks.suite.ts";
import { noteNeeds } from "./note-needs.ts";
import { stoppedWork } from "./stopped-work.ts";

const here = withTasks();
const said = (text: string, more: Partial<LastWords> = {}): LastWords => ({
  text,
  said: true,
  toMessage: false,
  ...more,
});

async function needs(words?: LastWords): Promise<Need[]> {
  const { context } = here.scene;
  return stoppedWork(context, (await listAgents(context)).agents, () => words);
}

const says = async (words?: LastWords): Promise<string[]> => (await needs(words)).map((need) => need.says);

/** A task whose brief has arrived. */
async function atWork(agent: string): Promise<void> {
  const { scene } = here;
  await scene.atWork(agent);
  await arrive("delivered");
}

async function arrive(state: string): Promise<void> {
  const { store } = here.scene.context;
  const delivered_ms = state === "delivered" ? here.scene.clock.nowMs() : null;
  await store.write((tx) => tx.db.updateTable("dispatches").set({ state, delivered_ms }).execute());
}

async function turn(agent: string, more: Partial<AgentSighting> = {}): Promise<void> {
  await here.scene.see(agent, "busy", more);
  here.scene.clock.advance(1000);
  await here.scene.see(agent, "idle", more);
}

test("an agent that is idle with an unfinished task is told of after a minute and a half, with its last words, once for each stop", async () => {
  await atWork("agent3");
  await turn("agent3");
  here.scene.clock.advance(80_000);
  expect(await says(said("All done."))).toEqual([]);
  here.scene.clock.advance(10_000);
  const [first, ...rest] = await needs(said("I ran the tests.\nAll done."));
  expect(rest).toEqual([]);
  expect(first).toMatchObject({
    kind: "stopped",
    agent: "agent3",
    says: "agent3 stopped without saying that task 1 is ready: “I ran the tests. All done.”",
    next: "constel attach agent3",
  });
  expect(await says()).toEqual(["agent3 stopped without saying that task 1 is ready"]);
  await turn("agent3");
  expect(await needs()).toEqual([]);
  here.scene.clock.advance(90_000);
  expect((await needs())[0]?.key).not.toBe(first?.key);
});

test("all its tasks are named, and none that it called ready", async () => {
  await atWork("agent3");
  const { task, path } = await here.scene.begun("taken up by hand");
  here.scene.stage.commit(path, { "b.txt": "b\n" }, "done");
  const change = { state: "in_progress", agent: "agent3" };
  await here.scene.context.store.write((tx) =>
    tx.db.updateTable("tasks").set(change).where("number", "=", task).execute(),
  );
  here.scene.clock.advance(90_000);
  expect(await says()).toEqual(["agent3 stopped without saying that tasks 1 and 2 are ready"]);
  await readyTask(here.scene.context, { task });
  expect(await says()).toEqual(["agent3 stopped without saying that task 1 is ready"]);
});

test("a question in prose is told as one, wherever in the last paragraph it stands", async () => {
  await atWork("agent3");
  here.scene.clock.advance(90_000);
  const asks = async (text: string, more = {}) => (await says(said(text, more)))[0]?.includes("with a question about");
  expect(await asks("Shall I use tabs?")).toBe(true);
  expect(await asks("Done so far.\n\nShould it be `a` or `b`? Tell me and I go on.")).toBe(true);
  expect(await asks("**Which of the two do you want?**")).toBe(true);
  expect(await asks("どちらにしますか？")).toBe(true);
  expect(await asks("Why did it fail? I looked.\n\nIt is mended.")).toBe(false);
  expect(await asks("See a?b and done.")).toBe(false);
  // The text that Claude Code shows after Esc is the program's own question.
  expect(await asks("Interrupted · What should Claude do instead?", { said: false })).toBe(false);
});

test("a turn that began no work counts from when the brief arrived; a brief that did not arrive is told as that", async () => {
  const { scene } = here;
  await scene.atWork("agent3");
  scene.clock.advance(3_600_000);
  for (const [state, words] of [
    ["sent", "agent3 stands idle, and the brief of task 1 did not reach it"],
    ["unknown", "agent3 stands idle, and nothing proves that the brief of task 1 reached it"],
  ] as const) {
    await arrive(state);
    expect(await says()).toEqual([words]);
  }
  await scene.see("agent3", "idle", { mailHeld: "a half-typed line stands in its terminal" });
  expect((await says())[0]).toEndWith("reached it: a half-typed line stands in its terminal");
  await arrive("delivered");
  expect(await says()).toEqual([]);
  scene.clock.advance(90_000);
  expect(await says()).toEqual(["agent3 stopped without saying that task 1 is ready"]);
});

test("states that need the owner by themselves are not told twice, and work is no stop", async () => {
  await atWork("agent3");
  const { scene } = here;
  for (const state of [
    "busy",
    "dead",
    "hung",
    "limited",
    "logged-out",
    "waiting-permission",
    "waiting-answer",
  ] as const) {
    await scene.see("agent3", state);
    scene.clock.advance(3_600_000);
    expect(await says()).toEqual([]);
  }
});

test("a command in the background gives an agent a quarter of an hour", async () => {
  await atWork("agent3");
  await here.scene.see("agent3", "idle", { seen: { state: "idle", on: "own", says: idleWithShell } });
  here.scene.clock.advance(600_000);
  expect(await says()).toEqual([]);
  here.scene.clock.advance(300_000);
  expect(await says()).toHaveLength(1);
});

test("work that is with one who is down, paused or gone is told of, and so is a guest that stopped", async () => {
  const { scene } = here;
  await atWork("agent3");
  for (const wanted of ["down", "paused"] as const) {
    await scene.see("agent3", "dead", { wanted });
    expect(await needs()).toMatchObject([
      { kind: "unattended", says: `task 1 is with agent3, which is ${wanted}`, next: "constel agent agent3" },
    ]);
  }
  const guest = { role: "guest", wanted: "nothing" } as const;
  await scene.see("agent3", "idle", guest);
  scene.clock.advance(90_000);
  expect(await needs()).toMatchObject([{ kind: "stopped", next: "constel agent show agent3" }]);
  await guestsLeave(scene.context.store, ["agent3"]);
  expect(await needs()).toMatchObject([
    { says: "task 1 is with agent3, which is not there any more", next: "constel task show 1" },
  ]);
});

test("without a task, only a question that answers a message is told", async () => {
  await turn("agent3");
  here.scene.clock.advance(90_000);
  expect(await says(said("What would you like me to do?"))).toEqual([]);
  const asked = said("Which branch?", { toMessage: true });
  expect(await needs(asked)).toMatchObject([{ kind: "asked", says: "agent3 asks: “Which branch?”" }]);
});

test("the view stuck has it, with its task", async () => {
  await atWork("agent3");
  here.scene.clock.advance(90_000);
  const { context } = here.scene;
  await context.store.write((tx) => tx.db.updateTable("tasks").set({ updated_ms: Date.now() }).execute());
  await noteNeeds(context, await needs(said("Done.")));
  const stuck = await context.store.db
    .selectFrom("stuck" as never)
    .selectAll()
    .execute();
  expect(stuck).toMatchObject([
    { task: 1, agent: "agent3", why: "agent3 stopped without saying that task 1 is ready: “Done.”" },
  ]);
});
