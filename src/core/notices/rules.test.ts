import { expect, test } from "bun:test";
import type { Notice, Part } from "./notice.ts";
import { reconcile, type Situation } from "./rules.ts";

const dayMs = 86_400_000;

const part: Part = {
  source: "fnd_1",
  title: "both change x",
  action: "",
  other: "",
  severity: "high",
  files: [],
  kinds: ["k"],
  told: ["k"],
  toldAs: "high",
  heardFromMs: 0,
  denies: false,
  over: null,
};

const told: Notice = {
  id: "ntc_1",
  constellation: "c",
  agent: "agent-guest",
  cause: "x",
  about: "finding",
  kind: "textual",
  repository: "r",
  severity: "high",
  title: "both change x",
  reasons: [],
  parts: [part],
  state: "told",
  due_ms: 0,
  made_ms: 0,
  updated_ms: 0,
  told_ms: 1_000,
  told_by: "hook",
  handled_ms: null,
  handled_by: null,
  ended_ms: null,
  ended_because: null,
};

const after = (more: Partial<Situation>): Notice[] =>
  reconcile({
    stored: [told],
    wanted: [],
    endOf: () => ({ why: "it went elsewhere", isSaid: false }),
    isAway: () => true,
    conversationOf: () => undefined,
    isPending: () => false,
    constellation: "c",
    nowMs: 2_000,
    newId: () => "ntc_2",
    ...more,
  });

test("what a session that is away was told is kept for it for thirty days, and not a moment longer", () => {
  expect(after({ nowMs: 1_000 + 30 * dayMs - 1 })).toEqual([]);
  expect(after({ nowMs: 1_000 + 30 * dayMs })).toMatchObject([{ state: "withdrawn", parts: [] }]);
  expect(after({ isAway: () => false })).toMatchObject([{ state: "withdrawn", parts: [] }]);
});

test("an end that is owed to a session that is away waits for it as long", () => {
  const stored = [{ ...told, parts: [{ ...part, over: "it ended" }], state: "withdrawn" as const }];
  const owed = (nowMs: number): number | undefined => after({ stored, nowMs })[0]?.parts.length;
  expect(owed(1_000 + 30 * dayMs - 1)).toBe(1);
  expect(owed(1_000 + 30 * dayMs)).toBe(0);
});
