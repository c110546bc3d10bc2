import { describe, expect, test } from "bun:test";
import { parseTypeScript } from "../../../host/parse/typescript/parse-typescript.ts";
import type { SemanticConflict } from "../../../protocol/semantic.ts";
import type { TypeScriptSummary } from "../../../protocol/typescript-summary.ts";
import { checkTypeScript } from "./check-typescript.ts";
import { treesOf, type Sides } from "./trees.suite.ts";

async function conflictsOf(sides: Sides): Promise<readonly SemanticConflict[]> {
  const trees = treesOf(sides);
  if (trees === undefined) throw new Error("the sides conflict in the text");
  const cache = new Map<string, TypeScriptSummary>();
  const outcome = await checkTypeScript(trees.input, { parse: parseTypeScript, cache });
  return outcome.conflicts;
}

/** `rule symbol path:line`, one string a conflict. */
async function check(sides: Sides, expected: readonly string[]): Promise<void> {
  const found = (await conflictsOf(sides)).map((one) => `${one.rule} ${one.symbol} ${one.use.path}:${one.use.line}`);
  expect(found).toEqual([...expected]);
}

const dates = "export function formatDate(date: Date): string {\n  return date.toISOString();\n}\n";
const app = 'import { formatDate } from "./dates";\nexport const now = formatDate(new Date());\n';
const renamed = {
  "dates.ts": dates.replaceAll("formatDate", "formatDay"),
  "app.ts": app.replaceAll("formatDate", "formatDay"),
};
const base = { "dates.ts": dates, "app.ts": app };
const newUse = 'import { formatDate } from "./dates";\nconsole.log(formatDate(new Date()));\n';

describe("a definition one side takes away and the other begins to use", () => {
  test("a renamed function is one conflict that names symbol, definition and use", async () => {
    const [conflict, ...rest] = await conflictsOf({ base, ours: renamed, theirs: { "report.ts": newUse } });
    expect(rest).toEqual([]);
    expect(conflict).toMatchObject({
      language: "typescript",
      rule: "renamed",
      symbol: "formatDate",
      definitionSide: "ours",
      definitionBefore: { path: "dates.ts", line: 1, text: dates.trimEnd() },
      definitionAfter: { path: "dates.ts", line: 1 },
      use: { path: "report.ts", line: 1 },
    });
    expect(conflict?.message).toContain("renamed to formatDay");
  });

  test("it does not matter which side is which", async () => {
    const [conflict] = await conflictsOf({ base, ours: { "report.ts": newUse }, theirs: renamed });
    expect(conflict).toMatchObject({ rule: "renamed", definitionSide: "theirs" });
  });

  test("a removed function", () =>
    check(
      {
        base,
        ours: { "dates.ts": "export const zone = 1;\n", "app.ts": "export {};\n" },
        theirs: { "report.ts": newUse },
      },
      ["removed formatDate report.ts:1"],
    ));

  test("a function no longer exported", () =>
    check(
      { base, ours: { "dates.ts": dates.replace("export ", ""), "app.ts": null }, theirs: { "report.ts": newUse } },
      ["made-private formatDate report.ts:1"],
    ));

  test("a function moved to another file", () =>
    check(
      {
        base,
        ours: { "dates.ts": "export {};\n", "time.ts": dates, "app.ts": app.replace("./dates", "./time") },
        theirs: { "report.ts": newUse },
      },
      ["moved formatDate report.ts:1"],
    ));

  test("a whole file moved", () =>
    check(
      {
        base,
        ours: { "dates.ts": null, "lib/dates.ts": dates, "app.ts": app.replace("./dates", "./lib/dates") },
        theirs: { "report.ts": newUse },
      },
      ["moved dates.ts report.ts:1"],
    ));

  test("the use in another hunk of the same file", () => {
    const file = `import { formatDate } from "./dates";\n\nexport const a = formatDate(new Date());\n${"\n".repeat(8)}export const z = 1;\n`;
    return check(
      {
        base: { "dates.ts": dates, "app.ts": file },
        ours: { "dates.ts": renamed["dates.ts"], "app.ts": file.replaceAll("formatDate", "formatDay") },
        theirs: { "app.ts": `${file}export const b = formatDate(new Date(0));\n` },
      },
      ["renamed formatDate app.ts:13"],
    );
  });

  test("a local function of one file, used in another hunk of it", () => {
    const file = `function helper(n: number): number {\n  return n;\n}\nexport const a = helper(1);\n${"// line\n".repeat(8)}export const z = 1;\n`;
    return check(
      {
        base: { "a.ts": file },
        ours: { "a.ts": file.replaceAll("helper", "aid") },
        theirs: { "a.ts": `${file}export const b = helper(2);\n` },
      },
      ["renamed helper a.ts:14"],
    );
  });
});

const silent = (theirs: Sides["theirs"], ours: Sides["ours"] = renamed): Promise<void> =>
  check({ base, ours, theirs }, []);

describe("no conflict", () => {
  test("when the name is only in a string or comment", () =>
    silent({ "report.ts": '// formatDate\nexport const s = "formatDate(1)";\n' }));
  test("when an alias is kept", () =>
    silent(
      { "report.ts": newUse },
      { ...renamed, "dates.ts": `${renamed["dates.ts"]}export { formatDay as formatDate };\n` },
    ));
  test("when another module has the same name", () =>
    silent({ "other.ts": dates, "report.ts": newUse.replace("./dates", "./other") }));
  test("when the name is local", () =>
    silent({ "report.ts": "const formatDate = (n: number) => n;\nexport const x = formatDate(1);\n" }));
  test("when it is shadowed", () =>
    silent({ "report.ts": "export function f(formatDate: (n: number) => void) {\n  formatDate(1);\n}\n" }));
  test("when the use was broken on its own side", () =>
    silent({ "dates.ts": dates, "report.ts": 'import { formatDates } from "./dates";\nformatDates();\n' }));
  test("when the package is not in the tree", () =>
    silent({ "report.ts": 'import { formatDate } from "date-kit";\nformatDate(1);\n' }));
  test("when the name is a global", () =>
    silent({ "report.ts": "declare function formatDate(n: number): void;\nformatDate(1);\n" }));
  test("when both sides made the same change", () =>
    silent({ ...renamed, "report.ts": newUse.replaceAll("formatDate", "formatDay") }));
  test("when only jest.mock names the file", () =>
    silent(
      { "report.test.ts": 'jest.mock("./dates", () => ({ formatDate: () => 1 }));\n' },
      { "dates.ts": null, "app.ts": null },
    ));
  test("when a file does not parse", () => silent({ "report.ts": `${newUse}const = ;\n` }));
});
