// Projects as they are laid out: source roots, packages, renamed files; and the machine side: caching, bounds, unreadable files.

import { describe, expect, test } from "bun:test";
import { checkPython } from "./check-python.ts";
import { isTest, pythonImportGraph } from "./import-graph.ts";
import { inputOf, ports, run, type Scene, treeOf } from "./scenario.suite.ts";

async function check(scene: Scene, expected: readonly string[]): Promise<void> {
  const { conflicts } = await run(scene);
  expect(conflicts.map(({ rule, symbol, use }) => `${rule} ${symbol} ${use.path}:${use.line}`).sort()).toEqual(
    [...expected].sort(),
  );
}

const old = "def old():\n    return 1\n";
const gone = "def new():\n    return 1\n";

const layout = (
  name: string,
  config: Record<string, string>,
  library: string,
  user: string,
  statement = "from pkg.lib import old",
): void =>
  test(name, () =>
    check({ base: { ...config, [library]: old }, ours: { [library]: gone }, theirs: { [user]: `${statement}\n` } }, [
      `renamed old ${user}:1`,
    ]),
  );

describe("imports are found", () => {
  layout(
    "through a package that imports its own module",
    { "pkg/__init__.py": "from . import lib\n" },
    "pkg/lib.py",
    "pkg/user.py",
    "from . import lib as it; it.old()",
  );
  layout("in a src layout, from tests", { "src/pkg/__init__.py": "" }, "src/pkg/lib.py", "tests/test_it.py");
  layout(
    "where setuptools says",
    { "pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["python/code"]\n' },
    "python/code/pkg/lib.py",
    "tests/test_it.py",
  );
  layout(
    "where poetry says",
    { "pyproject.toml": '[tool.poetry]\npackages = [{ include = "pkg", from = "code" }]\n' },
    "code/pkg/lib.py",
    "tests/test_it.py",
  );
  layout(
    "where hatch says",
    { "pyproject.toml": '[tool.hatch.build.targets.wheel]\npackages = ["code/pkg"]\n' },
    "code/pkg/lib.py",
    "tests/test_it.py",
  );
  layout(
    "where pytest says",
    { "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["code"]\n' },
    "code/pkg/lib.py",
    "tests/test_it.py",
  );
  layout(
    "where setup.cfg says",
    { "setup.cfg": "[options]\npackage_dir =\n    = code\n" },
    "code/pkg/lib.py",
    "tests/test_it.py",
  );
  layout(
    "in one project of a monorepo",
    { "services/a/pyproject.toml": "", "services/b/pyproject.toml": "" },
    "services/a/pkg/lib.py",
    "services/b/tests/test_it.py",
  );
  layout("beside a script", {}, "tools/pkg/lib.py", "tools/run.py");
  layout("in a namespace package", {}, "pkg/lib.py", "app.py");
  layout(
    "with dots and line breaks",
    { "pkg/__init__.py": "" },
    "pkg/lib.py",
    "app.py",
    "from pkg.lib import \\\n    old",
  );
  layout("beside a broken pyproject", { "pyproject.toml": "[[[", "pkg/__init__.py": "" }, "pkg/lib.py", "app.py");
  layout("in a stub", { "pkg/__init__.py": "" }, "pkg/lib.pyi", "app.py");

  test("in the project's own copy when two projects have the same package", () =>
    check(
      {
        base: { "a/util.py": old, "b/util.py": old, "a/x.py": "", "b/x.py": "" },
        ours: { "a/util.py": gone },
        theirs: { "b/x.py": "from util import old\n" },
      },
      [],
    ));
  test("through several re-exports and renames", () =>
    check(
      {
        base: {
          "p/__init__.py": "from .q import r as s\n",
          "p/q/__init__.py": "from .deep import old as r\n",
          "p/q/deep.py": "def old(a):\n    return a\n",
        },
        ours: { "p/q/deep.py": "def old(a, b):\n    return a\n" },
        theirs: { "app.py": "from p import s\ns(1)\n" },
      },
      ["signature old app.py:2"],
    ));
  test("through import loops without end", () =>
    check(
      {
        base: {
          "a.py": "from b import *\nfrom b import x\n",
          "b.py": "from a import *\nfrom a import x\n",
          "c.py": old,
        },
        ours: { "c.py": gone },
        theirs: { "d.py": "from a import *\nfrom c import old\nx.y()\n" },
      },
      ["renamed old d.py:2"],
    ));
});

test("a file that ours renamed is looked at where it went", () => {
  const text = "from .util import one\n\n\ndef f():\n    return one()\n\n\ndef g():\n    return 2\n";
  const edited = `${text}\n\nfrom .util import two\n`;
  const util = "def one():\n    return 1\n\n\ndef two():\n    return 2\n";
  const moved = text.replace(".util", "..util");
  return check(
    {
      base: { "p/__init__.py": "", "p/util.py": util, "p/a.py": text },
      ours: { "p/a.py": null, "p/sub/__init__.py": "", "p/sub/a.py": moved },
      theirs: { "p/a.py": edited },
      merged: {
        "p/__init__.py": "",
        "p/util.py": util,
        "p/sub/__init__.py": "",
        "p/sub/a.py": edited.replace(".util", "..util"),
      },
    },
    ["moved .util p/sub/a.py:12"],
  );
});

describe("files that cannot be read", () => {
  test("are passed over with a note", async () => {
    const { conflicts, notes } = await run({
      base: { "lib.py": old },
      ours: { "lib.py": gone },
      theirs: { "app.py": "from lib import old\ndef (:\n", "ok.py": "from lib import old\n" },
    });
    expect(conflicts.map(({ use }) => use.path)).toEqual(["ok.py"]);
    expect(notes).toEqual(["app.py: passed over (syntax error)"]);
  });
  test("make what they define unknown", () =>
    check(
      { base: { "lib.py": old }, ours: { "lib.py": "def new(:\n" }, theirs: { "app.py": "from lib import old\n" } },
      [],
    ));
  test("or are binary", async () => {
    const input = inputOf({
      base: { "lib.py": old },
      ours: { "lib.py": gone },
      theirs: { "app.py": "from lib import old\n" },
    });
    const app = input.theirs.blobs.get("app.py");
    const outcome = await checkPython(
      { ...input, read: (blob) => (blob === app ? Promise.resolve(undefined) : input.read(blob)) },
      ports(),
    );
    expect(outcome.conflicts).toEqual([]);
    expect(outcome.notes).toEqual(["app.py: passed over (not readable as text)"]);
  });
});

test("names that JavaScript objects have anyway are ordinary names", () =>
  check(
    {
      base: { "lib.py": "def constructor():\n    return 1\n\n\ndef toString():\n    return 1\n" },
      ours: { "lib.py": "def toString():\n    return 1\n" },
      theirs: { "app.py": "import lib\nlib.constructor()\nlib.toString()\nlib.valueOf()\nlib.__proto__\n" },
    },
    ["removed constructor app.py:2"],
  ));

describe("work is not done twice", () => {
  const scene: Scene = {
    base: { "lib.py": old, "far.py": "import os\n", "near.py": "from lib import old\n" },
    ours: { "lib.py": gone, "near.py": "from lib import new\n" },
    theirs: { "app.py": "from lib import old\n" },
  };
  test("a second check parses nothing", async () => {
    const machine = ports();
    await run(scene, machine);
    const first = machine.parsed();
    const again = await run(scene, machine);
    expect(again.conflicts).toHaveLength(1);
    expect(machine.parsed()).toBe(first);
  });
  test("files that neither side's changes lead to are not even read", async () => {
    const input = inputOf(scene);
    const far = input.base.blobs.get("far.py");
    const seen: string[] = [];
    await checkPython({ ...input, read: (blob) => (seen.push(blob), input.read(blob)) }, ports());
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).not.toContain(far ?? "");
  });
  test("a tree that is kept answers for the next pair too", async () => {
    const machine = ports();
    const input = inputOf(scene);
    const other = inputOf({ ...scene, ours: { "lib.py": "def old(a):\n    return 1\n" }, theirs: scene.theirs });
    expect((await checkPython(input, machine)).conflicts.map(({ rule }) => rule)).toEqual(["renamed"]);
    const second = await checkPython({ ...other, base: input.base, theirs: input.theirs }, machine);
    expect(second.conflicts).toEqual([]);
  });
  test("an entry of another version is made again", async () => {
    const machine = ports();
    const stale = {
      get: () => ({ version: -1, names: {}, stars: [], scopes: [], uses: [], stores: [] }),
      set: machine.cache.set,
    };
    expect((await run(scene, { parse: machine.parse, cache: stale })).conflicts).toHaveLength(1);
  });
});

test("an aborted check answers at once and says it is not complete", async () => {
  const input = inputOf({
    base: { "lib.py": old },
    ours: { "lib.py": gone },
    theirs: { "app.py": "from lib import old\n" },
  });
  expect(await checkPython({ ...input, signal: AbortSignal.abort() }, ports())).toEqual({
    conflicts: [],
    complete: false,
    notes: [],
  });
});

test("the import graph holds modules, packages on the way and submodules, no outsiders, and gives tests their conftests", async () => {
  const files = {
    "src/p/__init__.py": "from .a import x\n",
    "src/p/a.py": "import os\nx = 1\n",
    "src/p/b.py": "def f():\n    from . import a\n",
    "tests/test_b.py": "import numpy\nfrom p.b import f\nimport p.a as q\n",
  };
  const tree = treeOf(files);
  const texts = new Map([...tree.blobs].map(([path, blob]) => [blob, files[path as keyof typeof files]]));
  const { imports, tests } = await pythonImportGraph(tree, (blob) => Promise.resolve(texts.get(blob)), ports());
  expect(Object.fromEntries([...imports].map(([path, to]) => [path, [...to].sort()]))).toEqual({
    "src/p/__init__.py": ["src/p/a.py"],
    "src/p/a.py": [],
    "src/p/b.py": ["src/p/__init__.py", "src/p/a.py"],
    "tests/test_b.py": ["conftest.py", "src/p/__init__.py", "src/p/a.py", "src/p/b.py", "tests/conftest.py"],
  });
  expect([...tests]).toEqual(["tests/test_b.py"]);
});

test("what counts as a test", () => {
  for (const path of ["test_a.py", "pkg/a_test.py"]) expect([path, isTest(path)]).toEqual([path, true]);
  for (const path of ["contest.py", "testing.py", "tests/readme.md", "tests/a.py"])
    expect([path, isTest(path)]).toEqual([path, false]);
});
