// A home whose database is gone, emptied, replaced or cut: nothing is begun over it in silence, and what can be told of the
// loss is told.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestHome, until } from "./kit/home.ts";

interface Ways {
  readonly [way: string]: (path: string, at: TestHome) => void;
}

const removeLogs = (path: string): void => {
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
};

const ways: Ways = {
  deleted(path) {
    rmSync(path);
    removeLogs(path);
  },
  emptied(path) {
    truncateSync(path);
    removeLogs(path);
  },
  "replaced by a database without tables"(path) {
    rmSync(path);
    removeLogs(path);
    const other = new Database(path);
    other.run("create table x (a)");
    other.run("drop table x");
    other.close();
  },
  "deleted together with the head file"(path, at) {
    rmSync(path);
    removeLogs(path);
    rmSync(join(at.home, "state/database-head"), { force: true });
  },
};

async function homeWithBackup(at: TestHome): Promise<string> {
  for (const text of ["one", "two"]) await at.constel(["announce", text]);
  const { file } = await at.json<{ file: string }>(["db", "backup"]);
  await at.constel(["daemon", "stop"]);
  return file;
}

test("every way to lose the file stops every verb and names the backup", async () => {
  for (const [way, lose] of Object.entries(ways)) {
    await using at = new TestHome();
    const file = await homeWithBackup(at);
    const path = join(at.home, "meta.db");
    lose(path, at);
    const before = existsSync(path) ? readFileSync(path).toString("base64") : undefined;
    for (const words of [["announce", "three"], ["query", "select 1"], ["task", "list"], ["events"]]) {
      const ran = await at.constel(words);
      expect({ way, words, code: ran.code }).toEqual({ way, words, code: 4 });
      expect(ran.stderr).toContain("[store.lost]");
      expect(ran.stderr).toContain(file);
    }
    for (const words of [["status"], ["doctor"], ["db", "status"]]) {
      const ran = await at.constel(words);
      expect({ way, words, code: ran.code }).toEqual({ way, words, code: 1 });
      expect(ran.stdout).toContain(file);
    }
    expect(existsSync(path) ? readFileSync(path).toString("base64") : undefined).toBe(before);
    expect((await at.constel(["db", "restore"])).code).toBe(0);
    expect((await at.json<unknown[]>(["events"])).length).toBe(2);
    expect((await at.constel(["announce", "three"])).stdout).toBe("Announced as event 3.\n");
  }
}, 120_000);

test("a fresh database put in the place of the old one is not taken for it", async () => {
  await using at = new TestHome();
  const file = await homeWithBackup(at);
  await using other = new TestHome();
  await other.constel(["daemon", "start"]);
  await other.constel(["daemon", "stop"]);
  const fresh = new Database(join(other.home, "meta.db"));
  fresh.run("delete from events");
  fresh.run("delete from chain_heads");
  fresh.run("delete from meta where key = 'writes'");
  fresh.run("pragma wal_checkpoint(truncate)");
  fresh.close();
  copyFileSync(join(other.home, "meta.db"), join(at.home, "meta.db"));
  const ran = await at.constel(["announce", "three"]);
  expect(ran.code).toBe(4);
  expect(ran.stderr).toContain(file);
  const doctor = await at.constel(["doctor"]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain("missing");
}, 120_000);

test("an empty database is begun only on the owner's word", async () => {
  await using at = new TestHome();
  await homeWithBackup(at);
  const there = await at.constel(["db", "begin"]);
  expect(there.code).toBe(3);
  expect(there.stderr).toContain("[store.not-lost]");
  ways["deleted"]?.(join(at.home, "meta.db"), at);
  expect((await at.constel(["db", "begin"])).code).toBe(0);
  expect((await at.json<unknown[]>(["events"])).length).toBe(0);
  expect((await at.constel(["announce", "anew"])).stdout).toBe("Announced as event 1.\n");
}, 120_000);

test("after a cut write-ahead log doctor says how many acknowledged writes are missing, before and after a start", async () => {
  await using at = new TestHome();
  await homeWithBackup(at);
  await at.constel(["announce", "three"]);
  const log = join(at.home, "meta.db-wal");
  const length = statSync(log).size;
  for (const text of ["four", "five", "six"]) await at.constel(["announce", text]);
  // The head of the last group follows a moment after its answer.
  await until(
    "the head names the last event",
    async () => readFileSync(join(at.home, "state/database-head"), "utf8"),
    (kept) => kept.includes(',6,"'),
  );
  process.kill(at.daemonPid ?? 0, "SIGKILL");
  await until(
    "gone",
    () => at.constel(["daemon", "status"]),
    (ran) => ran.code === 1,
  );
  truncateSync(log, length);
  rmSync(join(at.home, "meta.db-shm"), { force: true });
  const doctor = await at.constel(["doctor"]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/the last \d+ acknowledged writes are missing \(3 events of the timeline with them\)/);
  await at.constel(["daemon", "start"]);
  expect((await at.constel(["doctor"])).stdout).toMatch(/seen .*: the last \d+ acknowledged writes are missing/);
  const events = await at.json<{ type: string; data: { events: number } }[]>(["events"]);
  expect(events.find(({ type }) => type === "store.writes-missing")?.data.events).toBe(3);
}, 120_000);

test("a head file that cannot be read hides nothing and stops nothing", async () => {
  await using at = new TestHome();
  const file = await homeWithBackup(at);
  writeFileSync(join(at.home, "state/database-head"), "nonsense");
  expect((await at.constel(["announce", "three"])).code).toBe(0);
  await at.constel(["daemon", "stop"]);
  writeFileSync(join(at.home, "state/database-head"), "nonsense");
  ways["deleted"]?.(join(at.home, "meta.db"), at);
  const ran = await at.constel(["announce", "four"]);
  expect(ran.code).toBe(4);
  expect(ran.stderr).toContain(file);
}, 120_000);
