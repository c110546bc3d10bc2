// What is remembered between pairs of Python must never change an answer: what one pair could not finish is no answer for the next.

import { expect, test } from "bun:test";
import type { SemanticInput, SemanticOutcome, TreeView } from "../../../ports/semantic.ts";
import { layered } from "../../../ports/tree-layers.ts";
import { apartPython, checkPython } from "./check-python.ts";
import { inputOf, ports, type Scene, treeOf } from "./scenario.suite.ts";
import type { PythonPorts } from "./summaries.ts";

/** The same question, with trees that nothing is remembered of. */
const copied = (input: SemanticInput): SemanticInput => {
  const copy = (view: TreeView): TreeView => ({ id: view.id, blobs: new Map(view.blobs) });
  const { base, ours, theirs, merged } = input;
  return { ...input, base: copy(base), ours: copy(ours), theirs: copy(theirs), merged: copy(merged) };
};

const told = ({ conflicts, complete, notes }: SemanticOutcome) => ({
  complete,
  notes,
  conflicts: conflicts.map(({ rule, symbol, use }) => `${rule} ${symbol} ${use.path}:${use.line}`).sort(),
});

const scene: Scene = {
  base: {
    "pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["code"]\n',
    "code/pkg/__init__.py": "",
    "code/pkg/lib.py": "def old(a):\n    return a\n\n\ndef kept():\n    return 1\n",
    "code/pkg/far.py": "from pkg.lib import *\n",
    "code/app.py": "from pkg.lib import kept\n\nkept()\n",
  },
  ours: { "code/pkg/lib.py": "def new(a):\n    return a\n\n\ndef kept():\n    return 1\n" },
  theirs: {
    "code/app.py": "from pkg.lib import kept, old\n\nkept()\nold(1)\n",
    "code/more.py": "from pkg.far import old\n\nold(2)\n",
  },
};

test("a check that was broken off or failed at any of its reads leaves nothing behind that the next one takes for an answer", async () => {
  const whole = told(await checkPython(inputOf(scene), ports()));
  expect(whole.conflicts).toEqual(["renamed old code/app.py:1", "renamed old code/more.py:1"]);
  for (const how of ["given up", "failed"] as const) {
    for (let at = 1; at <= 12; at++) {
      const input = inputOf(scene);
      const machine = ports();
      const stop = new AbortController();
      let reads = 0;
      const read: SemanticInput["read"] = async (blob) => {
        if (++reads === at && how === "failed") throw new Error("git ended");
        if (reads === at) stop.abort();
        return input.read(blob);
      };
      await checkPython({ ...input, read, signal: stop.signal }, machine).catch(() => undefined);
      expect({ how, at, ...told(await checkPython(input, machine)) }).toEqual({ how, at, ...whole });
    }
  }
});

test("a side whose names take too long to follow is never complete, however often it is asked about", async () => {
  const input = inputOf(scene);
  const machine: PythonPorts = { ...ports(), maxEffort: 3 };
  const alone = told(await checkPython(copied(input), { ...ports(), maxEffort: 3 }));
  expect(alone).toMatchObject({ complete: false, notes: [expect.stringContaining("gave up")] });
  for (let time = 1; time <= 3; time++) expect(told(await checkPython(input, machine))).toEqual(alone);
});

function chance(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

/** `near` is a package, `far` one without a file of its own. */
const placeOf = (at: number): string => (at % 2 === 0 ? `near/m${at}.py` : `far/m${at}.py`);
const moduleOf = (at: number): string => placeOf(at).replace("/", ".").slice(0, -3);

function moduleText(at: number, name: string, arity: number, uses: readonly number[], more = ""): string {
  const parameters = Array.from({ length: arity }, (_, one) => `p${one}`).join(", ");
  const imports = uses.map((to) => (to % 3 === 0 ? `import ${moduleOf(to)}` : `from ${moduleOf(to)} import f${to}`));
  const calls = uses.map((to) => (to % 3 === 0 ? `${moduleOf(to)}.f${to}(1)` : `f${to}(1)`));
  const last = `    return ${[at, ...calls].join(" + ")}`;
  return [...imports, `def ${name}(${parameters}):`, last, more, ""].join("\n");
}

test("two sides that are told apart have the answer that their merge gives, whatever was kept before", async () => {
  const seen = { found: 0, unsure: 0, apart: 0, merged: 0 };
  for (let seed = 1; seed <= 40; seed++) {
    const below = chance(seed);
    const modules = 9;
    const files: Record<string, string> = { "near/__init__.py": "", "all.py": "from near.m2 import *\nf2(1)\n" };
    for (let at = 0; at < modules; at++) files[placeOf(at)] = moduleText(at, `f${at}`, 1, at === 0 ? [] : [below(at)]);
    const base = treeOf(files);
    const sides = Array.from({ length: 6 }, (_, side) => {
      const changes: Record<string, string | undefined> = {};
      for (let edits = 1 + below(3); edits > 0; edits--) {
        const at = below(modules);
        const before = files[placeOf(at)] ?? "";
        changes[placeOf(at)] = [
          `${before}# ${side}\n`,
          `${before}\n\ndef more${side}():\n    return ${side}\n`,
          moduleText(at, `f${at}`, 1 + below(2), []),
          moduleText(at, below(2) === 0 ? `g${at}` : `f${at}`, 1, [below(modules)]),
          // Found by whoever puts the directory on the path.
          `from m${below(modules)} import *\nfrom m${(at + 1) % modules} import f${(at + 1) % modules}\n${before}\nf${(at + 1) % modules}(1)\n`,
        ][below(7) % 5];
      }
      if (below(4) === 0) changes[placeOf(below(modules))] = undefined;
      if (below(4) === 0) changes[`far/new${side}.py`] = "from near.m2 import f2\n\nf2(1)\n";
      if (below(4) === 0) changes["all.py"] = `from near.m2 import *\nf2(1)\nf${below(modules)}(1)\n`;
      const texts = Object.fromEntries(
        Object.entries(changes).flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])),
      );
      const blobs = treeOf(texts).blobs;
      return {
        paths: Object.keys(changes),
        entries: Object.keys(changes).map((path) => [path, blobs.get(path)] as const),
      };
    });
    const views = sides.map(({ entries }, side) => ({
      id: `side ${seed} ${side}`,
      blobs: layered(base.blobs, entries),
    }));
    const machine = ports();
    const { read } = inputOf(scene);
    for (const [one, ours] of sides.entries()) {
      for (const [other, theirs] of sides.entries()) {
        const [ourView, theirView] = [views[one], views[other]];
        const shares = ours.paths.some((path) => theirs.paths.includes(path));
        if (one === other || shares || ourView === undefined || theirView === undefined) continue;
        const merged = { id: `${seed} ${one} and ${other}`, blobs: layered(ourView.blobs, theirs.entries) };
        const input: SemanticInput = { base, ours: ourView, theirs: theirView, merged, read };
        const early = await apartPython(input);
        const answer = await checkPython(copied(input), ports());
        const name = { seed, one, other };
        if (early !== undefined) expect({ ...name, ...early }).toEqual({ ...name, ...answer });
        expect({ ...name, ...told(await checkPython(input, machine)) }).toEqual({ ...name, ...told(answer) });
        seen.found += answer.conflicts.length;
        seen.unsure += answer.unsure?.length ?? 0;
        seen[early === undefined ? "merged" : "apart"] += 1;
      }
    }
  }
  for (const [what, count] of Object.entries(seen)) expect([what, count > 10]).toEqual([what, true]);
});
