// What a schema must not be, and what it must be under a condition. allOf may bring several of each: those that both versions have are passed over, the
// others are paired.

import { written } from "../json-value.ts";
import { type Comparing, isEquivalent, type Where } from "./comparing.ts";
import type { SchemaRuleName } from "./schema-rules.ts";
import type { Shape } from "./shape.ts";

type Condition = Shape["conditions"][number];

export function compareConditions(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const nots = paired(comparing, before.nots, after.nots, () => false, comparing.same);
  for (const [was, is] of nots.pairs) compareNots(comparing, was, is, where);
  for (const not of nots.gone) comparing.report("not-removed", where, written(not, 60), null);
  for (const not of nots.added) comparing.report("not-added", where, null, written(not, 60));
  const hasSameTest = (was: Condition, is: Condition): boolean => testsAlike(comparing, was.test, is.test);
  const areSame = (was: Condition, is: Condition): boolean =>
    comparing.same(was.test, is.test) && comparing.same(was.yes, is.yes) && comparing.same(was.no, is.no);
  const conditions = paired(comparing, before.conditions, after.conditions, hasSameTest, areSame);
  for (const [was, is] of conditions.pairs) compareCondition(comparing, was, is, where);
  for (const { test } of conditions.gone) comparing.report("condition-removed", where, written(test, 60), null);
  for (const { test } of conditions.added) comparing.report("condition-added", where, null, written(test, 60));
}

interface Paired<One> {
  readonly pairs: readonly (readonly [One, One])[];
  readonly gone: readonly One[];
  readonly added: readonly One[];
}

/** First those that belong together, then the others by their order. Those that say the same word for word are left out. */
function paired<One>(
  { after: { budget } }: Comparing,
  before: readonly One[],
  after: readonly One[],
  belong: (was: One, is: One) => boolean,
  areSame: (was: One, is: One) => boolean,
): Paired<One> {
  const left = [...after];
  const take = (was: One, how: (was: One, is: One) => boolean): One | undefined => {
    const at = left.findIndex((is) => budget.spend() && how(was, is));
    return at === -1 ? undefined : left.splice(at, 1)[0];
  };
  const changed = before.filter((was) => take(was, areSame) === undefined);
  // Two lists of one each belong together, whatever they say.
  const pairs: (readonly [One, One])[] = [];
  const open: One[] = [];
  for (const was of changed) {
    const is = changed.length + left.length === 2 ? undefined : take(was, belong);
    if (is === undefined) open.push(was);
    else pairs.push([was, is]);
  }
  const count = Math.min(open.length, left.length);
  for (let at = 0; at < count; at += 1) pairs.push([open[at] as One, left[at] as One]);
  return { pairs, gone: open.slice(count), added: left.slice(count) };
}

function testsAlike(comparing: Comparing, was: unknown, is: unknown): boolean {
  return comparing.same(was, is) || isEquivalent(comparing, comparing.before.of(was), comparing.after.of(is));
}

function compareCondition(comparing: Comparing, was: Condition, is: Condition, where: Where): void {
  const { report } = comparing;
  const rule = testsAlike(comparing, was.test, is.test) ? undefined : changeOfTest(comparing, was, is);
  if (rule !== undefined) report(rule, where, written(was.test, 60), written(is.test, 60));
  comparing.descend(was.yes, is.yes, { ...where, path: `${where.path} then` });
  comparing.descend(was.no, is.no, { ...where, path: `${where.path} else` });
}

/** If only `then` follows, a test that more values pass asks for more, and one that fewer pass for less. With `else` alone it is the other way round. */
function changeOfTest({ before, after, fits }: Comparing, was: Condition, is: Condition): SchemaRuleName {
  const [test, now] = [before.of(was.test), after.of(is.test)];
  const says = (schema: unknown): boolean => schema !== undefined && schema !== true;
  const hasYes = says(was.yes) && says(is.yes);
  const hasNo = says(was.no) || says(is.no);
  const isOneSided = hasYes ? !hasNo : says(was.no) && says(is.no) && !says(was.yes) && !says(is.yes);
  if (!isOneSided) return "condition-changed";
  if (fits(test, now, { flow: "in", strict: true })) return hasYes ? "condition-added" : "condition-removed";
  if (fits(test, now, { flow: "out", strict: true })) return hasYes ? "condition-removed" : "condition-added";
  return "condition-changed";
}

/** Compares what is excluded: it grows when what is allowed shrinks. */
function compareNots(comparing: Comparing, before: unknown, after: unknown, where: Where): void {
  const { flow, fits } = comparing;
  const [was, is] = [comparing.before.of(before), comparing.after.of(after)];
  if (isEquivalent(comparing, was, is)) return;
  const report = (rule: "not-added" | "not-removed" | "not-changed"): void =>
    comparing.report(rule, where, written(before, 60), written(after, 60));
  if (fits(was, is, { flow: "out", strict: true })) return report("not-removed");
  if (fits(was, is, { flow: "in", strict: true })) return report("not-added");
  // Neither holds all of the other, or nobody can tell.
  if (flow !== "out" && !fits(was, is, { flow: "out" })) return report("not-added");
  if (flow === "out" && !fits(was, is, { flow: "in" })) return report("not-removed");
  report("not-changed");
}
