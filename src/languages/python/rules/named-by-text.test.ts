// Modules, names and keys that a text names. Where Python fails without them they are told like any other use; where a text may be meant
// otherwise, or its reader may do without, they are doubts.

import { describe, expect, test } from "bun:test";
import { run, type Scene } from "./scenario.suite.ts";

async function said(scene: Scene): Promise<string[]> {
  const { conflicts, unsure = [] } = await run(scene);
  return [
    ...conflicts.map(({ rule, symbol, use }) => `${rule} ${symbol} ${use.path}:${use.line}`),
    ...unsure.map((one) => `doubt ${one.symbol} ${one.definition}:${one.definitionLine ?? ""} ${one.because}`),
  ];
}

const lib = "def old(a):\n    return a\n\n\nclass C:\n    def m(self):\n        return 1\n";
const base = { "pkg/__init__.py": "", "pkg/lib.py": lib, "app.py": "" };
const renamed = { "pkg/lib.py": lib.replace("def old", "def new").replace("def m", "def k") };
const moved = { "pkg/lib.py": null, "pkg/deep.py": lib };

async function check(ours: Scene["ours"], text: string, expected: readonly string[]): Promise<void> {
  const found = await said({ base, ours, theirs: { "test_app.py": `${text}\n` } });
  expect([text, ...found.map((one) => one.replace(/:\d+$/, ""))]).toEqual([text, ...expected]);
}

describe("a text that names a definition", () => {
  const name = ["renamed old test_app.py"];
  const member = ["removed-member C.m test_app.py"];

  test("fails where a function looks it up", async () => {
    for (const use of [
      "@patch('pkg.lib.old')\ndef test(it):\n    pass",
      "with mock.patch('pkg.lib.old', 1):\n    pass",
      "def test(mocker):\n    mocker.patch('pkg.lib.old')",
      "def test(monkeypatch):\n    monkeypatch.setattr('pkg.lib.old', 1)",
      "old = import_string('pkg.lib.old')",
      "from pkg import lib\nold = getattr(lib, 'old')",
      "from pkg import lib\ndef test(monkeypatch):\n    monkeypatch.setattr(lib, 'old', 1)",
      "import importlib\nimportlib.import_module('pkg.lib').old(1)",
    ])
      await check(renamed, use, name);
    for (const use of [
      "from pkg.lib import C\nwith patch.object(C, 'm'):\n    pass",
      "from pkg.lib import C\ndef test(mocker):\n    mocker.spy(C, 'm')",
      "from unittest import mock\n@mock.patch('pkg.lib.C.m')\ndef test(it):\n    pass",
    ])
      await check(renamed, use, member);
  });

  test("does not fail where the name may be missing", async () => {
    for (const use of [
      "from pkg import lib\nold = getattr(lib, 'old', None)",
      "from pkg import lib\nhasattr(lib, 'old')",
      "log = getLogger('pkg.lib.old')",
      "'''pkg.lib.old'''\n'pkg.lib.old'",
      "with mock.patch('pkg.lib.C'):\n    pass",
    ])
      await check(renamed, use, []);
  });

  test("is a doubt anywhere else", async () => {
    const because = "a text names it, which may do without it";
    for (const use of [
      "MIDDLEWARE = ['pkg.lib.old']",
      "run(path='pkg.lib.old')",
      "entry = 'pkg.lib:old'",
      "with mock.patch('pkg.lib.old', create=True):\n    pass",
      "def test(monkeypatch):\n    monkeypatch.setattr('pkg.lib.old', 1, raising=False)",
    ])
      await check(renamed, use, [`doubt old pkg/lib.py:1 ${because}`]);
    await check(moved, "APPS = ['pkg.lib']", [`doubt pkg/lib.py pkg/lib.py:1 ${because}`]);
    const old = {
      base: { ...base, "app.py": "APPS = ['pkg.lib']\n" },
      theirs: { "app.py": "APPS = ['pkg.lib']\nx = 1\n" },
    };
    expect(await said({ ...old, ours: moved })).toEqual([]);
  });
});

test("a module that a call imports by its name has to be there", async () => {
  const found = ["moved pkg.lib test_app.py"];
  for (const use of ["import importlib\nimportlib.import_module('pkg.lib')", "lib = import_module('pkg.lib')"])
    await check(moved, use, found);
  const inside = { "pkg/use.py": "from importlib import import_module\nlib = import_module('.lib', __package__)\n" };
  expect(await said({ base, ours: moved, theirs: inside })).toEqual(["moved .lib pkg/use.py:2"]);
  await check(moved, "try:\n    import_module('pkg.lib')\nexcept ImportError:\n    pass", []);
  await check(moved, "import_module('other.lib')\nimport_module(name)", []);
});

describe("a key of a dictionary that is written out", () => {
  const config = (key: string, more = ""): string => `CONFIG = {\n    "${key}": 1,\n    "other": 2,\n}\n${more}`;
  const keys = async (use: string, more = "", ours = config("title", more)): Promise<string[]> =>
    said({ base: { "lib.py": config("name", more) }, ours: { "lib.py": ours }, theirs: { "app.py": `${use}\n` } });
  const gone = ['removed-member CONFIG["name"] app.py:2'];

  test("is told when it is renamed or removed", async () => {
    expect(await keys('from lib import CONFIG\nprint(CONFIG["name"])')).toEqual(gone);
    expect(await keys('import lib\nprint(lib.CONFIG["name"].real)')).toEqual(gone);
    expect(await keys('from lib import CONFIG\nprint(CONFIG["name"])', "", 'CONFIG = {"other": 2}\n')).toEqual(gone);
    const [conflict] = (
      await run({
        base: { "lib.py": config("name") },
        ours: { "lib.py": config("title") },
        theirs: { "app.py": 'from lib import CONFIG\nprint(CONFIG["name"])\n' },
      })
    ).conflicts;
    expect(conflict).toMatchObject({
      definitionBefore: { path: "lib.py", line: 2, text: '    "name": 1,' },
      definitionAfter: { line: 2, text: '    "title": 1,' },
      suggestion: "Use the key `title` instead.",
    });
  });

  test("is annotated, or a member of a TypedDict", async () => {
    const typed = (key: string): string => `CONFIG: dict[str, int] = {"${key}": 1}\n`;
    const use = { "app.py": 'from lib import CONFIG\nprint(CONFIG["name"])\n' };
    expect(await said({ base: { "lib.py": typed("name") }, ours: { "lib.py": typed("title") }, theirs: use })).toEqual(
      gone,
    );
    const movie = (key: string): string =>
      `from typing import TypedDict\n\n\nclass Movie(TypedDict):\n    ${key}: str\n`;
    const reader = { "app.py": 'from lib import Movie\n\n\ndef show(m: Movie):\n    return m["name"]\n' };
    expect(
      await said({ base: { "lib.py": movie("name") }, ours: { "lib.py": movie("title") }, theirs: reader }),
    ).toEqual(["removed-member Movie.name app.py:5"]);
  });

  test("is a doubt where the dictionary grows, or its reader may do without", async () => {
    const use = 'from lib import CONFIG\nprint(CONFIG["name"])';
    for (const more of ["CONFIG[key()] = 1\n", "CONFIG.update(load())\n", "fill(CONFIG)\n"])
      expect(await keys(use, more)).toEqual([
        'doubt CONFIG["name"] lib.py:2 what is done with it (lib.py:5) may still bring it',
      ]);
    expect(await keys('from lib import CONFIG\nprint(CONFIG.get("name"))')).toEqual([
      'doubt CONFIG["name"] lib.py:2 a text names it, which may do without it',
    ]);
  });

  test("is not told where it is expected to be missing, written, or still there", async () => {
    for (const use of [
      'try:\n    CONFIG["name"]\nexcept KeyError:\n    pass',
      'if "name" in CONFIG:\n    print(CONFIG["name"])',
      'CONFIG["name"] = 1\nprint(CONFIG["name"])',
      'print(CONFIG["other"], CONFIG["missing"], CONFIG[key])',
    ])
      expect([use, ...(await keys(`from lib import CONFIG\n${use}`))]).toEqual([use]);
  });

  test("stands in a dictionary that stands in another, however deep", async () => {
    const deep = (key: string, more = ""): string =>
      `CONFIG = {\n    "db": {\n        "${key}": 1,\n        "pool": {"${key}": 2, "size": 3},\n    },\n    "list": [1],\n}\n${more}`;
    const told = (use: string, more = ""): Promise<string[]> =>
      said({
        base: { "lib.py": deep("host", more) },
        ours: { "lib.py": deep("server", more) },
        theirs: { "app.py": `from lib import CONFIG\n${use}\n` },
      });
    expect(await told('print(CONFIG["db"]["host"])')).toEqual(['removed-member CONFIG["db"]["host"] app.py:2']);
    expect(await told('print(CONFIG["db"]["pool"]["host"])')).toEqual([
      'removed-member CONFIG["db"]["pool"]["host"] app.py:2',
    ]);
    expect(await told('db = CONFIG["db"]\nprint(db["host"])')).toEqual([
      'removed-member CONFIG["db"]["host"] app.py:3',
    ]);
    for (const use of [
      'print(CONFIG["db"]["pool"]["size"], CONFIG["list"][0], CONFIG["db"][key])',
      'try:\n    CONFIG["db"]["host"]\nexcept KeyError:\n    pass',
      'CONFIG["db"]["host"] = 1\nprint(CONFIG["db"]["host"])',
    ])
      expect([use, ...(await told(use))]).toEqual([use]);
    for (const more of [
      'CONFIG["db"]["x"] = 1\n',
      'CONFIG["db"].update(load())\n',
      'fill(CONFIG["db"])\n',
      "fill(CONFIG)\n",
      'db = CONFIG["db"]\n',
    ])
      expect([more, ...(await told('print(CONFIG["db"]["host"])', more))]).toEqual([
        more,
        'doubt CONFIG["db"]["host"] lib.py:3 what is done with it (lib.py:8) may still bring it',
      ]);
    const [conflict] = (
      await run({
        base: { "lib.py": deep("host") },
        ours: { "lib.py": deep("server") },
        theirs: { "app.py": 'from lib import CONFIG\nprint(CONFIG["db"]["host"])\n' },
      })
    ).conflicts;
    expect(conflict).toMatchObject({ definitionBefore: { line: 3 }, suggestion: "Use the key `server` instead." });
  });
});
