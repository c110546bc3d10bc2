import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteScene, type Scene } from "../../../test/kit/databases.ts";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { appendRecord } from "../../floor/records.ts";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { Refusal } from "../../protocol/errors.ts";
import { defaultConfig } from "../../settings/declarations.ts";
import { openStore, type Store } from "../../store/open.ts";
import { intakeLoop } from "./intake.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import { throwing } from "../../../test/kit/rejection.ts";

const clock = new FakeClock();
const random = seededRandom(3);
let scene: Scene;
let store: Store;
let home: ReturnType<typeof temporaryDirectory>;

beforeEach(async () => {
  home = temporaryDirectory("intake");
  scene = await sqliteScene();
  store = await openStore({
    url: scene.url,
    backupDirectory: scene.backupDirectory,
    clock,
    random,
    constellation: "constel0",
  });
});
afterEach(async () => {
  await store.close();
  await scene.end();
  home[Symbol.dispose]();
});

const place = () => ({ home: home.path, constellation: "", clock, random });
const loop = (over: Store = store) =>
  intakeLoop({
    settings: { home: home.path, config: defaultConfig },
    store: over,
    clock,
    random,
    log: () => {},
  } as unknown as LoopParts);
const round = (declaration: ReturnType<typeof loop>) => declaration.round(new AbortController().signal);

test("a tick becomes a row, with whether all was well", async () => {
  appendRecord(place(), "watchdog-events", { event: "tick.began" });
  appendRecord(place(), "watchdog-events", {
    event: "tick.ended",
    duration_ms: 12,
    missing: [],
    steps: [{ name: "daemon", ok: true }],
  });
  appendRecord(place(), "watchdog-events", { event: "tick.ended", duration_ms: 15, missing: ["agent1"], steps: [] });
  await round(loop());
  const rows = await store.db.selectFrom("ticks").select(["duration_ms", "outcome"]).orderBy("duration_ms").execute();
  expect(rows).toEqual([
    { duration_ms: 12, outcome: "well" },
    { duration_ms: 15, outcome: "problems" },
  ]);
});

test("an end that was noticed twice is one crash, and what the watchdog did is on its log", async () => {
  const crash = { agent: "agent1", what: "ended by signal 9", detail: "", launched_ms: 77, exit_signal: 9 };
  for (const launched of [77, 77, 78]) appendRecord(place(), "crashes", { ...crash, launched_ms: launched });
  appendRecord(place(), "watchdog-events", { event: "agent.quarantined", agent: "agent1", says: "a\0b" });
  appendRecord(place(), "watchdog-events", { event: 7, agent: 8, data: "odd" });
  await round(loop());
  const crashes = await store.db.selectFrom("crashes").select(["agent", "launched_ms", "exit_signal"]).execute();
  expect(crashes).toEqual([
    { agent: "agent1", launched_ms: 77, exit_signal: 9 },
    { agent: "agent1", launched_ms: 78, exit_signal: 9 },
  ]);
  const told = await store.db
    .selectFrom("watchdog_events")
    .select(["event", "agent", "says"])
    .orderBy("event", "desc")
    .execute();
  expect(told).toEqual([
    { event: "agent.quarantined", agent: "agent1", says: "a\uFFFDb" },
    { event: "7", agent: null, says: '""' },
  ]);
});

test("what the database will not take waits in its file, is noted once beside it, and is a row when it takes it again", async () => {
  appendRecord(place(), "crashes", { agent: "agent1", what: "dead", detail: "x" });
  const refusing = { ...store, write: () => Promise.reject(new Refusal("store.not-written", "the disk is full")) };
  const broken = loop(refusing as unknown as Store);
  expect(await throwing(round(broken))).toThrow("the disk is full");
  expect(await throwing(round(broken))).toThrow("the disk is full");
  const [errors = ""] = readdirSync(join(home.path, "logs")).filter((name) => name.startsWith("meta-db-errors-"));
  expect(readFileSync(join(home.path, "logs", errors), "utf8").match(/the disk is full/g)).toHaveLength(1);
  await round(loop());
  await round(loop());
  expect(await store.db.selectFrom("crashes").select("what").execute()).toEqual([{ what: "dead" }]);
  expect(
    (await store.db.selectFrom("source_errors").select("problem").execute()).map(({ problem }) => problem),
  ).toEqual(["the disk is full"]);
});
