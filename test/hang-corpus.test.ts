// The hang check, replayed: what the real programs showed (the fixtures of the conformance lane), held still or moving for hours,
// and cases composed after them. A busy agent is never called hung; what is frozen is.

import { Glob } from "bun";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  openToolSince,
  reasonNotToMind,
  reasonToSpare,
  signOfWork,
  type Work,
} from "../src/floor/watchdog/hang-policy.ts";
import { type InboxState, nextInboxState } from "../src/floor/markers/inbox-state.ts";
import { runtimes } from "../src/host/runtime/all.ts";
import type { AgentState, Evidence, HookRecord, Runtime } from "../src/ports/runtime.ts";
import { screenHash } from "../src/ports/screen-hash.ts";
import { type Composed, composed } from "./corpus/composed.ts";
import { projectTop } from "./kit/home.ts";

interface Frame {
  readonly evidence: Evidence;
  /** Minutes on the machine since the frame before. */
  readonly gap: number;
  readonly inbox: number;
}

interface Replay {
  readonly runtime: Runtime;
  readonly frames: readonly Frame[];
  readonly role: "root" | "clone" | "watchdog";
  readonly watchdogReady: boolean;
  readonly quiet: boolean;
  readonly draws: boolean;
  readonly processes: Work["processes"];
}

/** Tells whether any tick would call it hung, and why the last did not. */
function replay(given: Replay): { hung: boolean; why: string; state: AgentState; spared: boolean } {
  let witnessedMs = 0;
  let still = { hash: "", sinceMs: 0 };
  let inbox: InboxState | undefined;
  let answer = { hung: false, why: "", state: "unknown" as AgentState, spared: false };
  for (const { evidence, gap, inbox: waiting } of given.frames) {
    witnessedMs += Math.min(gap * 60_000, 150_000);
    const last = evidence.hooks.at(-1);
    const hash = screenHash(
      [evidence.screen?.text, evidence.screen?.title, evidence.hooks.length, last?.at].join("\0"),
    );
    if (hash !== still.hash) still = { hash, sinceMs: witnessedMs };
    inbox = nextInboxState(inbox, waiting, witnessedMs);
    const { state } = given.runtime.status(evidence);
    const stillMs = witnessedMs - still.sinceMs;
    const reason = reasonNotToMind({
      role: given.role,
      nowMs: witnessedMs,
      stillSinceMs: still.sinceMs,
      isQuiet: given.quiet,
      watchdogReady: given.watchdogReady,
      inbox,
    });
    const since = openToolSince(evidence.hooks);
    const drawnAgoMs = given.draws ? 1000 : stillMs;
    const { processes } = given;
    const inToolMs = since === undefined ? undefined : evidence.nowMs - since;
    const work = { stillMs, state, drawnAgoMs, inToolMs, processes };
    const why = reason ?? signOfWork(work);
    answer = { hung: why === undefined, why: why ?? "", state, spared: reasonToSpare(work) !== undefined };
    if (answer.hung) break;
  }
  return answer;
}

let cases = 0;

for (const runtime of runtimes) {
  const pattern = `src/host/runtime/${runtime.name}/fixtures/*.json`;
  for (const path of [...new Glob(pattern).scanSync(projectTop)].sort()) {
    const { expect: expected, evidence } = JSON.parse(readFileSync(join(projectTop, path), "utf8")) as {
      expect: AgentState;
      evidence: Evidence;
    };
    cases++;
    const label = path.replace("src/host/runtime/", "").replace("fixtures/", "").replace(".json", "");
    const isBusy = expected === "busy";
    test(`recorded: ${label}, ${isBusy ? "with its spinner turning" : "held for two hours"}, is ${expected} and does not hang`, () => {
      const frames = Array.from({ length: 120 }, (_, minute): Frame => {
        const later = { ...evidence, nowMs: evidence.nowMs + minute * 60_000 };
        return { evidence: isBusy ? turned(later, minute) : later, gap: 1, inbox: 0 };
      });
      expect(runtime.status(evidence).state).toBe(expected);
      const answer = replay({ ...plain(runtime), frames });
      // What has ended is brought back by another step, at once.
      if (expected !== "dead") expect(answer).toMatchObject({ hung: false });
      if (isBusy) expect(answer.state).toBe("busy");
    });
    if (isBusy) {
      // A command that runs may be silent for hours.
      const runs = openToolSince(evidence.hooks) !== undefined;
      test(`recorded: ${label}, frozen, ${runs ? "runs a command and does not hang" : "hangs"}`, () => {
        const frames = Array.from({ length: 60 }, (_, minute): Frame => ({
          evidence: { ...evidence, nowMs: evidence.nowMs + minute * 60_000 },
          gap: 1,
          inbox: 0,
        }));
        expect(replay({ ...plain(runtime), frames }).hung).toBe(!runs);
      });
      test(`recorded: ${label}, frozen for seven hours, hangs, and is spared while a command of it runs`, () => {
        const frames = Array.from({ length: 210 }, (_, tick): Frame => ({
          evidence: { ...evidence, nowMs: evidence.nowMs + tick * 120_000 },
          gap: 2,
          inbox: 0,
        }));
        expect(replay({ ...plain(runtime), frames })).toMatchObject({ hung: true, spared: false });
        const processes = { cpuMs: 0, sinceTool: 1 };
        expect(replay({ ...plain(runtime), processes, frames })).toMatchObject({ hung: true, spared: runs });
      });
    }
  }
}

const plain = (runtime: Runtime): Omit<Replay, "frames"> => ({
  runtime,
  role: "root",
  watchdogReady: false,
  quiet: false,
  draws: false,
  processes: { cpuMs: 0, sinceTool: 0 },
});

/** Turns further what turns in the recording. */
function turned(evidence: Evidence, minute: number): Evidence {
  if (evidence.screen === undefined) return evidence;
  const glyphs = "✢✳✶✻✽";
  const text = evidence.screen.text
    .replaceAll(/[✢✳✶✻✽](?= \p{L}+…)/gu, glyphs.charAt(minute % glyphs.length))
    .replaceAll(/(Working \(|esc to cancel, )\d+s/g, `$1${minute}s`)
    // Text that streams, tries that are counted, and how long a helper has worked.
    .replaceAll(/Line (\d+) of it/g, (_, line) => `Line ${Number(line) + minute} of it`)
    .replaceAll(/· attempt \d+/g, `· attempt ${minute}`)
    .replaceAll(/( {4,})\d+s$/gm, `$1${minute}s`)
    .replaceAll(
      /[■⬝]{8}/g,
      "⬝"
        .repeat(minute % 8)
        .concat("■")
        .padEnd(8, "⬝"),
    );
  return { ...evidence, screen: { ...evidence.screen, text } };
}

for (const one of composed) {
  cases++;
  test(`composed: ${one.runtime}: ${one.name}: ${one.hangs ? "hangs" : "does not hang"}`, () => {
    const runtime = runtimes.find(({ name }) => name === one.runtime);
    if (runtime === undefined) throw new Error(`no runtime ${one.runtime}`);
    const answer = replay({
      runtime,
      frames: framesOf(one),
      role: one.role ?? "clone",
      watchdogReady: one.watchdogReady ?? false,
      quiet: one.quiet ?? false,
      draws: one.draws ?? false,
      processes: one.processes === "unknown" ? undefined : (one.processes ?? { cpuMs: 0, sinceTool: 0 }),
    });
    expect(answer).toMatchObject({ hung: one.hangs, ...(one.hangs ? { spared: one.spared ?? false } : {}) });
  });
}

function framesOf(one: Composed): Frame[] {
  const sinceMs = 1_794_000_000_000;
  let atMinute = 0;
  return Array.from({ length: one.minutes ?? 45 }, (_, minute): Frame => {
    const gap = one.gap?.(minute) ?? 1;
    atMinute += gap;
    const hooks = (one.hooks ?? [])
      .filter((hook) => hook.minute <= minute)
      .map(({ minute: at, ...hook }): HookRecord => ({ session: "s", ...hook, at: sinceMs + at * 60_000 }));
    const nowMs = sinceMs + atMinute * 60_000;
    const screen = {
      text: one.screen(minute),
      title: one.title?.(minute) ?? "",
      cursorX: 2,
      cursorY: 5,
      inMode: false,
      dead: false,
    };
    return {
      gap,
      inbox: one.inbox?.(minute) ?? 0,
      evidence: {
        nowMs,
        sinceMs,
        process: one.process ?? "alive",
        hooks,
        rows: [],
        screen,
        ...(one.own === undefined ? {} : { own: { state: one.own, says: `it says ${one.own}`, at: nowMs } }),
      },
    };
  });
}

test("the corpus is no smaller than it was, and a hundred of it were recorded from the real programs", () => {
  expect(cases).toBeGreaterThanOrEqual(140);
  expect(cases - composed.length).toBeGreaterThanOrEqual(100);
});
