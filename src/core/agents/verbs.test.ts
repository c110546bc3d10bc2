// The verbs of agents on both databases.

import { describe, expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import { readEvents } from "../../store/timeline.ts";
import { accountUsage, noteBudgets, spentToday } from "./account-usage.ts";
import type { AgentSighting, Seen } from "./agent.ts";
import { budgetReachedBy } from "./rules.ts";
import { listAgents, lookAtStatusNow, showAgent } from "./queries.ts";
import { dueToResume, resumed } from "./resume.ts";
import { seeAgents } from "./see.ts";
import { throwing } from "../../../test/kit/rejection.ts";

const idle: Seen = { state: "idle", on: "hooks", says: "the turn ended" };
const sighting = (more: Partial<AgentSighting> = {}): AgentSighting => ({
  agent: "agent1",
  role: "clone",
  runtime: "script",
  wanted: "up",
  seen: idle,
  launchedMs: 1000,
  because: "up",
  cwd: "/w",
  mailHeld: null,
  ...more,
});
const answer = { id: "a1", model: "m", input: 10, output: 5, cacheRead: 100, cacheWrite: 1, atMs: 0 };

onEachDatabase("agents", (makeScene) => {
  const here = withStore(makeScene);
  const events = async (): Promise<string[]> =>
    (await readEvents(here.store.db, { constellation: "constel0", limit: 100 })).map(({ type }) => type);
  const context = () => ({ store: here.store, clock: here.clock });

  test("a state is kept since when it began, and only a change is an event", async () => {
    await seeAgents(here.store, [sighting()]);
    const first = (await listAgents(context())).agents[0];
    here.clock.advance(5000);
    await seeAgents(here.store, [sighting({ seen: { ...idle, says: "still" } })]);
    expect((await listAgents(context())).agents[0]).toMatchObject({
      state: "idle",
      since_ms: first?.since_ms ?? 0,
      evidence: { says: "still" },
    });
    expect(await events()).toEqual(["agent.seen-changed"]);
    await seeAgents(here.store, [sighting({ seen: { ...idle, state: "busy" } })]);
    expect(await events()).toEqual(["agent.seen-changed", "agent.seen-changed"]);
  });

  test("each launch is a session, closed by its end or by the next one", async () => {
    await seeAgents(here.store, [sighting()]);
    await seeAgents(here.store, [sighting({ launchedMs: 2000, because: "crash", sessionId: "s2" })]);
    const dead: Seen = { state: "dead", on: "process", says: "" };
    await seeAgents(here.store, [
      sighting({ launchedMs: 2000, because: "crash", seen: dead, ended: { exitStatus: 7 } }),
    ]);
    expect((await showAgent(context(), { agent: "agent1" })).sessions).toMatchObject([
      { started_ms: 2000, because: "crash", session_id: "s2", exit_status: 7, ended_ms: here.clock.nowMs() },
      { started_ms: 1000, because: "up", exit_status: null, ended_ms: here.clock.nowMs() },
    ]);
  });

  test("an answer is counted once, with its final figures, for the task its agent had then", async () => {
    const atMs = here.clock.nowMs();
    await seeAgents(here.store, [sighting()]);
    const taskAt = async (): Promise<string> => "12";
    const report = (output: number) => [{ agent: "agent1", sessionId: "s", answers: [{ ...answer, output, atMs }] }];
    await accountUsage(here.store, report(1), [], taskAt);
    await accountUsage(here.store, report(5), [], taskAt);
    await accountUsage(here.store, report(5), [], taskAt);
    const price = { model: "p", input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
    await accountUsage(
      here.store,
      [{ agent: "agent1", answers: [{ ...answer, id: "a2", model: "p", atMs }] }],
      [price],
      taskAt,
    );
    const rows = await here.scene.raw(
      "select task, agent, model, answers, output_tokens, cost_micros, unpriced_answers from clone_cost order by model",
    );
    // Postgres gives big integers as text.
    expect(rows.map((row) => Object.values(row).join(" "))).toEqual(["12 agent1 m 1 5 0 1", "12 agent1 p 1 5 20 0"]);
    expect((await listAgents(context())).agents[0]?.today).toEqual({ tokens: 32, micros: 20 });
    here.clock.advance(86_400_000);
    expect((await listAgents(context())).agents[0]?.today).toEqual({ tokens: 0, micros: 0 });
  });

  test("a used-up budget is said once a day", async () => {
    const budget = { tokensPerDay: 10, microsPerDay: 0 };
    await accountUsage(
      here.store,
      [{ agent: "agent1", answers: [{ ...answer, atMs: here.clock.nowMs() }] }],
      [],
      async () => null,
    );
    for (let round = 0; round < 2; round++) {
      const reached = await noteBudgets(here.store, await spentToday(here.store, here.clock.nowMs()), budget);
      expect(reached.get("agent1")).toEqual({ kind: "tokens", used: 16, limit: 10 });
    }
    expect(await events()).toEqual(["agent.budget-reached"]);
    here.clock.advance(86_400_000);
    expect(await noteBudgets(here.store, await spentToday(here.store, here.clock.nowMs()), budget)).toEqual(new Map());
  });

  test("the budget of all agents together holds everybody back, and is said once a day as the constellation's", async () => {
    const budget = { tokensPerDay: 0, microsPerDay: 0, together: { tokensPerDay: 30, microsPerDay: 0 } };
    for (const agent of ["agent1", "agent2"]) {
      const answers = [{ ...answer, atMs: here.clock.nowMs() }];
      await accountUsage(here.store, [{ agent, answers }], [], async () => null);
    }
    const spent = await spentToday(here.store, here.clock.nowMs());
    expect(budgetReachedBy("agent9", spent, budget)).toEqual({
      of: "constellation",
      kind: "tokens",
      used: 32,
      limit: 30,
    });
    for (let round = 0; round < 2; round++)
      expect([...(await noteBudgets(here.store, spent, budget)).keys()]).toEqual(["*"]);
    expect(await events()).toEqual(["agent.budget-reached"]);
    expect(
      budgetReachedBy("agent9", spent, { ...budget, together: { tokensPerDay: 33, microsPerDay: 0 } }),
    ).toBeUndefined();
  });

  test("whoever a limit cut short is due once it has lifted and they stand idle, and only once", async () => {
    const untilMs = here.clock.nowMs() + 1000;
    const limited: Seen = { state: "limited", on: "hooks", says: "limit", untilMs };
    await seeAgents(here.store, [sighting({ seen: limited })]);
    expect(await dueToResume(here.store, untilMs)).toEqual([]);
    await seeAgents(here.store, [sighting()]);
    expect(await dueToResume(here.store, untilMs - 1)).toEqual([]);
    const [due] = await dueToResume(here.store, untilMs);
    expect(due).toEqual({ agent: "agent1", dueMs: untilMs });
    if (due !== undefined) await resumed(here.store, due);
    expect(await dueToResume(here.store, untilMs)).toEqual([]);
    expect(await events()).toContain("agent.resumed");
  });

  test("an agent that goes on by itself after a limit is not told to", async () => {
    const limited: Seen = { state: "limited", on: "hooks", says: "limit", untilMs: 1 };
    await seeAgents(here.store, [sighting({ seen: limited })]);
    await seeAgents(here.store, [sighting({ seen: { ...idle, state: "busy" } })]);
    await seeAgents(here.store, [sighting()]);
    expect(await dueToResume(here.store, here.clock.nowMs())).toEqual([]);
  });

  test("status names what needs the owner, most urgent first, and the command that helps", async () => {
    const seen = (state: Seen["state"]): Seen => ({ state, on: "hooks", says: `says ${state}` });
    await seeAgents(here.store, [
      sighting({ agent: "agent10", seen: seen("limited") }),
      sighting({ agent: "agent2", seen: seen("waiting-permission") }),
      sighting({ agent: "agent3", seen: seen("dead") }),
      sighting({ agent: "agent4", seen: seen("dead"), wanted: "down" }),
      sighting({ agent: "agent5" }),
      sighting({ agent: "agent6", seen: { ...seen("waiting-answer"), says: "asks: Red or blue?" } }),
    ]);
    const status = await lookAtStatusNow(context());
    expect(status.needs.map(({ kind, agent, next }) => [kind, agent, next])).toEqual([
      ["permission", "agent2", "constel attach agent2"],
      ["question", "agent6", "constel attach agent6"],
      ["dead", "agent3", "constel restart agent3"],
      ["limited", "agent10", "constel agent show agent10"],
    ]);
    expect(status).toMatchObject({ tasks: [], findings: [], unfinished_tasks: 0, observed_repositories: 0 });
    expect(status.agents.map(({ agent }) => agent)).toEqual([
      "agent2",
      "agent3",
      "agent4",
      "agent5",
      "agent6",
      "agent10",
    ]);
    expect(status.needs[1]?.says).toBe("asks: Red or blue?");
  });

  describe("an agent nobody saw", () => {
    test("is refused", async () => {
      expect(await throwing(showAgent(context(), { agent: "agent9" }))).toThrow("no agent called agent9");
    });
  });
});
