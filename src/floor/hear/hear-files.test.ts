import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import type { HearItem } from "../../protocol/hear.ts";
import { parseHear } from "../../protocol/hear.ts";
import { readHear, readHearPart, writeHear } from "../../../test/kit/hear.ts";
import { removeToldMarks, toldMarks } from "./hear-files.ts";

const item = (id: string, more: Partial<HearItem> = {}): HearItem => ({
  id,
  at: ["prompt"],
  files: [],
  text: `text of ${id}`,
  ...more,
});

test("each part is replaced alone, and the file is gone when nothing is left", () => {
  using directory = temporaryDirectory("hear");
  const home = directory.path;
  const file = join(home, "state/hear/agent1/next.json");
  writeHear(home, "agent1", "notices", [item("n1"), item("n2")], "welcome");
  writeHear(home, "agent1", "messages", [item("m1")]);
  writeHear(home, "agent1", "notices", [item("n2")]);
  expect(readHear(home, "agent1")).toEqual({ version: 1, join: "welcome", items: [item("n2"), item("m1")] });
  expect(readHearPart(home, "agent1", "messages")).toEqual([item("m1")]);
  writeHear(home, "agent1", "messages", []);
  writeHear(home, "agent1", "notices", [], null);
  expect(existsSync(file)).toBe(false);
  expect(readHear(home, "agent1")).toBeUndefined();
});

test("a damaged file is nothing to say, and is written anew", () => {
  using directory = temporaryDirectory("hear");
  const home = directory.path;
  mkdirSync(join(home, "state/hear/agent1"), { recursive: true });
  writeFileSync(join(home, "state/hear/agent1/next.json"), "{half");
  expect(readHear(home, "agent1")).toBeUndefined();
  writeHear(home, "agent1", "messages", [item("m1")]);
  expect(JSON.parse(readFileSync(join(home, "state/hear/agent1/next.json"), "utf8"))).toMatchObject({
    items: [{ id: "m1" }],
  });
});

test("told marks are listed and taken away", () => {
  using directory = temporaryDirectory("hear");
  const home = directory.path;
  expect(toldMarks(home, "agent1")).toEqual([]);
  mkdirSync(join(home, "state/hear/agent1.told"), { recursive: true });
  for (const id of ["a", "b"]) writeFileSync(join(home, "state/hear/agent1.told", id), "");
  removeToldMarks(home, "agent1", ["a", "never-there"]);
  expect(toldMarks(home, "agent1").map(({ id }) => id)).toEqual(["b"]);
});

test("what is not understood of a hear file is dropped, item by item", () => {
  const good = item("ok", { files: ["/a b/c"], denies: true });
  const bad = [
    null,
    5,
    {},
    item("../up"),
    item("x".repeat(121)),
    { ...good, text: 5 },
    { ...good, text: "" },
    { ...good, files: ["relative"] },
    { ...good, files: "x" },
    { ...good, files: [5] },
    { ...good, at: "edit" },
  ];
  expect(parseHear(JSON.stringify({ version: 1, join: 7, items: [...bad, good] }))).toEqual({
    version: 1,
    items: [good],
  });
  for (const text of ["", "{", "null", "[]", '"x"', '{"version":2,"items":[]}', '{"items":[]}'])
    expect(parseHear(text)).toBeUndefined();
  expect(parseHear('{"version":1,"items":{"length":9}}')).toEqual({ version: 1, items: [] });
  const shouted = parseHear(JSON.stringify({ version: 1, items: [{ ...good, text: "a\u001b[31m\u202eb\nc" }] }));
  expect(shouted?.items[0]?.text).toBe("a [31m b\nc");
});
