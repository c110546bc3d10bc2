import { expect, test } from "bun:test";
import { operations } from "../protocol/operations/all.ts";
import { readOperations } from "./read-operations.ts";

test("what a snapshot answers is what says that it needs no daemon, and only reads are among it", () => {
  const without = Object.values(operations).filter(({ needsDaemon }) => !needsDaemon);
  expect(without.map(({ name }) => name).sort()).toEqual(
    Object.keys(readOperations).sort() as (typeof without)[number]["name"][],
  );
  expect(without.filter(({ effect }) => effect !== "reads")).toEqual([]);
});
