import { expect, test } from "bun:test";
import { makeOutput } from "./output.ts";
import { blocks, isCramped, middleCut, oneLine, table } from "./table.ts";

const { paint } = makeOutput(
  { out: () => {}, err: () => {}, terminal: undefined, hasReader: true },
  {},
  { json: false, plain: true },
);
const draw = (columns: number, rows: string[][], right?: Set<number>) =>
  table(["name", "what it says"], rows, { columns, paint, ...(right === undefined ? {} : { right }) });

test("columns are as wide as they need to be, and lines have no trailing space", () => {
  expect(
    draw(80, [
      ["a", "x"],
      ["longer", "y"],
    ]),
  ).toBe("name    what it says\na       x\nlonger  y");
});

test("what does not fit is cut with an ellipsis, never wrapped", () => {
  const drawn = draw(20, [["a", "a very long sentence that goes on"]]);
  for (const line of drawn.split("\n")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(20);
  expect(drawn).toContain("…");
});

test("wide characters are counted as the terminal shows them", () => {
  expect(
    draw(80, [
      ["日本", "x"],
      ["abcd", "y"],
    ]),
  ).toBe("name  what it says\n日本  x\nabcd  y");
});

test("numbers can stand to the right", () => {
  expect(
    draw(
      80,
      [
        ["5", "x"],
        ["1000", "y"],
      ],
      new Set([0]),
    ),
  ).toBe("name  what it says\n   5  x\n1000  y");
});

test("control characters are shown, not obeyed", () => {
  expect(oneLine("a\u001b[31mb\nc\u0007\u009b")).toBe("a\\x1b[31mb⏎c\\x07\\x9b");
});

test("columns that would be cut to stumps become a block per row", () => {
  const head = Array.from({ length: 12 }, (_, index) => `column${index}`);
  const row = head.map((name) => `value of ${name}`);
  expect(isCramped(head, [row], 80)).toBe(true);
  expect(isCramped(head, [row], 200)).toBe(false);
  expect(isCramped(["a", "b"], [["x".repeat(500), "y"]], 80)).toBe(false);
  expect(
    blocks(
      ["a", "long"],
      [
        ["1", "2"],
        ["3", "4"],
      ],
      { columns: 80, paint },
    ),
  ).toBe("a     1\nlong  2\n\na     3\nlong  4");
});

test("a middle is cut by columns, not by characters", () => {
  expect(middleCut("short", 5)).toBe("short");
  expect(middleCut("abcdefghij", 5)).toBe("ab…ij");
  expect(Bun.stringWidth(middleCut("漢字漢字漢字漢字", 7))).toBeLessThanOrEqual(7);
});

test("columns that should stay whole are cut last, and others in the middle where that was asked", () => {
  const row = ["agent1", "a sentence that is rather long", "some/path/to/a/file.ts"];
  const options = { columns: 44, paint, whole: new Set([0]), middle: new Set([2]) };
  const [, line = ""] = table(["agent", "says", "where"], [row], options).split("\n");
  expect(Bun.stringWidth(line)).toBeLessThanOrEqual(44);
  expect(line.startsWith("agent1  a sentence")).toBe(true);
  expect(line.endsWith("file.ts")).toBe(true);
  const [, squeezed = ""] = table(["agent", "says"], [row], { ...options, columns: 12 }).split("\n");
  expect(Bun.stringWidth(squeezed)).toBeLessThanOrEqual(12);
});
