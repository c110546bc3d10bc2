// When things are broken: a damaged database, a home that cannot be written, links planted in it.

import { expect, test } from "bun:test";
import { chmodSync, closeSync, copyFileSync, mkdirSync, openSync, readFileSync, symlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { TestHome, until } from "./kit/home.ts";

test("with the first page of meta.db zeroed, the floor works, the error names the backup, and restoring brings all back", async () => {
  await using at = new TestHome();
  for (const text of ["one", "two"]) await at.constel(["announce", text]);
  const { file } = await at.json<{ file: string }>(["db", "backup"]);
  await at.constel(["daemon", "stop"]);
  const path = join(at.home, "meta.db");
  const fd = openSync(path, "r+");
  writeSync(fd, Buffer.alloc(4096), 0, 4096, 0);
  closeSync(fd);
  copyFileSync(path, join(at.top, "damaged"));

  const change = await at.constel(["announce", "three"]);
  expect(change.code).toBe(4);
  expect(change.stderr).toContain(file);
  expect(change.stderr).toContain("constel db restore");
  expect((await at.constel(["query", "select 1"])).stderr).toContain("[store.corrupt]");
  const doctor = await at.constel(["doctor"]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain(file);
  expect((await at.constel(["config", "path"])).code).toBe(0);
  expect(readFileSync(path)).toEqual(readFileSync(join(at.top, "damaged")));

  const restored = await at.json<{ restored: string; kept: string[] }>(["db", "restore"]);
  expect(restored.restored).toBe(file);
  expect(readFileSync(restored.kept[0] ?? "")).toEqual(readFileSync(join(at.top, "damaged")));
  expect((await at.json<unknown[]>(["events"])).length).toBe(2);
  expect((await at.constel(["announce", "three"])).stdout).toBe("Announced as event 3.\n");
});

test("a restore is refused while the daemon has the database open", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "one"]);
  const ran = await at.constel(["db", "restore"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("[daemon.running]");
});

test("a link planted in the home is refused on writing and named by doctor", async () => {
  await using at = new TestHome();
  mkdirSync(at.home, { recursive: true, mode: 0o700 });
  mkdirSync(join(at.top, "elsewhere"));
  symlinkSync(join(at.top, "elsewhere"), join(at.home, "state"));
  const ran = await at.constel(["announce", "one"]);
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain("[path.symlink]");
  const doctor = await at.constel(["doctor", "--json"]);
  const { results } = JSON.parse(doctor.stdout) as { results: { code: string; state: string }[] };
  expect(results.find((result) => result.code === "home.symlinks")?.state).toBe("broken");
});

test("doctor --fix closes a home that others can read, and removes what a killed daemon left", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "one"]);
  process.kill(at.daemonPid ?? 0, "SIGKILL");
  await until(
    "gone",
    () => at.constel(["daemon", "status"]),
    (ran) => ran.code === 1,
  );
  chmodSync(join(at.home, "logs"), 0o755);
  chmodSync(join(at.home, "meta.db"), 0o644);
  expect((await at.constel(["doctor", "--quiet"])).stdout).toContain("others may read or write");
  expect((await at.constel(["doctor", "--fix"])).code).toBe(0);
  const after = await at.constel(["doctor", "--quiet"]);
  expect(after.stdout).not.toContain("home.modes");
  expect(after.stdout).not.toContain("leftovers of a daemon");
});

test("a database of a newer constel is refused with a clear message and left as it is", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "one"]);
  await at.constel(["daemon", "stop"]);
  const { Database } = await import("bun:sqlite");
  const database = new Database(join(at.home, "meta.db"));
  database.run("insert into schema_migrations (version, name, applied_ms) values (9999, 'from the future', 0)");
  database.close();
  const ran = await at.constel(["announce", "two"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("[store.newer-schema]");
});
