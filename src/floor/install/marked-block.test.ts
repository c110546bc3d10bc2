import { describe, expect, test } from "bun:test";
import { cutAdded } from "./cut-added.ts";
import { lineDiff } from "./line-diff.ts";
import { addBlock, blockIn, markdownMarks as marks, removeBlock } from "./marked-block.ts";

describe("a block of ours in somebody's file", () => {
  for (const text of ["", "\n", "# Mine\n", "# Mine", "# Mine\r\n\r\nmore\r\n", "\uFEFF# Mine\n", "a\n\n\n"]) {
    test(`is taken away again from ${JSON.stringify(text)}`, () => {
      const added = addBlock(text, "one\ntwo\n", marks);
      expect(blockIn(added, marks)).toContain("one");
      expect(removeBlock(added, marks).trimEnd()).toBe(text.trimEnd());
      expect(added.includes("\r\n")).toBe(text.includes("\r\n"));
    });
  }

  test("leaves what somebody wrote before and after it since", () => {
    const added = addBlock("before\n", "ours\n", marks);
    const after = removeBlock(`first\n${added}after\n`, marks);
    expect(after).toBe("first\nbefore\nafter\n");
  });

  test("is none where its marks are only shown, alone, or not on lines of their own", () => {
    const shown = `\`\`\`\n${marks.begin}\nx\n${marks.end}\n\`\`\`\n`;
    for (const text of [shown, `${marks.begin}\nx\n`, `${marks.end}\n`, `a ${marks.begin}\nx\n${marks.end}\n`]) {
      expect(blockIn(text, marks)).toBeUndefined();
      expect(removeBlock(text, marks)).toBe(text);
    }
    expect(blockIn(addBlock(shown, "ours", marks), marks)).toContain("ours");
  });

  test("stays where what would be left is not right, and keeps of itself what is to stay", () => {
    const added = addBlock("a\n", "ours\ntheirs\n", marks);
    expect(removeBlock(added, marks, { isRight: () => false })).toBe(added);
    expect(removeBlock(added, marks, { keep: () => undefined })).toBe(added);
    expect(removeBlock(added, marks, { keep: () => "theirs\n" })).toBe("a\ntheirs\n");
  });
});

describe("texts that were added", () => {
  test("are cut out wherever they stand by now, and what only looks like them stays", () => {
    expect(cutAdded('{"a":1,"b":2,"c":3}', '{"a":1}', [',"b":2'])).toBe('{"a":1,"c":3}');
    expect(cutAdded("x x", "x", [" x"])).toBe("x");
    expect(cutAdded("nothing of it", "", ["gone"])).toBeUndefined();
    expect(cutAdded("bb", "", ["b"])).toBeUndefined();
  });
  test("of which one is a part of another are cut once each", () => {
    expect(cutAdded("-ab-b-", "---", ["ab", "b"])).toBe("---");
    expect(cutAdded("[ab]", "[]", ["ab"])).toBe("[]");
  });
  test("leave no line glued to the one before", () => {
    expect(cutAdded("last\nours\nnew\n", "last", ["\nours\n"])).toBe("last\nnew\n");
  });
});

describe("what changes, line by line", () => {
  const check = (before: string, after: string, lines: readonly string[]): void =>
    expect(lineDiff(before, after)).toEqual([...lines]);
  test("names each run by its place", () => {
    check("a\nb\nc\n", "a\nB\nc\n", ["@@ line 2 @@", "-b", "+B"]);
    check("a\n", "a\nb\n", ["@@ line 2 @@", "+b"]);
    check("a\nb\nc\nd\n", "b\nc\nx\n", ["@@ line 1 @@", "-a", "@@ line 3 @@", "-d", "+x"]);
  });
  test("is nothing where only line ends differ, or nothing does", () => {
    check("a\r\nb\r\n", "a\nb\n", []);
    check("", "", []);
  });
});
