// What is remembered between pairs (summaries, verdicts, what a side changed or newly exports) and trees kept as
// differences must never change an answer: every pair of many sides, checked one after the other with all that kept,
// against the same pair checked alone on plain copies.

import { expect, test } from "bun:test";
import type { SemanticInput, TreeView } from "../../../ports/semantic.ts";
import type { TypeScriptSummary } from "../facts.ts";
import { parseTypeScript } from "../reader/parse-typescript.ts";
import { differingPaths, layered } from "../../../ports/tree-layers.ts";
import { apartTypeScript } from "./apart.ts";
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
  let toldApart = 0;
  for (let seed = 1; seed <= 25; seed++) {
    const below = chance(seed);
    const project = new Project();
    const files = new Map<string, string>();
    const call = (to: number, arity = 1): string => `m${to}f(${Array.from({ length: arity }, () => "1").join(", ")})`;
    for (let at = 0; at < modules; at++) {
      // Some of it does not hold before anybody edits: a name that is nowhere, and a call that does not fit.
      const wrong = at % 4 === 3 ? [call(below(at)).replace("f(", "h(")] : at % 4 === 2 ? [call(below(at), 3)] : [];
      const uses = at === 0 ? [] : [call(below(at)), ...wrong];
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
        const early = await apartTypeScript(input, kept);
        const warm = await checkTypeScript(input, kept);
        const answer = await checkTypeScript(alone, ports());
        if (early !== undefined) expect({ seed, one, other, ...early }).toEqual({ seed, one, other, ...answer });
        toldApart += Number(early !== undefined);
        expect({ seed, one, other, ...warm }).toEqual({ seed, one, other, ...answer });
        expect([...differingPaths(base, merged)].sort()).toEqual([...differingPaths(alone.base, alone.merged)].sort());
        found += answer.conflicts.length;
      }
    }
  }
  expect(found).toBeGreaterThan(30);
  expect(toldApart).toBeGreaterThan(30);
});

test("a file that was wrong before anybody edited it is looked at once, not with every other side", async () => {
  const project = new Project();
  const text = (at: number, edit: string): string =>
    project.blob(`import { gone${at} } from "./none.ts";\ngone${at}(1);\n${edit}`);
  const base: TreeView = {
    id: "base",
    blobs: new Map([
      ["none.ts", project.blob("export const other = 1;\n")],
      ...[0, 1, 2].map((at): [string, string] => [`m${at}.ts`, text(at, "")]),
    ]),
  };
  const [one, two, three] = [0, 1, 2].map((at) => {
    const changes = new Map([[`m${at}.ts`, text(at, "// edited\n")]]);
    return { changes, view: { id: `side ${at}`, blobs: layered(base.blobs, changes) } };
  });
  if (one === undefined || two === undefined || three === undefined) throw new Error("there are three");
  const kept = ports();
  const inputOf = (ours: typeof one, theirs: typeof one): SemanticInput => ({
    base,
    ours: ours.view,
    theirs: theirs.view,
    merged: { id: `${ours.view.id} and ${theirs.view.id}`, blobs: layered(ours.view.blobs, theirs.changes) },
    read: project.read,
  });
  for (const pair of [inputOf(one, two), inputOf(one, three)])
    expect((await checkTypeScript(pair, kept)).conflicts).toEqual([]);
  expect(await apartTypeScript(inputOf(two, three), kept)).toEqual({ conflicts: [], complete: true, notes: [] });
  // Whoever brings what was missing, and whoever takes what is there, concerns them again.
  const brought = new Map([["none.ts", project.blob("export const gone1 = () => 1;\n")]]);
  const four = { changes: brought, view: { id: "side 4", blobs: layered(base.blobs, brought) } };
  expect(await apartTypeScript(inputOf(two, four), kept)).toBeUndefined();
});

test("a pattern of paths that no longer finds a file is told of to whoever comes later, too", async () => {
  const project = new Project();
  const base: TreeView = {
    id: "base",
    blobs: new Map([
      ["main.ts", project.blob("export const a = 1;\n")],
      ["pages/one.ts", project.blob("export const one = 1;\n")],
      ["b.ts", project.blob("export const b = 1;\n")],
    ]),
  };
  const sideOf = (id: string, changes: Map<string, string | undefined>) => ({
    changes,
    view: { id, blobs: layered(base.blobs, changes) },
  });
  const globs = 'export const a = import.meta.glob("./pages/*.ts");\n';
  const ours = sideOf("globs", new Map([["main.ts", project.blob(globs)]]));
  const edits = sideOf("edits", new Map([["b.ts", project.blob("export const b = 2;\n")]]));
  const takes = sideOf("takes", new Map([["pages/one.ts", undefined]]));
  const kept = ports();
  const unsureOf = async (theirs: typeof ours) => {
    const merged = { id: `with ${theirs.view.id}`, blobs: layered(ours.view.blobs, theirs.changes) };
    const input = { base, ours: ours.view, theirs: theirs.view, merged, read: project.read };
    return (await checkTypeScript(input, kept)).unsure ?? [];
  };
  expect(await unsureOf(edits)).toEqual([]);
  expect(await unsureOf(takes)).toMatchObject([{ path: "main.ts", definition: "pages/one.ts" }]);
});

/** Runs a check that is given up after so many files were read, or whose reading fails there. */
async function brokenOff(input: SemanticInput, kept: TypeScriptPorts, after: number, how: "given up" | "failed") {
  const stop = new AbortController();
  let reads = 0;
  const read: SemanticInput["read"] = async (blob) => {
    if (++reads < after) return input.read(blob);
    if (how === "failed") throw new Error("git ended");
    stop.abort();
    return input.read(blob);
  };
  await checkTypeScript({ ...input, read, signal: stop.signal }, kept).catch(() => undefined);
}

/** Answers nothing and says what it was asked about. */
const asking: TypeScriptPorts["compiler"] = {
  compare: async ({ paths, between }) => ({
    findings: [],
    complete: true,
    note: [...paths, "|", ...between].join(" "),
  }),
};

test("what was broken off, failed or could not be read is not remembered as an answer", async () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 25; seed++) {
    const below = chance(seed);
    const project = new Project();
    const files = new Map<string, string>();
    for (let at = 0; at < modules; at++) {
      const uses = at < 2 ? [] : [`m${below(at)}f(1)`, `m${below(at)}f(1)`];
      files.set(`src/m${at}.ts`, project.blob(moduleText(at, `m${at}f`, 1, uses)));
    }
    files.set("src/index.ts", project.blob('export * from "./m1.ts";\nexport * from "./m2.ts";\n'));
    const unreadable = "0";
    const [broken, other] = [project.blob("export function ( {\n"), project.blob("export const = ;\n")];
    const base: TreeView = { id: "base", blobs: files };
    const sides = Array.from({ length: 4 }, (_, side) => {
      const at = below(modules);
      const text = project.blob(moduleText(at, `m${at}${below(2) === 0 ? "f" : "g"}`, 1 + below(2), []));
      const changes = new Map<string, string>([[`src/m${at}.ts`, text]]);
      const strange = [unreadable, broken, other, text][below(4)] ?? text;
      changes.set(`src/${["new", "index", `m${below(modules)}`][below(3)] ?? "new"}${side % 2}.ts`, strange);
      changes.set(`src/${["x", `m${below(modules)}`][below(2)] ?? "x"}.ts`, [broken, text][below(2)] ?? text);
      return { changes, view: { id: `side ${side}`, blobs: layered(base.blobs, changes) } };
    });
    const withCompiler = (): TypeScriptPorts => ({ ...ports(), compiler: asking });
    const kept = withCompiler();
    for (const [one, ours] of sides.entries()) {
      for (const [other, theirs] of sides.entries()) {
        if (one === other || [...ours.changes.keys()].some((path) => theirs.changes.has(path))) continue;
        const merged = { id: `${one} and ${other}`, blobs: layered(ours.view.blobs, theirs.changes) };
        const input: SemanticInput = { base, ours: ours.view, theirs: theirs.view, merged, read: project.read };
        const copy = (view: TreeView): TreeView => ({ id: view.id, blobs: new Map(view.blobs) });
        const alone = {
          ...input,
          base: copy(base),
          ours: copy(ours.view),
          theirs: copy(theirs.view),
          merged: copy(merged),
        };
        const how = below(2) === 0 ? "given up" : "failed";
        await brokenOff(input, kept, 1 + below(12), how);
        const warm = await checkTypeScript(input, kept);
        const answer = await checkTypeScript(alone, withCompiler());
        const shape = ({ notes, ...rest }: typeof warm) => ({ ...rest, notes: notes.toSorted() });
        expect({ seed, one, other, ...shape(warm) }).toEqual({ seed, one, other, ...shape(answer) });
        for (const kind of ["does not parse", "cannot be read", "| src/"])
          if (answer.notes.some((note) => note.includes(kind))) seen.add(kind);
      }
    }
  }
  expect([...seen].sort()).toEqual(["cannot be read", "does not parse", "| src/"]);
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

test("what could not be read is said each time, also of files that nobody changed or that the other side moved", async () => {
  const [broken, text] = ["export function ( {\n", "export const one = 1;\n"];
  const cases: Readonly<Record<string, readonly [ours: Texts, theirs: Texts, merged: Texts]>> = {
    "a file that nobody changed": [
      { "b.ts": `${text}// ours\n` },
      { "use.ts": 'import { gone } from "./lib.ts";\nexport const used = gone;\n' },
      {},
    ],
    "a file that the other side moved": [{ "a.ts": broken }, { "moved.ts": text }, { "moved.ts": broken }],
  };
  for (const [what, [ours, theirs, merged]] of Object.entries(cases)) {
    const project = new Project();
    const view = (id: string, files: Texts): TreeView => ({
      id,
      blobs: new Map(Object.entries(files).map(([path, content]) => [path, project.blob(content)])),
    });
    const { "a.ts": first = "", ...others } = { "a.ts": text, "b.ts": text, "index.ts": text, "lib.ts": broken };
    const base = { "a.ts": first, ...others };
    const isMoved = "moved.ts" in theirs;
    const input: SemanticInput = {
      base: view("base", base),
      ours: view("ours", { ...base, ...ours }),
      theirs: view("theirs", { ...(isMoved ? others : base), ...theirs }),
      merged: view("merged", { ...(isMoved ? others : { ...base, ...ours }), ...theirs, ...merged }),
      read: project.read,
    };
    const kept = ports();
    const { notes } = await checkTypeScript(input, kept);
    expect({ what, notes }).toEqual({ what, notes: [expect.stringContaining("does not parse"), ...notes.slice(1)] });
    expect({ what, notes: (await checkTypeScript(input, kept)).notes.toSorted() }).toEqual({
      what,
      notes: notes.toSorted(),
    });
  }
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

test("sides are told apart once both are known, and never where names may lead elsewhere or both export a name", async () => {
  const project = new Project();
  const entry = (file: string): string => JSON.stringify({ name: "@shop/core", exports: { ".": file } });
  const texts: Texts = {
    "core/package.json": entry("./one.ts"),
    "core/one.ts": "export const one = 1;\n",
    "core/two.ts": "export const two = 1;\n",
    "src/a/index.ts": "export const one = 1;\n",
    "src/b.ts": "export const b = 1;\n",
    "src/index.ts": 'export * from "./b.ts";\nexport * from "./use.ts";\n',
    "src/use.ts": "export const two = 2;\n",
  };
  const blobsOf = (files: Texts): [string, string][] =>
    Object.entries(files).map(([path, text]) => [path, project.blob(text)]);
  const base: TreeView = { id: "base", blobs: new Map(blobsOf(texts)) };
  const kept = ports();
  const used =
    'import { one } from "./a";\nimport { one as first } from "@shop/core";\nexport const two = one + first;\n';
  const side = (id: string, files: Texts): TreeView => ({ id, blobs: layered(base.blobs, blobsOf(files)) });
  let theirs = { "src/use.ts": used };
  let theirView = side("theirs", theirs);
  /** Before anything is known of the two, and after a check. */
  const both = async (id: string, ours: Texts): Promise<(boolean | string[])[]> => {
    const ourView = side(id, ours);
    const merged = { id: `merged ${id}`, blobs: layered(ourView.blobs, blobsOf(theirs)) };
    const input: SemanticInput = { base, ours: ourView, theirs: theirView, merged, read: project.read };
    const isApart = async (): Promise<boolean> => (await apartTypeScript(input, kept)) !== undefined;
    const before = await isApart();
    const { conflicts } = await checkTypeScript(input, kept);
    return [before, conflicts.map(({ rule, symbol }) => `${rule} ${symbol}`), await isApart()];
  };
  expect(await both("elsewhere", { "src/b.ts": "export const c = 1;\n" })).toEqual([false, [], true]);
  expect(await both("elsewhere too", { "core/two.ts": "export const two = 2;\n" })).toEqual([false, [], true]);
  expect(await both("what it rests on", { "src/a/index.ts": "export const one = 3;\n" })).toEqual([false, [], false]);
  expect(await both("in its place", { "src/a.ts": "export const uno = 1;\n" })).toEqual([
    false,
    ["removed one"],
    false,
  ]);
  const other = await both("settings", { "core/package.json": entry("./two.ts") });
  expect(other).toEqual([false, ["removed one"], false]);
  const twice = `${used}export const more = 1;\n`;
  theirs = { "src/use.ts": twice };
  theirView = side("theirs with more", theirs);
  const clash = await both("the same name", { "src/b.ts": "export const b = 1;\nexport const more = 2;\n" });
  expect(clash).toEqual([false, ["duplicate-definition more"], false]);
});
