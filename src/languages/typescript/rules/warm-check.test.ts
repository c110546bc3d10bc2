// What is remembered between pairs (summaries, verdicts, what a side changed or newly exports) and trees kept as
// differences must never change an answer: every pair of many sides, checked one after the other with all that kept,
// against the same pair checked alone on plain copies.

import { expect, test } from "bun:test";
import type { SemanticInput, TreeView } from "../../../ports/semantic.ts";
import type { TypeScriptSummary } from "../facts.ts";
import { parseTypeScript } from "../reader/parse-typescript.ts";
import { differingPaths, layered } from "../../../ports/tree-layers.ts";
import { checkTypeScript, type TypeScriptPorts } from "./check-typescript.ts";

const ports = (): TypeScriptPorts => ({ parse: parseTypeScript, cache: new Map<string, TypeScriptSummary>() });

function chance(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

const modules = 9;

/** A module that offers a function of some arity under some name and calls those of others. */
function moduleText(at: number, name: string, arity: number, uses: readonly string[]): string {
  const parameters = Array.from({ length: arity }, (_, one) => `p${one}: number`).join(", ");
  const imports = uses.map((use) => `import { ${use.split("(")[0]} } from "./${/m\d+/.exec(use)?.[0]}.ts";`);
  return [
    ...imports,
    `export function ${name}(${parameters}): number {`,
    `  return ${[at, ...uses].join(" + ")};`,
    "}",
    "",
  ].join("\n");
}

class Project {
  readonly texts = new Map<string, string>();
  readonly read = async (blob: string): Promise<string | undefined> => this.texts.get(blob);

  blob(text: string): string {
    const id = Bun.hash(text).toString(16);
    this.texts.set(id, text);
    return id;
  }
}

test("with all that is kept between pairs, each of them gets the answer it would get alone", async () => {
  let found = 0;
  for (let seed = 1; seed <= 25; seed++) {
    const below = chance(seed);
    const project = new Project();
    const files = new Map<string, string>();
    const call = (to: number, arity = 1): string => `m${to}f(${Array.from({ length: arity }, () => "1").join(", ")})`;
    for (let at = 0; at < modules; at++) {
      const uses = at === 0 ? [] : [call(below(at))];
      files.set(`src/m${at}.ts`, project.blob(moduleText(at, `m${at}f`, 1, uses)));
    }
    const stars = Array.from({ length: 3 }, () => `export * from "./m${below(modules)}.ts";`);
    files.set("src/index.ts", project.blob(`${stars.join("\n")}\n`));
    const base: TreeView = { id: "base", blobs: files };
    const sides = Array.from({ length: 6 }, (_, side) => {
      const changes = new Map<string, string | undefined>();
      for (let edits = 1 + below(3); edits > 0; edits--) {
        const at = below(modules);
        const uses = [call(below(modules)), ...(below(2) === 0 ? [call(below(modules), 1 + below(2))] : [])];
        const text = [
          moduleText(at, `m${at}f`, 1 + below(2), []),
          moduleText(at, below(2) === 0 ? `m${at}g` : `m${at}f`, 1, []),
          moduleText(at, `m${at}f`, 1, uses),
          `${moduleText(at, `m${at}f`, 1, [])}export const shared${below(2)} = ${side};\n`,
        ][below(4)];
        if (text !== undefined) changes.set(`src/m${at}.ts`, project.blob(text));
      }
      if (below(4) === 0) changes.set(`src/m${below(modules)}.ts`, undefined);
      if (below(4) === 0) changes.set(`src/new${side}.ts`, project.blob(`import { m1f } from "./m1.ts";\nm1f(1);\n`));
      return { changes, view: { id: `side ${side}`, blobs: layered(base.blobs, changes) } };
    });
    const kept = ports();
    for (const [one, ours] of sides.entries()) {
      for (const [other, theirs] of sides.entries()) {
        const shares = [...ours.changes.keys()].some((path) => theirs.changes.has(path));
        if (one === other || shares) continue;
        const merged = { id: `${one} and ${other}`, blobs: layered(ours.view.blobs, theirs.changes) };
        const input: SemanticInput = { base, ours: ours.view, theirs: theirs.view, merged, read: project.read };
        const copy = (view: TreeView): TreeView => ({ id: view.id, blobs: new Map(view.blobs) });
        const alone: SemanticInput = {
          base: copy(base),
          ours: copy(ours.view),
          theirs: copy(theirs.view),
          merged: copy(merged),
          read: project.read,
        };
        const warm = await checkTypeScript(input, kept);
        const answer = await checkTypeScript(alone, ports());
        expect({ seed, one, other, ...warm }).toEqual({ seed, one, other, ...answer });
        expect([...differingPaths(base, merged)].sort()).toEqual([...differingPaths(alone.base, alone.merged)].sort());
        found += answer.conflicts.length;
      }
    }
  }
  expect(found).toBeGreaterThan(30);
});

type Texts = Readonly<Record<string, string>>;

/** Checks what one side does against the same use of the other, again and again with all that is kept. */
function checkingAgainst(base: Texts, use: Texts): (ours: Texts) => Promise<readonly string[]> {
  const kept = ports();
  const project = new Project();
  const view = (id: string, ...layers: readonly Texts[]): TreeView => {
    const files = Object.entries(Object.assign({}, ...layers) as Texts);
    return { id, blobs: new Map(files.map(([path, text]) => [path, project.blob(text)])) };
  };
  return async (ours) => {
    const trees = { base: view("base", base), ours: view("ours", base, ours), theirs: view("theirs", base, use) };
    const merged = view("merged", base, ours, use);
    const { conflicts } = await checkTypeScript({ ...trees, merged, read: project.read }, kept);
    return conflicts.map(({ rule, symbol, use: { path } }) => `${rule} ${symbol} ${path}`);
  };
}

test("a file that was in order is looked at again when a new file takes the place of one it imports", async () => {
  const check = checkingAgainst(
    { "src/a/index.ts": "export const one = 1;\n", "src/b.ts": "export const b = 1;\n" },
    { "src/use.ts": 'import { one } from "./a";\nexport const two = one + 1;\n' },
  );
  expect(await check({ "src/b.ts": "export const c = 1;\n" })).toEqual([]);
  expect(await check({ "src/a.ts": "export const uno = 1;\n" })).toEqual(["removed one src/use.ts"]);
  // A declaration file stands before a folder too.
  expect(await check({ "src/a.d.ts": "export declare const uno: number;\n" })).toEqual(["removed one src/use.ts"]);
});

test("settings that give a name another meaning are not answered from memory", async () => {
  const entry = (file: string): string => JSON.stringify({ name: "@shop/core", exports: { ".": file } });
  const check = checkingAgainst(
    {
      "core/package.json": entry("./one.ts"),
      "core/one.ts": "export const one = 1;\n",
      "core/two.ts": "export const two = 1;\n",
      "web/b.ts": "export const b = 1;\n",
    },
    { "web/use.ts": 'import { one } from "@shop/core";\nexport const more = one + 1;\n' },
  );
  expect(await check({ "web/b.ts": "export const c = 1;\n" })).toEqual([]);
  expect(await check({ "core/package.json": entry("./two.ts") })).toEqual(["removed one web/use.ts"]);
});
