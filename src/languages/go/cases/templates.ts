// Semantic findings in Go, end to end through git: each kind with the near-misses that must stay silent. The wide measurement is in
// semantic-compiled.ts.

import type { Change, Files, Grow, Seed, Template } from "../../../../eval/scenarios/scenario.ts";

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

interface Names {
  readonly name: string;
  readonly fresh: string;
}

const library = (name: string): string => `package lib

func ${name}(value int) string {
	return "x"
}

type Store struct {
	Path string
	Size int
}

func (s *Store) Open(mode int) error {
	return nil
}
`;
const base = ({ name }: Names): Files => ({
  "go.mod": "module example.org/app\n\ngo 1.21\n",
  "lib/lib.go": library(name),
  "app/use.go": `package app\n\nimport "example.org/app/lib"\n\nvar used = lib.${name}(1)\n`,
  "app/other.go": "package app\n\nvar other = 1\n",
});
const renamed = ({ fresh }: Names): Change => ({
  "lib/lib.go": library(fresh),
  "app/use.go": `package app\n\nimport "example.org/app/lib"\n\nvar used = lib.${fresh}(1)\n`,
});
const edited =
  (from: string, to: string): ((names: Names) => Change) =>
  (names) => ({ "lib/lib.go": library(names.name).replace(from, to) });
const file = (body: string): string => `package app\n\nimport "example.org/app/lib"\n\n${body}`;

function template(
  name: string,
  expects: boolean,
  ours: (names: Names) => Change,
  theirs: (names: Names) => Change,
): Template {
  const grow: Grow = (seed: Seed) => {
    const names = { name: capital(seed.name()), fresh: capital(seed.name()) };
    return { base: base(names), ours: ours(names), theirs: theirs(names), expect: expects ? ["semantic"] : [] };
  };
  return { kind: "semantic", name: `Go: ${name}`, grow };
}

const newUse = ({ name }: Names): Change => ({
  "app/new.go": file(`func Run() string {\n\treturn lib.${name}(2)\n}\n`),
});

export const semanticGo: readonly Template[] = [
  template("renamed, and used anew", true, renamed, newUse),
  template("renamed, and used anew in its own package", true, renamed, ({ name }) => ({
    "lib/more.go": `package lib\n\nvar more = ${name}(2)\n`,
  })),
  template("one parameter more", true, edited("(value int)", "(value int, more bool)"), newUse),
  template("a method removed", true, edited("Open(mode int)", "Close(mode int)"), () => ({
    "app/new.go": file("func Run(store *lib.Store) error {\n\treturn store.Open(1)\n}\n"),
  })),
  template("a field renamed", true, edited("Path string", "Name string"), () => ({
    "app/new.go": file('func Run() lib.Store {\n\treturn lib.Store{Path: "x"}\n}\n'),
  })),
  template(
    "the same name added to one package by both",
    true,
    () => ({ "app/a.go": "package app\n\nfunc Twice() int {\n\treturn 1\n}\n" }),
    () => ({ "app/b.go": 'package app\n\nfunc Twice() string {\n\treturn ""\n}\n' }),
  ),
  template("near miss, only in a string and a comment", false, renamed, ({ name }) => ({
    "app/new.go": `package app\n\n// lib.${name} is nice\nvar text = "lib.${name}(1)"\n`,
  })),
  template(
    "near miss, an alias stays",
    false,
    ({ name, fresh }) => ({ "lib/lib.go": `${library(fresh)}\nvar ${name} = ${fresh}\n` }),
    newUse,
  ),
  template("near miss, another package has the same name", false, renamed, ({ name }) => ({
    "mine/mine.go": `package mine\n\nfunc ${name}(value int) int {\n\treturn value\n}\n`,
    "app/new.go": `package app\n\nimport "example.org/app/mine"\n\nvar more = mine.${name}(2)\n`,
  })),
  template("near miss, a local of that name", false, renamed, ({ name }) => ({
    "lib/new.go": `package lib\n\nfunc run(${name} func(int) string) string {\n\treturn ${name}(1)\n}\n`,
  })),
  template("near miss, one more variadic parameter", false, edited("(value int)", "(value int, more ...bool)"), newUse),
  template("near miss, under a build constraint", false, renamed, ({ name }) => ({
    "app/new.go": `//go:build never\n\n${file(`func Run() string {\n\treturn lib.${name}(2)\n}\n`)}`,
  })),
  template("near miss, in a vendored copy", false, renamed, ({ name }) => ({
    "vendor/x/new.go": file(`func Run() string {\n\treturn lib.${name}(2)\n}\n`),
  })),
  template("near miss, a syntax error in the new file", false, renamed, ({ name }) => ({
    "app/new.go": file(`func Run() string {\n\treturn lib.${name}(2\n`),
  })),
];
