// What is remembered between pairs of Python must never change an answer: what one pair could not finish is no answer for the next.

import { expect, test } from "bun:test";
import type { SemanticInput, SemanticOutcome, TreeView } from "../../../ports/semantic.ts";
import { checkPython } from "./check-python.ts";
import { inputOf, ports, type Scene } from "./scenario.suite.ts";
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
