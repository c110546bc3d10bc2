// Names that meet across files of which one is not read, and what is not followed: each case breaks in the merge, and nobody reads it.

import { expect, test } from "bun:test";
import { exclusions } from "../core/findings/exclusions.ts";
import { sideChanges } from "../core/findings/scene.ts";
import { languages } from "../languages/all.ts";
import type { ChangedFile } from "../ports/git.ts";
import type { TreeView } from "../ports/semantic.ts";
import { openUnfollowed } from "./unfollowed.ts";
import { openNames } from "./unread-names.ts";

type Files = Readonly<Record<string, string | null>>;

/** A scene of three trees. A link is written `-> target`, a submodule `@commit`. */
function sceneOf(base: Files, our: Files, their: Files) {
  const texts = new Map<string, string>();
  const stage = (text: string | null | undefined): ChangedFile["before"] => {
    if (text === null || text === undefined) return undefined;
    const blob = `blob ${text}`;
    texts.set(blob, text.replace(/^-> /, ""));
    return { blob, mode: text.startsWith("-> ") ? "120000" : text.startsWith("@") ? "160000" : "100644" };
  };
  const changes = (side: Files) =>
    sideChanges(
      Object.entries(side).map(([path, text]) => {
        const [before, after] = [stage(base[path]), stage(text)];
        const change = before === undefined ? "added" : after === undefined ? "deleted" : "modified";
        return { path, change, from: undefined, before, after };
      }),
    );
  const links = new Map<string, string>();
  for (const [path, text] of Object.entries(base))
    if (text?.startsWith("-> ")) links.set(path, stage(text)?.blob ?? "");
  return {
    ours: changes(our),
    theirs: changes(their),
    conflicted: new Set<string>(),
    excluded: (): string | undefined => undefined,
    read: async (blob: string) => texts.get(blob),
    tree: async (): Promise<TreeView> => ({ id: "base", blobs: new Map(), links }),
  };
}

async function said(base: Files, our: Files, their: Files): Promise<string[]> {
  const scene = sceneOf(base, our, their);
  return [...(await openNames(scene, languages, [])), ...(await openUnfollowed(scene))].map(({ why }) => why);
}

const python = (name: string): string => `def ${name}(x):\n    return x\n`;

/** Each case: the files that are there, what one side makes of them, what the other side adds, and the name they meet in. */
const meet: readonly (readonly [base: Files, our: Files, their: Files, name: string])[] = [
  [
    { "lib.sh": "build_all() {\n  x\n}\n" },
    { "lib.sh": "build_it() {\n  x\n}\n" },
    { "use.sh": ". ./lib.sh\nbuild_all\n" },
    "build_all",
  ],
  [{ "lib.sh": "ship() {\n  a $1\n}\n" }, { "lib.sh": "ship() {\n  a $2\n}\n" }, { "use.sh": "ship web\n" }, "ship"],
  [
    { "bin/tool": "#!/bin/bash\nbuild_all() {\n}\n" },
    { "bin/tool": "#!/bin/bash\nbuild_it() {\n}\n" },
    { "bin/use": "build_all\n" },
    "build_all",
  ],
  [
    { "lib.py": python("total") },
    { "lib.py": python("sum_of") },
    { "bin/tool": "#!/usr/bin/env python3\nfrom lib import total\n" },
    "total",
  ],
  [
    { Makefile: "build-all:\n\techo\n" },
    { Makefile: "build-it:\n\techo\n" },
    { "more.mk": "release: build-all\n\techo\n" },
    "build-all",
  ],
  [
    { "scripts/pack.sh": "echo\n" },
    { "scripts/pack.sh": null },
    { Makefile: "pack:\n\tsh scripts/pack.sh\n" },
    "pack.sh",
  ],
  [
    { Dockerfile: "FROM alpine AS builder\n" },
    { Dockerfile: "FROM alpine AS compile\n" },
    { "web.dockerfile": "COPY --from=builder /x /x\n" },
    "builder",
  ],
  [
    { "conf/settings.ini": "a=1\n" },
    { "conf/settings.ini": null },
    { Dockerfile: "COPY conf/settings.ini /etc/\n" },
    "settings.ini",
  ],
  [
    { "schema.sql": "create table users (\n  user_name text\n);\n" },
    { "schema.sql": "create table users (\n  login text\n);\n" },
    { "q.py": 'Q = "select user_name from users"\n' },
    "user_name",
  ],
  [
    { "views.py": python("order_total") },
    { "views.py": python("order_sum") },
    { "o.html.j2": "{{ order_total(o) }}\n" },
    "order_total",
  ],
  [
    { "c.ts": "export class C {\n  itemCount = 1;\n}\n" },
    { "c.ts": "export class C {\n  count = 1;\n}\n" },
    { "c.html": "<p>{{ itemCount }}</p>\n" },
    "itemCount",
  ],
  [
    { "v.go": "package v\n\ntype Page struct {\n\tTitle string\n}\n" },
    { "v.go": "package v\n\ntype Page struct {\n\tHead string\n}\n" },
    { "page.tmpl": "<h1>{{ .Title }}</h1>\n" },
    "Title",
  ],
  [
    { "api.py": python("create_user") },
    { "api.py": python("add_user") },
    { "serverless.yml": "functions:\n  x:\n    handler: src/api.create_user\n" },
    "create_user",
  ],
  [
    { "package.json": '{ "scripts": { "build:all": "tsc" } }\n' },
    { "package.json": '{ "scripts": { "compile": "tsc" } }\n' },
    { ".github/workflows/ci.yml": "- run: npm run build:all\n" },
    "build:all",
  ],
  [
    { "values.yaml": "image:\n  repositoryName: x\n" },
    { "values.yaml": "image:\n  repository: x\n" },
    { "d.yaml": "image: {{ .Values.image.repositoryName }}\n" },
    "repositoryName",
  ],
  [
    { "p.proto": "message User {\n  string full_name = 1;\n}\n" },
    { "p.proto": "message User {\n  string display_name = 1;\n}\n" },
    { "u.go": "package v\n\nvar X = u.GetFullName()\n" },
    "GetFullName",
  ],
  [
    { "s.graphql": "type User {\n  fullName: String\n}\n" },
    { "s.graphql": "type User {\n  displayName: String\n}\n" },
    { "q.ts": "export const q = `query { me { fullName } }`;\n" },
    "fullName",
  ],
  [
    { "a.module.css": ".cardTitle { color: red }\n" },
    { "a.module.css": ".heading { color: red }\n" },
    { "c.tsx": "export const x = s.cardTitle;\n" },
    "cardTitle",
  ],
  [
    { "p.js": "function showPrice() {}\n" },
    { "p.js": "function showCost() {}\n" },
    { "i.html": '<button onclick="showPrice()">x</button>\n' },
    "showPrice",
  ],
  [
    { "CMakeLists.txt": "add_library(price_lib a.c)\n" },
    { "CMakeLists.txt": "add_library(cost_lib a.c)\n" },
    { "x/CMakeLists.txt": "target_link_libraries(x price_lib)\n" },
    "price_lib",
  ],
  [
    { "l.h": "int total_of(void);\n" },
    { "l.h": "int sum_of(void);\n" },
    { "u.go": "package v\n\nvar X = int(C.total_of())\n" },
    "total_of",
  ],
  [
    { "data/words.csv": "x\n" },
    { "data/words.csv": null },
    { "src/lib.rs": 'pub const W: &str = include_str!("../data/words.csv");\n' },
    "words.csv",
  ],
  [
    { "p/PriceBean.java": "package p;\npublic class PriceBean {}\n" },
    { "p/PriceBean.java": null },
    { "beans.xml": '<bean class="p.PriceBean"/>\n' },
    "PriceBean",
  ],
  [
    { ".env.example": "DATABASE_URL=x\n" },
    { ".env.example": "DB_URL=x\n" },
    { "c.py": 'URL = os.environ["DATABASE_URL"]\n' },
    "DATABASE_URL",
  ],
  [
    { "locales/en.json": '{ "cart.title": "Cart" }\n' },
    { "locales/en.json": '{ "basket": "Cart" }\n' },
    { "c.ts": 'export const x = t("cart.title");\n' },
    "cart.title",
  ],
  [
    { "lib.py": python("total") },
    { "lib.py": python("sum_of") },
    { "use.py": 'import lib\ngetattr(lib, "total")(1)\n' },
    "total",
  ],
  [
    { "lib.py": python("total") },
    { "lib.py": python("sum_of") },
    { "test_x.py": 'with mock.patch("lib.total"):\n    pass\n' },
    "total",
  ],
  [
    { "lib.py": python("main") },
    { "lib.py": python("run") },
    { "pyproject.toml": '[project.scripts]\nx = "lib:main"\n' },
    "main",
  ],
];

test("new lines that name what the other side took away are told where nobody reads one of the two files", async () => {
  for (const [base, our, their, name] of meet) {
    const [path = ""] = Object.keys(their);
    const parts = await said(base, our, their);
    const isTold = parts.some(
      (why) => why.includes(` names ${name}, which `) && why.includes(` in ${Object.keys(our)[0]}:`),
    );
    expect([path, parts, isTold]).toEqual([path, parts, true]);
    // The same the other way round.
    expect((await said(base, their, our)).length).toBeGreaterThan(0);
  }
});

test("nothing is told where the names do not meet, where words are only prose, or where a language reads both", async () => {
  const silent: readonly (readonly [base: Files, our: Files, their: Files])[] = [
    [
      { "README.md": "some words here\n", "x.sh": "a() {\n}\n" },
      { "README.md": "other\n" },
      { "x.sh": "a() {\n}\nwords\n" },
    ],
    [
      { "ci.yml": "jobs:\n  build:\n", "a.py": "x = 1\n" },
      { "a.py": "y = 2\n" },
      { "ci.yml": "jobs:\n  build:\n  lint:\n" },
    ],
    [{ "lib.py": python("total") }, { "lib.py": python("sum_of") }, { "use.py": "from lib import total\n" }],
    // It is the other side's own.
    [{ "a.yml": "color: red\n" }, { "a.yml": "colour: red\n" }, { "b.yml": "color: blue\n" }],
    [{ "a.sh": "one() {\n  x\n}\n" }, { "a.sh": "one() {\n  y\n}\n" }, { "b.sh": "two\n" }],
    // A name in quotes that says where it is, and it is elsewhere.
    [{ "lib.py": python("total") }, { "lib.py": python("sum_of") }, { "use.py": 'mock.patch("other.total")\n' }],
    // Words of the language beside a name that is looked up.
    [
      { "lib.py": "def f(a, b=None, c=False):\n    getattr(a, b)\n    a.__len__(b)\n" },
      { "lib.py": "def f(a):\n    a.go()\n" },
      { "use.py": 'x = getattr(a, "y", None) or isinstance(a, dict) or a.__len__(False)\n' },
    ],
  ];
  for (const [base, our, their] of silent) expect(await said(base, our, their)).toEqual([]);
});

test("links and submodules are not followed: where the other side names one whose content changed, that is told", async () => {
  const use = { "use.py": "from pkg.lib import total\n" };
  const real = { "real/lib.py": python("total") };
  for (const [base, our, word] of [
    [
      { ...real, "pkg/lib.py": "-> ../real/lib.py" },
      { "real/lib.py": python("sum_of") },
      "the symbolic link pkg/lib.py",
    ],
    [{ ...real, pkg: "-> real" }, { "real/lib.py": python("sum_of") }, "the symbolic link pkg"],
    [{ "lib.py": "-> v1.py" }, { "lib.py": "-> v2.py" }, "the symbolic link lib.py"],
    [{ pkg: "@one" }, { pkg: "@two" }, "the submodule pkg"],
  ] as const) {
    expect(await said(base, our, use)).toEqual([expect.stringContaining(word)]);
    expect(await said(base, our, { "use.py": "x = 1\n" })).toEqual([]);
  }
  expect(await said({ ...real, out: "-> /etc", up: "-> ../../x" }, { "real/lib.py": python("x") }, use)).toEqual([]);
});

test("a link that a changed file brings something in by is told too, whatever its name and whatever the new lines say", async () => {
  const ours = { "real/lib.py": python("sum_of") };
  for (const [link, before, after] of [
    ["pkg", "from pkg import lib\n", "from pkg import lib\nlib.total()\n"],
    ["c", "", 'import { total } from "./c/lib";\n'],
    [
      "my-lib",
      'import {\n  total,\n} from "../my-lib/lib";\n',
      'import {\n  total,\n} from "../my-lib/lib";\ntotal();\n',
    ],
    ["v", 'import (\n\t"m/v"\n)\n', 'import (\n\t"m/v"\n)\nvar x = 1\n'],
  ] as const) {
    const base = { "real/lib.py": python("total"), [link]: "-> real", "use.py": before };
    expect([link, await said(base, ours, { "use.py": after })]).toEqual([
      link,
      [expect.stringContaining(`the symbolic link ${link} leads to`)],
    ]);
    expect(await said(base, ours, { "use.py": 'import { other } from "./cc/vv";\n' })).toEqual([]);
  }
});

test("a file that both change and git merges by keeping all lines is told, and no other is", async () => {
  const both = { "CHANGES.md": "a\n", "x.py": "a = 1\n" };
  for (const [attributes, count] of [
    ["*.py merge=union", 1],
    ["*.py merge=union\nx.py -merge", 0],
    ["*.py merge", 0],
    ["*.md merge=union", 0],
  ] as const) {
    const scene = sceneOf(both, { "CHANGES.md": "b\n", "x.py": "a = 2\n" }, { "CHANGES.md": "c\n", "x.py": "a = 3\n" });
    const excluded = exclusions([{ directory: "", text: attributes }], { exclude: [], include: [] });
    const parts = await openUnfollowed({ ...scene, excluded });
    expect([attributes, parts.length]).toEqual([attributes, count]);
  }
});

test("two new files that only case keeps apart are told", async () => {
  expect(await said({}, { "Readme.txt": "a\n" }, { "README.txt": "b\n" })).toEqual([expect.stringContaining("macOS")]);
  expect(await said({}, { "a.txt": "a\n" }, { "b.txt": "b\n" })).toEqual([]);
});

test("a side with too many files, and a tree with too many links, are said to be looked at in part", async () => {
  const many: Files = Object.fromEntries(
    Array.from({ length: 401 }, (_, index) => [`src/f${index}.py`, python(`f${index}`)]),
  );
  const none = { "notes.md": "" };
  expect(await said({}, many, { "run.sh": "f1 2\n" })).toEqual([
    expect.stringMatching(/changes more than 400 files: names in files of which one is not read were not compared$/),
  ]);
  // Every file of both sides is read by a language, or by people.
  expect(await said({}, many, none)).toEqual([]);
  const links: Files = Object.fromEntries(Array.from({ length: 3_001 }, (_, index) => [`l${index}`, "-> elsewhere"]));
  expect(await said(links, { "a.py": python("a") }, none)).toEqual([
    "there are more than 3000 symbolic links; the others were not followed",
  ]);
});

test("a text that was made to take long takes no time", async () => {
  const long = `${"a".repeat(1_999)}%\n${"((".repeat(990)}\n${"- ".repeat(990)}\n`.repeat(200);
  expect(await said({ "a.sh": long }, { "a.sh": "x\n" }, { "b.sh": long })).toEqual([]);
}, 10_000);
