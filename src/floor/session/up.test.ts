import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeClock } from "../../ports/fake-clock.ts";
import { inProcesses, source, temporaryDirectory, unwritableHome } from "../floor.suite.ts";
import { inHome } from "../../settings/paths.ts";
import { appendNotes } from "../notes.ts";
import { readRecords } from "../records.ts";
import { sessionsSoFar } from "./session-count.ts";
import { scene, up } from "./session.suite.ts";
import { stepNames } from "./step.ts";
import { sessionUp, stepLine } from "./up.ts";
import { hasMarker, putMarker } from "../markers/marker-files.ts";
import { markers } from "../markers/markers.ts";

const never = new Promise<never>(() => undefined);

describe("session up", () => {
  test("runs the twelve steps in order and prints one line as each ends", async () => {
    const { given } = scene("agent0");
    const printed: string[] = [];
    const { outcome, steps } = await sessionUp(given, (result) => printed.push(stepLine(result)));
    expect(outcome).toBe("ready");
    expect(steps.map((step) => step.step)).toEqual([...stepNames]);
    expect(steps.filter((step) => step.status === "failed")).toEqual([]);
    expect(printed).toHaveLength(12);
    expect(printed[0]).toBe("ok      identity: agent0 (root) of constel0");
    expect(printed[1]).toBe("ok      time: 2026-01-02T03:04:05Z");
    expect(printed[5]).toBe("agent0 session 1 starting at 2026-01-02T03:04:05Z");
    expect(printed.every((line) => !line.includes("\n"))).toBe(true);
  });

  test("again is the next session, and disturbs nothing", async () => {
    const here = scene("agent3");
    await up(here);
    const again = await up(here);
    expect(again.of("readiness")?.line).toBe("agent3 session 2 starting at 2026-01-02T03:04:05Z");
    expect(here.pages).toEqual([]);
  });

  test("leaves records of the start and of how it went", async () => {
    const { given } = scene("agent3");
    await sessionUp(given, () => undefined);
    const { records } = readRecords(given.home, "sessions-2026-01-02.jsonl", 0);
    expect(records.map((record) => record["event"])).toEqual(["started", "up"]);
    expect(records[0]).toMatchObject({ agent: "agent3", session: 1, role: "clone" });
    expect(records[1]).toMatchObject({ outcome: "ready" });
  });

  test("a step that throws has failed, and the others run", async () => {
    const result = await up(scene("agent0", { doctor: () => Promise.reject(new Error("no pulse")) }));
    expect(result.steps).toHaveLength(12);
    expect(result.of("doctor")).toMatchObject({ status: "failed", line: "no pulse" });
  });

  test("works with no port but the clock, and with a home that does not exist yet", async () => {
    const home = join(temporaryDirectory(), "not", "yet");
    const none = { runtimeVersion: undefined, probeBus: undefined, doctor: undefined, armLoop: undefined };
    const result = await up(scene("agent3", { ...none, home }));
    expect(result.outcome).toBe("ready");
    expect(result.of("readiness")).toMatchObject({ status: "ok", data: { session: 1 } });
    expect(result.of("bus")?.status).toBe("skipped");
  });

  test("in a home that cannot be written the readiness line is printed all the same, and says what is missing", async () => {
    const result = await up(scene("agent3", { home: unwritableHome() }));
    expect(result.of("readiness")?.status).toBe("failed");
    expect(result.of("readiness")?.line).toStartWith(
      "agent3 session 1 starting at 2026-01-02T03:04:05Z (not recorded:",
    );
    expect(result.steps).toHaveLength(12);
  });

  test("with a file where the state directory should be, too", async () => {
    const home = temporaryDirectory();
    for (const name of ["state", "logs"]) writeFileSync(join(home, name), "");
    for (const agent of ["agent0", "agent3"]) {
      const result = await up(scene(agent, { home }));
      expect(result.of("readiness")?.line).toStartWith(`${agent} session 1 starting at 2026-01-02T03:04:05Z (not`);
      expect(result.outcome).toBe("ready");
    }
  });

  test("with a database that is damaged it does not notice: nothing opens it", async () => {
    const { given } = scene("agent0");
    mkdirSync(join(given.home, "meta.db"));
    const { outcome } = await sessionUp(given, () => undefined);
    expect(outcome).toBe("ready");
  });

  test("sessions of several processes at once get each its own number", async () => {
    const home = temporaryDirectory();
    const numbers = await inProcesses<number[]>(
      4,
      `import { countSession } from ${source("floor/session/session-count.ts")};
       import { systemClock, systemRandom } from ${source("host/clock/system-clock.ts")};
       const numbers = [];
       for (let i = 0; i < 25; i++)
         numbers.push(countSession(${JSON.stringify(home)}, "agent3", { clock: systemClock, random: systemRandom }));
       console.log(JSON.stringify(numbers));`,
    );
    expect(numbers.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(sessionsSoFar(home, "agent3")).toBe(100);
    expect(sessionsSoFar(home, "agent4")).toBe(0);
  });
});

describe("the runtime", () => {
  test("is asked for its version, which is remembered by runtime", async () => {
    const here = scene("agent3");
    putMarker(here.given.home, markers.runtime("agent3"), "codex");
    expect((await up(here)).of("runtime")?.line).toBe("script 1.0");
    expect(readFileSync(join(here.given.home, "state/runtime-version-codex"), "utf8")).toBe("script 1.0\n");
    const newer = { ...here, given: { ...here.given, runtimeVersion: async () => "script 2.0" } };
    expect((await up(newer)).of("runtime")?.line).toBe("script 2.0 (was script 1.0)");
  });

  test("that is slow does not hold up readiness, and its answer is remembered when it comes", async () => {
    const clock = new FakeClock();
    const { promise, resolve } = Promise.withResolvers<string>();
    const here = scene("agent3", { clock, runtimeVersion: () => promise });
    const ready = Promise.withResolvers<void>();
    const last = Promise.withResolvers<void>();
    const session = sessionUp(here.given, (result) => {
      if (result.step === "readiness") ready.resolve();
      if (result.step === "page") last.resolve();
    });
    await until(() => clock.sleeping === 2);
    clock.advance(400);
    await ready.promise;
    await last.promise;
    setImmediate(() => resolve("script 3.0"));
    const { steps } = await session;
    expect(steps[2]).toMatchObject({ status: "skipped", line: "still asking the runtime; no version known yet" });
    expect(readFileSync(join(here.given.home, "state/runtime-version-default"), "utf8")).toBe("script 3.0\n");
  });

  test("that never answers does not keep the session from ending", async () => {
    const clock = new FakeClock();
    const session = up(scene("agent3", { clock, runtimeVersion: () => never }));
    await until(() => clock.sleeping === 2);
    clock.advance(400);
    clock.advance(10_000);
    expect((await session).outcome).toBe("ready");
  });

  test("that fails is said to fail", async () => {
    const result = await up(scene("agent3", { runtimeVersion: () => Promise.reject(new Error("not installed")) }));
    expect(result.of("runtime")).toMatchObject({ status: "failed", line: "not installed; no version known yet" });
  });
});

describe("a fresh install", () => {
  test("is set up by the root, which then stops", async () => {
    const home = temporaryDirectory();
    const result = await up(scene("agent0", { home }));
    expect(result.outcome).toBe("onboarded");
    expect(result.steps.at(-1)?.step).toBe("fresh-install");
    expect(hasMarker(home, markers.onboarded)).toBe(true);
  });

  test("is no concern of a clone", async () => {
    const home = temporaryDirectory();
    expect((await up(scene("agent3", { home }))).outcome).toBe("ready");
    expect(hasMarker(home, markers.onboarded)).toBe(false);
  });

  test("is not one in which somebody has worked: with a database, or with an agent that was launched", async () => {
    for (const used of [inHome.database, `${inHome.agents}/agent1.json`]) {
      const home = temporaryDirectory();
      mkdirSync(join(home, inHome.agents), { recursive: true });
      writeFileSync(join(home, used), "");
      const here = scene("agent0", { home });
      expect((await up(here)).outcome).not.toBe("onboarded");
      expect(existsSync(join(here.given.root, "briefs"))).toBe(false);
    }
  });

  test("is not one that has notes, though its marker was lost", async () => {
    const here = scene("agent0");
    rmSync(join(here.given.home, "state/onboarded"));
    appendNotes(here.given.root, "agent0", here.clock.nowMs(), { did: "", why: "", pickup: "" });
    expect((await up(here)).outcome).toBe("ready");
  });
});

describe("notes at the start", () => {
  test("are named and given", async () => {
    const here = scene("agent3");
    appendNotes(here.given.root, "agent0", here.clock.nowMs(), { did: "built it", why: "", pickup: "" });
    const notes = (await up(here)).of("notes");
    expect(notes?.line).toBe("notes/2026/01/02/agent0.md (the root's)");
    expect(String(notes?.data["text"])).toContain("built it");
  });

  test("behind a symbolic link are refused, and the session goes on", async () => {
    const here = scene("agent3");
    symlinkSync(temporaryDirectory(), join(here.given.root, "notes"));
    const result = await up(here);
    expect(result.of("notes")?.status).toBe("failed");
    expect(result.of("readiness")?.status).toBe("ok");
  });
});

test("a torn count is still counted", async () => {
  const here = scene("agent3");
  mkdirSync(join(here.given.home, "state/sessions"));
  writeFileSync(join(here.given.home, "state/sessions/agent3"), "\nses_to");
  expect((await up(here)).of("readiness")?.data["session"]).toBe(2);
  expect(readdirSync(join(here.given.home, "state/sessions"))).toEqual(["agent3"]);
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
