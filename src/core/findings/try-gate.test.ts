import { expect, test } from "bun:test";
import type { GateRun, GateSubject } from "../../ports/gate.ts";
import { reviewGate } from "./reviewers/gate.ts";
import { tryGate } from "./try-gate.ts";

const trees = { ours: "o", theirs: "t", merged: "m" };

/** Answers by tree; several answers are given one after the other. */
async function judge(
  answers: Readonly<Record<string, GateRun["outcome"] | readonly GateRun["outcome"][]>>,
  known: Map<string, GateRun> = new Map(),
): Promise<{ says: string; note: string; found: number; ran: string[] }> {
  const ran: string[] = [];
  const runner = {
    run: async ({ tree }: { tree: string }): Promise<GateRun> => {
      const given = answers[tree] ?? "green";
      const outcome = typeof given === "string" ? given : (given[ran.filter((one) => one === tree).length] ?? "green");
      ran.push(tree);
      return { outcome, detail: `said ${tree}` };
    },
  };
  const cache = {
    get: ({ tree }: GateSubject) => known.get(tree),
    set: ({ tree }: GateSubject, run: GateRun) => void known.set(tree, run),
  };
  const gate = await tryGate(trees, { runner, cache, command: "make", deadlineMs: 1 });
  const note = "why" in gate ? gate.why : "";
  return { says: gate.says, note, found: reviewGate({ gate }).length, ran };
}

test("a green merge needs no other run", async () => {
  expect(await judge({})).toEqual({ says: "fits", note: "", found: 0, ran: ["m"] });
});

test("red together and green alone is a finding, after failing twice", async () => {
  expect(await judge({ m: "red" })).toMatchObject({ found: 1, ran: ["m", "o", "t", "m"] });
});

test("a side that is red by itself takes the blame off the pair", async () => {
  const { says, found, ran } = await judge({ m: "red", t: "red" });
  expect([says, found, ran]).toEqual(["nothing", 0, ["m", "o", "t"]]);
});

test("a gate that fails only once is called flaky", async () => {
  const { found, note } = await judge({ m: ["red", "green"] });
  expect([found, note]).toEqual([0, expect.stringContaining("flaky")]);
});

test("a run that did not end is no verdict and is not remembered", async () => {
  const known = new Map<string, GateRun>();
  expect((await judge({ m: "not-run" }, known)).says).toBe("unknown");
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
  expect(await judge({ m: "red" }, known)).toMatchObject({ found: 1, ran: [] });
});
