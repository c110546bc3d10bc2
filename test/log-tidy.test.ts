// Files of records are set aside and removed while other processes write to them and the one that tidies is killed.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { tidyDaemonLog } from "../src/daemon/daemon-log.ts";
import { tidySteps } from "../src/daemon/intake/record-files.ts";
import { takeInSteps } from "../src/daemon/intake/take-in-file.ts";
import { startChild } from "./bus-kit.ts";
import { temporaryDirectory } from "./kit/directory.ts";

const program = import.meta.resolve("./kit/records-child.ts");

test("whoever takes records in and tidies their files may be killed at any step while others write: each record is there once", async () => {
  using home = temporaryDirectory("log-tidy");
  mkdirSync(join(home.path, "logs"));
  const database = join(home.path, "meta.db");
  const stop = join(home.path, "stop");
  const writers = ["a", "b", "c"].map((name) => startChild(program, ["write", home.path, name, stop]));
  const never = join(home.path, "never");
  for (const step of [...takeInSteps, ...tidySteps]) {
    const child = startChild(program, ["take-in", home.path, database, never], {
      env: { CONSTEL_KILL_AT: `${step}:2` },
    });
    const complaint = await new Response(child.stderr).text();
    await child.exited;
    expect([step, child.signalCode, complaint]).toEqual([step, "SIGKILL", ""]);
  }
  writeFileSync(stop, "");
  const counts = await Promise.all(writers.map(async (writer) => Number(await new Response(writer.stdout).text())));
  const last = startChild(program, ["take-in", home.path, database, stop]);
  expect([await new Response(last.stderr).text(), await last.exited]).toEqual(["", 0]);
  const wanted = ["a", "b", "c"].flatMap((name, at) =>
    Array.from({ length: counts[at] ?? 0 }, (_, index) => `${name}-${index}`),
  );
  using rows = new Database(database, { readonly: true });
  const taken = rows
    .query<{ what: string }, []>("select what from crashes")
    .all()
    .map(({ what }) => what);
  expect(wanted.length).toBeGreaterThan(100);
  expect(taken.toSorted()).toEqual(wanted.toSorted());
  expect(rows.query("select * from source_errors").all()).toEqual([]);
}, 120_000);

test("the daemon's log is set aside and begun anew under its writer; a standard error that is no such file is left alone", () => {
  using home = temporaryDirectory("daemon-log");
  mkdirSync(join(home.path, "logs"));
  const path = join(home.path, "logs/daemon.log");
  const log = openSync(path, "a");
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join("");
  writeSync(log, lines);
  tidyDaemonLog(home.path, 10_000, log);
  expect(existsSync(join(home.path, "logs/daemon.1.log"))).toBe(false);
  tidyDaemonLog(home.path, 600, log);
  writeSync(log, "and on\n");
  expect(readFileSync(join(home.path, "logs/daemon.1.log"), "utf8")).toBe(lines);
  expect(readFileSync(path, "utf8")).toBe("and on\n");
  closeSync(log);

  const elsewhere = openSync(join(home.path, "other.log"), "a");
  writeSync(elsewhere, lines);
  tidyDaemonLog(home.path, 10, elsewhere);
  expect(fstatSync(elsewhere).size).toBe(lines.length);
  closeSync(elsewhere);
});
