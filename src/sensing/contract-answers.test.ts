import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import type { LookedContracts } from "../core/services/contract-outcome.ts";
import { Scratch, snapshotOf } from "../host/git/scratch.suite.ts";
import type { Snapshot } from "../ports/git.ts";
import { ContractAnswers } from "./contract-answers.ts";
import type { RepositoryWatcher } from "./watch.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

const lines = "\n".repeat(8);
const question = { contracts: ["api.graphql"], today: "2026-11-17" };

/** Worktrees that each leave the contract whole, and any two of which break it together. */
async function stage(name: string, count: number) {
  const top = scratch.repository(name, { "api.graphql": `type Query {\n  a: Int\n${lines}  z: Int\n}\n` });
  const worktrees = Array.from({ length: count }, (_, at) => scratch.worktree(top, `${name}-${at}`));
  for (const [at, worktree] of worktrees.entries()) {
    const [first, last] = at % 2 === 0 ? ["  b: Int\n", ""] : ["", "  b: String\n"];
    scratch.write(worktree, { "api.graphql": `type Query {\n${first}  a: Int\n${lines}  z: Int\n${last}}\n` });
  }
  const observer = await scratch.observe(top);
  const landing = await observer.snapshotOf("main");
  const snapshots = new Map<string, Snapshot>();
  for (const worktree of worktrees) snapshots.set(worktree, await snapshotOf(observer, worktree));
  const workOf = (worktree: string) => ({ snapshot: snapshots.get(worktree) });
  const watched = { observer, landing, worktrees, workOf } as unknown as RepositoryWatcher;
  return { observer, worktrees, watched };
}

/** Returns the worktrees that were looked at, and the other worktrees in findings that only two together cause. */
function together(seen: LookedContracts | undefined): { looked: readonly string[]; merged: string[] } {
  const merged = (seen?.outcomes ?? []).flatMap(({ mergedWith }) => (mergedWith === null ? [] : [mergedWith]));
  return { looked: seen?.looked ?? [], merged };
}

test("of a pair that git could not merge this time nothing is known, and the next round asks again", async () => {
  const { observer, worktrees, watched } = await stage("failed", 2);
  const answers = new ContractAnswers();
  const merge = spyOn(observer, "merge").mockResolvedValue([{ kind: "skipped", reason: "failed", detail: "ended" }]);
  expect(together(await answers.changes(watched, question))).toEqual({ looked: worktrees.slice(1), merged: [] });
  merge.mockRestore();
  expect(together(await answers.changes(watched, question))).toEqual({ looked: worktrees, merged: worktrees.slice(1) });
});

test("more pairs than one round takes are merged in the next, and until then nothing is said of them", async () => {
  const { worktrees, watched } = await stage("many", 22);
  const answers = new ContractAnswers();
  expect(together(await answers.changes(watched, question)).looked.length).toBeLessThan(worktrees.length);
  const { looked, merged } = together(await answers.changes(watched, question));
  // Each of one kind with each of the other.
  expect([looked, merged.length]).toEqual([worktrees, 11 * 11]);
});
