// Projects laid out in other ways than the shop, and things that only show there.

import type { Case } from "./examiner-case.ts";

export const byLayout: readonly Case[] = [
  {
    name: "a module's use survives in src layout",
    breaks: "load",
    base: {
      "pyproject.toml": '[project]\nname = "kit"\n',
      "src/kit/__init__.py": "",
      "src/kit/files.py": "def load(path):\n    return path\n",
      "src/kit/main.py": "from kit.files import load\n\nprint(load('a'))\n",
    },
    ours: { "src/kit/files.py": [["load", "read"]], "src/kit/main.py": [["load", "read"]] },
    theirs: {
      "tests/test_files.py": "from kit.files import load\n\n\ndef test_load():\n    assert load('x') == 'x'\n",
    },
  },
  {
    name: "a namespace package has no __init__",
    breaks: "load",
    base: {
      "kit/files/disk.py": "def load(path):\n    return path\n",
      "kit/app/main.py": "from kit.files.disk import load\n\nprint(load('a'))\n",
    },
    ours: { "kit/files/disk.py": [["load", "read"]], "kit/app/main.py": [["load", "read"]] },
    theirs: { "kit/app/other.py": "import kit.files.disk\n\nprint(kit.files.disk.load('x'))\n" },
  },
  {
    name: "scripts beside each other import by bare name",
    breaks: "load",
    base: {
      "tools/files.py": "def load(path):\n    return path\n",
      "tools/main.py": "from files import load\n\nprint(load('a'))\n",
    },
    ours: { "tools/files.py": [["load", "read"]], "tools/main.py": [["load", "read"]] },
    theirs: { "tools/other.py": "import files\n\nprint(files.load('x'))\n" },
  },
  {
    name: "a relative import two packages up",
    breaks: "load",
    base: {
      "kit/__init__.py": "",
      "kit/files.py": "def load(path):\n    return path\n",
      "kit/app/__init__.py": "",
      "kit/app/deep/__init__.py": "",
    },
    ours: { "kit/files.py": [["load", "read"]] },
    theirs: { "kit/app/deep/use.py": "from ...files import load\n\nprint(load('x'))\n" },
  },
  {
    name: "a conditional definition keeps one branch's name",
    breaks: null,
    base: {
      "kit/__init__.py": "",
      "kit/compat.py":
        "import sys\n\nif sys.platform == 'win32':\n    def clock():\n        return 1\nelse:\n    def clock():\n        return 2\n",
    },
    ours: {
      "kit/compat.py":
        "import sys\n\nif sys.platform == 'win32':\n    def clock():\n        return 1\nelse:\n    from time import time as clock\n",
    },
    theirs: { "kit/use.py": "from kit.compat import clock\n\nprint(clock())\n" },
  },
  {
    name: "a name made through globals()",
    breaks: null,
    base: { "kit/__init__.py": "", "kit/made.py": "def one():\n    return 1\n\n\ndef two():\n    return 2\n" },
    ours: { "kit/made.py": "for name in ('one', 'two'):\n    globals()[name] = lambda: 1\n" },
    theirs: { "kit/use.py": "from kit.made import one\n\nprint(one())\n" },
  },
  {
    name: "an enum's member is renamed and read",
    breaks: "RED",
    base: {
      "kit/__init__.py": "",
      "kit/colour.py": "from enum import Enum\n\n\nclass Colour(Enum):\n    RED = 1\n    BLUE = 2\n",
    },
    ours: { "kit/colour.py": [["RED", "CRIMSON"]] },
    theirs: { "kit/use.py": "from kit.colour import Colour\n\nprint(Colour.RED)\n" },
  },
  {
    name: "a method is renamed, and an own base class with __getattr__ answers",
    breaks: null,
    base: {
      "kit/__init__.py": "",
      "kit/proxy.py":
        "class Proxy:\n    def __getattr__(self, name):\n        return name\n\n    def open(self):\n        return 1\n",
    },
    ours: { "kit/proxy.py": [["def open(", "def begin("]] },
    theirs: { "kit/use.py": "from kit.proxy import Proxy\n\nprint(Proxy().open)\n" },
  },
  {
    name: "a method is renamed, and the class has a base from outside",
    breaks: "show",
    base: {
      "kit/__init__.py": "",
      "kit/view.py": "from somewhere import Base\n\n\nclass View(Base):\n    def show(self):\n        return 1\n",
    },
    ours: { "kit/view.py": [["def show(", "def display("]] },
    theirs: { "kit/use.py": "from kit.view import View\n\nprint(View().show())\n" },
  },
];
