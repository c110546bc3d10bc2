import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../ports/fake-clock.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import type { Random } from "../../ports/machine.ts";
import { inProcesses, source, temporaryDirectory, unwritableHome } from "../floor.suite.ts";
import { addRestartAttempt, clearRestartAttempts, restartAttempts } from "./restart-attempts.ts";

const windowMs = 600_000;
const start = Date.UTC(2026, 0, 2, 3, 4, 5);
const file = (home: string): string => join(home, "state", "restart-attempts-agent3");

describe("restart attempts", () => {
  test("are counted within the window, each agent by itself", () => {
    const home = temporaryDirectory();
    const random = seededRandom();
    for (const offset of [0, 1000, 2000])
      addRestartAttempt(home, "agent3", { nowMs: start + offset, windowMs }, random);
    addRestartAttempt(home, "agent4", { nowMs: start, windowMs }, random);
    expect(restartAttempts(home, "agent3", { nowMs: start + 2000, windowMs })).toEqual([
      start,
      start + 1000,
      start + 2000,
    ]);
    expect(restartAttempts(home, "agent4", { nowMs: start, windowMs })).toHaveLength(1);
  });

  test("that are too old are pruned from the file by the next one", () => {
    const home = temporaryDirectory();
    const random = seededRandom();
    addRestartAttempt(home, "agent3", { nowMs: start, windowMs }, random);
    const left = addRestartAttempt(home, "agent3", { nowMs: start + windowMs, windowMs }, random);
    expect(left).toEqual([start + windowMs]);
    expect(readFileSync(file(home), "utf8").trim().split("\n")).toHaveLength(1);
    expect(readdirSync(join(home, "state"))).toEqual(["restart-attempts-agent3"]);
  });

  test("of a clock that was set back since are not held against the agent", () => {
    const home = temporaryDirectory();
    const random = seededRandom();
    for (const offset of [0, 1, 2]) addRestartAttempt(home, "agent3", { nowMs: start + offset, windowMs }, random);
    expect(restartAttempts(home, "agent3", { nowMs: start - 3_600_000, windowMs })).toEqual([]);
  });

  test("keep their millisecond, whatever noise makes them unique", () => {
    const home = temporaryDirectory();
    const most: Random = { bytes: () => Uint8Array.of(15, 66, 63), fraction: () => 0 };
    const nowMs = start + 43;
    expect(addRestartAttempt(home, "agent3", { nowMs, windowMs }, most)).toEqual([nowMs]);
    expect(readFileSync(file(home), "utf8").trim()).toBe(`${start / 1000}.043999999`);
  });

  test("two in the same millisecond are two", () => {
    const home = temporaryDirectory();
    const random = seededRandom();
    addRestartAttempt(home, "agent3", { nowMs: start, windowMs }, random);
    expect(addRestartAttempt(home, "agent3", { nowMs: start, windowMs }, random)).toEqual([start, start]);
  });

  test("survive a pruner that was killed half way", () => {
    const home = temporaryDirectory();
    mkdirSync(join(home, "state"));
    const seconds = String(start / 1000);
    writeFileSync(`${file(home)}.aside-0011`, `${seconds}.000000001\n1\n`);
    expect(restartAttempts(home, "agent3", { nowMs: start, windowMs })).toEqual([start]);
    expect(addRestartAttempt(home, "agent3", { nowMs: start + 5, windowMs }, seededRandom())).toEqual([
      start,
      start + 5,
    ]);
    expect(readdirSync(join(home, "state"))).toEqual(["restart-attempts-agent3"]);
  });

  test("that stand twice, after two pruners at once, count once and are carried over once", () => {
    const home = temporaryDirectory();
    mkdirSync(join(home, "state"));
    const line = `${start / 1000}.000000001`;
    writeFileSync(file(home), `5\n${line}\n${line}\n${line}\n`);
    expect(addRestartAttempt(home, "agent3", { nowMs: start + 5, windowMs }, seededRandom())).toEqual([
      start,
      start + 5,
    ]);
    expect(readFileSync(file(home), "utf8").split(line)).toHaveLength(2);
  });

  test("a damaged file costs only its damaged lines", () => {
    const home = temporaryDirectory();
    mkdirSync(join(home, "state"));
    writeFileSync(file(home), `garbage\n\u0000\n-5\n1e99\n${start / 1000}\n9999999999999999999\n17673`);
    expect(addRestartAttempt(home, "agent3", { nowMs: start, windowMs }, seededRandom())).toEqual([start, start]);
  });

  test("of several processes at once are all kept while each of them prunes", async () => {
    const home = temporaryDirectory();
    mkdirSync(join(home, "state"));
    // Each process also writes lines that are stale at once, so that nearly every append prunes. With fewer of them the
    // loss that this guards against was not always seen without the guard.
    const kept = await inProcesses<string[]>(
      6,
      `import { addRestartAttempt } from ${source("floor/markers/restart-attempts.ts")};
       import { appendFileSync } from "node:fs";
       import { systemRandom } from ${source("host/clock/system-clock.ts")};
       const start = ${start}, child = Number(process.env.CHILD), times = [];
       for (let i = 0; i < 120; i++) {
         appendFileSync(${JSON.stringify(file(home))}, "\\n5\\n");
         const at = start + child * 500 + i;
         addRestartAttempt(${JSON.stringify(home)}, "agent3", { nowMs: at, windowMs: ${windowMs} }, systemRandom);
         times.push(at);
       }
       console.log(JSON.stringify(times));`,
    );
    const all = restartAttempts(home, "agent3", { nowMs: start + 6000, windowMs });
    expect(all).toEqual(
      kept
        .flat()
        .map(Number)
        .sort((a, b) => a - b),
    );
  });

  test("are cleared with all that lies aside", () => {
    const home = temporaryDirectory();
    addRestartAttempt(home, "agent3", { nowMs: start, windowMs }, seededRandom());
    writeFileSync(`${file(home)}.aside-0011`, `${start / 1000}\n`);
    expect(clearRestartAttempts(home, "agent3")).toBe(true);
    expect(restartAttempts(home, "agent3", { nowMs: start, windowMs })).toEqual([]);
    expect(clearRestartAttempts(home, "agent3")).toBe(false);
  });

  test("in a home that cannot be written fail as an outage, and can still be read", () => {
    const home = unwritableHome();
    expect(() => addRestartAttempt(home, "agent3", { nowMs: start, windowMs }, seededRandom())).toThrow(Outage);
    expect(restartAttempts(home, "agent3", { nowMs: start, windowMs })).toEqual([]);
  });

  test("take only an agent's id as a name", () => {
    const home = temporaryDirectory();
    for (const agent of ["", "agent", "../agent3", "agent3/x", "Agent3", `agent${"1".repeat(40)}`]) {
      expect(() => restartAttempts(home, agent, { nowMs: start, windowMs })).toThrow(Refusal);
    }
  });
});
