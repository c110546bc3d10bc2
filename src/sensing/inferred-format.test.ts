// Routes inferred from code: a sample application in each framework, what is found in it, and what a change to it does.

import { describe, expect, test } from "bun:test";
import type { ContractSource } from "../core/contracts/format.ts";
import { inferredFormat, inferredFrom } from "./inferred-format.ts";
import { sampleApplications } from "./sample-applications/samples.suite.ts";

function sourceOf(files: Readonly<Record<string, string>>): ContractSource {
  return {
    entry: ".",
    read: (path) => Promise.resolve(files[path]),
    list: () => Promise.resolve(Object.keys(files)),
  };
}

async function breaksBetween(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Promise<string[]> {
  const compared = await inferredFormat.compare(sourceOf(before), sourceOf(after));
  if (compared.kind === "unreadable") throw new Error(JSON.stringify(compared.problems));
  expect(compared.notes.join()).toContain("inferred from routes in code");
  return compared.changes
    .filter(({ verdict }) => verdict === "breaking")
    .map(({ rule, path }) => `${rule} ${path}`)
    .sort();
}

for (const { framework, files, operations, changes } of sampleApplications) {
  describe(framework, () => {
    test("every route of the sample is found, and nothing else", async () => {
      expect((await inferredFrom(sourceOf(files))).operations).toEqual([...operations]);
    });
    test("the same code, moved and commented, has no changes", async () => {
      const moved = Object.fromEntries(
        Object.entries(files).map(([path, text]) => [path, `${path.endsWith(".py") ? "# a\n" : "// a\n"}\n${text}`]),
      );
      const compared = await inferredFormat.compare(sourceOf(files), sourceOf(moved));
      expect(compared).toMatchObject({ kind: "compared", changes: [] });
    });
    for (const { what, file, from, to, breaks } of changes) {
      test(`${what}: that breaks, and the way back is told from it`, async () => {
        const before = files[file] ?? "";
        expect(before).toContain(from);
        expect(await breaksBetween(files, { ...files, [file]: before.replace(from, to) })).toEqual([...breaks]);
      });
    }
  });
}

describe("what is hostile or half written", () => {
  const hostile: readonly (readonly [string, string, string])[] = [
    ["no syntax", "a.ts", 'import { Hono } from "hono"; const app = new Hono(; app.get("/a", (c) => c)'],
    ["no Python", "a.py", "from fastapi import FastAPI\napp = FastAPI(\n@app.get('/a'\n"],
    ["deep nesting", "a.ts", `import express from "express"; const a = ${"[".repeat(100_000)}`],
    [
      "a schema that holds itself",
      "a.ts",
      'import { z } from "zod"; const A = z.object({ a: z.lazy(() => A), b: A });',
    ],
    [
      "routers that mount each other",
      "a.ts",
      'import { Hono } from "hono"; const a = new Hono(); const b = new Hono(); a.route("/b", b); b.route("/a", a); a.get("/x", (c) => c.text("x"));',
    ],
    ["NUL", "a.py", "from fastapi import FastAPI\0\n"],
    [
      "names of prototypes",
      "a.ts",
      'import express from "express"; const __proto__ = express(); const constructor = express.Router(); constructor.get("/__proto__/toString", (req, res) => res.json({ __proto__: 1, constructor: 2 }));',
    ],
  ];
  for (const [what, path, text] of hostile) {
    test(`${what} is read as far as it can be`, async () => {
      const { document } = await inferredFrom(sourceOf({ [path]: text }));
      expect(JSON.stringify(document).length).toBeLessThan(10_000);
    });
  }
});
