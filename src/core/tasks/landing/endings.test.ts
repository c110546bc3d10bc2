import { expect, test } from "bun:test";
import { onEachDatabase } from "../../../../test/kit/databases.ts";
import type { Letter } from "../../../ports/deliver.ts";
import { accountUsage } from "../../agents/account-usage.ts";
import { agentRow } from "../../agents/agents.sql.ts";
import { briefArrived } from "../assigning/arrival.ts";
import { costOfTask, taskAt } from "../costs.ts";
import { createTask } from "../create.ts";
import { showTask } from "../queries.ts";
import { readyTask } from "./ready.ts";
import { giveWish, withTasks } from "../tasks.suite.ts";
import { cancelTask, changeTask } from "../update.ts";
import { rejection, throwing } from "../../../../test/kit/rejection.ts";

onEachDatabase("how a task leaves its clone", (makeScene) => {
  const here = withTasks(makeScene);

  /** A task that agent1 has, its brief proven. */
  async function given(put: Letter[], agent = "agent1"): Promise<{ task: number; path: string; dispatch: string }> {
    const { scene } = here;
    await scene.see(agent, "idle");
    const about = { title: "a task", priority: "P2", root: scene.stage.top, scope: [], after: [] };
    const { number: task } = await createTask(scene.context, { ...about, repositories: [scene.stage.source] });
    const {
      workspaces: [workspace],
    } = await scene.dispatch(giveWish(task, { agent }));
    const dispatch = put.at(-1)?.id ?? "";
    await briefArrived(scene.context, { dispatch, agent }, "proof");
    await scene.see(agent, "busy");
    return { task, path: workspace ?? "", dispatch };
  }

  const answerAt = (id: string, atMs: number, input = 1) => ({
    id,
    model: "m",
    input,
    output: 1,
    cacheRead: 0,
    cacheWrite: 0,
    atMs,
  });

  /** The agent used this many tokens now. */
  async function uses(id: string, input: number): Promise<void> {
    const { store, clock } = here.scene.context;
    const answers = [answerAt(id, clock.nowMs(), input)];
    await accountUsage(store, [{ agent: "agent1", answers }], [], taskAt);
  }

  const pass = (ms: number): void => here.scene.clock.advance(ms);
  const agentsTask = async (): Promise<unknown> =>
    (await agentRow(here.scene.context.store.db, "constel0", "agent1"))?.task;

  test("what an agent uses is its task's cost until the turn is over in which it said that it is done", async () => {
    const { scene } = here;
    const put = scene.letters();
    pass(1000);
    const { task, path } = await given(put);
    expect(await agentsTask()).toBe(String(task));
    pass(1000);
    await uses("at-work", 10);
    scene.stage.commit(path, { "x.txt": "x" }, "x");
    await readyTask({ ...scene.context, actor: "agent1" }, { task });
    pass(1000);
    await uses("last-words", 20);
    await scene.round();
    expect(await agentsTask()).toBe(String(task));
    pass(1000);
    await scene.see("agent1", "idle");
    await scene.round();
    expect(await agentsTask()).toBeNull();
    pass(1000);
    await uses("chat", 400);
    const next = await given(put);
    pass(1000);
    await uses("next", 3000);
    expect((await costOfTask(scene.context.store, task)).input_tokens).toBe(30);
    expect((await costOfTask(scene.context.store, next.task)).input_tokens).toBe(3000);
    expect((await showTask(scene.context, { task })).cost).toMatchObject({ answers: 2, output_tokens: 2 });
  });

  test("an answer that is read late counts for the task it was given for", async () => {
    const { scene } = here;
    const put = scene.letters();
    const { task } = await given(put);
    pass(1000);
    const late = scene.context.clock.nowMs();
    pass(1000);
    await cancelTask(scene.context, { task, reason: "" });
    pass(1000);
    await scene.see("agent1", "idle");
    await scene.round();
    pass(1000);
    const second = await given(put);
    await accountUsage(scene.context.store, [{ agent: "agent1", answers: [answerAt("late", late, 7)] }], [], taskAt);
    expect((await costOfTask(scene.context.store, task)).input_tokens).toBe(7);
    expect((await costOfTask(scene.context.store, second.task)).answers).toBe(0);
  });

  test("a clone whose task is cancelled or taken back hears of it, once; the workspace stays", async () => {
    const { scene } = here;
    const put = scene.letters();
    const first = await given(put);
    await cancelTask(scene.context, { task: first.task, reason: "not wanted any more" });
    await scene.round();
    await scene.round();
    expect(put.slice(1)).toMatchObject([{ to: "agent1", kind: "cancelled", task: first.task }]);
    for (const words of [`Task ${first.task} was cancelled: not wanted any more.`, first.path])
      expect(put[1]?.text).toContain(words);
    expect((await scene.events(first.task)).slice(-2)).toEqual(["cancelled", "clone_told"]);
    expect(await Bun.file(`${first.path}/a.txt`).exists()).toBe(true);
    const second = await given(put, "agent2");
    await changeTask(scene.context, { task: second.task, move: "release" });
    await scene.round();
    expect(put.slice(3)).toMatchObject([{ to: "agent2", kind: "released", task: second.task }]);
  });

  test("cut off between the letter and its note, the letter that is put again is the same one", async () => {
    const { scene } = here;
    const put = scene.letters();
    const { task } = await given(put);
    await cancelTask(scene.context, { task, reason: "" });
    scene.step = (name) => {
      if (name === "dispatch.told") throw new Error("cut off");
    };
    expect(await throwing(scene.round())).toThrow("cut off");
    scene.step = () => {};
    await scene.round();
    await scene.round();
    expect(put.slice(1).map(({ id }) => id)).toEqual([put[1]?.id ?? "?", put[1]?.id ?? "?"]);
  });

  test("who never heard of a task is not told that it has ended; who hears of it after all, is", async () => {
    const { scene } = here;
    const put = scene.letters();
    await scene.see("agent1", "idle");
    const about = { title: "a task", priority: "P2", root: scene.stage.top, scope: [], after: [] };
    const { number: task } = await createTask(scene.context, { ...about, repositories: [scene.stage.source] });
    await scene.dispatch(giveWish(task));
    await cancelTask(scene.context, { task, reason: "" });
    await scene.told(put[0], "sent");
    await scene.round();
    expect(put).toHaveLength(1);
    await scene.told(put[0], "duplicate");
    await scene.round();
    expect(put).toHaveLength(1);
    // It was being typed in while the task was cancelled.
    await changeTask(scene.context, { task, move: "reopen" });
    await scene.dispatch(giveWish(task));
    await cancelTask(scene.context, { task, reason: "" });
    await scene.round();
    expect(put).toHaveLength(2);
    await briefArrived(scene.context, { dispatch: put[1]?.id ?? "", agent: "agent1" }, "proof");
    await scene.round();
    expect(put.slice(2)).toMatchObject([{ kind: "cancelled" }]);
    // In doubt it may have heard.
    await changeTask(scene.context, { task, move: "reopen" });
    await scene.dispatch(giveWish(task));
    await scene.told(put[3], "unknown");
    await scene.round();
    await cancelTask(scene.context, { task, reason: "" });
    await scene.round();
    expect(put.slice(4)).toMatchObject([{ kind: "cancelled" }]);
  });

  test("ready on the bus that nothing proves to be the clone's own word is refused", async () => {
    const { scene } = here;
    const put = scene.letters();
    const { task, path, dispatch } = await given(put);
    scene.stage.commit(path, { "x.txt": "x" }, "x");
    const told = await scene.hear("agent1", task, { id: "m1", answers: dispatch, isProven: false });
    expect(told[0]?.text).toContain("nothing proves that agent1 said it");
    await scene.round();
    expect(await scene.state(task)).toBe("in_progress");
  });

  test("ready on the bus from who does not have the task is refused, told, and seen in its story", async () => {
    const { scene } = here;
    const put = scene.letters();
    const { task, path, dispatch } = await given(put);
    scene.stage.commit(path, { "x.txt": "x" }, "x");
    // Knowing the assignment's id does not make it one's own.
    const told = await scene.hear("agent2", task, { id: "m1", answers: dispatch });
    expect(told).toMatchObject([{ to: "agent2", kind: "refused", task }]);
    expect(told[0]?.text).toContain("it is not yours: agent1 has it");
    await scene.round();
    expect(await scene.state(task)).toBe("in_progress");
    const refused = (await showTask(scene.context, { task })).events.at(-1);
    expect(refused).toMatchObject({ type: "ready_refused", actor: "agent2", data: { reason: "agent1 has it" } });
    expect(await rejection(readyTask({ ...scene.context, actor: "agent2" }, { task }))).toMatchObject({
      code: "task.not-yours",
    });
  });

  test("ready from a former holder is refused after the task went to another, and when it answers an old assignment", async () => {
    const { scene } = here;
    const put = scene.letters();
    const { task, path, dispatch } = await given(put);
    scene.stage.commit(path, { "x.txt": "x" }, "x");
    await changeTask(scene.context, { task, move: "release" });
    expect((await scene.hear("agent1", task, { id: "m1" }))[0]?.text).toContain("it was taken back (released)");
    await scene.see("agent2", "idle");
    await scene.dispatch(giveWish(task, { agent: "agent2" }));
    expect((await scene.hear("agent1", task, { id: "m2", answers: dispatch }))[0]?.text).toContain("agent2 has it");
    expect(await rejection(readyTask({ ...scene.context, actor: "agent1" }, { task }))).toMatchObject({
      code: "task.not-yours",
    });
    await changeTask(scene.context, { task, move: "release" });
    await scene.see("agent1", "idle");
    await scene.dispatch(giveWish(task, { agent: "agent1" }));
    const answers = put.at(-1)?.id ?? "";
    const old = await scene.hear("agent1", task, { id: "m3", answers: dispatch });
    expect(old[0]?.text).toContain("this answers an earlier assignment of it");
    await scene.round();
    expect(await scene.state(task)).toBe("in_progress");
    expect(await scene.hear("agent1", task, { id: "m4", answers })).toEqual([]);
    await scene.round();
    expect(await scene.state(task)).toBe("ready");
    // Said twice is no offence.
    expect(await scene.hear("agent1", task, { id: "m5" })).toEqual([]);
  });

  test("a message that only bears the number of an assignment proves nothing about its brief", async () => {
    const { scene } = here;
    const put = scene.letters();
    await scene.see("agent1", "idle");
    const about = { title: "a task", priority: "P2", root: scene.stage.top, scope: [], after: [] };
    const { number: task } = await createTask(scene.context, { ...about, repositories: [scene.stage.source] });
    await scene.dispatch(giveWish(task));
    await scene.told(put[0], "delivered", { name: "forged-1", sender: "agent2" });
    await scene.told(put[0], "delivered", { name: "forged-2", receiver: "agent2" });
    await briefArrived(scene.context, { dispatch: put[0]?.id ?? "", agent: "agent2" }, "forged");
    await scene.round();
    expect(await scene.events(task)).not.toContain("brief_delivered");
    await scene.told(put[0], "delivered");
    await scene.round();
    expect((await scene.events(task)).at(-1)).toBe("brief_delivered");
  });
});
