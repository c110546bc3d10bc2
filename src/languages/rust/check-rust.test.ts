import { expect, test } from "bun:test";
import { runCompiled, said } from "../compiled/scene.suite.ts";

const store = `use std::fmt;

pub fn load(a: i32) -> i32 { a }
pub struct Store { pub path: String, size: i32 }
pub struct Pair(pub i32, pub i32);
#[derive(Debug, Clone)]
pub enum State { Open, Closed(i32), Lost { why: String } }
pub trait Shape { fn area(&self, unit: i32) -> i32; fn draw(&self) {} }
impl Store {
    pub fn new(path: String) -> Self { Store { path, size: 0 } }
    pub fn len_of(&self, mode: i32) -> i32 { mode }
    pub fn to_string(&self) -> String { String::new() }
}
pub type Alias = Store;
pub mod inner { pub fn deep() -> i32 { 1 } pub(crate) const N: i32 = 1; }
`;

/** One side edits src/store.rs, the other writes src/app.rs; what is said about it. */
async function check(
  edit: (text: string) => string,
  use: string,
  expected: readonly string[],
  more: Record<string, string> = {},
): Promise<void> {
  const base = {
    "src/lib.rs": "pub mod store;\npub mod app;\npub use store::load as loaded;\n",
    "src/store.rs": store,
    "src/app.rs": "\n",
  };
  const told = await said("rust", {
    base,
    ours: { "src/store.rs": edit(store), ...more },
    theirs: { "src/app.rs": use },
  });
  expect(told.map((one) => one.replace(" src/app.rs", ""))).toEqual([...expected]);
}
const swap =
  (from: string, to: string) =>
  (text: string): string => {
    if (!text.includes(from)) throw new Error(`no ${from}`);
    return text.replace(from, to);
  };
const renamed = swap("pub fn load", "pub fn fetch");

test("a function that is gone is told however it is brought in", async () => {
  const fixed = { "src/lib.rs": "pub mod store;\npub mod app;\npub use store::fetch as loaded;\n" };
  const bodies = [
    "use crate::store::load;\nfn f() { load(1); }\n",
    "use super::store;\nfn f() { store::load(1); }\n",
    "fn f() { crate::store::load(1); }\n",
    "use crate::store::*;\nfn f() { load(1); }\n",
    "use crate::store::{self, load as l};\nfn f() { l(1); let _ = store::inner::deep(); }\n",
    "fn f() {\n    use crate::store::load;\n    load(1);\n}\n",
    "mod sub { fn f() { super::super::store::load(1); } }\n",
  ];
  for (const body of bodies) await check(renamed, body, ["renamed load"], fixed);
  await check(renamed, "use crate::loaded;\nfn f() { loaded(1); }\n", [], fixed);
});

test("arguments of functions, methods, tuple structs and variants are counted", async () => {
  await check(swap("load(a: i32)", "load(a: i32, b: i32)"), "fn f() { crate::store::load(1); }\n", ["signature load"]);
  await check(
    swap("new(path: String)", "new(path: String, b: i32)"),
    "use crate::store::Store;\nfn f(s: String) { Store::new(s); }\n",
    ["signature Store::new"],
  );
  await check(
    swap("&self, mode: i32", "&self"),
    "use crate::store::Store;\nfn f(s: &Store) { s.len_of(1); Store::len_of(s, 1); }\n",
    ["signature Store::len_of"],
  );
  await check(
    swap("pub i32, pub i32", "pub i32, pub i32, pub i32"),
    "use crate::store::Pair;\nfn f() { Pair(1, 2); }\n",
    ["signature Pair"],
  );
  await check(
    swap("Closed(i32)", "Closed(i32, i32)"),
    "use crate::store::State;\nfn f(s: State) { if let State::Closed(_) = s {} }\n",
    ["signature State::Closed"],
  );
});

test("members are followed on parameters, literals, constructors, self and aliases", async () => {
  const gone = swap("pub fn len_of", "pub fn length");
  await check(gone, "use crate::store::Store;\nfn f(s: &mut Store) { s.len_of(1); }\n", [
    "removed-member Store::len_of",
  ]);
  await check(gone, "use crate::store::Store;\nfn f(p: String) { let s = Store::new(p); s.len_of(1); }\n", [
    "removed-member Store::len_of",
  ]);
  await check(gone, "use crate::store::Alias;\nfn f(s: Alias) { s.len_of(1); }\n", ["removed-member Store::len_of"]);
  await check(gone, "struct App { store: crate::store::Store }\nimpl App { fn f(&self) { self.store.len_of(1); } }\n", [
    "removed-member Store::len_of",
  ]);
  await check(swap("pub path", "path"), "use crate::store::Store;\nfn f(s: &Store) -> usize { let _ = s.path; 1 }\n", [
    "made-private Store::path",
  ]);
});

test("visibility, literals, patterns, matches and impls have to fit", async () => {
  await check(swap("pub mod inner", "mod inner"), "fn f() { crate::store::inner::deep(); }\n", ["made-private deep"]);
  const literal = "use crate::store::State;\nfn f() -> State { State::Lost { why: String::new() } }\n";
  await check(swap("why: String", "why: String, code: i32"), literal, ["requires-more State::Lost"]);
  await check(swap("why: String", "reason: String"), literal, ["removed-member State::Lost::why"]);
  const match =
    "use crate::store::State;\nfn f(s: &State) { match s { State::Open => {} State::Closed(_) | State::Lost { .. } => {} } }\n";
  await check(swap("Open, ", "Open, Half, "), match, ["requires-more State"]);
  const byModule = match.replace("::State;", ";").replaceAll(/(?<!:)State/g, "store::State");
  await check(swap("Open, ", "Open, Half, "), byModule, ["requires-more State"]);
  const shape =
    "use crate::store::Shape;\nstruct Disc;\nimpl Shape for Disc { fn area(&self, unit: i32) -> i32 { unit } }\n";
  await check(swap("fn draw(&self) {}", "fn draw(&self);"), shape, ["requires-more Shape"]);
  await check(swap("unit: i32) -> i32;", "unit: i32, more: i32) -> i32;"), shape, ["signature Shape"]);
  await check(swap("fn draw(&self) {}", "fn draw(&self) {} fn more(&self) {}"), shape, []);
});

test("a crate that is named by its manifest alone is not gone, since the edition of 2018", async () => {
  const manifest = (edition: string): string =>
    `[package]\nname = "app"\n${edition}\n[target.'cfg(unix)'.dependencies]\nserde-json = "1"\n[dev-dependencies]\nwalk = "0.4"\n`;
  const base = {
    "Cargo.toml": manifest(""),
    "src/lib.rs": "extern crate serde_json as json;\nextern crate walk;\npub mod app;\n",
    "src/app.rs": "use json;\nuse walk::Walk;\n",
  };
  const theirs = { "src/app.rs": `${base["src/app.rs"]}fn f() { json::write(1); Walk::new(); }\n` };
  const moved = { "src/lib.rs": "pub mod app;\n", "src/app.rs": "use serde_json as json;\nuse walk::Walk;\n" };
  const toldWith = (edition: string): Promise<string[]> =>
    said("rust", { base, ours: { ...moved, "Cargo.toml": manifest(edition) }, theirs });
  for (const edition of ['edition = "2018"', 'edition = "2024"', "edition.workspace = true"])
    expect(await toldWith(edition)).toEqual([]);
  expect(await toldWith('edition = "2015"')).not.toEqual([]);
});

test("what is built with the tests has to fit too", async () => {
  const found = ["renamed load"];
  await check(renamed, "#[cfg(test)]\nmod tests { use crate::store::load; fn f() { load(1); } }\n", found);
  await check(
    renamed,
    "use crate::store::load;\n#[cfg(test)]\nmod tests { use super::*; fn f() { load(1); } }\n",
    found,
  );
  await check(renamed, "mod tests { #[test]\nfn f() { crate::store::load(1); } }\n", found);
  const own = "mod tests { use crate::store::*; fn load(a: i32) {} #[test]\nfn f() { load(1); } }\n";
  await check(renamed, `#[cfg(test)]\n${own}`, []);
});

test("aliases, globs from elsewhere, macros, cfg, locals and traits of the library stay silent", async () => {
  const use = "use crate::store::load;\nfn f() { load(1); }\n";
  await check((text) => `pub use self::fetch as load;\n${renamed(text)}`, use, []);
  await check((text) => `pub use elsewhere::*;\n${renamed(text)}`, use, []);
  await check((text) => `make_functions!();\n${renamed(text)}`, use, []);
  await check((text) => `#[cfg(feature = "x")]\npub fn load(a: i32, b: i32) {}\n${renamed(text)}`, use, []);
  for (const when of ["not(test)", "all(test, unix)", 'feature = "x"'])
    await check(renamed, `#[cfg(${when})]\nmod tests { use crate::store::load; fn f() { load(1); } }\n`, []);
  await check(renamed, 'fn f() {\n    #[cfg(feature = "x")]\n    crate::store::load(1);\n}\n', []);
  await check(renamed, "fn f(load: fn(i32)) { load(1); }\n// crate::store::load(1)\n", []);
  await check(
    swap("    pub fn to_string(&self) -> String { String::new() }\n", ""),
    "use crate::store::Store;\nfn f(s: &Store) { s.to_string(); }\n",
    [],
  );
  await check(
    swap("    pub fn len_of(&self, mode: i32) -> i32 { mode }\n", ""),
    "use crate::store::Store;\nfn f<T: Len>(s: T) { s.len_of(1); }\n",
    [],
  );
  await check(
    swap("Open, ", "Open, Half, "),
    "use crate::store::State;\nfn f(s: &State) { match s { State::Open => {} _ => {} } }\n",
    [],
  );
});

test("what macros of the library are given is read, in its place", async () => {
  const tests = (body: string): string => `#[cfg(test)]\nmod tests {\n    use crate::store::*;\n${body}\n}\n`;
  const lines =
    "    #[test]\n    fn f() {\n        assert_eq!(\n            2,\n            load(1),\n        );\n    }";
  const told = await runCompiled("rust", {
    base: { "src/lib.rs": "pub mod store;\npub mod app;\n", "src/store.rs": store, "src/app.rs": "\n" },
    ours: { "src/store.rs": renamed(store) },
    theirs: { "src/app.rs": tests(lines) },
  });
  expect(told.conflicts.map(({ symbol, use }) => `${symbol} ${use.path}:${use.line}`)).toEqual(["load src/app.rs:8"]);
  const gone = swap("pub fn len_of", "pub fn length");
  const member = ["removed-member Store::len_of"];
  await check(gone, tests("    fn f(s: &Store) { assert!(s.len_of(1) > 2); }"), member);
  await check(gone, tests('    fn f(p: String) { let s = Store::new(p); println!("{}", s.len_of(1)); }'), member);
  await check(gone, tests("    impl Store { fn f(&self) { assert_eq!(self.len_of(1), 2); } }"), member);
  await check(renamed, 'fn f() { log::info!("{}", crate::store::load(1)); }\n', ["renamed load"]);
  await check(renamed, 'use log::warn;\nfn f() { warn!("{}", crate::store::load(1)); }\n', ["renamed load"]);
  // Where one cannot be read, the others are.
  const beside =
    'fn f() { log::info!(target: "a", "b"); assert!(a b); vec![crate::store::load(1)]; assert!(c => d); }\n';
  await check(renamed, beside, ["renamed load"]);
});

test("two values that are compared have to be of types that can be equal, where both are known for certain", async () => {
  const values = `pub struct Own { pub count: i32, pub name: String }
impl Own { pub fn size(&self) -> i32 { 1 } }
pub fn first() -> i32 { 1 }
pub fn second() -> i32 { 1 }
pub fn text() -> String { String::new() }
pub fn slice() -> &'static str { "" }
pub fn many() -> Vec<i32> { vec![] }
pub fn maybe() -> Option<i32> { None }
pub fn lent() -> &'static i32 { &1 }
pub fn own() -> Own { Own { count: 1, name: text() } }
pub fn any<T: Default>() -> T { T::default() }
pub type Count = i32;
pub fn counted() -> Count { 1 }
pub fn boxed() -> Box<i32> { Box::new(1) }
`;
  const compare = async (from: string, to: string, compared: string, expected: readonly string[]): Promise<void> => {
    const base = { "src/lib.rs": "pub mod store;\npub mod app;\n", "src/store.rs": values, "src/app.rs": "\n" };
    const theirs = { "src/app.rs": `use crate::store::*;\n#[test]\nfn f() { let o = own(); ${compared} }\n` };
    const told = await said("rust", { base, ours: { "src/store.rs": swap(from, to)(values) }, theirs });
    expect([from, to, compared, told]).toEqual([from, to, compared, expected.map((one) => `${one} src/app.rs`)]);
  };
  const first = "pub fn first() -> i32";
  const changed = ["signature first"];
  for (const to of ["i64", "String", "Option<i32>", "Vec<i32>", "Result<i32, String>", "bool", "()"]) {
    await compare(first, `pub fn first() -> ${to}`, "assert_eq!(first(), second());", changed);
    await compare(first, `pub fn first() -> ${to}`, "assert_ne!(second(), first());", changed);
    await compare(first, `pub fn first() -> ${to}`, "if first() == o.size() {}", changed);
  }
  await compare(first, "pub fn first() -> i64", "assert_eq!(o.count, first());", changed);
  await compare(first, "pub fn first() -> i64", "let n: i32 = 1; assert_eq!(n, first());", changed);
  await compare("many() -> Vec<i32>", "many() -> Vec<u8>", "let m: Vec<i32> = vec![]; assert_eq!(many(), m);", [
    "signature many",
  ]);
  await compare(
    "maybe() -> Option<i32>",
    "maybe() -> i32",
    "assert_eq!(maybe(), Some(1)); assert_eq!(o.count, first()); let p: Option<i32> = None; assert!(maybe() == p);",
    ["signature maybe"],
  );
  // Of these some can be equal though they differ, and of the others it is not known what they are.
  for (const [from, to, compared] of [
    ["text() -> String", "text() -> &'static str", "assert_eq!(text(), slice()); assert_eq!(o.name, text());"],
    ["slice() -> &'static str", "slice() -> String", "assert_eq!(slice(), text());"],
    ["many() -> Vec<i32>", "many() -> [i32; 2]", "let m: Vec<i32> = vec![]; assert_eq!(many(), m);"],
    ["many() -> Vec<i32>", "many() -> &'static [i32]", "let m: Vec<i32> = vec![]; assert_eq!(many(), m);"],
    ["many() -> Vec<i32>", "many() -> Vec<Own>", "let m: Vec<i32> = vec![]; assert_eq!(many(), m);"],
    ["maybe() -> Option<i32>", "maybe() -> Option<&'static i32>", "let p: Option<i32> = None; assert_eq!(maybe(), p);"],
    [first, "pub fn first() -> Own", "assert_eq!(first(), second());"],
    [first, "pub fn first() -> &'static i32", "assert_eq!(first(), second());"],
    [first, "pub fn first() -> Box<i32>", "assert_eq!(first(), second());"],
    [first, "pub fn first() -> Count", "assert_eq!(first(), second());"],
    [first, "pub fn first() -> impl PartialEq<i32>", "assert_eq!(first(), second());"],
    [first, "pub fn first() -> i64", "assert_eq!(first(), any());"],
    [first, "pub fn first() -> i64", "assert_eq!(first(), second().into());"],
    [first, "pub fn first() -> i64", "assert_eq!(first(), second() as i64);"],
    [first, "pub fn first() -> i64", "assert_eq!(first(), counted());"],
    [first, "pub fn first() -> i64", "if first() + second() > 1 {}"],
    ["second() -> i32 { 1 }", "second() -> i32 { 2 }", "assert_eq!(first(), second());"],
  ] as const)
    await compare(from, to, compared, []);
});

test("macros of which nothing is known, or that may be others than they seem, are not read", async () => {
  const use = "fn f() { assert_eq!(crate::store::load(1), 2); }\n";
  const lib = "pub mod store;\npub mod app;\npub use store::fetch as loaded;\n";
  const above = (text: string): Promise<void> => check(renamed, use, [], { "src/lib.rs": `${text}${lib}` });
  await check(renamed, use, ["renamed load"], { "src/lib.rs": lib });
  await check(renamed, use, ["renamed load"], { "src/lib.rs": `#[macro_use]\nextern crate lazy_static;\n${lib}` });
  await above("#[macro_use]\nextern crate pretty_assertions;\n");
  await above("macro_rules! assert_eq { ($($t:tt)*) => {}; }\n");
  const inside = { "src/lib.rs": `#[macro_use]\nmod own;\n${lib}`, "src/own.rs": "#[macro_use]\nmod deep;\n" };
  const deep = { "src/own/deep.rs": "macro_rules! assert_eq { ($($t:tt)*) => {}; }\n" };
  await check(renamed, use, [], { ...inside, ...deep });
  await check(renamed, use, ["renamed load"], { ...inside, "src/own/deep.rs": "macro_rules! other { () => {}; }\n" });
  for (const body of [
    "fn f() { own!(crate::store::load(1)); }\n",
    "fn f() { assert!(own!(crate::store::load(1))); }\n",
    'fn f() { info!("{}", crate::store::load(1)); }\n',
    'use crate::log;\nfn f() { log::info!("{}", crate::store::load(1)); }\n',
    `use pretty_assertions::assert_eq;\n${use}`,
    `mod inner { use pretty_assertions::assert_eq; ${use} }\n`,
    "fn f() { vec! { crate::store::load(1) }; }\n",
    "macro_rules! own { () => { assert_eq!(crate::store::load(1), 2) }; }\n",
  ])
    await check(renamed, body, [], { "src/lib.rs": lib });
});

test("a method that goes into a trait is not missing, and one behind an unknown trait may be there", async () => {
  const without = (text: string): string => text.replace("    pub fn len_of(&self, mode: i32) -> i32 { mode }\n", "");
  const use = "use crate::store::Store;\nfn f(s: &Store) { s.len_of(1); }\n";
  await check(
    (text) =>
      `${without(text)}pub trait Len { fn len_of(&self, mode: i32) -> i32; }\nimpl Len for Store { fn len_of(&self, mode: i32) -> i32 { mode } }\n`,
    use,
    [],
  );
  await check((text) => `${without(text)}impl elsewhere::Len for Store {}\n`, use, []);
  await check(without, use, ["removed-member Store::len_of"]);
});

test("the same item or the same import added by both sides is told", async () => {
  const base = { "src/lib.rs": "pub fn one() {}\n\n\n\npub fn two() {}\n" };
  const add = (line: string, at: string) => ({ "src/lib.rs": base["src/lib.rs"].replace(at, `${line}\n${at}`) });
  const both = { base, ours: add("pub struct New;", "pub fn one"), theirs: add("pub struct New;", "pub fn two") };
  expect(await said("rust", both)).toEqual(["duplicate-definition New src/lib.rs"]);
  const imports = { base, ours: add("use std::fmt;", "pub fn one"), theirs: add("use std::fmt;", "pub fn two") };
  expect(await said("rust", imports)).toEqual(["duplicate-definition fmt src/lib.rs"]);
  const spaces = { base, ours: add("pub struct new {}", "pub fn one"), theirs: add("pub fn new() {}", "pub fn two") };
  expect(await said("rust", spaces)).toEqual([]);
});

test("from the crate's own tests only what is public is in reach", async () => {
  const store =
    "pub struct Store { pub path: String }\nimpl Store {\n    pub fn open() -> Store { todo!() }\n    pub fn size(&self) -> usize { 1 }\n}\npub fn load() -> usize { 1 }\n";
  const lib = "pub mod store;\n";
  const base = {
    "Cargo.toml": '[package]\nname = "my-lib"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": lib,
    "src/store.rs": store,
  };
  const toldOf = async (edit: readonly [from: string, to: string], theirs: Record<string, string>): Promise<string[]> =>
    await said("rust", { base, ours: { "src/store.rs": store.replace(...edit) }, theirs });
  const inTests = (body: string): Record<string, string> => ({
    "tests/a.rs": `use my_lib::store::Store;\n#[test]\nfn a() { ${body} }\nfn b(s: &Store) -> usize { s.path.len() }\n`,
  });
  const inside = (body: string): Record<string, string> => ({ "src/lib.rs": `${lib}pub fn f() { ${body} }\n` });
  const [load, open, size] = (["fn load", "fn open", "fn size"] as const).map(
    (name) => [`pub ${name}`, `pub(crate) ${name}`] as const,
  );
  if (load === undefined || open === undefined || size === undefined) throw new Error("an edit is missing");
  const method = "let s: Store = todo!(); s.size();";
  expect(await toldOf(load, inTests("my_lib::store::load();"))).toEqual(["made-private load tests/a.rs"]);
  expect(await toldOf(open, inTests("let _s = Store::open();"))).toEqual(["made-private Store::open tests/a.rs"]);
  expect(await toldOf(size, inTests(method))).toEqual(["made-private Store::size tests/a.rs"]);
  expect(await toldOf(load, inTests("let _s = Store::open();"))).toEqual([]);
  expect(await toldOf(load, inside("store::load();"))).toEqual([]);
  expect(await toldOf(open, inside("store::Store::open();"))).toEqual([]);
  const gone = ["    pub fn open() -> Store { todo!() }\n", ""] as const;
  expect(await toldOf(gone, inTests("let _s = Store::open();"))).toEqual(["removed-member Store::open tests/a.rs"]);
  expect(await toldOf(gone, inside("store::Store::open();"))).toEqual(["removed-member Store::open src/lib.rs"]);
  expect(await toldOf(gone, inTests(method))).toEqual([]);
});
