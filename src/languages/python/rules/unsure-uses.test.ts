// Uses that may break and of which nobody can say so: each is named where the other side changed what it uses, and only there.

import { describe, expect, test } from "bun:test";
import { run, type Scene } from "./scenario.suite.ts";

async function check(scene: Scene, expected: readonly string[], conflicts = 0): Promise<void> {
  const outcome = await run(scene);
  const said = (outcome.unsure ?? []).map(
    ({ side, path, line, symbol, definition, because }) =>
      `${side} ${path}:${line} ${symbol} ${definition}: ${because}`,
  );
  expect(said).toEqual([...expected]);
  expect([outcome.conflicts.length, outcome.complete]).toEqual([conflicts, true]);
}

const onTwo = (first: string, second: string): string =>
  `import sys\n\nif sys.platform == "win32":\n    def ${first}:\n        return 1\nelse:\n    def ${second}:\n        return 2\n`;
const use = { "app.py": "from lib import opener\n\nopener('x')\n" };
const doubt = "theirs app.py:1 opener lib.py: it is defined only under conditions there";

describe("a name that is defined under conditions", () => {
  const base = { "lib.py": onTwo("opener(path)", "opener(path)"), "other.py": "x = 1\n" };

  test("and is gone, or takes something else, under one of them", async () => {
    await check({ base, ours: { "lib.py": onTwo("opener(path)", "open_it(path)") }, theirs: use }, [doubt]);
    await check({ base, ours: { "lib.py": onTwo("opener(path, mode)", "opener(path)") }, theirs: use }, [doubt]);
  });

  test("and is there only for type checkers now, or only when an import fails", async () => {
    const plain = { "lib.py": "class opener:\n    pass\n" };
    const types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from other import opener\n";
    await check({ base: plain, ours: { "lib.py": types }, theirs: use }, [doubt]);
    const rescue =
      "try:\n    from fast import opener\nexcept ImportError:\n    def opener(path):\n        return path\n";
    const without = rescue.replace("def opener", "def slow");
    await check({ base: { "lib.py": rescue }, ours: { "lib.py": without }, theirs: use }, [doubt]);
  });

  test("is not named where its forms stay, where it holds without them now, where the use is old, or expects to fail", async () => {
    const apart = { "lib.py": `${base["lib.py"]}\n\ndef more():\n    return opener(1)\n` };
    await check({ base, ours: apart, theirs: use }, []);
    await check({ base, ours: { "lib.py": "def opener(path):\n    return 1\n" }, theirs: use }, []);
    const plain = { "lib.py": "def opener(path):\n    return 1\n" };
    await check({ base: plain, ours: base, theirs: use }, []);
    const changed = { "lib.py": onTwo("opener(path)", "open_it(path)") };
    await check({ base: { ...base, ...use }, ours: changed, theirs: { "app.py": `${use["app.py"]}y = 1\n` } }, []);
    const careful = "try:\n    from lib import opener\nexcept ImportError:\n    opener = None\n";
    await check({ base, ours: changed, theirs: { "app.py": careful } }, []);
    await check({ base, ours: { "other.py": "x = 2\n" }, theirs: use }, []);
  });
});

describe("`import *` of a module whose `__all__` is computed", () => {
  const lib =
    '__all__ = [n for n in ("total", "other")]\n\n\ndef total(x):\n    return x\n\n\ndef other(x):\n    return x\n';
  const star = { "app.py": "from lib import *\n\nprint(total(1))\n" };

  test("brings no name that is not there", () =>
    check(
      { base: { "lib.py": lib }, ours: { "lib.py": lib.replace("def total", "def sum_of") }, theirs: star },
      [],
      1,
    ));

  test("is named where it is computed otherwise now", async () => {
    const base = { "lib.py": lib };
    await check({ base, ours: { "lib.py": lib.replace('"total", ', "") }, theirs: star }, [
      "theirs app.py:3 total lib.py: what `import *` brings is computed there",
    ]);
    await check(
      { base, ours: { "lib.py": lib.replace("return x\n\n\ndef", "return 2 * x\n\n\ndef") }, theirs: star },
      [],
    );
  });

  test("may leave a name to another module", () => {
    const base = { "lib.py": lib, "second.py": "def total(x):\n    return x\n" };
    const both = { "app.py": "from lib import *\nfrom second import *\n\nprint(total(1))\n" };
    return check({ base, ours: { "lib.py": lib.replace("def total(x)", "def total(x, y)") }, theirs: both }, []);
  });
});

describe("a module that is nowhere where Python looks", () => {
  const base = { "vendor/tools/calc.py": "def total(x):\n    return x\n\n\ndef other(x):\n    return x\n" };
  const path = 'import sys\n\nsys.path.insert(0, "vendor/tools")\n';
  const renamed = { "vendor/tools/calc.py": base["vendor/tools/calc.py"].replace("total", "sum_of") };
  const unknown = "vendor/tools/calc.py: where calc is imported from is not known";

  test("is named where its name is that of a file in which the other side changed what is used", async () => {
    const names = { "app.py": `${path}from calc import total\n\nprint(total(1))\n` };
    await check({ base, ours: renamed, theirs: names }, [`theirs app.py:4 total ${unknown}`]);
    const members = { "app.py": `${path}import calc\n\nprint(calc.total(1))\n` };
    await check({ base, ours: renamed, theirs: members }, [`theirs app.py:6 total ${unknown}`]);
    const both = [`theirs app.py:4 calc ${unknown}`, `theirs app.py:6 total ${unknown}`];
    await check({ base, ours: { "vendor/tools/calc.py": null }, theirs: members }, both);
  });

  test("is not where something else of it changed, or another file has a like name", async () => {
    const other = { "app.py": `${path}from calc import other\n` };
    await check({ base, ours: renamed, theirs: other }, []);
    await check({ base, ours: renamed, theirs: { "app.py": "from far.calc import total\n" } }, []);
    const json = { "vendor/json.py": "def loads(x):\n    return x\n" };
    const gone = { "vendor/json.py": "def parse(x):\n    return x\n" };
    await check({ base: json, ours: gone, theirs: { "app.py": "from json import loads\n" } }, []);
  });
});
