import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../ports/fake-clock.ts";
import { Refusal } from "../../protocol/errors.ts";
import { inProcesses, source, temporaryDirectory } from "../floor.suite.ts";
import * as failed from "./escalate-failed.ts";
import { clearGiveUp } from "./give-up.ts";
import { allInboxStates, nextInboxState, seeInbox } from "./inbox-state.ts";
import { launchedRuntime } from "./launched-runtime.ts";
import { readLoopResume, writeLoopResume } from "./loop-resume.ts";
import { allPaneHashes, seePaneHash } from "./pane-hash.ts";
import { addStartFailure, readStartFailures } from "./start-failures.ts";
import { witness } from "./witnessed-time.ts";
import { addRestartAttempt } from "./restart-attempts.ts";
import { hasMarker, putMarker, putNewMarker, readMarker, removeMarker } from "./marker-files.ts";
import { agentsMarked, removeFamily, markers } from "./markers.ts";
import { addToTally, readTally } from "./tally.ts";

const now = Date.UTC(2026, 0, 2, 3, 4, 5);

function put(home: string, name: string, body: string | Uint8Array): void {
  mkdirSync(join(home, "state"), { recursive: true });
  writeFileSync(join(home, "state", name), body);
}

const statesOf = (home: string): string[] => readdirSync(join(home, "state")).sort();

function checkInbox(seen: ("empty" | "waiting" | "drained")[], counts: number[]): void {
  let state = nextInboxState(undefined, counts[0] ?? 0, now);
  const states = [state.seen];
  for (const count of counts.slice(1)) states.push((state = nextInboxState(state, count, now)).seen);
  expect(states).toEqual(seen);
}

describe("markers that are there or not", () => {
  test("a crashloop is new once, and again after it was cleared", () => {
    const home = temporaryDirectory();
    expect(hasMarker(home, markers.crashloop("agent0"))).toBe(false);
    expect(putNewMarker(home, markers.crashloop("agent0"), "6 restarts")).toBe(true);
    expect(putNewMarker(home, markers.crashloop("agent0"), "7 restarts")).toBe(false);
    expect(hasMarker(home, markers.crashloop("agent0"))).toBe(true);
    expect(hasMarker(home, markers.crashloop("agent1"))).toBe(false);
    expect(agentsMarked(home, markers.crashloop)).toEqual(["agent0"]);
    expect(removeMarker(home, markers.crashloop("agent0"))).toBe(true);
    expect(putNewMarker(home, markers.crashloop("agent0"), "again")).toBe(true);
  });

  test("of processes that mark the same crashloop at once, one is told that it was first", async () => {
    const home = temporaryDirectory();
    const first = await inProcesses<boolean>(
      4,
      `import { putNewMarker } from ${source("floor/markers/marker-files.ts")};
       import { markers } from ${source("floor/markers/markers.ts")};
       console.log(putNewMarker(${JSON.stringify(home)}, markers.crashloop("agent0"), "x"));`,
    );
    expect(first.filter((was) => was)).toHaveLength(1);
  });

  test("a hang is paged once, until it is over", () => {
    const home = temporaryDirectory();
    expect(putNewMarker(home, markers.hang("agent3"), "still")).toBe(true);
    expect(putNewMarker(home, markers.paged.hang("agent3"), "told")).toBe(true);
    expect(putNewMarker(home, markers.paged.hang("agent3"), "told")).toBe(false);
    expect([hasMarker(home, markers.hang("agent3")), hasMarker(home, markers.paged.hang("agent3"))]).toEqual([
      true,
      true,
    ]);
    expect(removeMarker(home, markers.paged.hang("agent3"), markers.hang("agent3"))).toBe(true);
    expect([hasMarker(home, markers.hang("agent3")), hasMarker(home, markers.paged.hang("agent3"))]).toEqual([
      false,
      false,
    ]);
  });

  test("a family names its agents, and those of another that begins alike are not among them", () => {
    const home = temporaryDirectory();
    putNewMarker(home, markers.hang("agent3"), "x");
    putNewMarker(home, markers.paged.hang("agent4"), "x");
    put(home, "hang-notes", "x");
    expect(agentsMarked(home, markers.hang)).toEqual(["agent3"]);
    expect(() => markers.hang("../agent3")).toThrow(Refusal);
  });

  test("no two markers share a name", () => {
    const names = [markers, markers.paged].flatMap((table) =>
      Object.values(table).flatMap((one) => (typeof one === "string" ? [one] : "prefix" in one ? [one.prefix] : [])),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  test("the presence is the signal, whatever the body holds", () => {
    const home = temporaryDirectory();
    put(home, "onboarded", "");
    put(home, "agentinfinity-ready", new Uint8Array([0, 255, 254]));
    expect(hasMarker(home, markers.onboarded)).toBe(true);
    expect(putNewMarker(home, markers.onboarded, "again")).toBe(false);
    expect(hasMarker(home, markers.watchdogReady)).toBe(true);
    expect(removeMarker(home, markers.watchdogReady)).toBe(true);
    putMarker(home, markers.watchdogReady, "now");
    expect(hasMarker(home, markers.watchdogReady)).toBe(true);
  });

  test("a red commit is told once, and forgotten when main is green", () => {
    const home = temporaryDirectory();
    expect(putNewMarker(home, markers.mainRed("abc123"), "red")).toBe(true);
    expect(hasMarker(home, markers.mainRed("abc123"))).toBe(true);
    expect(hasMarker(home, markers.mainRed("def456"))).toBe(false);
    putNewMarker(home, markers.mainRed("../../escape"), "odd");
    expect(statesOf(home)).toEqual(["main-ci-red-abc123", "main-ci-red-escape"]);
    expect(removeFamily(home, markers.mainRed)).toBe(2);
    expect(hasMarker(home, markers.mainRed("abc123"))).toBe(false);
  });

  test("failed escalations of the same second are told apart, and the oldest are dropped past fifty", () => {
    const home = temporaryDirectory();
    expect(failed.markEscalateFailed(home, now, "a")).toBe("escalate-failed-20260102T030405Z-0");
    expect(failed.markEscalateFailed(home, now, "b")).toBe("escalate-failed-20260102T030405Z-1");
    expect(failed.readFailedEscalation(home, "escalate-failed-20260102T030405Z-1")).toBe("b\n");
    for (let second = 1; second <= 50; second++) failed.markEscalateFailed(home, now + second * 1000, "c");
    expect(failed.failedEscalations(home)).toHaveLength(50);
    expect(failed.failedEscalations(home)[0]).toBe("escalate-failed-20260102T030406Z-0");
  });

  test("a marker that is a symbolic link is not written through", () => {
    const home = temporaryDirectory();
    const victim = join(home, "victim");
    writeFileSync(victim, "untouched");
    mkdirSync(join(home, "state"));
    symlinkSync(victim, join(home, "state", "runtime-agent3"));
    symlinkSync(victim, join(home, "state", "ticker-missing-count"));
    expect(() => putMarker(home, markers.runtime("agent3"), "script")).toThrow(Refusal);
    expect(() => addToTally(home, markers.tickerMissing, now)).toThrow(Refusal);
  });
});

describe("markers that count", () => {
  test("misses of the ticker add up and are cleared", () => {
    const home = temporaryDirectory();
    expect(readTally(home, markers.tickerMissing)).toBe(0);
    expect(addToTally(home, markers.tickerMissing, now)).toBe(1);
    expect(addToTally(home, markers.tickerMissing, now)).toBe(2);
    expect(removeMarker(home, markers.tickerMissing)).toBe(true);
    expect(readTally(home, markers.tickerMissing)).toBe(0);
  });

  test("failed starts of several processes at once all count", async () => {
    const home = temporaryDirectory();
    await inProcesses(
      4,
      `import { addToTally } from ${source("floor/markers/tally.ts")};
       import { markers } from ${source("floor/markers/markers.ts")};
       for (let i = 0; i < 25; i++) addToTally(${JSON.stringify(home)}, markers.agentInitFailures, ${now});
       console.log("1");`,
    );
    expect(addToTally(home, markers.agentInitFailures, now)).toBe(101);
    expect(removeMarker(home, markers.agentInitFailures)).toBe(true);
  });
});

describe("markers that hold a value", () => {
  test("an unchanged screen keeps its first moment", () => {
    const home = temporaryDirectory();
    const see = (hash: string, atMs: number, launchedMs = 1) =>
      seePaneHash(home, "agent3", { hash, launchedMs }, atMs, allPaneHashes(home).get("agent3")).sinceMs;
    see("aa", 1000);
    expect(see("aa", 6000)).toBe(1000);
    expect(see("bb", 7000)).toBe(7000);
    expect(allPaneHashes(home).get("agent3")).toEqual({ hash: "bb", sinceMs: 7000, launchedMs: 1 });
    // The same screen of a later launch has only just begun.
    expect(see("bb", 8000, 2)).toBe(8000);
  });

  test("time counts only as far as ticks were there to see it: not while the machine slept or was started anew", () => {
    const home = temporaryDirectory();
    const hour = 3_600_000;
    expect(witness(home, 5 * hour)).toBe(0);
    expect(witness(home, 5 * hour + 60_000)).toBe(60_000);
    expect(witness(home, 14 * hour)).toBe(60_000 + 150_000);
    expect(witness(home, 30_000)).toBe(60_000 + 150_000);
    expect(witness(home, 90_000)).toBe(60_000 + 150_000 + 60_000);
    put(home, "witnessed-time", "{");
    expect(witness(home, 100_000)).toBe(0);
    // The count began anew: what was remembered from before it is not ahead of it.
    seePaneHash(home, "agent3", { hash: "aa", launchedMs: 1 }, 9000, undefined);
    expect(
      seePaneHash(home, "agent3", { hash: "aa", launchedMs: 1 }, 20, allPaneHashes(home).get("agent3")).sinceMs,
    ).toBe(20);
  });

  test("starts that came to nothing add up with the program's words, and are cleared", () => {
    const home = temporaryDirectory();
    expect(readStartFailures(home, "agent3")).toBeUndefined();
    addStartFailure(home, "agent3", { says: "no root", nowMs: now, kind: "ended" });
    const refused = { says: "x".repeat(9999), nowMs: now + 5, kind: "refused" } as const;
    expect(addStartFailure(home, "agent3", refused)).toMatchObject({ count: 3, lastMs: now + 5, outage: false });
    expect(readStartFailures(home, "agent3")?.says).toHaveLength(500);
    expect(removeMarker(home, markers.startFailures("agent3"))).toBe(true);
    expect(readStartFailures(home, "agent3")).toBeUndefined();
  });

  test("an inbox goes from empty to waiting to drained, and only a used one is drained", () => {
    checkInbox(["empty", "empty"], [0, 0]);
    checkInbox(["empty", "waiting", "waiting", "drained", "drained"], [0, 1, 2, 0, 0]);
    checkInbox(["waiting", "drained", "waiting"], [1, 0, 3]);
  });

  test("an inbox's state is kept with its moment", () => {
    const home = temporaryDirectory();
    const see = (count: number, atMs: number) =>
      seeInbox(home, "agent3", count, atMs, allInboxStates(home).get("agent3"));
    see(2, now);
    see(1, now + 10);
    expect(allInboxStates(home).get("agent3")).toEqual({ seen: "waiting", sinceMs: now });
    expect(see(0, now + 20)).toEqual({ seen: "drained", sinceMs: now + 20 });
    // One look for all agents says what is remembered; of whom it found nothing, nothing is looked up again.
    expect(seeInbox(home, "agent3", 0, now + 30, undefined)).toEqual({ seen: "empty", sinceMs: now + 30 });
    expect(seePaneHash(home, "agent3", { hash: "aa", launchedMs: 1 }, 5, undefined).sinceMs).toBe(5);
    expect(seePaneHash(home, "agent3", { hash: "aa", launchedMs: 1 }, 9, undefined).sinceMs).toBe(9);
  });

  test("the runtime last launched is remembered, and a damaged one is none", () => {
    const home = temporaryDirectory();
    expect(launchedRuntime(home, "agent3")).toBeUndefined();
    putMarker(home, markers.runtime("agent3"), "script");
    expect(launchedRuntime(home, "agent3")).toBe("script");
    put(home, "runtime-agent3", "rm -rf /\n");
    expect(launchedRuntime(home, "agent3")).toBeUndefined();
  });

  test("damaged bodies are no value", () => {
    const home = temporaryDirectory();
    for (const body of ["", "{", "null", "[1]", '{"hash":1,"since_ms":"x","seen":"full"}']) {
      put(home, "pane-hash-agent3", body);
      put(home, "inbox-state-agent3", body);
      expect(allPaneHashes(home).get("agent3")).toBeUndefined();
      expect(allInboxStates(home).get("agent3")).toBeUndefined();
    }
  });

  test("a loop to resume is read back, and a damaged one is shown as it is", () => {
    const home = temporaryDirectory();
    expect(readLoopResume(home)).toBeUndefined();
    const resume = { loop: "night", agent: "agent0", writtenAtMs: now, pickup: "go on" };
    writeLoopResume(home, resume);
    expect(readLoopResume(home)).toEqual(resume);
    put(home, "loop-resume", "half {");
    expect(readLoopResume(home)).toEqual({ damaged: "half {" });
    expect(removeMarker(home, markers.loopResume)).toBe(true);
  });
});

test("an operator's restart clears everything by which an agent is given up", () => {
  const home = temporaryDirectory();
  for (const agent of ["agent0", "agent3"]) {
    putNewMarker(home, markers.crashloop(agent), "x");
    putNewMarker(home, markers.hang(agent), "x");
    putNewMarker(home, markers.paged.hang(agent), "x");
    addRestartAttempt(home, agent, { nowMs: now, windowMs: 1000 }, seededRandom());
    seePaneHash(home, agent, { hash: "aa", launchedMs: 1 }, now, undefined);
    seeInbox(home, agent, 1, now, undefined);
    addStartFailure(home, agent, { says: "x", nowMs: now, kind: "ended" });
    putMarker(home, markers.paged.crashloop(agent), "x");
    putMarker(home, markers.paged["cannot-start"](agent), "x");
  }
  addToTally(home, markers.agentInitFailures, now);
  putMarker(home, markers.agentInitEscalation, "x");
  clearGiveUp(home, "agent3");
  expect(statesOf(home).filter((name) => name.includes("agent3"))).toEqual([]);
  expect(statesOf(home).filter((name) => name.includes("agent0"))).toHaveLength(9);
  expect(readMarker(home, markers.agentInitEscalation)).toBe("x\n");
  clearGiveUp(home, "agent0");
  expect(statesOf(home)).toEqual([]);
  expect(clearGiveUp(home, "agent0")).toEqual([]);
});
