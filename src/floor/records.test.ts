import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { FakeClock, seededRandom } from "../ports/fake-clock.ts";
import { Refusal } from "../protocol/errors.ts";
import { inProcesses, source, temporaryDirectory, unwritableHome } from "./floor.suite.ts";
import { type RecordPlace, appendRecord, readRecords, tryAppendRecord } from "./records.ts";

const name = "invocations-2026-01-02.jsonl";

function place(home: string, clock = new FakeClock()): RecordPlace {
  return { home, constellation: "constel0", clock, random: seededRandom() };
}

describe("appending records", () => {
  test("a record is one JSON line with its id, kind, time and constellation", () => {
    const here = place(temporaryDirectory());
    const record = appendRecord(here, "invocations", { verb: "up" });
    const { records, badLines } = readRecords(here.home, name, 0);
    expect(records).toEqual([record]);
    expect(badLines).toEqual([]);
    expect(record).toMatchObject({ kind: "invocations", at_ms: 1767323045000, constellation: "constel0", verb: "up" });
    expect(record.id).toMatch(/^rec_[0-9a-z]{26}$/);
  });

  test("files are private", () => {
    const here = place(temporaryDirectory());
    appendRecord(here, "invocations", {});
    expect(statSync(join(here.home, "logs", name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(here.home, "logs")).mode & 0o777).toBe(0o700);
  });

  test("a caller's fields cannot pose as ours", () => {
    const here = place(temporaryDirectory());
    const record = appendRecord(here, "invocations", { id: "x", kind: "sessions", at_ms: 1, constellation: "other" });
    expect(record).toMatchObject({ kind: "invocations", at_ms: 1767323045000, constellation: "constel0" });
    expect(record.id).not.toBe("x" as never);
  });

  test("the file is of the UTC day, also across midnight", () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 1, 23, 59, 59, 999));
    const here = place(temporaryDirectory(), clock);
    appendRecord(here, "sessions", {});
    clock.advance(1);
    appendRecord(here, "sessions", {});
    expect(readdirSync(join(here.home, "logs")).sort()).toEqual([
      "sessions-2026-01-01.jsonl",
      "sessions-2026-01-02.jsonl",
    ]);
  });

  test("ids of later records sort later", () => {
    const clock = new FakeClock();
    const here = place(temporaryDirectory(), clock);
    const ids = [0, 1, 2].map(() => {
      clock.advance(1);
      return appendRecord(here, "sessions", {}).id;
    });
    expect([...ids].sort()).toEqual(ids);
  });

  test("best effort never throws: not for a home that cannot be written, not for a value JSON cannot hold", () => {
    const unwritable = tryAppendRecord(place(unwritableHome()), "invocations", {});
    expect(unwritable.ok).toBe(false);
    const unspeakable = tryAppendRecord(place(temporaryDirectory()), "invocations", { big: 1n });
    expect(unspeakable.ok).toBe(false);
  });

  test("records of two processes at once are all there, whole", async () => {
    const home = temporaryDirectory();
    await inProcesses(
      3,
      `import { appendRecord } from ${source("floor/records.ts")};
       import { systemRandom } from ${source("host/clock/system-clock.ts")};
       const clock = { nowMs: () => 1767323045000 };
       for (let i = 0; i < 200; i++)
         appendRecord({ home: ${JSON.stringify(home)}, constellation: "constel0", clock, random: systemRandom },
           "invocations", { text: "x".repeat(i * 10) });
       console.log("1");`,
    );
    const { records, badLines } = readRecords(home, name, 0);
    expect(badLines).toEqual([]);
    expect(new Set(records.map((record) => record.id)).size).toBe(600);
  });
});

describe("reading records", () => {
  test("a record torn in the middle is lost alone: the next one is whole", () => {
    const here = place(temporaryDirectory());
    const first = appendRecord(here, "invocations", { text: "first" });
    appendRecord(here, "invocations", { text: "torn" });
    const path = join(here.home, "logs", name);
    truncateSync(path, statSync(path).size - 10);
    const third = appendRecord(here, "invocations", { text: "third" });
    const { records, badLines } = readRecords(here.home, name, 0);
    expect(records).toEqual([first, third]);
    expect(badLines).toHaveLength(1);
    expect(readFileSync(path).subarray(badLines[0]?.offset).toString().startsWith('{"text":"torn"')).toBe(true);
  });

  test("a last line without its end waits for the next time", () => {
    const here = place(temporaryDirectory());
    appendRecord(here, "invocations", { n: 1 });
    const path = join(here.home, "logs", name);
    const whole = readRecords(here.home, name, 0);
    appendFileSync(path, '\n{"id":"rec_half","kind":"invoc');
    const again = readRecords(here.home, name, whole.nextOffset);
    expect(again.records).toEqual([]);
    expect(again.badLines).toEqual([]);
    appendFileSync(path, 'ations","at_ms":1,"constellation":"constel0"}\n');
    expect(readRecords(here.home, name, again.nextOffset).records.map((record) => String(record.id))).toEqual([
      "rec_half",
    ]);
  });

  test("pieces of any size give each record once, also lines longer than a piece", () => {
    const here = place(temporaryDirectory());
    const written = [5, 3000, 0, 700, 12].map((size) => appendRecord(here, "invocations", { text: "é".repeat(size) }));
    for (const maxBytes of [1, 7, 100, 4096, 1_000_000]) {
      const seen: unknown[] = [];
      let offset = 0;
      for (;;) {
        const { records, badLines, nextOffset } = readRecords(here.home, name, offset, maxBytes);
        expect(badLines).toEqual([]);
        seen.push(...records);
        if (nextOffset === offset) break;
        offset = nextOffset;
      }
      expect(seen).toEqual(written);
    }
  });

  test("a line that is JSON and no record is a bad line", () => {
    const home = temporaryDirectory();
    mkdirSync(join(home, "logs"));
    appendFileSync(join(home, "logs", name), '[]\nnull\n{"id":"rec_1"}\n\u0000\u0001\n');
    const stranger = { id: "evt_1", kind: "invocations", at_ms: 1, constellation: "constel0" };
    appendFileSync(join(home, "logs", name), `${JSON.stringify(stranger)}\n`);
    const { records, badLines } = readRecords(home, name, 0);
    expect(records).toEqual([]);
    expect(badLines.map((line) => line.offset)).toEqual([0, 3, 8, 23, 26]);
  });

  test("a file that became shorter is read from its beginning", () => {
    const here = place(temporaryDirectory());
    const record = appendRecord(here, "invocations", {});
    expect(readRecords(here.home, name, 1_000_000).records).toEqual([record]);
  });

  test("a file that is not there has no records", () => {
    expect(readRecords(temporaryDirectory(), name, 0)).toEqual({ records: [], badLines: [], nextOffset: 0 });
  });

  test("a symbolic link in place of a log is refused", () => {
    const home = temporaryDirectory();
    mkdirSync(join(home, "logs"));
    symlinkSync("/etc/hostname", join(home, "logs", name));
    expect(() => readRecords(home, name, 0)).toThrow(Refusal);
    expect(() => appendRecord(place(home), "invocations", {})).toThrow(Refusal);
  });
});
