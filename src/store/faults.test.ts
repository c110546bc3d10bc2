// Tests what may befall the SQLite file: kill -9, two processes at once, damage, a full disk, a lock that is not given up.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sqliteScene } from "../../test/kit/databases.ts";
import { type ChildWork, slowMigration } from "../../test/kit/store-child.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { backUpFile, listBackups, restoreBackup, verifyBackup } from "./backup.ts";
import { whyForeign } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import { kyselyOver } from "./one-connection.ts";
import { openStore, type OpenStoreOptions, type Store } from "./open.ts";
import { openReader } from "./read-only.ts";
import { executorOver, makeDurable, openForWriting } from "./sqlite-connection.ts";
import { historyOf } from "./sqlite-file.ts";
import { verifyChain } from "./timeline.ts";
import { crash } from "./writing.suite.ts";
import { rejection } from "../../test/kit/rejection.ts";

let scene: Awaited<ReturnType<typeof sqliteScene>>;
beforeEach(async () => {
  scene = await sqliteScene();
});
afterEach(() => scene.end());

function options(more: Partial<OpenStoreOptions> = {}): OpenStoreOptions {
  const { url, backupDirectory } = scene;
  return { url, backupDirectory, clock: new FakeClock(), random: systemRandom, constellation: "constel0", ...more };
}

async function use<T>(work: (store: Store) => Promise<T>, more: Partial<OpenStoreOptions> = {}): Promise<T> {
  const store = await openStore(options(more));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A store with `count` crashes and events in it, closed. */
function filled(count: number): Promise<void> {
  return use(async (store) => {
    for (let index = 0; index < count; index++) {
      await store.write(async (tx) => {
        await tx.insert("crashes", { ...crash(`c${index}`), detail: "x".repeat(2000) });
        await tx.record({ type: "agent.crashed", actor: "test" });
      });
    }
  });
}

const childFile = join(import.meta.dir, "../../test/kit/store-child.ts");

function child(what: ChildWork, before: readonly string[] = []): Bun.Subprocess<"ignore", "pipe", "inherit"> {
  const command = [...before, process.execPath, "--no-env-file", "--config=/dev/null", childFile];
  return Bun.spawn([...command, what, scene.path, scene.backupDirectory], { stdout: "pipe", stderr: "inherit" });
}

describe("a process killed in the middle of writing", () => {
  test("has lost nothing that it acknowledged, and the chain verifies", async () => {
    const running = child("write");
    const acknowledged: string[] = [];
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of running.stdout) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) acknowledged.push(line.replace("acknowledged ", ""));
      if (acknowledged.length >= 1000) running.kill("SIGKILL");
    }
    await running.exited;
    expect(running.signalCode).toBe("SIGKILL");
    expect(existsSync(`${scene.path}-wal`)).toBe(true);
    await use(async (store) => {
      const rows = await store.db.selectFrom("crashes").select("id").execute();
      const there = new Set(rows.map((row) => row.id));
      expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
      expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true, count: rows.length });
    });
  });

  test("leaves a file that can be read at once, with or without its shared-memory index", async () => {
    const running = child("write");
    for await (const _ of running.stdout) running.kill("SIGKILL");
    await running.exited;
    rmSync(`${scene.path}-shm`);
    const reader = await openReader(scene.url);
    const answer = await reader.rows(
      "select (select count(*) from events) as events, (select count(*) from crashes) as n",
    );
    for await (const [events, rows] of answer.rows) {
      expect(events).toBe(rows);
      expect(events).toBeGreaterThan(0);
    }
    await reader.close();
  });
});

async function migrateTwice(): Promise<string[]> {
  const both = [child("migrate"), child("migrate")];
  const said = await Promise.all(both.map((one) => new Response(one.stdout).text()));
  expect(await Promise.all(both.map((one) => one.exited))).toEqual([0, 0]);
  return said.map((text) => text.trim().split(" ").slice(0, 3).join(" ")).sort();
}

describe("two processes that migrate at once", () => {
  const newest = allMigrations.length + 1;

  test("make one migration of a new database", async () => {
    const said = await migrateTwice();
    expect(said).toContain(`migrated 0 ${newest}`);
    expect(await scene.raw("select count(*) as n from slow")).toEqual([{ n: 20_000 }]);
    expect(await scene.raw("select count(*) as n from schema_migrations")).toEqual([{ n: newest }]);
  });

  test("are not strangers to each other, whatever one of them has asked when the other is done", async () => {
    for (let answered = 0; answered < 3; answered++) {
      const one = await sqliteScene();
      const database = new Database(one.path, { create: true });
      try {
        const other = { ...options(), url: one.url, backupDirectory: one.backupDirectory };
        const executor = executorOver(database);
        let asked = 0;
        const db = kyselyOver<unknown>({
          dialect: "sqlite",
          transactions: false,
          executor: {
            async execute(sql, parameters) {
              if (asked++ === answered) await (await openStore(other)).close();
              return executor.execute(sql, parameters);
            },
          },
        });
        expect(await whyForeign({ db, dialect: "sqlite", name: "it" }, allMigrations)).toBeUndefined();
        expect(asked).toBeGreaterThan(1);
      } finally {
        database.close();
        await one.end();
      }
    }
  });

  test("are not strangers to each other in the first look at the file either", () => {
    for (let answered = 0; answered < 3; answered++) {
      const database = new Database(":memory:");
      let asked = 0;
      const watched = {
        query(sql: string) {
          if (asked++ === answered) {
            database.run("create table schema_migrations (version, name)");
            database.run("insert into schema_migrations values (1, 'first-schema')");
          }
          return database.query(sql);
        },
      } as unknown as Database;
      const seen = historyOf(watched);
      expect(seen.isUsed && seen.applied.length === 0).toBe(false);
      database.close();
    }
  });

  test("make one migration of an old one, with one backup", async () => {
    await filled(3);
    await migrateTwice();
    expect(await scene.raw("select count(*) as n from slow")).toEqual([{ n: 20_000 }]);
    expect(listBackups(scene.backupDirectory).map((backup) => backup.version)).toEqual([newest - 1]);
    const known = { migrations: [...allMigrations, slowMigration] };
    await use(async (store) => {
      expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true, count: 3 });
    }, known);
  });
});

describe("a backup", () => {
  test("whose name another process took in the same millisecond gets the next one, and the other's stays", async () => {
    await filled(2);
    const first = backUpFile(scene.path, scene.backupDirectory, 1_000_000);
    // A name that looks free and cannot be had, as it is when the other comes between looking and taking.
    const racing = first.path.replace("1640.000Z", "1640.001Z");
    symlinkSync("nothing-here", racing);
    const second = backUpFile(scene.path, scene.backupDirectory, 1_000_001);
    expect(second.file).toBe(`${racing.slice(racing.lastIndexOf("/") + 1, -".db".length)}-2.db`);
    expect(verifyBackup(second.path)).toMatchObject({ ok: true, events: 2 });
    expect(readdirSync(scene.backupDirectory).sort()).toEqual(
      [first.file, second.file, racing.slice(racing.lastIndexOf("/") + 1)].sort(),
    );
  });
});

describe("a damaged file", () => {
  const page = 4096;
  const damages: [name: string, damage: (path: string) => void][] = [
    ["its first page zeroed", (path) => overwrite(path, 0, Buffer.alloc(page))],
    ["a page in the middle overwritten", (path) => overwrite(path, page * 3, Buffer.alloc(page * 4, 0xa5))],
    ["cut off", (path) => truncateSync(path, page * 3)],
    ["replaced by text", (path) => writeFileSync(path, "this is not a database")],
  ];

  test.each(damages)(
    "%s is refused, the newest good backup is named, and nothing is overwritten",
    async (_, damage) => {
      await filled(20);
      const good = backUpFile(scene.path, scene.backupDirectory, 1_000_000);
      const newer = backUpFile(scene.path, scene.backupDirectory, 2_000_000);
      overwrite(newer.path, 0, Buffer.alloc(page));
      damage(scene.path);
      const before = readFileSync(scene.path);
      expect(await rejection(openStore(options()))).toMatchObject({
        code: "store.corrupt",
        message: expect.stringContaining(good.file),
        facts: { backup: good.path },
        hint: expect.stringContaining(`constel db restore ${good.file}`),
      });
      expect(readFileSync(scene.path).equals(before)).toBe(true);
      const { kept } = restoreBackup({ database: scene.path, backup: good.path, nowMs: 3_000_000 });
      expect(readFileSync(kept[0] ?? "").equals(before)).toBe(true);
      await use(async (store) => {
        expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true, count: 20 });
      });
    },
  );

  test("is refused by the reader too", async () => {
    await filled(1);
    overwrite(scene.path, 0, Buffer.alloc(page));
    expect(await rejection(openReader(scene.url))).toMatchObject({ code: "store.corrupt" });
  });

  test("that is gone while its log is there is not created anew", async () => {
    const running = child("write");
    for await (const _ of running.stdout) running.kill("SIGKILL");
    await running.exited;
    renameSync(scene.path, `${scene.path}.elsewhere`);
    expect(await rejection(openStore(options()))).toMatchObject({ code: "store.corrupt" });
    expect(existsSync(scene.path)).toBe(false);
  });

  test("without any backup says so", async () => {
    writeFileSync(scene.path, "x".repeat(5000));
    expect(await rejection(openStore(options()))).toMatchObject({
      code: "store.corrupt",
      message: expect.stringContaining("no good backup"),
      facts: { backup: null },
    });
  });
});

describe("a disk that takes no more", () => {
  test("refuses the change, keeps what was acknowledged, and the next opening is sound", async () => {
    await filled(1);
    // A limit on the size of a file (in blocks of 512 bytes or 1 KiB, by shell) stands for a full disk.
    const running = child("fill", ["sh", "-c", `trap '' XFSZ; ulimit -f 2000; exec "$@"`, "sh"]);
    const said = (await new Response(running.stdout).text()).trim();
    const [, acknowledged] = /^refused store\.not-written (\d+) SQLITE_/.exec(said) ?? [];
    expect(Number(acknowledged)).toBeGreaterThan(0);
    await use(async (store) => {
      const rows = await store.db.selectFrom("crashes").select("id").where("what", "=", "x").execute();
      expect(rows).toHaveLength(Number(acknowledged));
      await store.write((tx) => tx.insert("crashes", crash("later")));
      expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true, count: 1 });
    });
  });
});

describe("a write lock held by another", () => {
  test("is waited for five times and then the change is refused; once it is free, writing goes on", async () => {
    const clock = new FakeClock();
    const sleeps: number[] = [];
    clock.sleep = async (ms) => void sleeps.push(ms);
    await use(
      async (store) => {
        const other = new Database(scene.path);
        other.run("begin immediate");
        const refused = store.write((tx) => tx.insert("crashes", crash("no")));
        expect(await rejection(refused)).toMatchObject({
          code: "store.not-written",
          message: expect.stringContaining("another process holds the lock"),
          facts: { cause: "SQLITE_BUSY", attempts: 6 },
        });
        expect(sleeps).toHaveLength(5);
        clock.sleep = async () => {
          if (other.inTransaction) other.run("rollback");
        };
        await store.write((tx) => tx.insert("crashes", crash("yes")));
        other.close();
        expect(await store.db.selectFrom("crashes").select("id").execute()).toEqual([{ id: "yes" }]);
      },
      { clock },
    );
  });
});

describe("the file itself", () => {
  test("is readable by its owner only, and so are its log and its backups", async () => {
    await use(async (store) => {
      await store.write((tx) => tx.insert("crashes", crash("c1")));
      const backup = backUpFile(scene.path, scene.backupDirectory, systemClock.nowMs());
      for (const path of [scene.path, `${scene.path}-wal`, backup.path]) {
        expect(statSync(path).mode & 0o777).toBe(0o600);
      }
    });
  });

  test("is durable: WAL, and a full sync at each commit", async () => {
    await filled(1);
    const database = openForWriting(scene.path);
    makeDurable(database);
    expect(database.query("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(database.query("pragma synchronous").get()).toEqual({ synchronous: 2 });
    database.close();
  });

  test("is not followed through a symbolic link", async () => {
    await filled(1);
    renameSync(scene.path, `${scene.path}.real`);
    symlinkSync(`${scene.path}.real`, scene.path);
    expect(await rejection(openStore(options()))).toMatchObject({ code: "path.symlink" });
  });
});

describe("backups", () => {
  test("are made while the store is in use, listed newest first, and hold what was committed", async () => {
    await filled(2);
    await use(async (store) => {
      const first = backUpFile(scene.path, scene.backupDirectory, 1000);
      await store.write((tx) => tx.record({ type: "one.more", actor: "test" }));
      const second = backUpFile(scene.path, scene.backupDirectory, 2000);
      const again = backUpFile(scene.path, scene.backupDirectory, 2000);
      writeFileSync(join(scene.backupDirectory, "notes.txt"), "not a backup");
      expect(listBackups(scene.backupDirectory).map((backup) => backup.madeMs)).toEqual([2000, 2000, 1000]);
      expect(again.path).not.toBe(second.path);
      expect(verifyBackup(first.path)).toEqual({ ok: true, version: allMigrations.length, events: 2 });
      expect(verifyBackup(second.path)).toEqual({ ok: true, version: allMigrations.length, events: 3 });
    });
  });

  test("are restored with what stood there kept aside, log included", async () => {
    await filled(2);
    const backup = backUpFile(scene.path, scene.backupDirectory, 1000);
    rmSync(`${scene.path}-shm`, { force: true });
    copyFileSync(scene.path, `${scene.path}.copy`);
    writeFileSync(`${scene.path}-wal`, "an old log");
    const { kept } = restoreBackup({ database: scene.path, backup: backup.path, nowMs: 5000 });
    expect(kept.map((path) => path.replace(dirname(scene.path), ""))).toEqual([
      "/meta.db.damaged-19700101T000005.000Z",
      "/meta.db.damaged-19700101T000005.000Z-wal",
    ]);
    expect(readFileSync(kept[0] ?? "").equals(readFileSync(`${scene.path}.copy`))).toBe(true);
    expect(readdirSync(dirname(scene.path)).filter((name) => name.includes("restoring"))).toEqual([]);
    await use(async (store) => {
      expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true, count: 2 });
    });
  });

  test("that are missing or damaged are not restored", async () => {
    await filled(1);
    const backup = backUpFile(scene.path, scene.backupDirectory, 1000);
    const before = readFileSync(scene.path);
    const restore = (path: string) => () => restoreBackup({ database: scene.path, backup: path, nowMs: 1 });
    expect(restore(`${backup.path}.none`)).toThrow(expect.objectContaining({ code: "store.backup-missing" }));
    overwrite(backup.path, 100, Buffer.alloc(9000));
    expect(restore(backup.path)).toThrow(expect.objectContaining({ code: "store.corrupt" }));
    expect(readFileSync(scene.path).equals(before)).toBe(true);
  });
});

function overwrite(path: string, at: number, bytes: Buffer): void {
  const whole = readFileSync(path);
  bytes.copy(whole, at);
  writeFileSync(path, whole);
}
