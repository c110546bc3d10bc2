import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { parseHear } from "../../protocol/hear.ts";
import { dueAt } from "./speak.ts";

test("what is for one conversation alone is due in no other, and what cannot be understood of it in none", () => {
  const item = { at: ["prompt"], files: [], text: "words" };
  const items = [
    { ...item, id: "everybody" },
    { ...item, id: "ours", to: "one" },
    { ...item, id: "others", to: "two" },
    { ...item, id: "odd", to: 7 },
  ];
  const record = { event: "prompt-submitted" as const, at: 1, session: "one" };
  const only = dueAt("prompt", { runtime: "claude", record, payload: {} });
  const due = parseHear(JSON.stringify({ version: 1, items }), { only })?.items ?? [];
  expect(due.map(({ id }) => id)).toEqual(["everybody", "ours"]);
});

test("before an edit an item is due only where the edit touches one of its files, by whatever name it is reached", () => {
  using at = temporaryDirectory("speak");
  mkdirSync(join(at.path, "real/src"), { recursive: true });
  symlinkSync(join(at.path, "real"), join(at.path, "link"));
  const isDue = (files: readonly string[], edited: string, cwd?: string): boolean => {
    const record = { event: "tool-began" as const, at: 1, session: "one", ...(cwd === undefined ? {} : { cwd }) };
    const due = dueAt("edit", { runtime: "claude", record, payload: { tool_input: { file_path: edited } } });
    return due({ at: ["edit"], files: files.map((file) => join(at.path, file)) });
  };
  expect(isDue(["real/src/a.ts"], join(at.path, "real/src/a.ts"))).toBe(true);
  expect(isDue(["real/src/a.ts"], join(at.path, "real/src/b.ts"))).toBe(false);
  expect(isDue(["real/src"], join(at.path, "real/src/new/b.ts"))).toBe(true);
  expect(isDue(["real/sr"], join(at.path, "real/src/b.ts"))).toBe(false);
  expect(isDue(["real/src/a.ts"], join(at.path, "link/src/a.ts"))).toBe(true);
  expect(isDue(["real/src/a.ts"], "src/a.ts", join(at.path, "link"))).toBe(true);
  expect(isDue(["real/src/a.ts"], "src/a.ts")).toBe(false);
  expect(isDue([], "anything")).toBe(true);
});
