// Files that git is told to have a program merge. None is run: what that leaves open is said.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { Scratch, snapshotOf } from "../host/git/scratch.suite.ts";
import type { PairVerdict } from "../protocol/findings.ts";
import type { ReviewedSide } from "./merged-pair.ts";
import { pipelineOver } from "./pipeline.suite.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

let made = 0;

async function judge(attributes: string, settings: Readonly<Record<string, string>>): Promise<PairVerdict> {
  made += 1;
  const top = scratch.repository(`r${made}`, { ".gitattributes": attributes, "a.txt": "1\n", "b.txt": "1\n" });
  for (const [name, value] of Object.entries(settings)) scratch.git(top, "config", name, value);
  const observer = await scratch.observe(top);
  const side = async (name: string): Promise<ReviewedSide> => {
    const worktree = scratch.worktree(top, `${name}${made}`);
    scratch.write(worktree, { "a.txt": `${name}\n` });
    const snapshot = await snapshotOf(observer, worktree);
    const { commit, tree } = snapshot;
    return { side: { label: name, worktree, branch: null, commit, tree }, snapshot };
  };
  const [ours, theirs] = [await side("x"), await side("y")];
  const [merge] = await observer.merge([{ ours: ours.snapshot, theirs: theirs.snapshot }]);
  if (merge === undefined) throw new Error("git gave no answer");
  return await pipelineOver(observer).judge(ours, theirs, merge);
}

const told = ({ findings, open }: PairVerdict): unknown => [
  findings.map(({ kind, severity }) => `${kind} ${severity}`),
  open.map(({ why }) => why),
];

const driven = [
  ["textual context"],
  ["a.txt is merged by the driver ours, which is not run: only its text was compared"],
];
const plain = [["textual high"], []];

test("where the clone has the driver its word is missing, and nothing collides for certain", async () => {
  expect(told(await judge("*.txt merge=ours\n", { "merge.ours.driver": "true" }))).toEqual(driven);
  expect(told(await judge("*.txt merge=text\na.txt -text merge=ours\n", { "merge.ours.driver": "true" }))).toEqual(
    driven,
  );
});

test("where it has none, or git is told otherwise, git merges as ever", async () => {
  expect(told(await judge("*.txt merge=ours\n", {}))).toEqual(plain);
  expect(told(await judge("b.txt merge=ours\n", { "merge.ours.driver": "true" }))).toEqual(plain);
  expect(told(await judge("*.txt merge=ours\na.txt !merge\n", { "merge.ours.driver": "true" }))).toEqual(plain);
  const union = await judge("*.txt merge=union\n", { "merge.union.driver": "true" });
  expect(union.findings.filter(({ kind }) => kind === "textual")).toEqual([]);
});
