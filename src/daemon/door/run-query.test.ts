import { expect, test } from "bun:test";
import { rowsIn } from "./run-query.ts";

const answer = (...rows: unknown[]): string =>
  `{"format_version":1,"rows":[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]}\n`;

test("rows come as a table, up to the limit; one that was cut off in the middle does not count", () => {
  const three = answer({ a: 1, "b c": null }, { a: "x,", "b c": true }, { a: { deep: [1] }, "b c": 2 });
  expect(rowsIn(three, 10)).toEqual({
    columns: ["a", "b c"],
    rows: [
      [1, null],
      ["x,", true],
      ['{"deep":[1]}', 2],
    ],
    more: false,
  });
  expect(rowsIn(three, 2)).toMatchObject({
    rows: [
      [1, null],
      ["x,", true],
    ],
    more: true,
  });
  expect(rowsIn(three.slice(0, -12), 10).rows).toHaveLength(2);
  expect(rowsIn(answer(), 10)).toEqual({ columns: [], rows: [], more: false });
});
