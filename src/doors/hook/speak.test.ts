import { expect, test } from "bun:test";
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
