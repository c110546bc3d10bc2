// Tests who is blamed when a process that reads repositories was ended, and what is not asked again.

import { expect, test } from "bun:test";
import type { Subject } from "../ports/budget.ts";
import { type Ended, SetAsides } from "./set-aside.ts";

const file: Subject = { kind: "file", name: "a.ts", key: "1" };
const round = (repository: string): Subject => ({ kind: "repository", repository, name: repository, key: repository });
const pair = (one: string, other: string, repository = "r"): Subject => ({
  kind: "pair",
  repository,
  name: `${one} and ${other}`,
  key: `${one} ${other}`,
  parts: [one, other],
});
const why = "it took more than 1 s of processor time";
const ended = (running: Subject | null, ...waiting: Subject[]): Ended => ({ why, asking: { running, waiting } });

test("the question that ran without a pause is at fault, and its repository is told where only one was looked at", () => {
  const known = new SetAsides();
  expect(known.learn(ended(file, round("r"), pair("a", "b")), 0)).toEqual({ subject: file, repositories: ["r"] });
  expect(known.refused(file, 1)).toBe(why);
  expect(known.refused({ ...file, key: "2" }, 1)).toBeUndefined();
  expect(known.all[0]?.subject.repository).toBe("r");
});

test("of questions that waited, one alone is at fault; of several nobody is, and all their repositories are looked at apart", () => {
  const known = new SetAsides();
  const several = ended(null, round("r"), pair("a", "b"), round("s"), pair("c", "d", "s"));
  expect(known.learn(several, 0)).toEqual({ subject: undefined, repositories: ["r", "s"] });
  expect(known.all).toEqual([]);
  // Another repository's round might be at fault as well.
  expect(known.learn(ended(null, pair("a", "b"), round("s")), 0).subject).toBeUndefined();
  expect(known.learn(ended(null, round("r"), pair("a", "b")), 0).subject).toEqual(pair("a", "b"));
  expect(known.refused(pair("a", "b"), 1)).toBe(why);
});

test("a repository that is at fault as a whole is tried again after a while; content is not", () => {
  const known = new SetAsides();
  known.learn(ended(null, round("r"), round("r")), 0);
  known.learn(ended(file), 0);
  const hourMs = 3_600_000;
  expect([known.refused(round("r"), 1), known.refused(file, 1)]).toEqual([why, why]);
  expect([known.refused(round("r"), hourMs), known.refused(file, hourMs)]).toEqual([undefined, why]);
});

test("a tree that three pairs ran over with is not compared with anybody, and others are", () => {
  const known = new SetAsides();
  for (const other of ["b", "c"]) known.learn(ended(pair("bad", other)), 0);
  expect(known.refused(pair("bad", "e"), 1)).toBeUndefined();
  known.learn(ended(pair("d", "bad")), 0);
  expect(known.refused(pair("bad", "e"), 1)).toBe(why);
  expect(known.refused(pair("b", "c"), 1)).toBeUndefined();
});

test("whoever is told what was set aside refuses it too, until its repository is forgotten", () => {
  const first = new SetAsides();
  first.learn(ended(file, round("r")), 0);
  const second = new SetAsides(first.all);
  expect(second.refused(file, 1)).toBe(why);
  second.forget("r");
  expect(second.refused(file, 1)).toBeUndefined();
});

test("a tree is suspected of what ran over while it was compared, and a pair as much as the worse of its two", () => {
  const first = new SetAsides();
  first.learn(ended(file, round("r"), pair("bad", "b")), 0);
  first.learn(ended({ ...file, key: "2" }, round("r"), pair("bad", "c")), 0);
  const told = new SetAsides(first.all);
  const pairs = [
    ["bad", "d"],
    ["b", "c"],
    ["d", "e"],
  ];
  expect(pairs.map((trees) => told.suspicion(trees))).toEqual([2, 1, 0]);
});
