import { describe, expect, test } from "bun:test";
import type { FindingDraft, OpenPart, PairSide, PairVerdict } from "../../protocol/findings.ts";
import type { DismissalsTable } from "../../store/tables/observed.ts";
import { asSeen } from "./findings.sql.ts";
import {
  branchesOfRow,
  decide,
  isMove,
  type KnownFinding,
  type Move,
  pairKey,
  rulesOf,
  type Situation,
} from "./lifecycle.ts";

const side = (name: string, branch: string | null = name): PairSide => ({
  label: name,
  worktree: `/${name}`,
  branch,
  commit: "c",
  tree: "t",
});

const draft = (more: Partial<FindingDraft> = {}): FindingDraft => ({
  kind: "textual",
  severity: "high",
  fingerprint: "f1",
  title: "a and b change the same lines of x",
  action: "Talk.",
  files: ["x"],
  symbols: [],
  evidence: [{ rule: "content", path: "x", symbol: null, ours: [], theirs: [], message: "" }],
  evidenceKind: "content x",
  ...more,
});

const looked = (findings: readonly FindingDraft[], open: readonly OpenPart[] = [], b = side("b")): PairVerdict => ({
  ours: side("a"),
  theirs: b,
  findings,
  complete: open.length === 0,
  open,
  notes: [],
});

const semantic = (more: Partial<FindingDraft> = {}): FindingDraft => draft({ kind: "semantic", ...more });

const bothSides = new Set(["worktree /a", "worktree /b"]);

/** A stored finding as `open` would have made it. */
function stored(state: string, of = draft(), dismissal: string | null = null): KnownFinding {
  const pair = pairKey(side("a"), side("b"));
  const evidence = JSON.stringify(of.evidence);
  const seen = { draft: of, sides: { ours: side("a"), theirs: side("b") }, pair, evidence, evidenceHash: evidence };
  return { id: "fnd_1", fingerprint: of.fingerprint, ...asSeen(seen), state, dismissal, opened_ms: 1 };
}

function dismissed(scope: string, more: Partial<DismissalsTable> = {}): DismissalsTable {
  const row = stored("open");
  const isOfWork = scope === "finding" || scope === "pair";
  return {
    id: "dis_1",
    constellation: "constel0",
    repository: "r",
    scope,
    fingerprint: scope === "finding" ? row.fingerprint : null,
    pair: scope === "pair" ? row.pair : null,
    branches: isOfWork ? branchesOfRow(row) : null,
    files: scope === "files" ? '["x"]' : null,
    kind: scope === "kind" ? "textual" : null,
    rules: JSON.stringify(rulesOf(row.evidence_kind)),
    severity: "high",
    reason: "agreed",
    dismissed_by: "owner",
    at_ms: 1,
    ...more,
  };
}

function check(situation: Partial<Situation>, expected: readonly string[]): Move[] {
  const moves = decide({
    known: [],
    dismissals: [],
    looked: [],
    sides: bothSides,
    hash: (text) => text,
    ...situation,
  });
  expect(moves.map((one) => (one.move === "close" ? `close: ${one.because}` : one.move))).toEqual([...expected]);
  return moves;
}

describe("a finding", () => {
  test("opens when a pair has it, once", () => {
    check({ looked: [looked([draft()])] }, ["open"]);
    check({ looked: [looked([draft(), draft()])] }, ["open"]);
    check({ known: [stored("open")], looked: [looked([draft()])] }, []);
  });

  test("is brought up to date quietly when only lines moved, and told when it is of another kind", () => {
    const moved = draft({
      evidence: [{ rule: "content", path: "x", symbol: null, ours: [], theirs: [], message: "2" }],
    });
    expect(check({ known: [stored("open")], looked: [looked([moved])] }, ["update"])[0]).toMatchObject({
      inKind: false,
    });
    const wider = draft({ evidenceKind: "content x\ncontent y" });
    expect(check({ known: [stored("open")], looked: [looked([wider])] }, ["update"])[0]).toMatchObject({
      inKind: true,
    });
  });

  test("closes when its pair was looked at and no longer has it", () => {
    check({ known: [stored("open")], looked: [looked([])] }, ["close: it no longer collides"]);
  });

  test("stays when another pair was looked at", () => {
    check({ known: [stored("open")], looked: [looked([], [], side("c"))] }, []);
  });

  test("does not close when the look did not read what it rests on", () => {
    const why = "";
    const stays = (of: FindingDraft, ...open: OpenPart[]) =>
      check({ known: [stored("open", of)], looked: [looked([], open)] }, []);
    const closes = (of: FindingDraft, ...open: OpenPart[]) =>
      check({ known: [stored("open", of)], looked: [looked([], open)] }, ["close: it no longer collides"]);
    // Not compared at all: a rebase under way, a git that gave no answer.
    stays(draft(), { what: "comparison", why });
    stays(semantic(), { what: "comparison", why });
    // Somebody is in the middle of typing: git's word on lines stands, the languages' does not.
    stays(semantic(), { what: "syntax", why, paths: ["elsewhere.py"] });
    closes(draft(), { what: "syntax", why, paths: ["x"] });
    // A file that was not read wholly is in doubt itself, and no other.
    stays(draft(), { what: "file", why, paths: ["x"] });
    closes(draft(), { what: "file", why, paths: ["y"] });
    stays(semantic(), { what: "bound", why });
    closes(draft(), { what: "bound", why });
    stays(draft({ kind: "gate" }), { what: "gate", why, isComing: true });
    closes(draft({ kind: "claim" }), { what: "gate", why }, { what: "types", why });
  });

  test("the compiler's silence: one that is still to come closes nothing, one that will not come only what it alone told", () => {
    const known = (byCompiler: boolean): KnownFinding[] => [stored("open", semantic({ byCompiler }))];
    const [coming, outOfTime, packages] = [
      { what: "types", why: "", isComing: true },
      { what: "types", why: "" },
      { what: "packages", why: "" },
    ] as const;
    for (const byCompiler of [true, false]) check({ known: known(byCompiler), looked: [looked([], [coming])] }, []);
    for (const open of [outOfTime, packages]) {
      check({ known: known(true), looked: [looked([], [open])] }, []);
      check({ known: known(false), looked: [looked([], [open])] }, ["close: it no longer collides"]);
    }
    // Where git cannot merge, nothing is compiled.
    const conflict = draft({ fingerprint: "f2" });
    check({ known: known(true), looked: [looked([conflict])] }, ["open"]);
  });

  test("closes when a side is gone, so that none stays open for ever because the peer died", () => {
    check({ known: [stored("open")], sides: new Set(["worktree /a"]) }, ["close: worktree /b is gone"]);
    check({ known: [stored("dismissed")], sides: new Set(["worktree /b"]) }, ["close: worktree /a is gone"]);
  });

  test("goes with a side that is moved, and says where to", () => {
    const moved = new Map([["worktree /b", "/c"]]);
    check({ known: [stored("open")], sides: new Set(["worktree /a"]), moved }, ["close: moved to /c: worktree /b"]);
    check({ known: [stored("open")], sides: new Set(["worktree /b"]), moved }, ["close: worktree /a is gone"]);
    // Agents choose the names of directories.
    const reasons = ["moved to /c: worktree /b", "worktree /b moved to /c is gone", "worktree /moved to /c: x is gone"];
    expect(reasons.map(isMove)).toEqual([true, false, false]);
  });

  test("closes when all of a side has landed; a dismissed one stays, because work put aside for a moment looks the same", () => {
    const onlyA = { sides: new Set(["worktree /a"]), landed: new Set(["worktree /b"]) };
    check({ known: [stored("open")], ...onlyA }, ["close: worktree /b has nothing left to land"]);
    check({ known: [stored("dismissed")], ...onlyA }, []);
    check({ known: [stored("dismissed")], ...onlyA, sides: new Set() }, ["close: worktree /a is gone"]);
  });

  test("that was closed does not come back by being looked at again, only by colliding again", () => {
    check({ known: [stored("closed")], looked: [looked([])] }, []);
    check({ known: [stored("closed")], sides: new Set() }, []);
    check({ known: [stored("closed")], looked: [looked([draft()])] }, ["reopen"]);
  });
});

describe("a dismissed finding", () => {
  const known = [stored("dismissed", draft(), "dis_1")];
  const dismissals = [dismissed("finding")];

  test("stays dismissed while seen, while not seen, and when seen again", () => {
    check({ known, dismissals, looked: [looked([draft()])] }, []);
    check({ known, dismissals, looked: [looked([])] }, []);
  });

  test("does not come back with the next shared file", () => {
    const wider = draft({ evidenceKind: "content x\ncontent y", files: ["x", "y"] });
    check({ known, dismissals, looked: [looked([wider])] }, ["update"]);
  });

  test("opens again when it rests on another rule, or is graver", () => {
    check({ known, dismissals, looked: [looked([draft({ evidenceKind: "content x\nmodify/delete x" })])] }, ["reopen"]);
    const mild = [dismissed("finding", { severity: "medium" })];
    check({ known, dismissals: mild, looked: [looked([draft()])] }, ["reopen"]);
  });

  test("is over when a side works on another branch, and the same collision there is news", () => {
    check({ known, dismissals, looked: [looked([], [], side("b", "next"))] }, ["close: other work"]);
    check({ known, dismissals, looked: [looked([draft()], [], side("b", "next"))] }, ["reopen"]);
  });
});

describe("a dismissal", () => {
  const other = draft({ fingerprint: "f2", files: ["x", "y"], evidenceKind: "content y" });

  test("of a pair covers whatever is between the two, and not what is with a third", () => {
    check({ dismissals: [dismissed("pair")], looked: [looked([other])] }, ["open-dismissed"]);
    check({ dismissals: [dismissed("pair")], looked: [looked([other], [], side("c"))] }, ["open"]);
  });

  test("of files covers what is about these files alone, whoever collides", () => {
    check({ dismissals: [dismissed("files")], looked: [looked([draft()], [], side("c"))] }, ["open-dismissed"]);
    check({ dismissals: [dismissed("files")], looked: [looked([other])] }, ["open"]);
  });

  test("of a kind covers the kind", () => {
    check({ dismissals: [dismissed("kind")], looked: [looked([other])] }, ["open-dismissed"]);
    check({ dismissals: [dismissed("kind")], looked: [looked([draft({ kind: "semantic" })])] }, ["open"]);
  });

  test("of one finding covers no other", () => {
    check({ dismissals: [dismissed("finding")], looked: [looked([other])] }, ["open"]);
  });
});
