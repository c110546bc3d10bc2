import { expect, test } from "bun:test";
import type { GateRun } from "../../ports/gate.ts";
import { reviewGate } from "./gate.ts";

const trees = { ours: "o", theirs: "t", merged: "m" };

/** Answers by tree; several answers are given one after the other. */
async function judge(
  answers: Readonly<Record<string, GateRun["outcome"] | readonly GateRun["outcome"][]>>,
  known: Map<string, GateRun> = new Map(),
): Promise<{ kinds: string[]; notes: readonly string[]; ran: string[] }> {
  const ran: string[] = [];
  const runner = {
    run: async ({ tree }: { tree: string }): Promise<GateRun> => {
      const given = answers[tree] ?? "green";
      const outcome = typeof given === "string" ? given : (given[ran.filter((one) => one === tree).length] ?? "green");
      ran.push(tree);
      return { outcome, detail: `said ${tree}` };
    },
  };
  const cache = { get: (key: string) => known.get(key), set: (key: string, run: GateRun) => void known.set(key, run) };
  const { findings, notes } = await reviewGate(trees, { runner, cache, command: "make", deadlineMs: 1 });
  return { kinds: findings.map(({ kind }) => kind), notes, ran };
}

test("a green merge needs no other run", async () => {
  expect(await judge({})).toMatchObject({ kinds: [], notes: [], ran: ["m"] });
});

test("red together and green alone is a finding, after failing twice", async () => {
  expect(await judge({ m: "red" })).toMatchObject({ kinds: ["gate"], ran: ["m", "o", "t", "m"] });
});

test("a side that is red by itself takes the blame off the pair", async () => {
  const { kinds, notes, ran } = await judge({ m: "red", t: "red" });
  expect([kinds, notes.length, ran]).toEqual([[], 1, ["m", "o", "t"]]);
});

test("a gate that fails only once is called flaky", async () => {
  const { kinds, notes } = await judge({ m: ["red", "green"] });
  expect([kinds, notes.join()]).toEqual([[], expect.stringContaining("flaky")]);
});

test("a run that did not end is no verdict and is not remembered", async () => {
  const known = new Map<string, GateRun>();
  expect((await judge({ m: "not-run" }, known)).kinds).toEqual([]);
  expect(known.size).toBe(0);
});

test("what was run before is not run again", async () => {
  const known = new Map<string, GateRun>();
  await judge({ m: "red", o: "red" }, known);
  expect((await judge({ m: "red", o: "red" }, known)).ran).toEqual([]);
});

test("a finding whose runs are all known costs no run, not even the second one", async () => {
  const known = new Map<string, GateRun>();
  await judge({ m: "red" }, known);
  expect(await judge({ m: "red" }, known)).toMatchObject({ kinds: ["gate"], ran: [] });
});
