import { expect, test } from "bun:test";
import { readMarkdownTasks } from "./markdown-tasks.ts";
import { estimateMs } from "./task-input.ts";

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

test("estimates are times of at least a minute", () => {
  expect(estimateMs("90m")).toBe(5_400_000);
  expect(estimateMs("1d2h")).toBe(93_600_000);
  for (const bad of ["", "soon", "90", "0m", "5s", "-1h", "1h x"])
    expect(() => estimateMs(bad)).toThrow("--estimate takes");
});
