import { expect, test } from "bun:test";
import { readMarkdownTasks } from "./markdown-tasks.ts";

test("every top-level item is a task; what is below it says more; what is done is passed over", () => {
  const text = [
    "# To do",
    "- [ ] First (P1, 1h30m)",
    "      More about it.",
    "      - a detail",
    "* Second (see the notes)",
    "1. Third (P0)",
    "- [x] Done",
    "  with a note",
    "",
    "A paragraph.",
    "```",
    "- not a task",
    "```",
  ].join("\n");
  expect(readMarkdownTasks(text, "TODO.md").map((task) => ({ ...task, key: "" }))).toEqual([
    { key: "", title: "First", directive: "More about it.\n- a detail", priority: "P1", estimate_ms: 5_400_000 },
    { key: "", title: "Second (see the notes)", directive: "" },
    { key: "", title: "Third", directive: "", priority: "P0" },
  ]);
});

test("the same item has the same key, another one another", () => {
  const [one, two] = readMarkdownTasks("- a\n- b\n", "x");
  expect(one?.key).toBe(readMarkdownTasks("- a (P0)\n", "x")[0]?.key ?? "");
  expect(one?.key).not.toBe(two?.key ?? "");
});

test("an estimate of less than a minute is refused", () => {
  expect(() => readMarkdownTasks("- a (0m)\n", "x")).toThrow("a minute or more");
});
