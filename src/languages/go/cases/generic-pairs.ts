// Go, generic types and functions: their methods, fields and what their interfaces ask for are known by name, and so is each type that no
// type parameter stands in.

import { type Pair, pairsOn } from "../../compiled/cases/pairs.ts";

const library = `package lib

type T struct{ Wrong int }

type Box[T any] struct {
	Item T
	Size int
	Next *Box[T]
}

func (b *Box[T]) Get() T { return b.Item }
func (b *Box[E]) Len() int { return b.Size }
func (b *Box[E]) Put(item E, at int) {}

type Keeper[K any] interface {
	Keep(key K) error
}

type Holder struct{ Box[int] }
type Site struct{ At Keeper[int] }

func Fill[K any](keeper Keeper[K]) {}
func Other[K any](keeper Keeper[K]) int { return 1 }
func Empty[E any]() *Box[E] { return nil }

type Plain interface {
	Say(text string)
}

func Hear(plain Plain) {}

func Fresh[E any](item E) *Box[E] { return nil }
func Of[E any](item E, at int) int { return 1 }
`;
const base = { "go.mod": "module example.org/p\n\ngo 1.21\n", "lib/lib.go": library };
const on = pairsOn(base, "lib/lib.go", (use) => ({
  "app/new.go": `package app\n\nimport "example.org/p/lib"\n\n${use}\n`,
}));
const renamed = ["Get() T", "Take() T"] as const;
const asText = ["Len() int { return b.Size }", 'Len() string { return "" }'] as const;
const grown = ["Keep(key K) error\n", "Keep(key K) error\n\tDrop(key K)\n"] as const;
const keeper = "type own struct{}\n\nfunc (own) Keep(key int) error { return nil }\n\n";

export const goGenericPairs: readonly Pair[] = [
  on("a method of a generic type is renamed", true, renamed, "func f(b *lib.Box[int]) int { return b.Get() }"),
  on("of one that is made there", true, renamed, "func f() { b := &lib.Box[int]{}; b.Get() }"),
  on("of one that a generic function answers", true, renamed, "func f() { lib.Fresh(1).Get() }"),
  on("of one that a field leads to", true, renamed, "func f(b lib.Box[string]) { b.Next.Get() }"),
  on("of one that is embedded", true, renamed, "func f(h lib.Holder) { h.Get() }"),
  on("of one that is asked for by its type", true, renamed, "func f() { b := lib.Empty[int](); b.Get() }"),
  on("of one that is made by its type", true, renamed, "func f() { b := lib.Fresh[int](1); b.Get() }"),
  on("of one in a map", true, renamed, 'func f(all map[string]*lib.Box[int]) { all["a"].Get() }'),
  on("of each in a list", true, renamed, "func f(all []*lib.Box[int]) { for _, b := range all { b.Get() } }"),
  on("of one in a fixed list", true, renamed, "func f(all [2]lib.Box[int]) { all[0].Get() }"),
  on(
    "of none, where the keys are such",
    false,
    renamed,
    "func f(all map[lib.Box[int]]lib.Holder) { for _, h := range all { h.Len() } }",
  ),
  on(
    "of one that a local list of functions answers",
    false,
    renamed,
    "func f(make []func() own) { make[0]().Get() }\n\ntype own struct{}\n\nfunc (own) Get() {}",
  ),
  on("another method of it", false, renamed, "func f(b *lib.Box[int]) int { return b.Len() }"),
  on(
    "a type parameter is renamed",
    false,
    ["(b *Box[T]) Get() T", "(b *Box[V]) Get() V"],
    "func f(b *lib.Box[int]) int { return b.Get() }",
  ),
  on("a field of a generic type is renamed", true, ["Size int", "Count int"], "var b = lib.Box[int]{Size: 1}"),
  on(
    "a field of it changes its type",
    true,
    ["Size int", "Size string"],
    "func f(b lib.Box[int]) int { return b.Size }",
  ),
  on(
    "a field of its parameter's type",
    false,
    ["Size int", "Size string"],
    "func f(b lib.Box[int]) int { return b.Item }",
  ),
  on("a result changes its type", true, asText, "func f(b *lib.Box[int]) int { return b.Len() }"),
  on("a result of the parameter's type", false, asText, "func f(b *lib.Box[string]) string { return b.Get() }"),
  on(
    "a parameter changes its type",
    true,
    ["Put(item E, at int)", "Put(item E, at string)"],
    'func f(b *lib.Box[string]) { b.Put("a", 1) }',
  ),
  on(
    "a parameter under another name",
    false,
    ["Put(item E, at int)", "Put(one E, by int)"],
    'func f(b *lib.Box[string]) { b.Put("a", 1) }',
  ),
  on(
    "a generic function takes another type",
    true,
    ["Of[E any](item E, at int)", "Of[E any](item E, at string)"],
    'var n = lib.Of("a", 1)',
  ),
  on(
    "a generic function calls its type otherwise",
    false,
    ["Of[E any](item E,", "Of[T any](item T,"],
    'var n = lib.Of("a", 1)',
  ),
  on("a generic interface grows", true, grown, `${keeper}var _ lib.Keeper[int] = own{}`),
  on(
    "a generic interface grows by what is there",
    false,
    grown,
    `${keeper}func (own) Drop(key int) {}\n\nvar _ lib.Keeper[int] = own{}`,
  ),
  on("a generic interface grows: a result", true, grown, `${keeper}func f() lib.Keeper[int] { return own{} }`),
  on("a generic interface grows: a field", true, grown, `${keeper}var s = lib.Site{At: own{}}`),
  on("a generic interface grows: an argument", true, grown, `${keeper}func f() { lib.Fill[int](own{}) }`),
  on("a generic interface grows: an inferred argument", true, grown, `${keeper}func f() { lib.Fill(own{}) }`),
  on(
    "a generic interface grows: an argument that has it",
    false,
    grown,
    `${keeper}func (own) Drop(key int) {}\n\nfunc f() { lib.Fill[int](own{}) }`,
  ),
  on(
    "a generic function answers more, called by its type",
    true,
    [
      "Other[K any](keeper Keeper[K]) int { return 1 }",
      "Other[K any](keeper Keeper[K]) (int, error) { return 1, nil }",
    ],
    `${keeper}func f() { n := lib.Other[int](own{}); _ = n }`,
  ),
  on(
    "a method of an interface answers something now",
    true,
    ["Say(text string)", "Say(text string) error"],
    "type own struct{}\n\nfunc (own) Say(text string) {}\n\nfunc f() { lib.Hear(own{}) }",
  ),
  on(
    "a method of an interface calls its parameter otherwise",
    false,
    ["Say(text string)", "Say(words string)"],
    "type own struct{}\n\nfunc (own) Say(text string) {}\n\nfunc f() { lib.Hear(own{}) }",
  ),
];
