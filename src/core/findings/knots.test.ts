import { expect, test } from "bun:test";
import { type KnotFinding, knotsOf, pairsIn } from "./knots.ts";

let made = 0;
const side = (label: string) => ({ label, worktree: label.startsWith("main") ? null : `/w/${label}` });

function finding(ours: string, theirs: string, more: Partial<KnotFinding> = {}): KnotFinding & { id: string } {
  const title = `${ours} and ${theirs} change the same lines of x.txt`;
  const usual = { repository: "r", kind: "textual", severity: "high", state: "open", files: ["x.txt"], symbols: [] };
  return { id: `f${++made}`, ours: side(ours), theirs: side(theirs), title, ...usual, ...more };
}

const said = (findings: readonly KnotFinding[]): string[] => knotsOf(findings).map(({ title }) => title);

test("ten who edit one line are one knot with ten names", () => {
  const names = Array.from({ length: 10 }, (_, index) => `agent${index}`);
  const all = names.flatMap((one, at) => names.slice(at + 1).map((other) => finding(one, other)));
  const [knot, ...more] = knotsOf(all);
  expect([all.length, more.length, knot?.findings.length]).toEqual([45, 0, 45]);
  expect(knot?.title).toBe(`${names.slice(0, 9).join(", ")} and agent9 collide over x.txt`);
  expect(knot?.sides).toEqual(names);
});

test("a finding by itself keeps its title, and those about other things, of other kinds or elsewhere stand apart", () => {
  const alone = [
    finding("a", "b"),
    finding("a", "b", { files: ["y.txt"] }),
    finding("a", "c", { kind: "duplicate-work" }),
    finding("a", "d", { severity: "low" }),
    finding("a", "e", { state: "dismissed" }),
    finding("a", "f", { repository: "other" }),
    finding("g", "h"),
  ];
  expect(said(alone)).toEqual(alone.map(({ title }) => title));
});

test("one who renames what others use is one knot with them, whichever files they use it in", () => {
  const uses = ["b", "c", "main at the origin (3f2a91c)"].map((user) =>
    finding("a", user, { kind: "semantic", symbols: ["total"], files: ["x.ts", `${user}.ts`] }),
  );
  expect(said(uses)).toEqual(["a, b, c and main at the origin (3f2a91c) collide over total"]);
  const many = ["b", "c"].map((user) => finding("a", user, { kind: "semantic", symbols: ["k", "l", "m", "n"] }));
  expect(said(many)).toEqual(["a, b and c collide over 4 symbols"]);
});

test("two groups become one by the finding that ties them, in whatever order they come, and keep the order of the list", () => {
  const [ab, cd, bc, ef] = [finding("a", "b"), finding("c", "d"), finding("b", "c"), finding("e", "f")];
  expect(knotsOf([ab, cd, ef, bc]).map(({ findings }) => findings.map(({ id }) => id))).toEqual([
    [ab.id, cd.id, bc.id],
    [ef.id],
  ]);
  expect(knotsOf([bc, ef, cd, ab]).map(({ first }) => first.id)).toEqual([bc.id, ef.id]);
});

test("a pair is counted once, whichever side is named first and however much the two collide over", () => {
  const other = { files: ["y.txt"] };
  const three = [
    finding("a", "b"),
    finding("b", "a", other),
    finding("a", "c"),
    finding("b", "c"),
    finding("b", "c", other),
  ];
  expect([pairsIn(three), pairsIn([]), pairsIn([...three, finding("a", "b", { repository: "other" })])]).toEqual([
    3, 0, 4,
  ]);
});
