// Both sides of a finding as they are printed: what each side changed, names marked, side by side or one above the other.

import { expect, test } from "bun:test";
import type { Evidence } from "../../../protocol/findings.ts";
import { bothSides } from "./both-sides.ts";

const plainPaint = Object.fromEntries(
  ["bold", "dim", "red", "green", "yellow", "cyan"].map((name) => [name, (text: string) => text]),
) as unknown as Parameters<typeof bothSides>[2]["paint"];

const marking = { ...plainPaint, yellow: (text: string) => `<${text}>` };

const renamed: Evidence = {
  rule: "removed",
  path: "shop.py",
  symbol: "price",
  ours: [{ path: "shop.py", line: 1, text: "def total_price(amount):" }],
  theirs: [{ path: "bill.py", line: 3, text: "print(price(3))" }],
  changes: {
    ours: [
      {
        path: "shop.py",
        line: 1,
        before_line: 1,
        text: "-def price(amount):\n+def total_price(amount):\n     return 2",
      },
      { path: "shop.py", line: 40, before_line: 40, text: "+total_price(1)" },
    ],
    theirs: [{ path: "bill.py", line: 1, before_line: 1, text: "+from shop import price" }],
  },
  message: "",
};
const title = "names renames price (shop.py:1) to total_price, which billing uses";

function check(
  evidence: readonly Evidence[],
  expected: readonly string[],
  options: { columns?: number; marked?: boolean } = {},
): void {
  const room = { columns: options.columns ?? 80, paint: options.marked === true ? marking : plainPaint };
  expect(bothSides({ title, symbols: ["price"], evidence }, { ours: "names", theirs: "billing" }, room)).toEqual([
    ...expected,
  ]);
}

test("what each side changed stands as a diff, with a sign before lines that hold the name", () => {
  check(
    [renamed],
    [
      "names  shop.py",
      " 1 ▸- def price(amount):",
      " 1 ▸+ def total_price(amount):",
      " 2        return 2",
      "    ⋮",
      "40 ▸+ total_price(1)",
      "billing  bill.py",
      "1 ▸+ from shop import price",
    ],
  );
});

test("old and new name are marked in both sides, and no longer word that begins alike", () => {
  const line = { path: "a.py", line: 1, before_line: 1, text: "+price_list = total_price(price)" };
  check(
    [{ ...renamed, changes: { ours: [line], theirs: [] }, theirs: [] }],
    ["names  a.py", "1 ▸+ price_list = <total_price>(<price>)", "names  shop.py", "1 ▸  def <total_price>(amount):"],
    { marked: true },
  );
});

test("side by side on a wide terminal, each side under its own head", () => {
  const [head, first] = bothSides(
    { title, symbols: ["price"], evidence: [renamed] },
    { ours: "names", theirs: "billing" },
    { columns: 120, paint: plainPaint },
  );
  expect(head).toMatch(/^names {2}shop\.py +│ billing {2}bill\.py$/);
  expect(first).toMatch(/^ 1 ▸- def price\(amount\): +│ 1 ▸\+ from shop import price$/);
});

test("a side without known changes shows its lines as they are", () => {
  check([{ ...renamed, changes: undefined, theirs: [] }], ["names  shop.py", "1 ▸  def total_price(amount):"]);
});

test("a line of a megabyte and a thousand lines are bounded, and nothing acts on the terminal", () => {
  const acting = "\u001b]52;c;AAAA\u0007\u009b2J\u202e";
  const long = `+${acting}${"price ".repeat(200_000)}`;
  const many = Array.from({ length: 1_000 }, (_, at) => `+line ${at}`).join("\n");
  const changes = [
    { path: `a${acting}\n.py`, line: 1, before_line: 1, text: long },
    { path: "b.py", line: 1, before_line: 1, text: many },
  ];
  for (const columns of [80, 160, 1_000_000]) {
    const lines = bothSides(
      { title, symbols: ["price"], evidence: [{ ...renamed, changes: { ours: changes, theirs: [] } }] },
      { ours: acting, theirs: "billing" },
      { columns, paint: plainPaint },
    );
    expect(lines.length).toBeLessThanOrEqual(2 * 201);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(2_100);
    expect(lines.join("\n")).toContain("more lines: --json has them");
    // oxlint-disable-next-line no-control-regex -- that none of them is there is the point
    expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  }
});
