import { expect, test } from "bun:test";
import { counted } from "./counted.ts";

test("one is one, and everything else is several", () => {
  expect([0, 1, 2].map((count) => counted(count, "finding"))).toEqual(["0 findings", "1 finding", "2 findings"]);
  expect(counted(12, "branch", "branches")).toBe("12 branches");
});
