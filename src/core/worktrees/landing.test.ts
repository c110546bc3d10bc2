import { describe, expect, test } from "bun:test";
import { chance } from "../../host/git/scratch.suite.ts";
import { planLanding } from "./landing.ts";
import type { Candidate, Clash } from "./landing-candidate.ts";

const work = (label: string, more: Partial<Candidate> = {}): Candidate => ({
  worktree: `/${label}`,
  branch: label,
  label,
  agent: null,
  score: 90,
  reasons: "",
  ahead: 1,
  behind: 0,
  uncommitted: false,
  withDefault: [],
  held: null,
  isRed: false,
  faults: [],
  contracts: [],
  unchecked: [],
  openPairs: 0,
  unaskedPairs: 0,
  isAwaited: false,
  operation: null,
  skipped: null,
  isDefault: false,
  isUnstarted: false,
  ...more,
});

const clash = (one: string, other: string, severity = "high", kind = "textual"): Clash => ({
  one: `/${one}`,
  other: `/${other}`,
  kind,
  severity,
});

function check(candidates: readonly Candidate[], clashes: readonly Clash[], expected: readonly string[]): void {
  const said = (list: readonly Candidate[]): string[] =>
    planLanding(list, clashes).map(({ verdict, candidate, after }) =>
      [verdict, candidate.label, ...after.map((one) => `after ${one}`)].join(" "),
    );
  expect(said(candidates)).toEqual([...expected]);
  expect(said([...candidates].reverse())).toEqual([...expected]);
}

describe("the order of landing", () => {
  test("what collides with nothing goes first, the readier before the less ready, then by name", () => {
    check([work("c"), work("a"), work("b", { score: 95 })], [], ["land b", "land a", "land c"]);
  });

  test("what could not be read comes after what was checked, however ready it looks", () => {
    const broken = work("a", { score: 100, openPairs: 2 });
    check([broken, work("b", { openPairs: 1 }), work("c", { openPairs: 1 })], [], ["land b", "land c", "land a"]);
  });

  test("of two, the one whose own files could not be checked comes last, whatever else speaks for it", () => {
    const broken = { unchecked: ["t.py was not checked: syntax error at line 3"], openPairs: 1, score: 100 };
    check([work("a", broken), work("b", { openPairs: 1, score: 10 })], [], ["land b", "land a"]);
    // It is in nobody's way, and the other collides with a third.
    check(
      [work("a", broken), work("b", { openPairs: 1 }), work("c", { openPairs: 1 })],
      [clash("b", "c", "medium")],
      ["land b", "land c", "land a"],
    );
    check([work("a", { ...broken, openPairs: 0 }), work("b", { openPairs: 3 })], [], ["land b", "land a"]);
    const [, last] = planLanding([work("a", broken), work("b", { openPairs: 1 })], []);
    expect(last?.why).toEqual([...broken.unchecked, "no collision seen; 1 pair is not fully checked"]);
  });

  test("one about which somebody was not asked comes after one that was wholly checked", () => {
    check([work("a", { unaskedPairs: 1, score: 100 }), work("b"), work("c")], [], ["land b", "land c", "land a"]);
  });

  test("work that has not begun is not said to have landed, and never can land", () => {
    const said = (more: Partial<Candidate>) => {
      const [step] = planLanding([work("a", more)], []);
      return [step?.verdict, ...(step?.why ?? [])];
    };
    const unstarted = ["nothing", "nothing was started: it has no commit and no change"];
    expect(said({ ahead: 0, isUnstarted: true })).toEqual(unstarted);
    // It began at a branch that is ahead of the default one, or there is no default branch to compare with.
    expect(said({ ahead: 3, isUnstarted: true })).toEqual(unstarted);
    expect(said({ ahead: null, isUnstarted: true })).toEqual(unstarted);
    expect(said({ ahead: 0, isUnstarted: true, uncommitted: true })[0]).toBe("land");
    expect(said({ ahead: 0 })).toEqual([
      "nothing",
      "has nothing that the default branch lacks: not started, or landed already",
    ]);
  });

  test("one that many collide with is held, so that the many can land", () => {
    check(
      [work("hub", { score: 100 }), work("a"), work("b"), work("c")],
      [clash("hub", "a"), clash("hub", "b"), clash("c", "hub")],
      ["land a", "land b", "land c", "hold hub after a after b after c"],
    );
  });

  test("of two that collide the readier lands and the other takes it in", () => {
    check([work("a", { score: 50 }), work("b")], [clash("a", "b", "high", "semantic")], ["land b", "hold a after b"]);
  });

  test("a medium finding holds nobody", () => {
    check([work("a"), work("b")], [clash("a", "b", "medium", "duplicate-work")], ["land a", "land b"]);
  });

  test("what conflicts with the default branch or is in the middle of a rebase is held, and holds nobody up", () => {
    const withDefault = [{ kind: "textual", severity: "high" }];
    check([work("a", { withDefault }), work("b")], [clash("a", "b")], ["land b", "hold a after b"]);
    check([work("a", { operation: "rebase" }), work("b", { score: 10 })], [], ["land b", "hold a"]);
    check([work("a", { isRed: true }), work("b", { score: 10 })], [clash("a", "b")], ["land b", "hold a after b"]);
    const [red] = planLanding([work("a", { isRed: true })], []);
    expect(red?.why).toContain("the gate was red for this commit: it has to be mended first");
  });

  test("whatever it has in common with the default branch is said, and never that it collides with nothing", () => {
    const step = (kind: string, severity: string) => {
      const [only] = planLanding([work("a", { withDefault: [{ kind, severity }] })], []);
      return [only?.verdict, ...(only?.why ?? [])];
    };
    expect(step("semantic", "high")).toEqual([
      "hold",
      "it collides with the default branch (semantic): merge that in first",
    ]);
    expect(step("duplicate-work", "medium")).toEqual([
      "land",
      "look at what it shares with the default branch: duplicate-work",
    ]);
  });

  test("who is held by a claim is told of it once", () => {
    const withDefault = [{ kind: "claim", severity: "medium" }];
    const [held] = planLanding([work("a", { withDefault, held: "src/a.ts, which agent1 keeps to itself" })], []);
    expect(held?.why).toEqual(["it is held: it edits src/a.ts, which agent1 keeps to itself"]);
    const [free] = planLanding([work("a", { withDefault })], []);
    expect(free?.why).toEqual(["look at what it shares with the default branch: claim"]);
  });

  test("that something collides with nothing is said only where no finding is open about it", () => {
    const { below, pick, coin } = chance(7);
    for (let round = 0; round < 300; round += 1) {
      const names = ["a", "b", "c", "d", "e"].slice(0, 2 + below(4));
      const all = names.map((name) => work(name, { ahead: below(2), uncommitted: coin(0.2), score: below(100) }));
      const clashes = Array.from({ length: below(4) }, () => [pick(names), pick(names)] as const)
        .filter(([one, other]) => one !== other)
        .map(([one, other]) => clash(one, other, pick(["high", "medium", "low"]), pick(["textual", "claim"])));
      for (const { candidate, why, verdict } of planLanding(all, clashes)) {
        const isIn = clashes.some(({ one, other }) => [one, other].includes(candidate.worktree));
        if (verdict !== "nothing")
          expect([clashes, candidate.label, why.includes("collides with nothing")]).toEqual([
            clashes,
            candidate.label,
            verdict === "land" && !isIn,
          ]);
      }
    }
  });

  test("what has nothing to land is last and is said so", () => {
    check(
      [work("main", { isDefault: true }), work("a", { ahead: 0 }), work("b")],
      [],
      ["land b", "nothing a", "nothing main"],
    );
    check([work("a", { ahead: 0, uncommitted: true })], [], ["land a"]);
  });

  test("that it collides with nothing is said only where everything was looked at", () => {
    expect(planLanding([work("a")], [])[0]?.why).toEqual(["collides with nothing"]);
    const [step] = planLanding([work("a", { openPairs: 2 })], []);
    expect(step?.why).toEqual(["no collision seen; 2 pairs are not fully checked"]);
    const [unasked] = planLanding([work("a", { unaskedPairs: 1 })], []);
    expect(unasked?.why).toEqual(["no collision seen; not everything was asked about 1 pair"]);
    const [awaited] = planLanding([work("a", { isAwaited: true })], []);
    expect(awaited?.why).toEqual(["no collision seen so far"]);
  });

  test("reasons name what is in the way", () => {
    const [first, second] = planLanding(
      [work("a", { uncommitted: true }), work("b", { score: 10 })],
      [clash("a", "b")],
    );
    expect(first?.why).toEqual([
      "commit its work first",
      "collides with b, which conflicts with as many branches or more",
    ]);
    expect(second?.why).toEqual(["a lands before it, and the two collide (textual)"]);
  });

  test("several that are in the way in the same manner are one reason with all their names", () => {
    const [one, ...others] = ["a", "b", "c"].map((name) => clash("d", name));
    const idle = [work("x", { ahead: 0 }), work("y", { ahead: 0 })];
    const why = (clashes: readonly (Clash | undefined)[], label: string) =>
      planLanding(
        [...["a", "b", "c", "d"].map((name) => work(name)), ...idle],
        clashes.filter((clash) => clash !== undefined),
      ).find(({ candidate }) => candidate.label === label)?.why;
    expect(why([one, ...others], "d")).toEqual(["a, b and c land before it and collide with it (textual)"]);
    expect(why([clash("d", "a", "high", "semantic"), ...others], "d")).toEqual([
      "a lands before it, and the two collide (semantic)",
      "b and c land before it and collide with it (textual)",
    ]);
    const soft = ["a", "b", "x", "y"].map((name) => clash("d", name, "low", "claim"));
    expect(why(soft, "d")).toEqual([
      "check again after a and b have landed: claim",
      "collides with x and y (claim), which have nothing to land",
    ]);
    const all = ["a", "b", "c", "d"].flatMap((left) => ["b", "c", "d"].map((right) => clash(left, right)));
    expect(
      why(
        all.filter(({ one: left, other }) => left < other),
        "a",
      ),
    ).toEqual(["collides with b, c and d, which conflict with as many branches or more"]);
  });

  test("the work for a plan grows with the worktrees and their collisions, not with their product", () => {
    let reads = 0;
    const counted = <Kind extends object>(one: Kind): Kind =>
      new Proxy(one, {
        get(target, key) {
          reads += 1;
          return Reflect.get(target, key) as unknown;
        },
      });
    const readsOf = (worktrees: number): number => {
      const { below, pick } = chance(11);
      const names = Array.from({ length: worktrees }, (_, index) => `w${index}`);
      const clashes = names.flatMap((name) => {
        const other = pick(names);
        return other === name ? [] : [counted(clash(name, other, pick(["high", "medium", "low"])))];
      });
      const all = names.map((name) => counted(work(name, { score: below(100), ahead: 1 + below(3) })));
      reads = 0;
      expect(planLanding(all, clashes)).toHaveLength(worktrees);
      return reads;
    };
    // Twice the worktrees: twice the work and a little for the depth of the heap. The square would be four times.
    expect(readsOf(400) / readsOf(200)).toBeLessThan(2.5);
    expect(readsOf(1_600) / readsOf(200)).toBeLessThan(16);
  });
});
