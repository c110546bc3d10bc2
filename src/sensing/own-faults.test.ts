import { expect, test } from "bun:test";
import { conflictLine } from "./own-faults.ts";

const [open, middle, end] = ["<<<<<<< HEAD", "=======", ">>>>>>> one"];
const check = (lines: readonly string[], expected: number | undefined): void =>
  expect([lines, conflictLine(lines.join("\n"))]).toEqual([[...lines], expected]);

test("a conflict as git writes one is found, on the line where it begins", () => {
  check([open, "a", middle, "b", end], 1);
  check(["# title", "", open, middle, end, ""], 3);
  check([open, "a", "||||||| 1234567", "o", middle, "b", end], 1);
  check(
    [open, "a\r", `${middle}\r`, "b\r", `${end}\r`].map((line) => line),
    1,
  );
});

test("what only looks like one is none", () => {
  check([open, "a", "b"], undefined);
  check(["Title", middle, "", end], undefined);
  check([end, middle, open], undefined);
  check([`  ${open}`, middle, end], undefined);
  check(["<<<<<<<< eight", middle, ">>>>>>>> eight"], undefined);
  check([open, "======== eight", end], undefined);
  check([], undefined);
});
