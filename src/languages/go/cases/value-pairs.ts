// Go, functions that are given and kept as values, and packages whose import one side takes out while the other begins to need it.

import { type Pair, pairsIn, pairsOn } from "../../compiled/cases/pairs.ts";

const library = `package lib

import "net/http"

type Options struct{ Name string }

type Store struct{ Path string }

type Visit func(name string, depth int) error

func (s *Store) Read(name string) int { return 1 }

func Conv(text string) (interface{}, error) { return text, nil }
func Plain(text string) interface{} { return text }
func Each(name string, conv func(text string) (interface{}, error)) {}
func Apply(to func(text string) interface{}) {}
func Walk(visit Visit) {}
func Serve(handler http.HandlerFunc) {}
func Over(read func(name string) int) {}
func Any(value interface{}) {}
func Many(run ...func(a, b int)) {}
func Kept(s *Store, name string) int { return 1 }
func ByStore(read func(s *Store, name string) int) {}

var Default Store
`;
const base = {
  "go.mod": "module example.org/p\n",
  "lib/lib.go": library,
  "app/app.go": `package app

import (
	"fmt"
	"strings"

	"example.org/p/lib"
)

func first() string { return fmt.Sprint(1) }

func second() { lib.Any(1) }

func third() int { return 3 }

func fourth() bool { return strings.Contains("", "") }
`,
};
const on = pairsOn(base, "lib/lib.go", (use) => ({
  "app/new.go": `package app\n\nimport "example.org/p/lib"\n\n${use}\n`,
}));
const beside = pairsIn(base, "app/app.go", "func third() int { return 3 }\n");

const byNumber = [
  "Conv(text string) (interface{}, error) { return text, nil }",
  "Conv(at int) (interface{}, error) { return at, nil }",
] as const;
const sure = [
  "Conv(text string) (interface{}, error) { return text, nil }",
  "Conv(text string) interface{} { return text }",
] as const;
const eachByNumber = ["conv func(text string) (interface{}, error)", "conv func(at int) (interface{}, error)"] as const;
const noFmt = [
  '\t"fmt"\n\t"strings"\n\n\t"example.org/p/lib"\n)\n\nfunc first() string { return fmt.Sprint(1) }',
  '\t"strings"\n\n\t"example.org/p/lib"\n)\n\nfunc first() string { return "" }',
] as const;

export const goValuePairs: readonly Pair[] = [
  on(
    "a pointer to what a call answered",
    false,
    ["Read(name string) int", "Read(at int) int"],
    'func f() { n := lib.Kept(nil, ""); p := &n; lib.Any(p); *p = 2 }',
  ),
  on("a function that takes another type, given on", true, byNumber, 'func f() { lib.Each("a", lib.Conv) }'),
  on("a function that answers less, given on", true, sure, 'func f() { lib.Each("a", lib.Conv) }'),
  on("a function for a parameter that wants another", true, eachByNumber, 'func f() { lib.Each("a", lib.Conv) }'),
  on(
    "a function written there for one that wants another",
    true,
    eachByNumber,
    'func f() { lib.Each("a", func(text string) (interface{}, error) { return text, nil }) }',
  ),
  on(
    "a function whose parameters are called otherwise",
    false,
    ["conv func(text string)", "conv func(word string)"],
    'func f() { lib.Each("a", func(t string) (interface{}, error) { return t, nil }) }',
  ),
  on(
    "a function and what wants it change together",
    false,
    [
      "Plain(text string) interface{} { return text }\nfunc Each(name string, conv func(text string) (interface{}, error)) {}\nfunc Apply(to func(text string) interface{}) {}",
      "Plain(text string) int { return 1 }\nfunc Each(name string, conv func(text string) (interface{}, error)) {}\nfunc Apply(to func(text string) int) {}",
    ],
    "func f() { lib.Apply(lib.Plain) }",
  ),
  on(
    "a function for a type of functions that takes more",
    true,
    ["depth int) error", "depth int, last bool) error"],
    "func f() { lib.Walk(func(name string, depth int) error { return nil }) }",
  ),
  on(
    "a function for a type of functions with other names",
    false,
    ["depth int) error", "level int) error"],
    "func f() { lib.Walk(func(name string, depth int) error { return nil }) }",
  ),
  on(
    "a kept function of that type",
    false,
    ["depth int) error", "depth int, last bool) error"],
    "func f(visit lib.Visit) { lib.Walk(visit) }",
  ),
  on(
    "a method that takes another type, given on",
    true,
    ["Read(name string) int", "Read(at int) int"],
    "func f(s *lib.Store) { lib.Over(s.Read) }",
  ),
  on(
    "a method that was kept",
    true,
    ["Read(name string) int", "Read(at int) int"],
    "func f(s *lib.Store) { read := s.Read; lib.Over(read) }",
  ),
  on(
    "a method of a variable of the package",
    true,
    ["Read(name string) int", "Read(at int) int"],
    "func f() { read := lib.Default; lib.Over(read.Read) }",
  ),
  on(
    "a method of the type takes the value too",
    false,
    ["Path string }", "Path string; Name string }"],
    "func f() { lib.ByStore((*lib.Store).Read); lib.ByStore(lib.Kept) }",
  ),
  on("a function for anything", false, byNumber, "func f() { lib.Any(lib.Conv) }"),
  on(
    "a function that is called",
    false,
    byNumber,
    "func f() { lib.Any(passed(lib.Conv)) }\n\nfunc passed(x interface{}) interface{} { return x }",
  ),
  on(
    "one of many functions",
    true,
    ["run ...func(a, b int)", "run ...func(a, b string)"],
    "func f() { lib.Many(func(a, b int) {}) }",
  ),
  on(
    "one of many functions, written otherwise",
    false,
    ["run ...func(a, b int)", "run ...func(int, int)"],
    "func f() { lib.Many(func(a, b int) {}) }",
  ),

  beside("a package whose import was taken out", true, noFmt, '\nfunc f() { fmt.Println("") }'),
  beside("a type of a package whose import was taken out", true, noFmt, "\nfunc f(s fmt.Stringer) {}"),
  beside("a package that is still imported", false, noFmt, '\nfunc f() string { return strings.ToUpper("") }'),
  beside("a variable of that name", false, noFmt, "\nfunc f(fmt lib.Store) string { return fmt.Path }"),
  beside(
    "a package of the project whose import was taken out",
    true,
    [
      '\n\n\t"example.org/p/lib"\n)\n\nfunc first() string { return fmt.Sprint(1) }\n\nfunc second() { lib.Any(1) }',
      "\n)\n\nfunc first() string { return fmt.Sprint(1) }\n\nfunc second() {}",
    ],
    "\nfunc f() { lib.Any(2) }",
  ),
];
