// Names that one side takes away and the other begins to use, where something that is not written out may still bring them: each is named.

import { expect, test } from "bun:test";
import { parseTypeScript } from "../reader/parse-typescript.ts";
import { checkTypeScript } from "./check-typescript.ts";
import { type Sides, treesOf } from "./trees.suite.ts";

async function check(sides: Sides, expected: readonly string[]): Promise<void> {
  const trees = treesOf(sides);
  if (trees === undefined) throw new Error("the sides conflict in the text");
  const { conflicts, unsure = [] } = await checkTypeScript(trees.input, { parse: parseTypeScript, cache: new Map() });
  const said = unsure.map(
    ({ side, path, line, symbol, definition, definitionLine, because }) =>
      `${side} ${path}:${line} ${symbol} ${definition}:${definitionLine ?? ""} ${because}`,
  );
  expect([...conflicts.map(({ rule, symbol }) => `${rule} ${symbol}`), ...said]).toEqual([...expected]);
}

const unwritten = "it has members that are not written out, and this may be one of them";
const ofC = 'import { C } from "./lib";\nexport const n = (c: C) => c.m();\n';
const method = "  m() {\n    return 1;\n  }\n";

/** The class with the method, and without it. */
const without = (head: string, rest: string, use = ofC): Sides => ({
  base: { "lib.ts": `${head} {\n${method}${rest}}\n` },
  ours: { "lib.ts": `${head} {\n${rest}}\n` },
  theirs: { "use.ts": use },
});

test("a class whose members are not all written out", async () => {
  const doubt = `theirs use.ts:2 C.m lib.ts:2 ${unwritten}`;
  await check(without("export class C", "  [key: string]: unknown;\n"), [doubt]);
  await check(without("export class C", "  [Symbol.iterator]() {}\n  [key()]() {}\n"), [doubt]);
});

test("a class, or its base, that extends what is not in the project", async () => {
  const because = "what it extends may still have it";
  const head = 'import { Base } from "base";\nexport class C extends Base';
  await check(without(head, "  k() {}\n"), [`theirs use.ts:2 C.m lib.ts:3 ${because}`]);
  const below = 'import { C } from "./lib";\nclass D extends C {}\nexport const n = (d: D) => d.m();\n';
  await check(without(head, "  k() {}\n", below), [`theirs use.ts:3 C.m lib.ts:3 ${because}`]);
  await check(without("const mixed = mix();\nexport class C extends mixed", "  k() {}\n"), [
    `theirs use.ts:2 C.m lib.ts:3 ${because}`,
  ]);
});

test("an object with a spread or computed keys, and an interface with an index signature", async () => {
  const use = 'import { table } from "./lib";\nexport const n = table.m;\n';
  const object = (members: string): string => `export const table = { ${members} };\n`;
  const doubt = `theirs use.ts:2 table.m lib.ts:1 ${unwritten}`;
  for (const rest of ["...more", "[key]: 1"])
    await check(
      { base: { "lib.ts": object(`m: 1, ${rest}`) }, ours: { "lib.ts": object(rest) }, theirs: { "use.ts": use } },
      [doubt],
    );
  const shape = (members: string): string => `export interface C {\n${members}  [key: string]: any;\n}\n`;
  await check({ base: { "lib.ts": shape("  m(): 1;\n") }, ours: { "lib.ts": shape("") }, theirs: { "use.ts": ofC } }, [
    `theirs use.ts:2 C.m lib.ts:2 ${unwritten}`,
  ]);
});

test("a class of JavaScript that is given more than is written", async () => {
  const use = 'import { C } from "./lib.js";\nnew C(1).m();\n';
  const sides = (rest: string, after = ""): Sides => ({
    base: { "lib.js": `export class C {\n${method}${rest}}\n${after}` },
    ours: { "lib.js": `export class C {\n${rest}}\n${after}` },
    theirs: { "use.js": use },
  });
  const doubt = `theirs use.js:2 C.m lib.js:2 ${unwritten}`;
  for (const body of [
    "Object.assign(this, o);",
    "this[o] = 1;",
    "Object.defineProperty(this, o, {});",
    "return new Proxy(this, o);",
  ])
    await check(sides(`  constructor(o) {\n    ${body}\n  }\n`), [doubt]);
  for (const after of [
    "Object.assign(C.prototype, more);",
    "C.prototype[key] = 1;",
    "Object.defineProperties(C.prototype, more);",
  ])
    await check(sides("  constructor(o) {}\n", `${after}\n`), [doubt]);
  for (const after of ["C.prototype.m = function () {};", 'Object.defineProperty(C.prototype, "m", { value: 1 });'])
    await check(sides("  constructor(o) {}\n", `${after}\n`), []);
  for (const after of ["C.prototype.k = function () {};", "C.m = 1;", "other[key] = 1;", "Object.assign(other, more);"])
    await check(sides("  constructor(o) {\n    o[1] = 2;\n  }\n", `${after}\n`), ["removed-member C.m"]);
});

test("a module that exports more than is written", async () => {
  const use = 'import { m } from "./lib";\nm();\n';
  const named = 'import * as lib from "./lib";\nlib.m();\n';
  const star = 'export * from "package";\n';
  const because = "`export *` of package, which is outside the project, may still bring it";
  const sides = (text: string, rest: string): Sides => ({
    base: { "lib.ts": `${rest}export function m() {}\n` },
    ours: { "lib.ts": `${rest}export function k() {}\n` },
    theirs: { "use.ts": text },
  });
  await check(sides(use, star), [`theirs use.ts:1 m lib.ts:2 ${because}`]);
  await check(sides(named, star), [`theirs use.ts:2 m lib.ts:2 ${because}`]);
});

test("not where the use is old, where nobody took anything away, or where it is gone for certain", async () => {
  const open = without("export class C", "  [key: string]: unknown;\n");
  await check(
    { ...open, base: { ...open.base, "use.ts": ofC }, theirs: { "use.ts": `${ofC}export const x = 1;\n` } },
    [],
  );
  const kept = { "lib.ts": `${open.base["lib.ts"] ?? ""}export const more = 1;\n` };
  await check({ ...open, ours: kept }, []);
  await check({ ...open, ours: kept, theirs: { "use.ts": ofC.replace("c.m()", "c.other") } }, []);
  await check(without("export class C", "  k() {}\n"), ["removed-member C.m"]);
});
