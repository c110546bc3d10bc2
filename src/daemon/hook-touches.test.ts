import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../floor/floor.suite.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { hookTouchesLoop } from "./hook-touches.ts";
import type { LoopParts } from "./loop-parts.ts";

/** The loop over a home of its own, and what it told sensing. */
function listening(): { say: (agent: string, record: object) => void; round: () => Promise<unknown>; told: unknown[] } {
  const home = temporaryDirectory();
  const hooks = join(home, "state/hooks");
  mkdirSync(hooks, { recursive: true, mode: 0o700 });
  const told: unknown[] = [];
  const sensing = {
    add: async (_: unknown, { path, agent }: { path: string; agent: string }) => void told.push(["add", agent, path]),
    touch: async (agent: string, touch: object) => void told.push(["touch", { agent, ...touch }]),
  };
  const parts = {
    settings: { home, config: { "logs.max_bytes": 1e6, "logs.keep_days": 1 } },
    store: { constellation: "constel0" },
    clock: new FakeClock(),
    sensing,
    log: (line: string) => void told.push(["log", line]),
  } as unknown as LoopParts;
  const loop = hookTouchesLoop(parts);
  return {
    say: (agent, record) => appendFileSync(join(hooks, `${agent}.jsonl`), `${JSON.stringify({ at: 1, ...record })}\n`),
    round: () => loop.round(new AbortController().signal),
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
