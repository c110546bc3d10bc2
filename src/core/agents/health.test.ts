// Signs of how agents at work fare: each rule, just below its bound and at it.

import { expect, test } from "bun:test";
import type { HookRecord } from "../../ports/runtime.ts";
import { type HealthLook, healthOf, type HealthRules, type WorkInHand } from "./health.ts";

const rules: HealthRules = { repeats: 4, turns: 3, contextTokens: 1000 };
const record = (event: HookRecord["event"], at: number, more: Partial<HookRecord> = {}): HookRecord => ({
  event,
  at,
  session: "s",
  ...more,
});
const call = (at: number, hash: string): HookRecord => record("tool-began", at, { tool: "Bash", call: hash });
const work = (more: Partial<WorkInHand> = {}): WorkInHand => ({
  task: 7,
  sinceMs: 0,
  inScope: undefined,
  workspaces: ["/w/7/repo"],
  changedMs: undefined,
  ...more,
});

function check(look: Partial<HealthLook>, expected: readonly string[], given = rules): void {
  const signs = healthOf({ state: "busy", hooks: [], read: undefined, work: undefined, ...look }, given);
  expect(signs.map(({ kind, says, sinceMs }) => `${kind} ${sinceMs} ${says}`)).toEqual([...expected]);
}

test("the same call again and again is a loop while the agent is at it; another call between, or another agent's, is none", () => {
  const same = [1, 2, 3, 4].map((at) => call(at, "a"));
  const says = ["looping 1 has made the same call of Bash 4 times in a row"];
  check({ hooks: same }, says);
  check({ hooks: [call(0, "b"), ...same] }, says);
  check({ hooks: same.slice(1) }, []);
  check({ hooks: [...same, call(5, "b")] }, []);
  check({ hooks: same, state: "idle" }, []);
  check({ hooks: same.map((one) => ({ ...one, inSubagent: true })) }, []);
  check({ hooks: [1, 2, 3, 4].map((at) => record("tool-began", at, { tool: "Bash" })) }, []);
  check({ hooks: same }, [], { ...rules, repeats: 0 });
});

test("the same failure again and again is a loop; a turn that went well begins anew", () => {
  const failed = [1, 2, 3, 4].map((at) => record("turn-failed", at, { says: "overloaded" }));
  check({ hooks: failed, state: "idle" }, ["looping 1 has failed in the same way 4 times in a row: overloaded"]);
  check({ hooks: [...failed, record("turn-ended", 5)], state: "idle" }, []);
  check({ hooks: [...failed.slice(1), record("turn-failed", 5, { says: "another" })] }, []);
});

test("what the holder of a driven agent tells, and its program's own hooks tell again, counts once", () => {
  const byHolder = true as const;
  const failed = [1, 2, 3].flatMap((at) => [
    record("turn-failed", at, { says: "overloaded" }),
    record("turn-failed", at, { says: "overloaded", byHolder }),
  ]);
  check({ hooks: failed, state: "idle" }, []);
  const fourth = record("turn-failed", 4, { says: "overloaded", byHolder });
  const fails = ["looping 1 has failed in the same way 4 times in a row: overloaded"];
  check({ hooks: [...failed, fourth], state: "idle" }, fails);
  const turns = [10, 20].flatMap((at) => [record("turn-ended", at), record("turn-ended", at, { byHolder })]);
  check({ hooks: turns, work: work({ changedMs: 5 }) }, []);
  const calls = [1, 2, 3, 4].flatMap((at) => [
    record("tool-began", at, { tool: "Bash", call: "h", byHolder }),
    call(at, "p"),
    record("tool-ended", at, { tool: "Bash", byHolder }),
  ]);
  const loops = ["looping 1 has made the same call of Bash 4 times in a row"];
  check({ hooks: calls }, loops);
  check({ hooks: calls.slice(3) }, []);
  // Where the input is known only at the end of the call.
  const late = [1, 2, 3, 4].flatMap((at) => [
    record("tool-began", at, { tool: "Bash", byHolder }),
    record("tool-ended", at, { tool: "Bash", call: "h", byHolder }),
  ]);
  check({ hooks: late }, ["looping 1 has made the same call of Bash 4 times in a row"]);
});

test("turns that end without a change in the workspace are no progress; where nothing watches it, nothing is said", () => {
  const turns = [10, 20, 30].map((at) => record("turn-ended", at));
  const says = ["no-progress 10 has ended 3 turns since anything changed in the workspace of task 7"];
  check({ hooks: turns, work: work({ changedMs: 5 }) }, says);
  check({ hooks: turns, work: work({ changedMs: 10 }) }, []);
  check({ hooks: turns, work: work({ sinceMs: 15, changedMs: 5 }) }, []);
  check({ hooks: turns, work: work() }, []);
  check({ hooks: turns }, []);
});

test("an answer that read as much as the owner named has nearly filled the context", () => {
  const says = "context-full 9 has nearly filled its context: its last answer read 1,000 tokens";
  check({ read: { tokens: 1000, atMs: 9 } }, [says]);
  check({ read: { tokens: 999, atMs: 9 } }, []);
  check({ read: { tokens: 1000, atMs: 9 } }, [], { ...rules, contextTokens: 0 });
});

test("an edit in the workspace outside of what the task names is told; reading there, or an edit elsewhere, is not", () => {
  const inScope = (path: string): boolean => path.startsWith("src/");
  const edit = (at: number, file: string, tool = "Edit"): HookRecord => record("tool-ended", at, { tool, file });
  const has = work({ inScope, sinceMs: 2 });
  check({ hooks: [edit(3, "/w/7/repo/docs/a.md")], work: has }, [
    "out-of-scope 3 has edited what task 7 does not name: docs/a.md",
  ]);
  check({ hooks: [edit(3, "/w/7/repo/src/a.ts")], work: has }, []);
  check({ hooks: [edit(3, "/w/7/repo/docs/a.md", "Read")], work: has }, []);
  check({ hooks: [edit(3, "/w/70/repo/docs/a.md"), edit(1, "/w/7/repo/docs/a.md")], work: has }, []);
  check({ hooks: [edit(3, "/w/7/repo/docs/a.md")], work: work({ sinceMs: 2 }) }, []);
});
