import { expect, test } from "bun:test";
import type { WorkersTable } from "../../store/tables/workers.ts";
import { guard, retryAfterMs, sameTurns, waitMs } from "./rules.ts";
import { answersOf } from "./close-turn.ts";

const worker = (more: Partial<WorkersTable> = {}): WorkersTable => ({
  constellation: "constel0",
  agent: "agentwone",
  name: "one",
  runtime: "script",
  about: "",
  wakes_on: " message ",
  tokens_per_day: 100,
  turns_per_hour: 3,
  turn_ms: 60_000,
  state: "waiting",
  because: null,
  wake_seq: 2,
  taken_seq: 1,
  woken_ms: 1_000,
  turns: 1,
  failures: 0,
  retry_ms: null,
  same_turns: 1,
  last_print: "x",
  guards_since_ms: 0,
  created_ms: 0,
  updated_ms: 0,
  ...more,
});

const within = { turnsThisHour: 2, tokensToday: 99 };

test("a worker within its bounds has its turn; each bound that is reached is the reason", () => {
  expect(guard(worker(), within)).toBeUndefined();
  expect(guard(worker(), { ...within, turnsThisHour: 3 })).toContain("3 turns within an hour");
  expect(guard(worker(), { ...within, tokensToday: 100 })).toContain("100 of the 100 tokens");
  expect(guard(worker({ tokens_per_day: 0 }), { ...within, tokensToday: 9_999 })).toBeUndefined();
  expect(guard(worker({ failures: 5 }), within)).toContain("5 turns in a row failed");
  expect(guard(worker({ same_turns: 3 }), within)).toContain("no progress");
});

test("causes gather, a failure keeps the next try back, and nothing waits where nothing came", () => {
  const at = (nowMs: number) => ({ nowMs, gatherMs: 2_000 });
  expect(waitMs(worker(), at(1_500))).toBe(1_500);
  expect(waitMs(worker(), at(3_000))).toBe(0);
  expect(waitMs(worker({ retry_ms: 9_000 }), at(3_000))).toBe(6_000);
  expect(waitMs(worker({ taken_seq: 2 }), at(3_000))).toBeUndefined();
  expect(waitMs(worker({ state: "parked" }), at(3_000))).toBeUndefined();
});

test("tries come later and later, an hour at most", () => {
  expect([1, 2, 3, 20].map(retryAfterMs)).toEqual([10_000, 20_000, 40_000, 3_600_000]);
});

test("turns that did and said the same are counted; another one begins anew", () => {
  expect(sameTurns(worker({ same_turns: 2 }), "x")).toBe(3);
  expect(sameTurns(worker({ same_turns: 2 }), "y")).toBe(1);
});

test("the last message of each sender in each thread is answered; answers, schedules, itself and constel's own words are not", () => {
  const turn = { id: "trn_1", agent: "agentwone", answer: "yes" } as Parameters<typeof answersOf>[0];
  const from = (who: string, message: string, more: object = {}) => ({ kind: "message", from: who, message, ...more });
  const causes = [
    from("agent1", "a", { thread: "t" }),
    from("agent1", "b", { thread: "t" }),
    from("agentowner", "c"),
    from("agentwtwo", "d", { messageKind: "answer" }),
    from("agentwone", "e"),
    { kind: "schedule", from: "agentcron" },
    { kind: "info", from: "agent4" },
    from("agentdispatch", "f", { messageKind: "refused" }),
    { kind: "review", from: "agentdispatch", message: "g" },
  ];
  expect(answersOf(turn, causes).map(({ id, to, inReplyTo }) => [id, to, inReplyTo])).toEqual([
    ["trn_1-1", "agent1", "b"],
    ["trn_1-2", "agentowner", "c"],
  ]);
  expect(answersOf({ ...turn, answer: " " }, causes)).toEqual([]);
});
