import { expect, test } from "bun:test";
import { said } from "../compiled/scene.suite.ts";

const lib = `package lib

func Make(a, b int) (*Store, error) { return nil, nil }
func helper() int { return 1 }

type Store struct {
	Path string
	Log  *Logger
	base
}
type base struct{ ID int }
type Logger struct{}
type Opener interface {
	Open(mode int) error
}

func (l *Logger) Print(text string) {}
func (s *Store) Open(mode int) error { return nil }
func (b base) Close() {}

var Default Store
const Limit = 3
`;
const other = "package lib\n\nfunc other() int { return 2 }\n";

/** One side edits lib/lib.go, the other adds a file; what is said about it. */
async function check(
  edit: (text: string) => string,
  use: string,
  expected: readonly string[],
  path = "app/new.go",
): Promise<void> {
  const base = { "go.mod": "module example.org/m\n", "lib/lib.go": lib, "lib/other.go": other };
  const text = /^package /m.test(use) ? use : `package app\n\nimport "example.org/m/lib"\n\n${use}`;
  expect(await said("go", { base, ours: { "lib/lib.go": edit(lib) }, theirs: { [path]: text } })).toEqual([
    ...expected,
  ]);
}
const swap =
  (from: string, to: string) =>
  (text: string): string => {
    if (!text.includes(from)) throw new Error(`no ${from}`);
    return text.replace(from, to);
  };

test("a function that is gone is told where it is called through its package, and within it", async () => {
  await check(swap("func Make", "func Build"), "var _, _ = lib.Make(1, 2)\n", ["renamed Make app/new.go"]);
  await check(
    swap("func helper", "func aid"),
    "package lib\n\nvar n = helper()\n",
    ["renamed helper lib/new.go"],
    "lib/new.go",
  );
  await check(swap("const Limit = 3\n", ""), "var n = lib.Limit\n", ["removed Limit app/new.go"]);
});

test("the number of arguments and of results has to fit, and a variadic parameter takes any number", async () => {
  await check(swap("a, b int", "a, b, c int"), "var s, err = lib.Make(1, 2)\n", ["signature Make app/new.go"]);
  await check(
    swap("(*Store, error) { return nil, nil }", "*Store { return nil }"),
    "func f() {\n\ts, err := lib.Make(1, 2)\n\t_, _ = s, err\n}\n",
    ["signature Make app/new.go"],
  );
  await check(swap("a, b int", "a, b int, c ...int"), "var s, err = lib.Make(1, 2)\n", []);
  await check(swap("a, b int", "a, b, c int"), "func f(list []int) {\n\tlib.Make(list...)\n}\n", []);
});

test("members are followed on parameters, literals, results, fields and embedded structs", async () => {
  const gone = swap("func (s *Store) Open", "func (s *Store) Start");
  const expected = ["removed-member Store.Open app/new.go"];
  await check(gone, "func f(s *lib.Store) { s.Open(1) }\n", expected);
  await check(gone, "func f() {\n\ts := &lib.Store{}\n\ts.Open(1)\n}\n", expected);
  await check(gone, "func f() {\n\ts, _ := lib.Make(1, 2)\n\ts.Open(1)\n}\n", expected);
  await check(gone, "func f() { lib.Default.Open(1) }\n", expected);
  await check(swap("Print(text string)", "Write(text string)"), 'func f(s lib.Store) { s.Log.Print("") }\n', [
    "removed-member Logger.Print app/new.go",
  ]);
  await check(swap("func (b base) Close", "func (b base) Finish"), "func f(s lib.Store) { s.Close() }\n", [
    "removed-member base.Close app/new.go",
  ]);
});

test("a literal names fields that exist, and an interface asks for what its types have", async () => {
  await check(swap("Path string", "Name string"), 'var s = lib.Store{Path: "x"}\n', [
    "removed-member Store.Path app/new.go",
  ]);
  const impl = "type file struct{}\n\nfunc (file) Open(mode int) error { return nil }\n\nvar _ lib.Opener = file{}\n";
  await check(swap("Open(mode int) error\n}", "Open(mode int) error\n\tShut()\n}"), impl, [
    "requires-more Opener app/new.go",
  ]);
  await check(swap("Open(mode int) error\n}", "Open(mode int) error\n}\n\ntype More struct{}"), impl, []);
});

test("a package that moved is told at its import", async () => {
  const base = { "go.mod": "module example.org/m\n", "lib/lib.go": "package lib\n\nfunc Make() int { return 1 }\n" };
  const ours = { "lib/lib.go": null, "core/lib.go": "package lib\n\nfunc Make() int { return 1 }\n" };
  const theirs = { "app/new.go": 'package app\n\nimport "example.org/m/lib"\n\nvar n = lib.Make()\n' };
  const [first, ...more] = await said("go", { base, ours, theirs });
  expect(first).toContain("app/new.go");
  expect(more).toEqual([]);
});

test("what is local, shadowed, from elsewhere, conditional or not certain stays silent", async () => {
  const gone = swap("func Make", "func Build");
  await check(
    gone,
    "type box struct{}\n\nfunc (box) Make(a, b int) {}\n\nfunc f(lib box) { lib.Make(1, 2) }\n\nvar _ = lib.Limit\n",
    [],
  );
  await check(gone, '// lib.Make(1, 2)\nvar _ = "lib.Make" + string(rune(lib.Limit))\n', []);
  await check(gone, 'package app\n\nimport "example.net/elsewhere/lib"\n\nvar _, _ = lib.Make(1, 2)\n', []);
  await check(gone, '//go:build never\n\npackage app\n\nimport "example.org/m/lib"\n\nvar _, _ = lib.Make(1, 2)\n', []);
  await check(gone, "var _, _ = lib.Make(1, 2)\n", [], "app/new_windows.go");
  await check(gone, "var _, _ = lib.Make(1, 2)\n", [], "vendor/app/new.go");
  await check(
    swap("func helper", "func aid"),
    "package lib\n\nfunc f(helper func() int) int { return helper() }\n",
    [],
    "lib/new.go",
  );
});

test("what a file for one system may declare is not missing", async () => {
  const base = { "lib/a.go": "package lib\n\nfunc helper() {}\n" };
  const ours = { "lib/a.go": "package lib\n", "lib/a_linux.go": "package lib\n\nfunc helper() {}\n" };
  const theirs = { "lib/b.go": "package lib\n\nfunc run() { helper() }\n" };
  expect(await said("go", { base, ours, theirs })).toEqual([]);
  const gone = { "lib/a.go": "package lib\n", "lib/c.go": "package lib\n" };
  expect(await said("go", { base, ours: gone, theirs })).toEqual(["removed helper lib/b.go"]);
});

test("the same name added to one package by both sides is told once, with both places", async () => {
  const base = { "a/a.go": "package a\n" };
  const twice = {
    base,
    ours: { "a/x.go": "package a\n\nfunc Run() {}\n" },
    theirs: { "a/y.go": "package a\n\ntype Run struct{}\n" },
  };
  expect(await said("go", twice)).toEqual(["duplicate-definition Run a/y.go"]);
  const apart = { ...twice, theirs: { "a/y_test.go": "package a_test\n\ntype Run struct{}\n" } };
  expect(await said("go", apart)).toEqual([]);
  const inits = {
    base,
    ours: { "a/x.go": "package a\n\nfunc init() {}\n" },
    theirs: { "a/y.go": "package a\n\nfunc init() {}\n" },
  };
  expect(await said("go", inits)).toEqual([]);
});
