// Go, class by class: what a parameter, a result or a field is of; what is passed on from call to call; interfaces that grow;
// packages with files for some systems; types that embed what comes from outside.

import { type Pair, pairsOn } from "../../compiled/cases/pairs.ts";
import { goGenericPairs } from "./generic-pairs.ts";
import { goShiftPairs } from "./shift-pairs.ts";
import { goValuePairs } from "./value-pairs.ts";

const library = `package lib

import (
	"net/http"
	"sync"
)

type Options struct {
	Name  string
	Limit int
}

type Opener interface {
	Open(mode int) error
}

type File struct{}

func (File) Open(mode int) error { return nil }

type Store struct {
	sync.Mutex
	http.ResponseWriter
	Path  string
	Inner *Options
}

func (s *Store) Reload() int { return 1 }
func (s *Store) reset() int  { return 1 }
func (s *Store) Find(name string, limit int) *Options { return nil }

func Make(name string, limit int) *Options { return nil }
func Count(name string) int { return 1 }
func Both() (string, int) { return "", 1 }
func Use(options *Options) bool { return true }
func Run(opener Opener) {}
func Wrap(opener Opener) Opener { return opener }

var Default Options

const Most = 3
`;
const base = {
  "go.mod": "module example.org/p\n",
  "lib/lib.go": library,
  "lib/lib_windows.go": "package lib\n\nfunc onWindows() int { return 1 }\n",
  "lib/lib_tagged.go": "//go:build special\n\npackage lib\n\nfunc Tagged() int { return 1 }\n",
  "app/app.go": "package app\n",
};
const outside = pairsOn(base, "lib/lib.go", (use) => ({
  "app/new.go": `package app\n\nimport "example.org/p/lib"\n\n${use}\n`,
}));
const inside = pairsOn(base, "lib/lib.go", (use) => ({ "lib/new.go": `package lib\n\n${use}\n` }));

const byBytes = ["Make(name string,", "Make(name []byte,"] as const;
const bySpan = ["Make(name string, limit int)", "Make(name string, limit int64)"] as const;
const asText = ["func Count(name string) int { return 1 }", 'func Count(name string) string { return "" }'] as const;
const grown = ["Open(mode int) error\n}", "Open(mode int) error\n\tShut()\n}"] as const;
const cover = "type cover struct{}\n\nfunc (cover) Open(mode int) error { return nil }\n\n";

export const goPairs: readonly Pair[] = [
  ...goValuePairs,
  ...goShiftPairs,
  ...goGenericPairs,
  outside("a literal for a parameter of another type", true, byBytes, 'var a = lib.Make("a", 1)'),
  outside("a declared parameter for one of another type", true, byBytes, "func f(s string) { lib.Make(s, 1) }"),
  outside("a variable whose type follows from a literal", true, byBytes, 'func f() {\n\ts := "a"\n\tlib.Make(s, 1)\n}'),
  outside(
    "what a call answers for a parameter of another type",
    true,
    byBytes,
    'func g() string { return "" }\n\nfunc f() { lib.Make(g(), 1) }',
  ),
  outside("a number fits a wider parameter", false, bySpan, 'var a = lib.Make("a", 1)'),
  outside("a constant fits a wider parameter", false, bySpan, 'var a = lib.Make("a", lib.Most)'),
  outside("a variable does not fit a wider parameter", true, bySpan, 'func f(n int) { lib.Make("a", n) }'),
  outside(
    "a parameter that takes anything",
    false,
    ["Make(name string,", "Make(name interface{},"],
    'var a = lib.Make("a", 1)',
  ),
  outside(
    "a parameter under another name",
    false,
    ["Make(name string, limit", "Make(called string, most"],
    'var a = lib.Make("a", 1)',
  ),
  outside(
    "parameters change places",
    true,
    ["Make(name string, limit int)", "Make(limit int, name string)"],
    'var a = lib.Make("a", 1)',
  ),
  outside(
    "a pointer becomes a value",
    true,
    ["Use(options *Options)", "Use(options Options)"],
    "func f(o *lib.Options) { lib.Use(o) }",
  ),
  outside(
    "nil for what is no pointer any more",
    true,
    ["Use(options *Options)", "Use(options Options)"],
    "func f() { lib.Use(nil) }",
  ),
  outside(
    "an argument that cannot be told",
    false,
    byBytes,
    "func f[T any](g func() T) T { return g() }\n\nvar a = lib.Most",
  ),
  outside("a result of another type, returned", true, asText, 'func f() int { return lib.Count("a") }'),
  outside("a result of another type, compared", true, asText, 'func f() bool { return lib.Count("a") == 3 }'),
  outside("a result of another type, in a variable", true, asText, 'var n int = lib.Count("a")'),
  outside("a result of another type that nobody looks at", false, asText, 'func f() { _ = lib.Count("a") }'),
  outside(
    "a result of another type as a condition",
    true,
    ["Use(options *Options) bool { return true }", 'Use(options *Options) string { return "" }'],
    "func f() {\n\tif lib.Use(nil) {\n\t}\n}",
  ),
  outside(
    "a member of a result that is no struct any more",
    true,
    ["limit int) *Options { return nil }\n\nfunc Make", 'limit int) string { return "" }\n\nfunc Make'],
    'func f(s *lib.Store) string { return s.Find("a", 1).Name }',
  ),
  outside(
    "a function that may fail now",
    true,
    ["Count(name string) int { return 1 }", "Count(name string) (int, error) { return 1, nil }"],
    'func f() int { return lib.Count("a") }',
  ),
  outside("a field of another type, given", true, ["Limit int", "Limit string"], "var o = lib.Options{Limit: 3}"),
  outside(
    "a field of another type, read",
    true,
    ["Limit int", "Limit string"],
    "func f(o lib.Options) int { return o.Limit }",
  ),
  outside(
    "a field of another type, written",
    true,
    ["Limit int", "Limit string"],
    "func f(o *lib.Options, n int) { o.Limit = n }",
  ),
  outside("a field that takes anything", false, ["Limit int", "Limit interface{}"], "var o = lib.Options{Limit: 3}"),
  outside("another field of the struct", false, ["Limit int", "Limit string"], 'var o = lib.Options{Name: "a"}'),
  outside(
    "f(g()) where g gives more",
    true,
    ['func Both() (string, int) { return "", 1 }', 'func Both() (string, int, error) { return "", 1, nil }'],
    "var a = lib.Make(lib.Both())",
  ),
  outside(
    "f(g()) where f takes more",
    true,
    ["Make(name string, limit int)", "Make(name string, limit int, more int)"],
    "var a = lib.Make(lib.Both())",
  ),
  outside(
    "f(g()) where both fit",
    false,
    ["Make(name string, limit int)", "Make(called string, most int)"],
    "var a = lib.Make(lib.Both())",
  ),
  outside("an interface grows: a value in a return", true, grown, `${cover}func f() lib.Opener { return cover{} }`),
  outside("an interface grows: an argument", true, grown, `${cover}func f() { lib.Run(cover{}) }`),
  outside(
    "an interface grows: a variable",
    true,
    grown,
    `${cover}func f() {\n\tvar o lib.Opener = &cover{}\n\t_ = o\n}`,
  ),
  outside(
    "an interface grows, and the type has it already",
    false,
    grown,
    `${cover}func (cover) Shut() {}\n\nfunc f() lib.Opener { return cover{} }`,
  ),
  outside("an interface grows, and nobody implements it", false, grown, "func f(o lib.Opener) { o.Open(1) }"),
  inside(
    "a package with a file for one system",
    true,
    ["func Count(", "func Counted("],
    'func more() int { return Count("a") }',
  ),
  inside(
    "what the file for one system declares",
    false,
    ["func Count(", "func onWindows() int { return 2 }\n\nfunc Counted("],
    "func more(o Options) string { return o.Name }",
  ),
  inside(
    "a member of a type that embeds types from outside",
    true,
    ["Reload() int", "Refresh() int"],
    "func more(s *Store) int { return s.Reload() }",
  ),
  inside(
    "an unexported one cannot come from outside",
    true,
    ["reset() int ", "clear() int "],
    "func more(s *Store) int { return s.reset() }",
  ),
  inside(
    "what the embedded type brings is not missing",
    false,
    ["func (s *Store) Reload() int { return 1 }\n", ""],
    "func more(s *Store) { s.Lock() }",
  ),
  inside(
    "an operator between two types",
    true,
    ["Limit int", "Limit string"],
    "func more(o Options, n int) bool { return o.Limit > n }",
  ),
  inside(
    "an operator between two fields of one type",
    false,
    ["Limit int", "Limit int64"],
    "func more(a, b Options) bool { return a.Limit > b.Limit }",
  ),
];
