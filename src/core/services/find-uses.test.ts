import { expect, test } from "bun:test";
import { UseSearch } from "./find-uses.ts";

test("names are found as whole words, whatever they are made of", () => {
  const search = new UseSearch(["total", "order-id", "größe", "tot", "absent"]);
  search.read("a.ts", "x.total = subtotal;\nget('order-id');\nconst größe = totals;\n");
  expect(search.result(true)).toEqual({
    lines: [
      { path: "a.ts", line: 1, text: "x.total = subtotal;", name: "total" },
      { path: "a.ts", line: 2, text: "get('order-id');", name: "order-id" },
      { path: "a.ts", line: 3, text: "const größe = totals;", name: "größe" },
    ],
    used: ["total", "größe", "order-id"],
    unsure: [],
  });
});

test("a name that is used only after all lines that are shown, or beside another one, is known as used", () => {
  const search = new UseSearch(["often", "beside", "late"]);
  for (let at = 0; at < 10; at++) search.read(`${at}.ts`, "often(beside);\n".repeat(10));
  expect(search.isOver).toBe(false);
  search.read("z.ts", "late();\n");
  expect(search.isOver).toBe(true);
  const { lines, used } = search.result(true);
  expect([lines.length, used]).toEqual([20, ["often", "beside", "late"]]);
});

test("what was not searched for, or not everywhere, is no proof that nobody uses it", () => {
  const search = new UseSearch(["q", "page"]);
  search.read("a.ts", "q();\n");
  expect(search.result(true).unsure).toEqual(["q"]);
  expect(search.result(false).unsure).toEqual(["q", "page"]);
});
