// Who can take a task, and giving one out by a line of prose.

import { expect, test } from "bun:test";
import { Refusal } from "../../../protocol/errors.ts";
import { accountUsage } from "../../agents/account-usage.ts";
import { dispatchTask, type DispatchInput } from "./dispatch.ts";
import { giveWish, withTasks } from "../tasks.suite.ts";

const here = withTasks();

const prose = (title: string, more: Partial<DispatchInput> = {}): DispatchInput => {
  const { stage } = here.scene;
  return { ...giveWish(0), task: undefined, title, root: stage.top, repositories: [stage.source], ...more };
};

async function refusalOf(wish: DispatchInput): Promise<Refusal | undefined> {
  try {
    await dispatchTask(here.scene.context, wish);
  } catch (cause) {
    if (cause instanceof Refusal) return cause;
    throw cause;
  }
  return undefined;
}

const tasks = async (): Promise<unknown[]> =>
  await here.scene.context.store.db.selectFrom("tasks").select(["number", "title", "state", "agent"]).execute();

test("an agent that cannot take the task is refused with the reason, those who can are named, and nothing is created", async () => {
  const { scene } = here;
  scene.letters({ tokensPerDay: 10, microsPerDay: 0 });
  await scene.see("agent0", "idle", { role: "root" });
  await scene.see("agent1", "idle");
  await scene.see("agent2", "busy");
  await scene.see("agent3", "dead");
  await scene.see("agent4", "limited", { seen: { state: "limited", untilMs: 86_400_000, on: "hooks", says: "" } });
  await scene.see("agent5", "idle", { wanted: "down" });
  await scene.see("agent6", "idle");
  const usage = { id: "u", model: "m", input: 10, output: 0, cacheRead: 0, cacheWrite: 0, atMs: scene.clock.nowMs() };
  await accountUsage(scene.context.store, [{ agent: "agent6", answers: [usage] }], [], async () => null);
  scene.confined.add("agent1");
  const check = async (agent: string, why: string): Promise<void> => {
    const refusal = await refusalOf(prose("fix the login test", { agent }));
    expect({ agent, code: refusal?.code, message: refusal?.message }).toEqual({
      agent,
      code: "task.agent-cannot",
      message: expect.stringContaining(`${agent} cannot take this: ${why}; `) as never,
    });
  };
  await check("agent9", "there is no such agent");
  await check("agent0", "it is a root, and tasks go to clones");
  await check("agent3", "it is down");
  await check("agent4", "it is parked at a usage limit until 1970-01-02T00:00:00.000Z");
  await check("agent5", "it is wanted down");
  await check("agent6", "it has used up its budget for today");
  await check("agent1", `it is confined to /, and the task's root is ${scene.stage.top}`);
  scene.confined.clear();
  const refusal = await refusalOf(prose("fix the login test", { agent: "agent3" }));
  expect(refusal?.message).toContain("agent1 is free, agent2 can when it is done");
  expect(refusal?.facts).toMatchObject({ can: ["agent1", "agent2"], free: ["agent1"] });
  expect(await tasks()).toEqual([]);
});

test("a line of prose creates a task and gives it out in one; a busy agent has it next; without a repository nothing is created", async () => {
  const { scene } = here;
  const put = scene.letters();
  await scene.see("agent1", "idle");
  await scene.see("agent2", "busy");
  const given = await scene.dispatch(prose("fix the login test", { accept: ["true"] }));
  expect(given).toMatchObject({ task: 1, agent: "agent1", delivery: "assigned", criteria: [{ kind: "command" }] });
  expect(put).toHaveLength(1);
  expect(put[0]?.text).toContain("It counts as done when");
  expect(await dispatchTask(scene.context, prose("another thing", { agent: "agent2" }))).toMatchObject({
    task: 2,
    delivery: "queued",
  });
  expect(await dispatchTask(scene.context, prose("only asked", { dry_run: true }))).toMatchObject({
    task: null,
    notes: ["a task would be created, and go to the queue"],
  });
  expect((await refusalOf(prose("nowhere to go", { repositories: [], root: "/" })))?.code).toBe("task.no-repository");
  expect((await refusalOf({ ...giveWish(0), task: undefined }))?.code).toBe("input.invalid");
  expect(await tasks()).toHaveLength(2);
});
