import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../floor/floor.suite.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { hookTouchesLoop } from "./hook-touches.ts";
import type { LoopParts } from "../loops/loop-parts.ts";

/** The loop over a home of its own, and what it told sensing. */
function listening(): {
  say: (agent: string, record: object) => void;
  round: (isQuiet?: boolean) => Promise<unknown>;
  clock: FakeClock;
  told: unknown[];
} {
  const home = temporaryDirectory();
  const hooks = join(home, "state/hooks");
  mkdirSync(hooks, { recursive: true, mode: 0o700 });
  const told: unknown[] = [];
  const sensing = {
    add: async (_: unknown, { path, agent }: { path: string; agent: string }) => void told.push(["add", agent, path]),
    touch: async (agent: string, touch: object) => void told.push(["touch", { agent, ...touch }]),
  };
  const clock = new FakeClock();
  const parts = {
    settings: { home, config: { "logs.max_bytes": 1e6, "logs.keep_days": 1 } },
    store: { constellation: "constel0" },
    clock,
    sensing,
    log: (line: string) => void told.push(["log", line]),
  } as unknown as LoopParts;
  const loop = hookTouchesLoop(parts);
  return {
    say: (agent, record) => appendFileSync(join(hooks, `${agent}.jsonl`), `${JSON.stringify({ at: 1, ...record })}\n`),
    round: (isQuiet) => loop.round(new AbortController().signal, isQuiet),
    clock,
    told,
  };
}

test("an edit that a hook names is passed on, once, as the file it names; the worktree is introduced once", async () => {
  const { say, round, told } = listening();
  await round();
  say("agent1", { event: "tool-ended", cwd: "/w", tool: "Edit", file: "/w/src/a.ts" });
  say("agent1", { event: "tool-ended", cwd: "/w", tool: "Edit", file: "src/b.ts" });
  await round();
  await round();
  expect(told).toEqual([
    ["add", "agent1", "/w"],
    ["touch", { agent: "agent1", path: "/w", files: ["/w/src/a.ts"], wait: false }],
    ["touch", { agent: "agent1", path: "/w", files: ["/w/src/b.ts"], wait: false }],
  ]);
});

test("only what ended touches a file, and what names no place is passed over", async () => {
  const { say, round, told } = listening();
  await round();
  say("agent1", { event: "tool-started", cwd: "/w", tool: "Edit", file: "/w/a.ts" });
  say("agent1", { event: "tool-ended", cwd: "/w", tool: "Bash" });
  say("agent2", { event: "tool-ended", cwd: "elsewhere", tool: "Edit", file: "a.ts" });
  await round();
  expect(told).toEqual([["add", "agent1", "/w"]]);
});

test("what was said before the daemon came is past", async () => {
  const { say, round, told } = listening();
  say("agent1", { event: "tool-ended", cwd: "/w", tool: "Edit", file: "/w/old.ts" });
  await round();
  expect(told).toEqual([]);
});

test("where the watch heard nothing no file is looked at, and after five seconds all are: a watch may be deaf", async () => {
  const { say, round, clock, told } = listening();
  await round();
  say("agent1", { event: "tool-ended", cwd: "/w", tool: "Bash" });
  clock.advance(4_000);
  await round(true);
  expect(told).toEqual([]);
  clock.advance(1_000);
  await round(true);
  expect(told).toEqual([["add", "agent1", "/w"]]);
});

test("a file with more to say than is read at once is read on in the next round, whatever the watch says", async () => {
  const { say, round, told } = listening();
  await round();
  say("agent1", { event: "tool-ended", cwd: "/w", tool: "Bash", says: "x".repeat(1024 * 1024 - 200) });
  say("agent1", { event: "tool-ended", cwd: "/v", tool: "Bash", says: "x".repeat(1_000) });
  await round();
  expect(told).toEqual([["add", "agent1", "/w"]]);
  await round(true);
  expect(told).toEqual([
    ["add", "agent1", "/w"],
    ["add", "agent1", "/v"],
  ]);
});
