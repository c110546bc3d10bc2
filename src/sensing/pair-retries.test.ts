import { expect, test } from "bun:test";
import type { OpenPart, PairVerdict } from "../protocol/findings.ts";
import { PairRetries } from "./pair-retries.ts";

const verdict = (ours: string, theirs: string | null, open: readonly OpenPart[]): PairVerdict => {
  const side = (worktree: string | null) => ({
    label: worktree ?? "main",
    worktree,
    branch: null,
    commit: "1",
    tree: "2",
  });
  return { ours: side(ours), theirs: side(theirs), findings: [], complete: open.length === 0, open, notes: [] };
};
const failure: OpenPart = { what: "comparison", why: "git was ended", mayPass: true };

test("a pair that failed comes again ever more rarely, and no more once it was compared", () => {
  const retries = new PairRetries(10, 35);
  const waits: number[] = [];
  let nowMs = 0;
  for (let time = 0; time < 4; time++) {
    retries.heard([verdict("/a", null, [failure])], nowMs);
    waits.push(retries.restMs(nowMs));
    expect(retries.take(nowMs)).toEqual([]);
    nowMs += retries.restMs(nowMs);
    expect(retries.take(nowMs)).toEqual([["/a", ""]]);
    // Until it was looked at, it is nobody's turn.
    expect([retries.take(nowMs + 1_000), retries.restMs(nowMs)]).toEqual([[], Infinity]);
  }
  expect(waits).toEqual([10, 20, 35, 35]);
  retries.heard([verdict("/a", null, [{ what: "types", why: "no compiler" }])], nowMs);
  expect([retries.take(nowMs + 1_000), retries.restMs(nowMs)]).toEqual([[], Infinity]);
});

test("pairs of a worktree that is gone are forgotten, others are not", () => {
  const retries = new PairRetries(10, 35);
  retries.heard([verdict("/a", "/b", [failure]), verdict("/b", "/c", [failure]), verdict("/a", "/c", [])], 0);
  retries.forget("/a");
  expect(retries.take(10)).toEqual([["/b", "/c"]]);
});
