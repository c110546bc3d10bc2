// The rules of the Python checker, each as one small scene: base, what ours changed, what theirs changed, what is found.

import { describe, expect, test } from "bun:test";
import { run, type Scene } from "./scenario.suite.ts";

/** Expected findings as `rule symbol use-path:use-line`. */
async function check(scene: Scene, expected: readonly string[]): Promise<void> {
  const { conflicts } = await run(scene);
  const found = conflicts.map(({ rule, symbol, use }) => `${rule} ${symbol} ${use.path}:${use.line}`);
  expect(found.sort()).toEqual([...expected].sort());
}

const lib = "def old(a, b=1):\n    return a\n\n\ndef other():\n    return old(1)\n\n\nONE = 1\nTWO = 2\nTHREE = 3\n";
const renamed = lib.replaceAll("old", "new");
const base = { "pkg/__init__.py": "", "pkg/lib.py": lib };
const rename = { "pkg/lib.py": renamed };

describe("a renames a function and all its uses, b adds a use", () => {
  test("by from-import", () =>
    check({ base, ours: rename, theirs: { "app.py": "from pkg.lib import old\n\nold(1)\n" } }, [
      "renamed old app.py:1",
    ]));
  test("the other way round", () =>
    check({ base, theirs: rename, ours: { "app.py": "from pkg.lib import old\n" } }, ["renamed old app.py:1"]));
  test("by alias", () =>
    check({ base, ours: rename, theirs: { "app.py": "from pkg.lib import old as o\no(1)\n" } }, [
      "renamed old app.py:1",
    ]));
  test("by module attribute", () =>
    check({ base, ours: rename, theirs: { "app.py": "import pkg.lib\npkg.lib.old(1)\n" } }, ["renamed old app.py:2"]));
  test("by aliased module", () =>
    check({ base, ours: rename, theirs: { "app.py": "import pkg.lib as l\nl.old(1)\n" } }, ["renamed old app.py:2"]));
  test("by module from its package", () =>
    check({ base, ours: rename, theirs: { "app.py": "from pkg import lib\nlib.old(1)\n" } }, ["renamed old app.py:2"]));
  test("by relative import", () =>
    check({ base, ours: rename, theirs: { "pkg/app.py": "from .lib import old\n" } }, ["renamed old pkg/app.py:1"]));
  test("by relative module", () =>
    check({ base, ours: rename, theirs: { "pkg/app.py": "from . import lib\nlib.old(2)\n" } }, [
      "renamed old pkg/app.py:2",
    ]));
  test("by parent-relative import", () =>
    check({ base, ours: rename, theirs: { "pkg/sub/__init__.py": "", "pkg/sub/app.py": "from ..lib import old\n" } }, [
      "renamed old pkg/sub/app.py:1",
    ]));
  test("inside a function", () =>
    check({ base, ours: rename, theirs: { "app.py": "def f():\n    from pkg.lib import old\n    return old(1)\n" } }, [
      "renamed old app.py:2",
    ]));
  test("by star import", () =>
    check({ base, ours: rename, theirs: { "app.py": "from pkg.lib import *\nold(1)\n" } }, ["renamed old app.py:2"]));
  test("under TYPE_CHECKING", () =>
    check(
      {
        base,
        ours: rename,
        theirs: { "app.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pkg.lib import old\n" },
      },
      ["renamed old app.py:3"],
    ));
  test("in a test file", () =>
    check(
      {
        base,
        ours: rename,
        theirs: { "tests/test_lib.py": "from pkg.lib import old\n\ndef test_old():\n    assert old(1) == 1\n" },
      },
      ["renamed old tests/test_lib.py:1"],
    ));
  test("in the same file", () =>
    check({ base, ours: rename, theirs: { "pkg/lib.py": `${lib}\n\ndef third():\n    return old(3)\n` } }, [
      "renamed old pkg/lib.py:15",
    ]));
  test("used as a value only", () =>
    check({ base, ours: rename, theirs: { "app.py": "import pkg.lib\nhandlers = [pkg.lib.old]\n" } }, [
      "renamed old app.py:2",
    ]));
  test("several uses in one file are one finding", async () => {
    const { conflicts } = await run({
      base,
      ours: rename,
      theirs: { "app.py": "import pkg.lib\npkg.lib.old(1)\npkg.lib.old(2, 3)\n" },
    });
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]?.message).toContain("1 more use");
  });
  test("names symbol, definition before and after, and use", async () => {
    const { conflicts } = await run({ base, ours: rename, theirs: { "app.py": "from pkg.lib import old\n" } });
    expect(conflicts[0]).toMatchObject({
      language: "python",
      symbol: "old",
      definitionSide: "ours",
      definitionBefore: { path: "pkg/lib.py", line: 1, text: "def old(a, b=1):" },
      definitionAfter: { path: "pkg/lib.py", line: 1, text: "def new(a, b=1):" },
      use: { path: "app.py", line: 1, text: "from pkg.lib import old" },
    });
  });
});

const quiet = (name: string, scene: Scene): void => test(name, () => check(scene, []));

describe("nothing is said", () => {
  quiet("when b only mentions the name in a string", {
    base,
    ours: rename,
    theirs: { "app.py": "x = 'pkg.lib.old'\ny = f'old'\n" },
  });
  quiet("when b only mentions the name in a comment", {
    base,
    ours: rename,
    theirs: { "app.py": "# from pkg.lib import old\nx = 1\n" },
  });
  quiet("when a keeps an alias", {
    base,
    ours: { "pkg/lib.py": `${renamed}\n\nold = new\n` },
    theirs: { "app.py": "from pkg.lib import old\nold(1)\n" },
  });
  quiet("when another module has the same name", {
    base: { ...base, "pkg/two.py": "def old():\n    pass\n" },
    ours: rename,
    theirs: { "app.py": "from pkg.two import old\nold()\n" },
  });
  quiet("when the symbol is local", {
    base,
    ours: rename,
    theirs: { "app.py": "def f():\n    old = 1\n    return old\n" },
  });
  quiet("when b shadows it with a function", {
    base,
    ours: rename,
    theirs: { "app.py": "from pkg.lib import *\n\ndef old(a):\n    return a\n\nold(1)\n" },
  });
  quiet("when b shadows it with a parameter", {
    base,
    ours: rename,
    theirs: { "app.py": "from pkg.lib import *\n\ndef f(old):\n    return old(1)\n" },
  });
  quiet("when the use was broken on b's own branch", {
    base,
    ours: rename,
    theirs: {
      "pkg/lib.py": lib.replace("def old", "def odd").replace("old(1)", "odd(1)"),
      "app.py": "from pkg.lib import old\n",
    },
    merged: { "pkg/__init__.py": "", "pkg/lib.py": renamed, "app.py": "from pkg.lib import old\n" },
  });
  quiet("when b's branch did not resolve it", {
    base,
    ours: { ...rename, "numpy/__init__.py": "" },
    theirs: { "app.py": "from numpy import old\nimport pandas.lib\npandas.lib.old(1)\n" },
  });
  quiet("when both sides made the same change", {
    base,
    ours: rename,
    theirs: { ...rename, "app.py": "from pkg.lib import new\n" },
  });
  quiet("when the import is optional", {
    base,
    ours: rename,
    theirs: { "app.py": "try:\n    from pkg.lib import old\nexcept ImportError:\n    old = None\n" },
  });
  quiet("when the attribute is asked for first", {
    base,
    ours: rename,
    theirs: { "app.py": "import pkg.lib\nif hasattr(pkg.lib, 'old'):\n    pkg.lib.old(1)\n" },
  });
  quiet("when the module has __getattr__", {
    base,
    ours: { "pkg/lib.py": `${renamed}\n\ndef __getattr__(name):\n    return new\n` },
    theirs: { "app.py": "from pkg.lib import old\n" },
  });
  quiet("when the name now comes by star", {
    base: { ...base, "pkg/deep.py": "" },
    ours: { "pkg/lib.py": "from .deep import *\n", "pkg/deep.py": lib },
    theirs: { "app.py": "from pkg.lib import old\nold(1)\n" },
  });
  quiet("when monkeypatched by string, and it may be missing", {
    base,
    ours: rename,
    theirs: {
      "tests/test_a.py": "def test(monkeypatch):\n    monkeypatch.setattr('pkg.lib.old', 1, raising=False)\n",
    },
  });
  quiet("when a moved it and kept a re-export", {
    base,
    ours: {
      "pkg/lib.py": "from .deep import old\n\n\ndef other():\n    return old(1)\n",
      "pkg/deep.py": "def old(a, b=1):\n    return a\n",
    },
    theirs: { "app.py": "from pkg.lib import old\nold(1)\n" },
  });
  quiet("when only one side changed Python", { base, ours: rename, theirs: { "README.md": "old" } });
  quiet("when the use is old and a forgot it: a's own mistake", {
    base: { ...base, "app.py": "from pkg.lib import old\nold(1)\n" },
    ours: rename,
    theirs: { "app.py": "from pkg.lib import old\nold(1)\nprint(2)\n" },
  });
  quiet("for a stdlib name the project also has", {
    base: { ...base, "json.py": "def old():\n    pass\n" },
    ours: { "json.py": null },
    theirs: { "app.py": "import json\njson.old()\n" },
  });
});

describe("what became of a definition", () => {
  test("removed", () =>
    check(
      {
        base,
        ours: { "pkg/lib.py": "def other():\n    return 1\n" },
        theirs: { "app.py": "from pkg.lib import old\n" },
      },
      ["removed old app.py:1"],
    ));
  test("moved", () =>
    check(
      {
        base,
        ours: {
          "pkg/lib.py": "from .deep import old as _o\n\ndef other():\n    return _o(1)\n",
          "pkg/deep.py": "def old(a, b=1):\n    return a\n",
        },
        theirs: { "app.py": "from pkg.lib import old\n" },
      },
      ["moved old app.py:1"],
    ));
  test("no longer re-exported", () =>
    check(
      {
        base: { ...base, "pkg/__init__.py": "from .lib import old, other\n" },
        ours: { "pkg/__init__.py": "from .lib import other\n" },
        theirs: { "app.py": "from pkg import old\nold(1)\n" },
      },
      ["made-private old app.py:1"],
    ));
  test("left out of __all__", () =>
    check(
      {
        base: { ...base, "pkg/lib.py": `__all__ = ["old", "other"]\n${lib}` },
        ours: { "pkg/lib.py": `__all__ = ["other"]\n${lib}` },
        theirs: { "app.py": "from pkg.lib import *\nold(1)\n" },
      },
      ["made-private old app.py:2"],
    ));
  test("a module deleted", () =>
    check({ base, ours: { "pkg/lib.py": null }, theirs: { "app.py": "import pkg.lib\n" } }, [
      "removed pkg.lib app.py:1",
    ]));
  test("a module moved", () =>
    check(
      { base, ours: { "pkg/lib.py": null, "pkg/core.py": lib }, theirs: { "app.py": "from pkg.lib import old\n" } },
      ["moved pkg.lib app.py:1"],
    ));
  test("a submodule taken from its package", () =>
    check({ base, ours: { "pkg/lib.py": null }, theirs: { "app.py": "from pkg import lib\n" } }, [
      "removed lib app.py:1",
    ]));
  test("a module of a namespace package", () =>
    check(
      {
        base: { "ns/a.py": "x = 1\n", "ns/b.py": "y = 1\n" },
        ours: { "ns/a.py": null },
        theirs: { "app.py": "import ns.a\n" },
      },
      ["removed ns.a app.py:1"],
    ));
  test("a constant", () =>
    check(
      {
        base: { "conf.py": "LIMIT = 3\nOTHER = 4\n" },
        ours: { "conf.py": "OTHER = 4\n" },
        theirs: { "app.py": "import conf\nprint(conf.LIMIT)\n" },
      },
      ["removed LIMIT app.py:2"],
    ));
  test("through a re-exporting package", () =>
    check(
      {
        base: { ...base, "pkg/__init__.py": "from .lib import old\n" },
        ours: { ...rename, "pkg/__init__.py": "from .lib import new\n" },
        theirs: { "app.py": "import pkg\npkg.old(1)\n" },
      },
      ["renamed old app.py:2"],
    ));
  test("listed in __all__ by b", () =>
    check({ base, ours: rename, theirs: { "pkg/lib.py": `${lib}\n\n__all__ = ["old"]\n` } }, [
      "renamed old pkg/lib.py:14",
    ]));
});
