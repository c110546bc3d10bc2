import { expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import { verifyChain } from "../../store/timeline.ts";
import { letGo } from "./let-go.ts";
import { throwing } from "../../../test/kit/rejection.ts";

const dayMs = 86_400_000;
const anchor = async (): Promise<void> => {};
const keep = { events: 365, messages: 90, invocations: 90, usage: 365, artefacts: 90 };

onEachDatabase("retention", (makeScene) => {
  const here = withStore(makeScene);
  const context = () => ({ store: here.store, constellation: here.store.constellation, clock: here.clock });
  const record = async (count: number): Promise<void> => {
    await here.store.write(async (tx) => {
      for (let n = 0; n < count; n++) await tx.record({ type: "day.passed", actor: "owner", data: { n } });
    });
  };
  const seqs = async (): Promise<number[]> =>
    (await here.store.db.selectFrom("events").select("seq").orderBy("seq").execute()).map(({ seq }) => seq);

  test("old events go, a bounded number at a time, and the chain still verifies", async () => {
    await record(700);
    here.clock.advance(300 * dayMs);
    await record(3);
    here.clock.advance(100 * dayMs);
    expect(await letGo(context(), keep, anchor)).toMatchObject({ events: 500, more: true });
    expect(await letGo(context(), keep, anchor)).toMatchObject({ events: 200, more: false });
    expect(await letGo(context(), keep, anchor)).toMatchObject({ events: 0, more: false });
    expect(await seqs()).toEqual([701, 702, 703, 704, 705]); // and two that say what went
    const verdict = await verifyChain(here.store.db, here.store.constellation);
    expect(verdict).toMatchObject({ ok: true, count: 5, head: { seq: 705 } });
    await record(1);
    expect(await verifyChain(here.store.db, here.store.constellation)).toMatchObject({ ok: true, count: 6 });
  });

  test("what the pruned chain begins with cannot be taken away or changed unnoticed", async () => {
    await record(10);
    here.clock.advance(400 * dayMs);
    await record(5);
    await letGo(context(), keep, anchor);
    await here.scene.raw("update chain_heads set pruned_seq = 12");
    expect(await verifyChain(here.store.db, here.store.constellation)).toMatchObject({ ok: false });
    expect(await throwing(here.scene.raw("delete from events where seq = 14"))).toThrow(/append-only/);
  });

  test("a clock that was wrong for a while keeps more, never less, and the newest event always stays", async () => {
    await record(2);
    here.clock.advance(500 * dayMs);
    await record(1);
    here.clock.jumpTo(here.clock.nowMs() - 450 * dayMs);
    await record(1);
    here.clock.jumpTo(here.clock.nowMs() + 450 * dayMs);
    expect(await letGo(context(), keep, anchor)).toMatchObject({ events: 2 });
    here.clock.advance(1_000 * dayMs);
    await letGo(context(), keep, anchor);
    expect((await seqs()).length).toBeGreaterThan(0);
    expect(await verifyChain(here.store.db, here.store.constellation)).toMatchObject({ ok: true });
  });

  test("messages go when they are old and at the end of their way; commands and usage when they are old; 0 keeps all", async () => {
    const { constellation } = here.store;
    const nowMs = here.clock.nowMs();
    await here.store.write(async (tx) => {
      await tx.insert("sessions", { ...aSession, constellation, started_ms: nowMs - 900 * dayMs, ended_ms: null });
      for (const [at, state] of ["sent", "unknown", "delivered", "acked", "poisoned", "duplicate"].entries()) {
        for (const ageDays of [1, 100]) {
          await tx.insert("messages", {
            ...noContent,
            evidence: null,
            verified_by: null,
            name: `${at}-${ageDays}`,
            receiver: "agent1",
            sender: "agent0",
            constellation,
            state,
            sent_ms: nowMs - ageDays * dayMs,
          });
        }
      }
      for (const ageDays of [1, 100, 400]) {
        const atMs = nowMs - ageDays * dayMs;
        const id = `age-${ageDays}`;
        await tx.insert("cli_invocations", { ...aCommand, id, constellation, at_ms: atMs });
        await tx.insert("token_usage", { ...anAnswer, id, constellation, at_ms: atMs });
        await tx.insert("ticks", { id, constellation, at_ms: atMs, duration_ms: 1, outcome: "well", data: "{}" });
        await tx.insert("watchdog_events", { ...anEvent, id, constellation, at_ms: atMs });
        await tx.insert("crashes", { ...aCrash, id, constellation, at_ms: atMs });
        await tx.insert("sessions", { ...aSession, constellation, started_ms: atMs - 1, ended_ms: atMs });
        const day = new Date(atMs).toISOString().slice(0, 10);
        await tx.insert("budgets_reached", { ...aBudget, constellation, day, at_ms: atMs });
      }
    });
    const nothing = { events: 0, messages: 0, invocations: 0, usage: 0, sessions: 0, artefacts: 0, requests: 0 };
    expect(await letGo(context(), nothing, anchor)).toEqual({ ...nothing, more: false });
    expect(await letGo(context(), keep, anchor)).toMatchObject({
      messages: 4,
      invocations: 8, // two each of commands, ticks, what the watchdog did, and crashes
      usage: 1,
      sessions: 1,
      more: false,
    });
    for (const table of ["cli_invocations", "ticks", "watchdog_events", "crashes"] as const) {
      const rows = await here.store.db.selectFrom(table).select("id").execute();
      expect({ table, rows }).toEqual({ table, rows: [{ id: "age-1" }] });
    }
    const launches = await here.store.db.selectFrom("sessions").select("ended_ms").orderBy("started_ms").execute();
    expect(launches.map(({ ended_ms: endedMs }) => endedMs)).toEqual([null, nowMs - 100 * dayMs, nowMs - dayMs]);
    expect(await here.store.db.selectFrom("budgets_reached").select("day").execute()).toHaveLength(2);
    const left = await here.store.db.selectFrom("messages").select("name").orderBy("name").execute();
    expect(left.map(({ name }) => name)).toEqual(["0-1", "0-100", "1-1", "1-100", "2-1", "3-1", "4-1", "5-1"]);
  });
});

const noContent = {
  message_id: null,
  kind: null,
  thread: null,
  in_reply_to: null,
  task: null,
  text: null,
  text_bytes: null,
  because: null,
  delivered_ms: null,
  acked_ms: null,
  unknown_ms: null,
  poisoned_ms: null,
};
const aCommand = { duration_ms: 1, argv: "[]", cwd: "/", agent: null, exit_code: 0, version: "0" };
const anEvent = { event: "agent.crashed", agent: "agent1", says: "", data: "{}" };
const aCrash = {
  agent: "agent1",
  what: "",
  detail: "",
  runtime: null,
  launched_ms: null,
  exit_status: null,
  exit_signal: null,
};
const aSession = {
  agent: "agent1",
  runtime: "script",
  session_id: null,
  because: "up",
  cwd: "/",
  exit_status: null,
  exit_signal: null,
};
const aBudget = { agent: "agent1", kind: "tokens", used: 2, allowed: 1 };
const anAnswer = {
  account: null,
  agent: "agent1",
  session_id: null,
  model: "m",
  input: 1,
  output: 1,
  cache_read: 0,
  cache_write: 0,
  cost_micros: null,
  task: null,
};
