// The same thing written twice, and things that only look so.

import { type Grow, numbered, type Seed, snake, type Template } from "./scenario.ts";

const template = (name: string, grow: Grow): Template => ({ kind: "duplicate-work", name, grow });

const body = (seed: Seed, name: string): string =>
  `export function ${name}(input: string): string[] {\n  const parts: string[] = [];\n${numbered(
    18,
    (at) => `  if (input.includes("${seed.name()}")) parts.push(String(${at} * ${seed.below(50)}));`,
  )}  return parts;\n}\n`;

const small = (name: string, value: string): string => `export function ${name}(): string {\n  return "${value}";\n}\n`;

const pythonBody = (seed: Seed, name: string): string =>
  `def ${name}(text):\n    parts = []\n${numbered(18, (at) => `    if "${seed.name()}" in text: parts.append(${at})`)}    return parts\n`;

const base = { "package.json": '{ "name": "x" }\n', "src/old.ts": "export const old = 1;\n" };

export const duplicateWork: readonly Template[] = [
  template("nearly the same file under two names", (seed) => {
    const [name, other] = [seed.name(), seed.name()];
    const text = body(seed, name);
    return {
      base,
      ours: { "src/one.ts": text },
      theirs: {
        "src/deep/two.ts": text
          .replace(name, other)
          .replace("const parts", "const found: string[] = [];\n  const parts"),
      },
      expect: ["duplicate-work"],
    };
  }),
  template("the same exported function in two new files", (seed) => {
    const name = seed.name();
    return {
      base,
      ours: { "src/one.ts": small(name, seed.name()) },
      theirs: { "src/two.ts": small(name, seed.name()) },
      expect: ["duplicate-work"],
    };
  }),
  template("nearly the same file, in Python", (seed) => {
    const text = pythonBody(seed, snake(seed.name()));
    return { base, ours: { "app/one.py": text }, theirs: { "app/two.py": `${text}\n` }, expect: ["duplicate-work"] };
  }),
  template("the same function in two new files, in Python", (seed) => {
    const name = snake(seed.name());
    return {
      base: { ...base, "app/__init__.py": "" },
      ours: { "app/one.py": `def ${name}(a):\n    return a + 1\n` },
      theirs: { "app/two.py": `def ${name}(text):\n    return text.strip().lower()\n` },
      expect: ["duplicate-work"],
    };
  }),
  template("near miss: different files", (seed) => ({
    base,
    ours: { "src/one.ts": body(seed, seed.name()) },
    theirs: { "src/two.ts": body(seed, seed.name()) },
    expect: [],
  })),
  template("near miss: a common word", (seed) => {
    const name = seed.pick(["main", "handler", "config", "Props", "setup"]);
    return {
      base,
      ours: { "src/one.ts": small(name, seed.name()) },
      theirs: { "src/two.ts": small(name, seed.name()) },
      expect: [],
    };
  }),
  template("near miss: in two packages", (seed) => {
    const name = seed.name();
    return {
      base: { "a/package.json": "{}\n", "b/package.json": "{}\n" },
      ours: { "a/one.ts": small(name, seed.name()) },
      theirs: { "b/two.ts": small(name, seed.name()) },
      expect: [],
    };
  }),
  template("near miss: a name this package uses by convention", (seed) => {
    const name = seed.name();
    return {
      base: { ...base, "src/commands/first.ts": small(name, "first") },
      ours: { "src/commands/second.ts": small(name, seed.name()) },
      theirs: { "src/commands/third.ts": small(name, seed.name()) },
      expect: [],
    };
  }),
  template("near miss: both copy a template that was there", (seed) => {
    const text = body(seed, seed.name());
    return {
      base: { "templates/view.ts": text },
      ours: { "views/one.ts": `${text}// one\n` },
      theirs: { "views/two.ts": `${text}// two\n` },
      expect: [],
    };
  }),
  template("near miss: test boilerplate", (seed) => {
    const text = body(seed, seed.name());
    return { base, ours: { "src/one.test.ts": text }, theirs: { "src/two.test.ts": text }, expect: [] };
  }),
  template("near miss: the very same file at the same place", (seed) => {
    const text = body(seed, seed.name());
    return { base, ours: { "src/one.ts": text }, theirs: { "src/one.ts": text }, expect: [] };
  }),
  template("near miss: the same role in two directories", (seed) => {
    const name = seed.name();
    return {
      base,
      ours: { "src/plugins/a/plugin.ts": small(name, seed.name()) },
      theirs: {
        "src/plugins/b/plugin.ts": `export function ${name}(): number[] {\n  return [1, 2, 3].map((one) => one * 2);\n}\n`,
      },
      expect: [],
    };
  }),
];
