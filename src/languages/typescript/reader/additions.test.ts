import { expect, test } from "bun:test";
import { additionsOf } from "./additions.ts";

const file =
  'import { a } from "./a.ts";\nexport function f(x: number): number {\n  return x;\n}\nexport interface Box { n: number }\n';
const added = (is: string, was = file, path = "m.ts") => {
  const found = additionsOf(path, was, is);
  return found === undefined ? undefined : { onlyAdds: found.onlyAdds, names: [...found.names].sort() };
};

test("a change that only adds declarations says which names it adds", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    "export const g = 1;": ["g"],
    "export class C {}\nexport type T = string;\nexport enum E { A }": ["C", "E", "T"],
    "const own = 1;\nfunction help(): void {}": ["help", "own"],
    "const own = 1;\nexport { own as shown };": ["own", "shown"],
    'export { b, c as d } from "./b.ts";': ["b", "d"],
    "export default 1;": ["default"],
    "// only a comment": [],
    'import type { B } from "./b.ts";': ["B"],
  };
  for (const [more, names] of Object.entries(cases))
    for (const is of [`${file}${more}\n`, `${more}\n${file}`])
      expect([is, added(is)]).toEqual([is, { onlyAdds: true, names: [...names] }]);
  // The body of a function that says what it gives is nobody else's business.
  expect(added(file.replace("return x", "return x + 1"))).toEqual({ onlyAdds: true, names: [] });
});

test("what was there before, changed, taken away or joined by a second declaration, is more than an addition", () => {
  for (const is of [
    file.replace("x: number)", "x: string)"),
    file.replace("export interface Box { n: number }", ""),
    file.replace("n: number", "n: number; m?: number"),
    file.replace("export interface", "interface"),
    file.replace("import { a }", "import { b }"),
    `${file}export interface Box { m: number }\n`,
    `${file}export function f(x: string): string;\n`,
    file.replace("./a.ts", "./b.ts"),
  ])
    expect([is, added(is)?.onlyAdds]).toEqual([is, false]);
});

test("what cannot be told apart matters only where it is new", () => {
  const odd = `${file}export * from "./b.ts";\nnamespace N { export const x = 1; }\na.extend(1);\n`;
  expect(added(`${odd}export const g = 1;\n`, odd)).toEqual({ onlyAdds: true, names: ["g"] });
  expect(added(odd.replace('"./b.ts"', '"./c.ts"'), odd)).toBeUndefined();
});

test("names that a larger change adds are told too", () => {
  expect(added(`${file.replace("n: number", "n: string")}export const g = 1;\n`)).toEqual({
    onlyAdds: false,
    names: ["g"],
  });
});

test("where it is not known, nothing is said", () => {
  for (const more of [
    'export * from "./b.ts";',
    'import "./side.ts";',
    "declare global { interface Window { x: 1 } }",
    "namespace N { export const x = 1; }",
    "export const { p, q } = a;",
    "a.extend(1);",
    "export const broken = ;",
  ])
    expect([more, added(`${file}${more}\n`)]).toEqual([more, undefined]);
  expect(added(file, file, "m.d.ts")).toBeUndefined();
  expect(added("const a = 1;\nconst b = 2;\n", "const a = 1;\n")).toBeUndefined();
});
