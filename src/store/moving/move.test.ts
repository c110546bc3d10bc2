// Tests moves between SQLite and Postgres, both ways: every table, every step killed, and everything that is refused.

import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "kysely";
import { sqliteScene } from "../../../test/kit/databases.ts";
import { fillEveryTable } from "../../../test/kit/full-store.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "../../../test/kit/postgres.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import { systemClock, systemRandom } from "../../host/clock/system-clock.ts";
import { allMigrations } from "../migrations/all.ts";
import type { Migration } from "../migrations/migration.ts";
import { openStore, type Store } from "../open.ts";
import { readEvents, verifyChain } from "../timeline.ts";
import { digestOfPart } from "./digest.ts";
import { cancelMove, type Move, moveConstellation } from "./move.ts";
import { partsOfSchema } from "./parts.ts";
import { openSide } from "./side.ts";

const backupDirectory = "/nonexistent";
const machine = { clock: systemClock, random: systemRandom };

function wish(from: string, to: string, more: Partial<Move> = {}): Move {
  const target = { url: to, backupDirectory, clock: systemClock };
  return { constellation: "constel0", from, target, holder: "test", ...machine, verify: async () => {}, ...more };
}

function open(url: string, constellation = "constel0"): Promise<Store> {
  return openStore({ url, backupDirectory, ...machine, constellation });
}

/** Count and digest of each table. */
async function contents(url: string, constellation: string): Promise<Record<string, unknown>> {
  const side = await openSide(url);
  try {
    const found: Record<string, unknown> = {};
    for (const part of await partsOfSchema()) found[part.table] = await digestOfPart(side, part, constellation);
    return found;
  } finally {
    await side.close();
  }
}

test("every table of the schema has a part in a move; one that nothing is said of is an error", async () => {
  const with_ = (statement: string): Migration[] => [
    ...allMigrations,
    {
      version: allMigrations.length + 1,
      name: "planted",
      up: async (db) => void (await sql.raw(statement).execute(db)),
      verify: async () => {},
    },
  ];
  const parts = await partsOfSchema(
    with_("create table planted (constellation text not null, id text not null primary key)"),
  );
  expect(parts.map(({ table }) => table)).toContain("planted");
  const whosIsIt = partsOfSchema(with_("create table planted (id text not null primary key)"));
  expect(String(await rejection(whosIsIt))).toContain("which rows of planted belong to a constellation");
  const odd = partsOfSchema(with_("create table planted (constellation text not null primary key, share real)"));
  expect(String(await rejection(odd))).toContain("planted.share is of type REAL");
  const scene = await sqliteScene("migrated");
  const database = new Database(scene.path);
  const tables = database
    .query<{ name: string }, []>("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all();
  database.close();
  await scene.end();
  const moved = (await partsOfSchema()).map(({ table }) => table);
  expect([...moved, "schema_migrations"].sort()).toEqual(tables.map(({ name }) => name).sort());
});

describe("from one file to another", () => {
  let scene: Awaited<ReturnType<typeof sqliteScene>>;
  let to: string;
  beforeEach(async () => {
    scene = await sqliteScene("migrated");
    to = `sqlite:${join(scene.backupDirectory, "other.db")}`;
  });
  afterEach(() => scene.end());

  test("what a number cannot hold, and what is no text, is refused with its place, and given up again", async () => {
    await fillEveryTable(scene.url, "constel0");
    await scene.raw("update ticks set duration_ms = 1.5 where rowid = 2");
    const refused = await rejection(moveConstellation(wish(scene.url, to)));
    expect(refused).toMatchObject({ code: "store.not-carried", facts: { table: "ticks", column: "duration_ms" } });
    expect(await rejection(open(scene.url))).toMatchObject({ code: "store.moving" });
    await cancelMove(wish(scene.url, to));
    await (await open(scene.url)).close();
    await scene.raw("update ticks set duration_ms = 1 where rowid = 2");
    expect(await moveConstellation(wish(scene.url, to))).toMatchObject({ resumed: false });
  });

  test("nothing to move, the same place, another target, and a move that never was are refused and leave no mark", async () => {
    const nothing = wish(scene.url, to, { constellation: "nobody" });
    expect(await rejection(moveConstellation(nothing))).toMatchObject({ code: "store.nothing-to-move" });
    expect(await rejection(moveConstellation(wish(scene.url, scene.url)))).toMatchObject({ code: "store.same-place" });
    expect(await rejection(cancelMove(wish(scene.url, to)))).toMatchObject({ code: "store.no-move" });
    const missing = wish(`sqlite:${scene.path}.none`, to);
    expect(await rejection(moveConstellation(missing))).toMatchObject({ code: "store.not-there" });
    await (await open(scene.url)).close();
    // A target with rows of the same constellation.
    await fillEveryTable(scene.url, "constel0");
    await fillEveryTable(to, "constel0", { events: 1 });
    expect(await rejection(moveConstellation(wish(scene.url, to)))).toMatchObject({ code: "store.target-used" });
    await (await open(scene.url)).close();
    // One that was begun goes nowhere else.
    const elsewhere = `${to}.third`;
    const cutOff = wish(scene.url, elsewhere, { verify: () => Promise.reject(new Error("cut off")) });
    expect(String(await rejection(moveConstellation(cutOff)))).toContain("cut off");
    expect(await rejection(moveConstellation(wish(scene.url, `${to}.fourth`)))).toMatchObject({
      code: "store.moving",
      facts: { to: elsewhere.slice("sqlite:".length) },
    });
    expect(await rejection(cancelMove(wish(scene.url, to)))).toMatchObject({ code: "store.moving" });
  });

  test("a row that changed on the way is found", async () => {
    await fillEveryTable(scene.url, "constel0");
    const changed = wish(scene.url, to, {
      step({ name, table }) {
        if (name !== "compare" || table !== "tasks") return;
        const database = new Database(to.slice("sqlite:".length));
        database.run("update tasks set title = title || '!' where number = (select max(number) from tasks)");
        database.close();
      },
    });
    expect(await rejection(moveConstellation(changed))).toMatchObject({
      code: "store.move-differs",
      facts: { table: "tasks", rows: 3, arrived: 3 },
    });
    expect(await rejection(open(to))).toMatchObject({ code: "store.moving" });
  });
});

describe.skipIf(withoutPostgres !== undefined)("between SQLite and Postgres", () => {
  let server: TestPostgres;
  let scene: Awaited<ReturnType<typeof sqliteScene>>;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    scene = await sqliteScene("migrated");
  });
  afterEach(() => scene.end());

  test("every row comes over and back, those of others stay as they are, and the one left behind takes no more", async () => {
    await fillEveryTable(scene.url, "constel0", { events: 2_500, rows: 20 });
    await fillEveryTable(scene.url, "constel01");
    const url = await server.database();
    await fillEveryTable(url, "constel", { events: 5 });
    const [ours, theirs, others] = [
      await contents(scene.url, "constel0"),
      await contents(scene.url, "constel01"),
      await contents(url, "constel"),
    ];
    const moved = await moveConstellation(wish(scene.url, url));
    expect(moved.tables.filter(({ rows }) => rows === 0)).toEqual([]);
    expect(moved.tables.find(({ table }) => table === "events")?.rows).toBe(2_500);
    expect(await contents(url, "constel0")).toEqual(ours);
    expect(await contents(url, "constel")).toEqual(others);
    expect(Object.values(await contents(url, "constel01"))).toEqual(
      Object.values(ours).map(() => ({ rows: 0, digest: "0".repeat(64) })),
    );
    expect(await rejection(open(scene.url))).toMatchObject({ code: "store.moved", facts: { to: moved.to } });
    await (await open(scene.url, "constel01")).close();
    expect(await rejection(moveConstellation(wish(scene.url, url)))).toMatchObject({ code: "store.moved" });
    expect(await contents(scene.url, "constel0")).toEqual(ours);
    // It goes on there, and tells of its arrival once.
    for (const times of [1, 1]) {
      const store = await open(url);
      const told = (await readEvents(store.db, { constellation: "constel0", limit: 9, afterSeq: 2_500 })).map(
        ({ type }) => type,
      );
      expect([times, told]).toEqual([1, ["constellation.moved"]]);
      expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true, count: 2_501 });
      await store.close();
    }
    // And back, into a new file.
    const there = await contents(url, "constel0");
    const back = `sqlite:${join(scene.backupDirectory, "back.db")}`;
    await moveConstellation(wish(url, back));
    expect(withoutHead(await contents(back, "constel0"))).toEqual(withoutHead(there));
    expect(await rejection(open(url))).toMatchObject({ code: "store.moved" });
    expect(await contents(url, "constel")).toEqual(others);
    expect(await contents(scene.url, "constel01")).toEqual(theirs);
    const store = await open(back);
    expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true, count: 2_502 });
    await store.close();
  }, 60_000);

  test("killed before each of its steps and begun again, it loses and doubles nothing; until it is over nobody writes on either side", async () => {
    await fillEveryTable(scene.url, "constel0", { events: 5_000 });
    const ours = await contents(scene.url, "constel0");
    const path = (name: string): string => join(scene.backupDirectory, name);
    const [first, second] = [await copyOf(scene.path, path("first.db")), await copyOf(scene.path, path("second.db"))];
    const steps = await runMove(scene.url, `sqlite:${path("whole.db")}`);
    expect(steps.slice(-5)).toEqual(["verify", "arrive", "leave", "done", "moved"]);
    // Of what is the same again and again, some: while a table is read, and before each transaction that writes.
    const copying = steps.filter((step) => /^(write|copy (events|chain_heads)$)/.test(step));
    expect(copying.filter((step) => step.startsWith("write")).length).toBeGreaterThan(1);
    const kills = ["mark", "prepare", ...copying, "compare events", "verify", "arrive", "leave", "done"];
    const filled = await server.database();
    await moveConstellation(wish(second, filled));
    for (const [from, to] of [
      [first, await server.database()],
      [filled, `sqlite:${path("back.db")}`],
    ] as const) {
      for (const kill of kills) {
        const taken = await runMove(from, to, kill);
        // What was killed before a write reads again from there, so that the next write may have another size.
        const [stage = ""] = kill.split(" ");
        expect([kill, taken.at(-1)]).toEqual([kill, expect.stringMatching(stage)]);
        if (kill === "mark") continue;
        expect([kill, await rejection(open(from))]).toMatchObject([
          kill,
          { code: kill === "done" ? "store.moved" : "store.moving" },
        ]);
        if (["prepare", "leave", "done"].includes(kill)) continue;
        expect([kill, await rejection(open(to))]).toMatchObject([kill, { code: "store.moving" }]);
      }
      expect(await contents(to, "constel0")).toMatchObject(withoutHead(ours));
      expect(await contents(from, "constel0")).toMatchObject(withoutHead(ours));
      const store = await open(to);
      expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true, count: 5_001 });
      await store.close();
    }
  }, 300_000);

  test("given up halfway, the target holds nothing of it and the source goes on", async () => {
    await fillEveryTable(scene.url, "constel0");
    const ours = await contents(scene.url, "constel0");
    const url = await server.database();
    expect((await runMove(scene.url, url, "copy tasks")).at(-1)).toBe("copy tasks");
    const other = wish(`sqlite:${scene.path}.none`, url);
    expect(await rejection(cancelMove(other))).toMatchObject({ code: "store.not-there" });
    await cancelMove(wish(scene.url, url));
    expect(Object.values(await contents(url, "constel0")).every((one) => (one as { rows: number }).rows === 0)).toBe(
      true,
    );
    expect(await contents(scene.url, "constel0")).toEqual(ours);
    await (await open(scene.url)).close();
    await (await open(url)).close();
  }, 60_000);
});

/** The lease counts its holders in the head. */
function withoutHead(tables: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(tables).filter(([table]) => table !== "chain_heads"));
}

/** Runs a move in a process of its own, which is killed before a step; answers the steps that it said. */
async function runMove(from: string, to: string, kill = ""): Promise<string[]> {
  const program = join(import.meta.dir, "../../../test/kit/move-child.ts");
  const child = Bun.spawn([process.execPath, program, from, to, kill], { stdio: ["ignore", "pipe", "inherit"] });
  const said = await new Response(child.stdout).text();
  await child.exited;
  return said.trim().split("\n");
}

async function copyOf(path: string, to: string): Promise<string> {
  const database = new Database(path);
  database.query("vacuum into ?").run(to);
  database.close();
  return `sqlite:${to}`;
}
