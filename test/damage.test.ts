// Tests what happens when things are broken: a damaged database, a home that cannot be written, links planted in it.

import { expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeSync,
} from "node:fs";
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
  const status = await at.constel(["status"]);
  expect({ code: status.code, stderr: status.stderr }).toEqual({ code: 1, stderr: "" });
  expect(status.stdout).toContain("[store.corrupt]");
  expect(status.stdout).toContain("constel db restore");
  expect(status.stdout).toContain("No agents.");
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
  database.run("update meta set value = '99.1.0' where key = 'written-by'");
  database.close();
  const ran = await at.constel(["announce", "two"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("[store.newer-schema]");
  expect(ran.stderr).toContain("from constel 99.1.0");
  const doctor = await at.constel(["doctor"]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain("of a newer constel, 99.1.0");
  expect(doctor.stdout).toContain("Update constel");
});

test("a page damaged in the middle of the file is found by doctor, although the timeline still reads", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "one"]);
  const { file } = await at.json<{ file: string }>(["db", "backup"]);
  await at.constel(["daemon", "stop"]);
  const { Database } = await import("bun:sqlite");
  const database = new Database(join(at.home, "meta.db"));
  const page = database
    .query<{ rootpage: number }, []>("select rootpage from sqlite_schema where name = 'ticks'")
    .get();
  database.close();
  const fd = openSync(join(at.home, "meta.db"), "r+");
  writeSync(fd, Buffer.alloc(4096, 0xff), 0, 4096, ((page?.rootpage ?? 0) - 1) * 4096);
  closeSync(fd);
  expect((await at.constel(["events"])).code).toBe(0);
  const doctor = await at.constel(["doctor"]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain(file);
  expect((await at.constel(["db", "status"])).code).toBe(1);
});

test("a home that cannot be one is the machine's failure, named, and no bug of ours", async () => {
  await using at = new TestHome();
  symlinkSync(join(at.top, "nowhere"), join(at.top, "dangling"));
  for (const home of ["/proc/none", join(at.top, "dangling"), `/tmp/${"x".repeat(300)}`]) {
    const env = { CONSTEL_HOME: home };
    for (const words of [
      ["announce", "one"],
      ["config", "set", "http.port", "1"],
      ["owner", "init"],
    ]) {
      const ran = await at.constel(words, { env });
      expect(ran).toMatchObject({ code: 4, stdout: "" });
      expect(ran.stderr).toContain(home);
    }
  }
});

test("the last lines of a log larger than the memory are shown at once", async () => {
  await using at = new TestHome();
  mkdirSync(join(at.home, "logs"), { recursive: true, mode: 0o700 });
  const fd = openSync(join(at.home, "logs/daemon.log"), "w", 0o600);
  ftruncateSync(fd, 5 * 1024 ** 3); // sparse: it takes no room on the disk
  writeSync(fd, "\nlast but one\nlast \u001b[31m\n", 5 * 1024 ** 3);
  closeSync(fd);
  expect((await at.constel(["daemon", "logs", "-n", "2"])).stdout).toBe("last but one\nlast \\x1b[31m\n");
});

test("one log file that cannot be read does not keep the others from being taken in", async () => {
  await using at = new TestHome();
  await at.constel(["onboard"]);
  mkdirSync(join(at.home, "logs/crashes-2020-01-01.jsonl"));
  symlinkSync("/etc/passwd", join(at.home, "logs/invocations-2020-01-01.jsonl"));
  await at.constel(["daemon", "start"]);
  await until(
    "the good file is taken in",
    () => at.json<{ n: number }[]>(["query", "select count(*) as n from cli_invocations where argv = '[\"onboard\"]'"]),
    (rows) => rows[0]?.n === 1,
  );
  const { loops } = await at.json<{ loops: { name: string; problem: string | null }[] }>(["daemon", "status"]);
  expect(loops.find((loop) => loop.name === "intake")?.problem).toContain("crashes-2020-01-01.jsonl");
});
