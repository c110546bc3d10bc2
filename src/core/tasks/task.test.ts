import { expect, test } from "bun:test";
import { Refusal } from "../../protocol/errors.ts";
import { branchOf, slugOf } from "./names.ts";
import { actualMs, inLandingOrder, scopeOverlap, waitsFor } from "./rules.ts";
import { allowedMoves, type Move, moveOf, moves, taskStates } from "./task.ts";

test("every move leads where the table says, from the states it names and from no other", () => {
  for (const move of Object.keys(moves) as Move[]) {
    for (const state of taskStates) {
      const isAllowed = (moves[move].from as readonly string[]).includes(state);
      if (isAllowed) expect(moveOf({ number: 1, state }, move)).toBe(moves[move].to);
      else expect(() => moveOf({ number: 1, state }, move)).toThrow(Refusal);
    }
  }
});

test("a refused move says what is possible instead", () => {
  expect(() => moveOf({ number: 3, state: "in_progress" }, "close")).toThrow(
    "task 3 is in_progress, so `close` is not possible; possible: ready, cancel",
  );
  expect(() => moveOf({ number: 3, state: "closed" }, "cancel")).toThrow("nothing any more");
  expect(allowedMoves("cancelled")).toEqual(["reopen"]);
});

test("names are short, plain and never empty", () => {
  const check = (title: string, slug: string): void => expect(slugOf(title)).toBe(slug);
  check("Paginate the list", "paginate-the-list");
  check("  Über-Größe: änderung!  ", "uber-gro-e-anderung");
  check("🚀🚀", "task");
  check("../../etc/passwd", "etc-passwd");
  check("x".repeat(5_000), "x".repeat(48));
  check(`${"word ".repeat(1_000)}`, "word-word-word-word-word-word-word-word-word");
  check("-rf --force", "rf-force");
  expect(branchOf("constel0", 12, "a.lock")).toBe("constel/constel0/12-a-lock");
});

test("scopes overlap when one path is the other or above it", () => {
  const check = (one: string[], other: string[], shared: string[]): void =>
    expect(scopeOverlap(one, other)).toEqual(shared);
  check(["src/a"], ["src/a"], ["src/a"]);
  check(["src"], ["src/a/b.ts"], ["src"]);
  check(["./src/a/b.ts"], ["src/a/"], ["./src/a/b.ts"]);
  check(["src/a*"], ["src/ab"], []);
  check(["src/a"], ["src/ab"], []);
  check(["src/**"], ["src/x"], ["src/**"]);
});

test("what waits for what, through others too", () => {
  const edges = [
    { task: 3, after: 2 },
    { task: 2, after: 1 },
  ];
  expect(waitsFor(edges, 3, 1)).toBe(true);
  expect(waitsFor(edges, 1, 3)).toBe(false);
  expect(waitsFor(edges, 1, 1)).toBe(true);
});

test("tasks land by urgency, but never before those they wait for", () => {
  const task = (number: number, priority: string) => ({ number, priority });
  const order = inLandingOrder([task(1, "P2"), task(2, "P0"), task(3, "P1")], [{ task: 2, after: 1 }]);
  expect(order.map(({ number }) => number)).toEqual([3, 1, 2]);
});

test("the actual time is a minute at least", () => {
  expect(actualMs({ started_ms: 1_000, created_ms: 0 }, 2_000)).toBe(60_000);
  expect(actualMs({ started_ms: null, created_ms: 0 }, 3_600_000)).toBe(3_600_000);
});
