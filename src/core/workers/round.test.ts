// One round after the other on a real database, with a bus and a holder of the test's.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { onEachDatabase, type Scene } from "../../../test/kit/databases.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { openStore, type Store } from "../../store/open.ts";
import { accountFor } from "../messages/account.ts";
import { workersRound } from "./round.ts";
import { declare } from "./worker.ts";
import type { Answer, TakenMessage, TurnRecord, WorkerContext } from "./worker-machine.ts";
import { workerRow } from "./workers.sql.ts";

onEachDatabase("workers", (makeScene) => {
  const agent = "agentwone";
  let scene: Scene;
  let store: Store;
  let clock: FakeClock;
  let inbox: TakenMessage[];
  let given: string[];
  let answers: Answer[];
  let settled: string[];
  let record: TurnRecord;
  let why: string | undefined;
  let broken: string | undefined;
  let context: WorkerContext;

  beforeEach(async () => {
    scene = await makeScene("migrated");
    const { url, backupDirectory } = scene;
    clock = new FakeClock();
    const random = seededRandom(5);
    store = await openStore({ url, backupDirectory, clock, random, constellation: "constel0" });
    [inbox, given, answers, settled, record, why, broken] = [[], [], [], [], {}, undefined, undefined];
    context = {
      store,
      clock,
      random,
      constellation: "constel0",
      gatherMs: 2_000,
      running: new Map(),
      machine: {
        take: async () => ({ messages: inbox.splice(0), more: false }),
        giveBack: (_, messages) => void inbox.push(...messages),
        holder: async (asked) => {
          if (asked === broken) throw new Error("its files cannot be read");
          return "7 first";
        },
        put: async (_, turn) => void given.push(turn),
        isLying: () => false,
        record: () => record,
        provenMs: async () => undefined,
        settle: (_, causes, as) => void settled.push(...causes.map(({ name }) => `${name} ${as}`)),
        keepable: async (text) => text.replaceAll("<", "‹"),
        answer: (answer) => void answers.push(answer),
        held: async () => why,
        step: () => {},
      },
    };
    const defaults = { tokensPerDay: 0, turnsPerHour: 100, turnMinutes: 1 };
    await declare({ ...context, actor: "owner", defaults }, { name: "one", runtime: "script" });
  });

  afterEach(async () => {
    await store.close();
    await scene.end();
  });

  let count = 0;

  /** A message that lies in its inbox, as the account of messages takes it in. */
  async function message(kind: string | null = null, sender = "agent1"): Promise<void> {
    const name = `m${(count += 1)}`;
    inbox.push({ cause: { kind: "message", from: sender, message: name, name }, text: "words" });
    const content = {
      message_id: name,
      kind,
      thread: null,
      in_reply_to: null,
      task: null,
      text: "words",
      text_bytes: 5,
    };
    const sighting = {
      name,
      receiver: agent,
      sender,
      state: "sent",
      atMs: clock.nowMs(),
      evidence: "bound",
      content,
    } as const;
    await store.write(async (tx) => void (await accountFor(tx, "constel0", [sighting])));
  }

  const worker = async () => {
    const row = await workerRow(store.db, { constellation: "constel0", agent });
    if (row === undefined) throw new Error("no worker");
    return row;
  };

  const round = async (laterMs = 0): Promise<number | undefined> => {
    clock.advance(laterMs);
    return await workersRound(context);
  };

  const ended = (more: Partial<NonNullable<TurnRecord["ended"]>> = {}): TurnRecord => ({
    beganBy: "7 first",
    ended: {
      atMs: clock.nowMs(),
      ok: true,
      text: "yes",
      session: "s",
      did: [],
      overtime: false,
      isExcused: false,
      ...more,
    },
  });

  test("what only informs leaves it asleep, by the database alone; nothing is asked and nothing is due", async () => {
    for (const kind of ["event.note", "event.blocked", "info", "notice", "handoff"]) await message(kind);
    expect(await worker()).toMatchObject({ wake_seq: 0 });
    expect(await round(60_000)).toBeUndefined();
    expect(given).toEqual([]);
  });

  test("causes within the gathering time are one turn, and it is told when to look", async () => {
    await message();
    await message();
    expect(await round()).toBe(2_000);
    await round(2_000);
    expect(given).toHaveLength(1);
    record = ended();
    await round();
    await round();
    expect(answers.map(({ to, inReplyTo }) => [to, inReplyTo])).toEqual([["agent1", `m${count}`]]);
    expect(settled).toHaveLength(2);
    expect(await worker()).toMatchObject({ state: "waiting", turns: 1, taken_seq: 2 });
    expect(await round(60_000)).toBeUndefined();
  });

  test("another holder than the one that began it is given the same turn; the same one is waited for", async () => {
    await message();
    await round(2_000);
    record = { beganBy: "7 first" };
    await round(1_000);
    expect(given).toHaveLength(1);
    // After the machine was started anew it may even have the same number.
    record = { beganBy: "7 before" };
    await round(1_000);
    expect(new Set(given).size).toBe(1);
    expect(given).toHaveLength(2);
  });

  test("a turn that took too long parks it; started again it has that turn again", async () => {
    await message();
    await round(2_000);
    record = ended({ ok: false, overtime: true, error: "it was interrupted" });
    await round(60_000);
    expect(await worker()).toMatchObject({ state: "parked", because: "its turn took longer than 1 min" });
    record = {};
    expect(await round(60_000)).toBeUndefined();
    const defaults = { tokensPerDay: 0, turnsPerHour: 100, turnMinutes: 1 };
    await declare({ ...context, actor: "owner", defaults }, { name: "one", runtime: "script" });
    await round();
    expect(given.map((turn) => turn.replace(/^.*\./, ""))).toEqual(["1", "2"]);
  });

  test("one whose holder says nothing any more is parked too", async () => {
    await message();
    await round(2_000);
    record = { beganBy: "7 first" };
    await round();
    await round(60_000 + 61_000);
    expect((await worker()).because).toContain("runs for longer than 1 min");
  });

  test("no turn is too long on the word of a clock that jumped, or of a machine that slept", async () => {
    await message();
    await round(2_000);
    record = { beganBy: "7 first" };
    await round();
    clock.jumpTo(clock.nowMs() + 86_400_000);
    expect(await round(1_000)).toBe(1_000);
    expect((await worker()).state).toBe("turning");
  });

  test("what came before the clock went back by a day is taken up, a failure is tried again, and bounds hold", async () => {
    await message();
    clock.jumpTo(clock.nowMs() - 86_400_000);
    await round();
    expect(given).toHaveLength(1);
    record = ended({ ok: false, error: "it cannot" });
    await round();
    record = {};
    clock.jumpTo(clock.nowMs() - 86_400_000);
    await round();
    expect(given).toHaveLength(2);
    const defaults = { tokensPerDay: 0, turnsPerHour: 1, turnMinutes: 1 };
    await declare({ ...context, actor: "owner", defaults }, { name: "one", runtime: "script", turns_per_hour: 1 });
    record = ended();
    await round();
    clock.jumpTo(clock.nowMs() - 86_400_000);
    record = {};
    await message();
    await round(2_000);
    expect(given).toHaveLength(3);
    record = ended();
    await round();
    await message();
    await round(2_000);
    expect((await worker()).because).toContain("1 turn within an hour");
  });

  test("one whose files cannot be read keeps no other from its turn", async () => {
    const defaults = { tokensPerDay: 0, turnsPerHour: 100, turnMinutes: 1 };
    await declare({ ...context, actor: "owner", defaults }, { name: "a", runtime: "script" });
    await store.write((tx) =>
      tx.db.updateTable("workers").set({ wake_seq: 1, woken_ms: 0 }).where("name", "=", "a").execute(),
    );
    broken = "agentwa";
    await message();
    expect(await rejection(round(2_000))).toMatchObject({ message: "its files cannot be read" });
    expect(given).toHaveLength(1);
  });

  test("five failures park it, each later than the one before; a limit is none", async () => {
    await message();
    await round(2_000);
    record = ended({ ok: false, error: "limit", isExcused: true });
    await round();
    expect(await worker()).toMatchObject({ failures: 0 });
    for (const failures of [1, 2, 3, 4, 5]) {
      record = {};
      await round(3_600_000);
      record = ended({ ok: false, error: "it cannot" });
      await round();
      expect(await worker()).toMatchObject({ failures });
    }
    expect(await worker()).toMatchObject({ state: "parked", because: "5 turns in a row failed: it cannot" });
    expect(settled).toEqual([]);
  });

  test("while its program is limited nothing is asked, and it is said why", async () => {
    await message();
    why = "it is parked at a usage limit";
    await round(2_000);
    expect(given).toEqual([]);
    expect(await worker()).toMatchObject({ because: why, state: "waiting" });
    why = undefined;
    await round();
    expect(given).toHaveLength(1);
  });

  test("the eleventh message of another worker within an hour does not wake it; one of a clone does", async () => {
    const defaults = { tokensPerDay: 0, turnsPerHour: 100, turnMinutes: 1 };
    await declare({ ...context, actor: "owner", defaults }, { name: "two", runtime: "script" });
    for (let n = 0; n < 10; n += 1) await message(null, "agentwtwo");
    expect(await worker()).toMatchObject({ wake_seq: 10 });
    const writer = async () => await workerRow(store.db, { constellation: "constel0", agent: "agentwtwo" });
    expect(await writer()).toMatchObject({ state: "waiting" });
    await message(null, "agentwtwo");
    expect(await worker()).toMatchObject({ wake_seq: 10 });
    // The one that writes too much is parked, so that the owner hears of it; started again, what waited is read.
    const because = expect.stringContaining("wrote to agentwone more than 10 times");
    expect(await writer()).toMatchObject({ state: "parked", because });
    await message(null, "agent3");
    expect(await worker()).toMatchObject({ wake_seq: 11, state: "waiting" });
    clock.advance(1);
    await declare({ ...context, actor: "owner", defaults }, { name: "two", runtime: "script" });
    expect(await worker()).toMatchObject({ wake_seq: 12 });
    await message(null, "agentwtwo");
    expect(await worker()).toMatchObject({ wake_seq: 13 });
    expect(await writer()).toMatchObject({ state: "waiting" });
  });

  test("one that writes to itself without end is parked", async () => {
    for (let n = 0; n < 11; n += 1) await message(null, agent);
    expect(await worker()).toMatchObject({ state: "parked", because: expect.stringContaining("wrote to itself") });
  });
});
