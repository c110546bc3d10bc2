import { expect, test } from "bun:test";
import { mostOfPatch, readPatch } from "./read-patch.ts";

const patch = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ function price() {
 one
--- a dash, and a removed line
+++ a plus, and an added one
 three
\\ No newline at end of file
diff --git a/old name.ts b/new name.ts
similarity index 90%
rename from old name.ts
rename to new name.ts
diff --git a/gone b/gone
deleted file mode 100644
index 1..0
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git "a/h\\303\\251 \\"x\\"" "b/h\\303\\251 \\"x\\""
new file mode 100644
--- /dev/null
+++ "b/h\\303\\251 \\"x\\""
@@ -0,0 +1 @@
+y
diff --git a/pic.png b/pic.png
new file mode 100644
index 0..1
Binary files /dev/null and b/pic.png differ
`;

test("a patch is read as files with their hunks, each line with its numbers", () => {
  const files = readPatch(patch);
  expect(
    files.map(({ path, old_path, change, binary, added, removed }) => [path, old_path, change, binary, added, removed]),
  ).toEqual([
    ["src/a.ts", null, "changed", false, 1, 1],
    ["new name.ts", "old name.ts", "renamed", false, 0, 0],
    ["gone", null, "removed", false, 0, 1],
    ['hé "x"', null, "added", false, 1, 0],
    ["pic.png", null, "added", true, 0, 0],
  ]);
  expect(files[0]?.hunks).toEqual([
    {
      heading: "function price() {",
      lines: [
        { kind: "same", text: "one", before: 1, after: 1 },
        { kind: "removed", text: "-- a dash, and a removed line", before: 2, after: null },
        { kind: "added", text: "++ a plus, and an added one", before: null, after: 2 },
        { kind: "same", text: "three", before: 3, after: 3 },
      ],
    },
  ]);
});

test("a line of a megabyte and a file of a hundred thousand lines are cut, counted, and said to be cut", () => {
  const head = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n";
  const [long] = readPatch(`${head}+${"y".repeat(1_000_000)}\n`);
  expect([long?.cut, long?.hunks[0]?.lines[0]?.text.length]).toEqual([true, mostOfPatch.lineLength + 1]);
  const [tall] = readPatch(head + "+z\n".repeat(100_000));
  expect([tall?.cut, tall?.added, tall?.hunks[0]?.lines.length]).toEqual([true, 100_000, mostOfPatch.linesOfFile]);
});
