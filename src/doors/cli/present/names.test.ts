import { expect, test } from "bun:test";
import { fewerNames, namesOf, renamed } from "./names.ts";

function check(labels: readonly string[], names: readonly string[]): void {
  const name = namesOf(labels);
  expect(labels.map(name)).toEqual([...names]);
}

test("the branch of a task is called by the task's number", () => {
  check(["constel/constel0/1-round-the-total", "main"], ["task 1", "main"]);
  check(["constel/constel0/7-x (repo)", "constel/constel0/7-x (other)"], ["task 7 (repo)", "task 7 (other)"]);
});

test("tasks of two constellations with one number are told apart", () => {
  check(["constel/constel0/1-a", "constel/constel1/1-b"], ["task 1 of constel0", "task 1 of constel1"]);
});

test("two branches of one task keep their names", () => {
  check(["constel/constel0/1-a", "constel/constel0/1-b"], ["constel/constel0/1-a", "constel/constel0/1-b"]);
});

test("a branch that is called like a name keeps it to itself", () => {
  check(["constel/constel0/1-a", "task 1"], ["task 1 of constel0", "task 1"]);
});

test("a long label loses its middle, and two that would look the same lose less", () => {
  check(["feature/2026-03/billing-rounding-rules"], ["feature/2026-…rounding-rules"]);
  const long = (middle: string): string => `feature/billing/${middle}/${"x".repeat(20)}/rounding-rules`;
  const [one, other] = [long("north"), long("south")].map(namesOf([long("north"), long("south")]));
  expect(one).not.toBe(other);
  expect(one).toContain("…");
});

test("names stand in sentences in the place of labels, and only of whole ones", () => {
  const labels = ["constel/constel0/1-a", "constel/constel0/1-a-b", "w1"];
  const name = namesOf(labels);
  expect(renamed("constel/constel0/1-a-b and w1 change src/constel/constel0/1-a.", labels, name)).toBe(
    "constel/constel0/1-a-b and w1 change src/constel/constel0/1-a.",
  );
  const two = ["constel/c/1-a", "constel/c/2-b.c"];
  expect(renamed("constel/c/1-a and constel/c/2-b.c: see src/constel/c/1-a", two, namesOf(two))).toBe(
    "task 1 and task 2: see src/constel/c/1-a",
  );
});

test("names that have no room in a line are counted, and what is said of them stays", () => {
  const names = ["w1", "w10", "and", "w2 (a, b)"];
  const text = "w1, w10, and and w2 (a, b) collide over x.txt";
  const fitted = [60, 45, 44, 39, 38, 10].map((columns) => fewerNames(text, names, columns));
  expect(fitted).toEqual([
    text,
    text,
    "w1, w10, and and 1 other collide over x.txt",
    "w1, w10 and 2 others collide over x.txt",
    "w1 and 3 others collide over x.txt",
    "w1 and 3 others collide over x.txt",
  ]);
});

test("a text that lists fewer than three names stays, and of two lists the longer loses names", () => {
  const pair = "w1 and w2 change the same lines of w1, w2 and w3.txt";
  expect(fewerNames(pair, ["w1", "w2"], 20)).toBe(pair);
  const two = "a, b and c wait for d, e, f and g";
  expect(fewerNames(two, [..."abcdefg"], 31)).toBe("a, b and c wait for d and 3 others");
});
