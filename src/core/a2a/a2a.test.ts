// Requests of outside agents on a real store: held, decided, given out, passed on, stopped, and told of.

import { expect, test } from "bun:test";
import { onEachDatabase } from "../../../test/kit/databases.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import type { PushOutcome } from "../../ports/a2a.ts";
import { withTasks } from "../tasks/tasks.suite.ts";
import { updateRequest } from "./a2a.sql.ts";
import { answer } from "./answer.ts";
import { accept, refuse } from "./decide.ts";
import { heldRequestNeeds } from "./list.ts";
import { followOwn, listOwn, showOwn } from "./own.ts";
import { pushRound } from "./push-round.ts";
import { setPush } from "./pushes.ts";
import { receive } from "./receive.ts";
import { a2aRound } from "./round.ts";
import { stop } from "./stop.ts";

onEachDatabase("requests of outside agents", (makeScene) => {
  const here = withTasks(makeScene);
  let count = 0;
  const rules: { sender: string; skill: string; repository?: string }[] = [];
  const as = (actor: string) => ({
    ...here.scene.context,
    actor,
    a2a: { isEnabled: true, rules, root: here.scene.stage.top, complaintAboutPush: () => undefined },
  });
  const bot = () => as("outside:bot");
  const send = (text: string, more: object = {}) =>
    receive(bot(), { message: `m${count++}`, parts: [{ text }], ...more });
  const agree = (id: string, more: object = {}) =>
    accept(as("owner"), { id, root: here.scene.stage.top, repository: here.scene.stage.source, accept: [], ...more });
  const round = async (): Promise<void> => {
    await a2aRound(as("daemon"), (line) => {
      throw new Error(line);
    });
    await here.scene.round();
    await a2aRound(as("daemon"), () => {});
  };
  const codeOf = async (work: Promise<unknown>): Promise<string> => ((await rejection(work)) as { code: string }).code;

  test("are held, become a task once, are given out, and nothing of them is told to an agent before", async () => {
    const letters = here.scene.letters();
    await here.scene.see("agent1", "idle");
    const { task } = await send("make it blue");
    await round();
    expect(letters).toEqual([]);
    expect(await heldRequestNeeds(here.scene.context)).toMatchObject([
      { kind: "a2a", says: expect.stringContaining("make it blue") },
    ]);
    const { task: number } = await agree(task.id, { accept: ["true"] });
    expect(await heldRequestNeeds(here.scene.context)).toEqual([]);
    await round();
    expect(letters.map(({ to }) => to)).toEqual(["agent1"]);
    expect(letters[0]?.text).toContain("not the owner's words");
    expect((await showOwn(bot(), task)).state).toBe("working");
    // Further words wait again, and reach whoever has the task when they are let through.
    await send("and round", { task: task.id });
    await round();
    expect(letters).toHaveLength(1);
    await agree(task.id);
    await round();
    await round();
    expect(letters.slice(1).map(({ to, text }) => [to, text.includes("| and round")])).toEqual([["agent1", true]]);
    expect(await here.scene.state(number)).toBe("in_progress");
  });

  test("what is decided is not decided again", async () => {
    const { task } = await send("no");
    await refuse(as("owner"), { id: task.id, reason: "" });
    expect((await showOwn(bot(), task)).state).toBe("rejected");
    expect(await codeOf(agree(task.id))).toBe("a2a.over");
    const { task: other } = await send("yes");
    await agree(other.id);
    expect(await codeOf(agree(other.id))).toBe("a2a.decided");
  });

  test("a clone answers for its own task alone", async () => {
    here.scene.letters();
    await here.scene.see("agent1", "idle");
    const { task } = await send("make it");
    const { task: number } = await agree(task.id);
    await round();
    const say = (who: string, more: object = {}) =>
      answer(as(who), {
        task: number,
        text: "which one?",
        asks: true,
        done: false,
        alone: false,
        artefacts: [],
        ...more,
      });
    expect(await codeOf(say("agent2"))).toBe("a2a.not-yours");
    expect(await codeOf(say("agent1", { done: true }))).toBe("a2a.not-yours");
    expect(await say("agent1")).toMatchObject({ state: "input-required" });
    await round();
    expect((await showOwn(bot(), task)).state).toBe("input-required");
  });

  test("what is being landed is not stopped; everything else is, with its task", async () => {
    const { task } = await send("stop me");
    const { task: number } = await agree(task.id);
    expect((await stop(bot(), task)).state).toBe("canceled");
    expect(await here.scene.state(number)).toBe("cancelled");
    expect(await codeOf(stop(bot(), task))).toBe("a2a.over");
    const { task: landing } = await send("land me");
    await agree(landing.id);
    const ready = await here.scene.readyWith({ "b.txt": "b\n" });
    await here.scene.context.store.write((tx) => updateRequest(tx, landing.id, { task: ready.task }));
    const { askHarvest } = await import("../tasks/landing/harvest.ts");
    await askHarvest(here.scene.context, { tasks: [ready.task], all: false });
    expect(await codeOf(stop(bot(), landing))).toBe("a2a.landing");
  });

  test("are told of in order, without a gap, to their sender alone, and page by page", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      here.scene.clock.advance(10);
      ids.unshift((await send(`number ${n}`)).task.id);
    }
    const first = await listOwn(bot(), { limit: 2 });
    const second = await listOwn(bot(), { limit: 2, page: first.next ?? "" });
    expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual(ids.slice(0, 4));
    expect(first.total).toBe(5);
    expect((await listOwn(as("outside:rival"), { limit: 50 })).total).toBe(0);
    const id = ids[0] ?? "";
    expect(await codeOf(showOwn(as("outside:rival"), { id }))).toBe("a2a.unknown");
    for (const text of ["one", "two"])
      await answer(as("owner"), { id, text, asks: false, done: false, alone: false, artefacts: [] });
    const { changes } = await followOwn(bot(), { id, after: 0, for_ms: 0 });
    expect(changes.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test("are pushed at least once: what was not taken comes again, and later", async () => {
    const { task } = await send("tell me");
    await setPush(bot(), { request: task.id, push: { url: "https://example.org/hook" } });
    await answer(as("owner"), { id: task.id, text: "hello", asks: false, done: true, alone: false, artefacts: [] });
    const sent: string[] = [];
    const outcomes: PushOutcome[] = [{ kind: "away", why: "it answers 503" }, { kind: "taken" }];
    const sender = {
      send: async (_: object, body: string) => (sent.push(body), outcomes.shift() ?? { kind: "taken" as const }),
    };
    const signal = new AbortController().signal;
    expect(await pushRound(here.scene.context, sender, signal)).toBeGreaterThan(0);
    expect(sent).toHaveLength(1);
    expect(await pushRound(here.scene.context, sender, signal)).toBeGreaterThan(0);
    expect(sent).toHaveLength(1);
    here.scene.clock.advance(60_000);
    expect(await pushRound(here.scene.context, sender, signal)).toBeUndefined();
    expect(sent).toHaveLength(2);
    expect(JSON.parse(sent[1] ?? "")).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  });
});
