import { expect, test } from "bun:test";
import type { PairSide } from "../../protocol/findings.ts";
import { toDraft, hunk, joined, ours, type PairFinding, theirs } from "./pair-finding.ts";

const side = (label: string, commit = "c"): PairSide => ({
  label,
  worktree: `/w/${label}`,
  branch: label,
  commit,
  tree: commit,
});
const finding: PairFinding = {
  kind: "textual",
  severity: "high",
  subject: "content a.txt",
  title: `${ours} and ${theirs} meet`,
  action: "Talk.",
  symbols: [],
  evidence: [{ rule: "content", path: "a.txt", symbol: null, ours: [], theirs: [], message: `${theirs} wrote it` }],
};

test("names stand where the marks were, whatever the names hold", () => {
  const draft = toDraft(finding, "repo", { ours: side("$& $1"), theirs: side(`x${ours}`) });
  expect(draft.title).toBe(`$& $1 and x${ours} meet`);
});

const printOf = (left: PairSide, right: PairSide, repository = "repo"): string =>
  toDraft(finding, repository, { ours: left, theirs: right }).fingerprint;

test("the fingerprint is the same for other commits and for the sides in another order, and not for other sides", () => {
  const first = printOf(side("a"), side("b"));
  expect(printOf(side("b", "d"), side("a", "e"))).toBe(first);
  expect(printOf(side("a"), side("c"))).not.toBe(first);
  expect(printOf(side("a"), side("b"), "other")).not.toBe(first);
  expect(printOf({ ...side("a"), worktree: null }, side("b"))).not.toBe(first);
});

test("findings about one thing are joined with all their evidence", () => {
  const [one, ...more] = joined([finding, { ...finding, title: "again" }, { ...finding, subject: "other" }]);
  expect(one?.evidence).toHaveLength(2);
  expect(more).toHaveLength(1);
});

test("what is shown is cut, and the whole list of files stays", () => {
  expect(hunk("a", 1, "x\n".repeat(500)).text.split("\n")).toHaveLength(41);
  expect(hunk("a", 1, "y".repeat(9_000)).text.length).toBeLessThan(600);
  const many = {
    ...finding,
    evidence: Array.from({ length: 80 }, (_, at) => ({
      ...finding.evidence[0],
      rule: "content",
      path: `f${at}`,
      symbol: null,
      ours: [],
      theirs: [],
      message: "",
    })),
  };
  const draft = toDraft(many, "repo", { ours: side("a"), theirs: side("b") });
  expect([draft.evidence.length, draft.files.length]).toEqual([50, 80]);
});
