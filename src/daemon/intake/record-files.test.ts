// Files of records that are set aside and removed while others write to them: nothing is lost, nothing taken in twice.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, closeSync, openSync, readdirSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sqliteScene, type Scene } from "../../../test/kit/databases.ts";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { appendRecord } from "../../floor/records.ts";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { defaultConfig } from "../../settings/declarations.ts";
import { openStore, type Store } from "../../store/open.ts";
import { intakeLoop } from "./intake.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import type { Round } from "../loops/react.ts";
import { throwing } from "../../../test/kit/rejection.ts";

const day = 86_400_000;
const maxBytes = 65_536;
let clock: FakeClock;
let scene: Scene;
let store: Store;
let home: ReturnType<typeof temporaryDirectory>;
let loop: Round;
const random = seededRandom(3);

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 0, 2, 12));
  home = temporaryDirectory("record-files");
  scene = await sqliteScene();
  const { url, backupDirectory } = scene;
  store = await openStore({ url, backupDirectory, clock, random, constellation: "constel0" });
  loop = newLoop();
});
afterEach(async () => {
  await store.close();
  await scene.end();
  home[Symbol.dispose]();
});

const newLoop = (): Round => {
  const config = { ...defaultConfig, "logs.max_bytes": maxBytes, "logs.keep_days": 2 };
  const settings = { home: home.path, config };
  return intakeLoop({ settings, store, clock, random, log: () => {} } as unknown as LoopParts);
};
/** A round in which files are tidied too. */
const round = async (): Promise<void> => {
  clock.advance(60_000);
  await loop.round(new AbortController().signal);
};
const crash = (what: string): string => {
  const place = { home: home.path, constellation: "", clock, random };
  return appendRecord(place, "crashes", { agent: "agent1", what, detail: "x" }).id;
};
const taken = async (): Promise<string[]> =>
  (await store.db.selectFrom("crashes").select("what").orderBy("id").execute()).map(({ what }) => what);
const files = (): string[] => readdirSync(join(home.path, "logs")).sort();
const pathOf = (name: string): string => join(home.path, "logs", name);
const positions = () =>
  store.db.selectFrom("intake_positions").select(["file", "offset_bytes"]).orderBy("file").execute();

test("a file that grew too large is set aside; what follows goes into a new one, and each line is taken in once", async () => {
  crash("first");
  appendFileSync(pathOf("crashes-2026-01-02.jsonl"), `${"x".repeat(maxBytes)}\n`);
  await round();
  expect(files()).toEqual(["crashes-2026-01-02.1.jsonl"]);
  crash("second");
  await round();
  expect(files()).toEqual(["crashes-2026-01-02.1.jsonl", "crashes-2026-01-02.jsonl"]);
  loop = newLoop(); // as after a restart: what it knows is in the database
  await round();
  expect(await taken()).toEqual(["first", "second"]);
  expect(await store.db.selectFrom("source_errors").select("id").execute()).toHaveLength(1);
  expect((await positions()).map(({ file }) => file)).toEqual([
    "crashes-2026-01-02.1.jsonl",
    "crashes-2026-01-02.jsonl",
  ]);
});

test("a line of a writer that had the file open when it was set aside is taken in, and the file outlives its writer", async () => {
  crash("first");
  const writer = Bun.spawn(
    [
      "sh",
      "-c",
      'exec 3>>"$0"; echo open; read line; printf "%s\\n" "$line" >&3; echo written; read _',
      pathOf("crashes-2026-01-02.jsonl"),
    ],
    {
      stdin: "pipe",
      stdout: "pipe",
    },
  );
  const reader = writer.stdout.getReader();
  await reader.read();
  clock.advance(10 * day);
  for (let rounds = 0; rounds < 4; rounds++) await round();
  expect(files()).toEqual(["crashes-2026-01-02.1.jsonl"]);
  const line = JSON.stringify({ id: "rec_late", kind: "crashes", at_ms: 1, constellation: "", what: "late" });
  writer.stdin.write(`${line}\n`);
  writer.stdin.flush();
  await reader.read();
  for (let rounds = 0; rounds < 4; rounds++) await round();
  expect((await taken()).sort()).toEqual(["first", "late"]);
  expect(files()).toHaveLength(1);
  writer.stdin.end();
  await writer.exited;
  await round();
  expect(files()).toEqual([]);
  expect(await positions()).toEqual([]);
});

test("an old file is removed only when the database has it", async () => {
  crash("first");
  clock.advance(10 * day);
  const refusing = { ...store, write: () => Promise.reject(new Error("the disk is full")) };
  const well = store;
  store = refusing as unknown as Store;
  loop = newLoop();
  for (let rounds = 0; rounds < 3; rounds++) expect(await throwing(round())).toThrow("the disk is full");
  expect(files().filter((name) => name.startsWith("crashes"))).toEqual(["crashes-2026-01-02.jsonl"]);
  store = well;
  loop = newLoop();
  for (let rounds = 0; rounds < 4; rounds++) await round();
  expect(await taken()).toEqual(["first"]);
  expect(files().filter((name) => name.startsWith("crashes"))).toEqual([]);
});

test("what is younger than its days stays", async () => {
  crash("first");
  clock.advance(2 * day);
  for (let rounds = 0; rounds < 4; rounds++) await round();
  expect(files()).toEqual(["crashes-2026-01-02.jsonl"]);
});

test("a file that somebody emptied is read from its beginning", async () => {
  crash("before it was emptied, with more words than the next one has");
  await round();
  truncateSync(pathOf("crashes-2026-01-02.jsonl"));
  const fd = openSync(pathOf("crashes-2026-01-02.jsonl"), "a");
  writeSync(fd, `${JSON.stringify({ id: "rec_new", kind: "crashes", at_ms: 1, constellation: "", what: "new" })}\n`);
  closeSync(fd);
  await round();
  expect((await taken()).at(-1)).toBe("new");
});
