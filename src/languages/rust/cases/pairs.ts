// Rust, class by class: what a parameter, a result or a field is of; functions that may fail now; how many a closure takes; types
// with traits from outside; modules and members under a condition; crates under another name.

import { type Pair, pairsOn } from "../../compiled/cases/pairs.ts";
import { rustImportPairs } from "./import-pairs.ts";
import { rustMacroPairs } from "./macro-pairs.ts";
import { rustValuePairs } from "./value-pairs.ts";

const library = `use std::ops::Deref;

pub struct Options { pub name: String, pub limit: usize, #[cfg(feature = "more")] pub more: u8 }
pub struct Store { pub path: String, inner: Options }
impl Deref for Store { type Target = Options; fn deref(&self) -> &Options { &self.inner } }
impl IntoIterator for Store { type Item = u8; type IntoIter = std::vec::IntoIter<u8>; fn into_iter(self) -> Self::IntoIter { vec![].into_iter() } }
impl Store {
    pub fn reload(&self) -> usize { 1 }
    pub fn find(&self, name: &str) -> Option<usize> { None }
    pub fn look(&self) -> Seen { Seen }
}
pub fn make(name: &str, limit: usize) -> Options { todo!() }
pub fn count(name: &str) -> usize { 1 }
pub fn is_open() -> bool { true }
pub fn held() -> Option<Options> { None }
pub fn take<V: Into<usize>>(value: V) {}
#[derive(Default, Clone)]
pub struct Made;
impl Made { pub fn made(&self) {} }
pub fn open(name: &str) -> Result<Store, String> { todo!() }
pub struct Seen;
impl Seen { pub fn is_some(&self) -> bool { true } }
pub enum Color { Red, Blue }
pub fn paint(color: Color) {}
pub fn title() -> &'static str { "" }
pub fn first() -> Option<usize> { None }
pub fn each(visit: impl Fn(usize, usize)) {}
pub fn every<F>(visit: F) where F: Fn(usize) -> bool {}
#[cfg(not(feature = "less"))]
pub fn full() -> usize { 1 }
pub trait Shape { fn area(&self) -> usize; }
`;
const base = {
  "src/lib.rs":
    'pub extern crate core as rust;\npub mod store;\n#[cfg(not(feature = "small"))]\npub mod large;\npub mod app;\n',
  "src/store.rs": library,
  "src/large.rs": "pub fn wide() -> usize { 1 }\n",
  "src/app.rs": "\n",
};
const on = (path: string) => pairsOn(base, path, (use) => ({ "src/app.rs": `use crate::store::*;\n\n${use}\n` }));
const one = on("src/store.rs");

const byString = ["make(name: &str,", "make(name: String,"] as const;
const asText = ["fn count(name: &str) -> usize { 1 }", "fn count(name: &str) -> String { String::new() }"] as const;
const failing = ["fn count(name: &str) -> usize { 1 }", "fn count(name: &str) -> Result<usize, ()> { Ok(1) }"] as const;

export const rustPairs: readonly Pair[] = [
  ...rustMacroPairs,
  ...rustValuePairs,
  ...rustImportPairs,
  one("a literal for a parameter of another type", true, byString, 'fn f() { make("a", 1); }'),
  one("a declared parameter for one of another type", true, byString, "fn f(s: &str) { make(s, 1); }"),
  one(
    "a number fits another kind of number",
    false,
    ["limit: usize) -> Options", "limit: u64) -> Options"],
    'fn f() { make("a", 1); }',
  ),
  one(
    "a variable does not",
    true,
    ["limit: usize) -> Options", "limit: u64) -> Options"],
    'fn f(n: usize) { make("a", n); }',
  ),
  one(
    "what a function answers does not",
    true,
    ["limit: usize) -> Options", "limit: u64) -> Options"],
    'fn f() { make("a", count("b")); }',
  ),
  one(
    "a parameter that may be left out",
    true,
    ["limit: usize) -> Options", "limit: Option<usize>) -> Options"],
    'fn f(n: usize) { make("a", n); }',
  ),
  one(
    "a parameter of any kind",
    false,
    ["make(name: &str,", "make(name: impl AsRef<str>,"],
    'fn f() { make("a", 1); }',
  ),
  one(
    "a type parameter",
    false,
    ["make(name: &str, limit: usize)", "make<N>(name: N, limit: usize)"],
    'fn f() { make("a", 1); }',
  ),
  one(
    "parameters change places",
    true,
    ["make(name: &str, limit: usize)", "make(limit: usize, name: &str)"],
    'fn f() { make("a", 1); }',
  ),
  one(
    "a parameter under another name",
    false,
    ["make(name: &str, limit: usize)", "make(called: &str, most: usize)"],
    'fn f() { make("a", 1); }',
  ),
  one("a result of another type, answered", true, asText, 'fn f() -> usize { count("a") }'),
  one("a result of another type, returned", true, asText, 'fn f() -> usize { return count("a"); }'),
  one("a result of another type, in a variable", true, asText, 'fn f() { let n: usize = count("a"); }'),
  one("a result of another type, compared", true, failing, 'fn f() -> bool { count("a") == 3 }'),
  one("a result of another type that nobody looks at", false, asText, 'fn f() { let _ = count("a"); }'),
  one(
    "a result of another type in an arm",
    true,
    asText,
    'fn f(n: u8) -> usize { match n { 1 => count("a"), _ => 2 } }',
  ),
  one(
    "a variant for a parameter of another type",
    true,
    ["fn paint(color: Color)", "fn paint(color: Option<Color>)"],
    "fn f() { paint(Color::Red); }",
  ),
  one(
    "a variant that still fits",
    false,
    ["fn paint(color: Color)", "fn paint(shade: Color)"],
    "fn f() { paint(Color::Red); }",
  ),
  one(
    "a method of a text that may be missing now",
    true,
    ['fn title() -> &\'static str { "" }', "fn title() -> Option<&'static str> { None }"],
    "fn f() -> usize { title().split('.').count() }",
  ),
  one(
    "a result as a condition",
    true,
    ["fn is_open() -> bool { true }", "fn is_open() -> u8 { 1 }"],
    "fn f() { if is_open() {} }",
  ),
  one("a function that may fail now", true, failing, 'fn f() -> usize { count("a") }'),
  one(
    "a function that cannot fail any more",
    true,
    ["fn first() -> Option<usize> { None }", "fn first() -> usize { 1 }"],
    "fn f() -> Option<usize> { let n = first()?; Some(n) }",
  ),
  one(
    "a pattern of what cannot fail any more",
    true,
    ["fn first() -> Option<usize> { None }", "fn first() -> usize { 1 }"],
    "fn f() { if let Some(_n) = first() {} }",
  ),
  one(
    "a member of a result that may fail now",
    true,
    ["fn make(name: &str, limit: usize) -> Options", "fn make(name: &str, limit: usize) -> Option<Options>"],
    'fn f() -> usize { make("a", 1).limit }',
  ),
  one(
    "a member that every Option has",
    false,
    ["fn first() -> Option<usize>", "fn first() -> Option<usize>  "],
    "fn f() -> usize { first().unwrap() }",
  ),
  one(
    "a field of another type, read",
    true,
    ["pub limit: usize", "pub limit: String"],
    "fn f(o: Options) -> usize { o.limit }",
  ),
  one(
    "a field of another type beside one under a condition",
    true,
    ["pub limit: usize", "pub limit: String"],
    "fn f(o: &Options) -> bool { o.limit == 3 && true }\nfn g(o: &Options) -> usize { o.limit }",
  ),
  one(
    "another field of the struct",
    false,
    ["pub limit: usize", "pub limit: String"],
    "fn f(o: &Options) -> &String { &o.name }",
  ),
  one(
    "a closure that takes too few",
    true,
    ["impl Fn(usize, usize)", "impl Fn(usize, usize, usize)"],
    "fn f() { each(|a, b| { let _n: usize = a + b; }); }",
  ),
  one(
    "a closure for a bound that takes more",
    true,
    ["F: Fn(usize) -> bool", "F: Fn(usize, usize) -> bool"],
    "fn f() { every(|a| a > 1); }",
  ),
  one(
    "a closure that still fits",
    false,
    ["impl Fn(usize, usize)", "impl FnMut(usize, usize)"],
    "fn f() { each(|a, b| { let _n: usize = a + b; }); }",
  ),
  one(
    "a method of a type with traits from outside",
    true,
    ["fn reload(", "fn refresh("],
    "fn f(s: &Store) -> usize { s.reload() }",
  ),
  ...[
    'pub fn f() { let s = open("a").unwrap(); s.reload(); }',
    'pub fn f() -> usize { open("a").expect("b").reload() }',
    'pub fn f() -> Result<usize, String> { Ok(open("a")?.reload()) }',
    'pub fn f() -> Result<(), String> { let s = open("a")?; assert_eq!(s.reload(), 1); Ok(()) }',
  ].flatMap((use, at) => [
    one(`a member of what a Result holds is gone, ${at}`, true, ["fn reload(", "fn refresh("], use),
    one(`another one is, ${at}`, false, ["fn look(", "fn see("], use),
    one(
      `what the Result holds is a reference now, ${at}`,
      false,
      ["Result<Store, String>", "Result<&'static Store, String>"],
      use,
    ),
  ]),
  ...[
    "Made::default().made()",
    "let m = Made::default(); m.made()",
    "let m = Made::default(); m.clone().made()",
  ].flatMap((use, at) => [
    one(`a member of what a derive makes is gone, ${at}`, true, ["fn made(", "fn built("], `pub fn f() { ${use}; }`),
    one(
      `it is in a trait for all now, ${at}`,
      false,
      [
        "impl Made { pub fn made",
        "pub trait Makes { fn made(&self) {} }\nimpl<T> Makes for T {}\nimpl Made { pub fn making",
      ],
      `pub fn f() { ${use}; }`,
    ),
    one(
      `it is in a trait now, ${at}`,
      false,
      [
        "impl Made { pub fn made",
        "pub trait Makes { fn made(&self) {} }\nimpl Makes for Made {}\nimpl Made { pub fn making",
      ],
      `pub fn f() { ${use}; }`,
    ),
  ]),
  one(
    "what a Result holds, out of an Option now",
    false,
    ["-> Result<Store, String>", "-> Option<Store>"],
    'pub fn f() { let s = open("a").unwrap(); s.reload(); }',
  ),
  one(
    "what a Result holds, by itself now, for the operator",
    true,
    ["-> Result<Store, String>", "-> Store"],
    'pub fn f() -> Result<usize, String> { Ok(open("a")?.reload()) }',
  ),
  one(
    "what a member of the library answers is not what it is a member of",
    false,
    ["pub fn take<V: Into<usize>>(value: V) {}", "pub fn take(value: usize) {}"],
    'fn f(s: &Store) { take(s.find("a").unwrap()); }',
  ),
  one(
    "a member of the library in a condition",
    false,
    ["fn look(&self) -> Seen { Seen }", "fn look(&self) -> Option<usize> { None }"],
    "fn f(s: &Store) { if s.look().is_some() {} }",
  ),
  ...['make("a", 1).limit', "held().unwrap().limit"].map((use) =>
    one(
      `a member that the Deref of another type brings: ${use}`,
      false,
      use.startsWith("make")
        ? ["limit: usize) -> Options", "limit: usize) -> Store"]
        : ["held() -> Option<Options>", "held() -> Option<Store>"],
      `fn f() -> usize { ${use} }`,
    ),
  ),
  one("a member that its Deref brings", false, ["fn reload(", "fn refresh("], "fn f(s: &Store) -> usize { s.limit }"),
  one(
    "a function under a condition that is gone",
    true,
    ["pub fn full(", "pub fn fuller("],
    "fn f() -> usize { full() }",
  ),
  one(
    "one that comes under a condition is there all the same",
    false,
    ["pub fn is_open()", "#[cfg(unix)]\npub fn is_open()"],
    "fn f() -> bool { is_open() }",
  ),
  on("src/large.rs")(
    "a function of a module under a condition",
    true,
    ["wide", "wider"],
    "fn f() -> usize { crate::large::wide() }",
  ),
  on("src/lib.rs")(
    "a crate under another name",
    true,
    ["as rust", "as std_core"],
    "fn f() -> usize { crate::rust::mem::size_of::<u8>() }",
  ),
  on("src/lib.rs")(
    "a crate that keeps its name",
    false,
    ["pub extern crate core as rust", "pub extern crate core as rust; pub extern crate alloc"],
    "fn f() -> usize { crate::rust::mem::size_of::<u8>() }",
  ),
  one(
    "a trait grows",
    true,
    ["fn area(&self) -> usize;", "fn area(&self) -> usize; fn edge(&self) -> usize;"],
    "struct Disc;\nimpl Shape for Disc { fn area(&self) -> usize { 1 } }",
  ),
  one(
    "a trait grows by itself",
    false,
    ["fn area(&self) -> usize;", "fn area(&self) -> usize; fn edge(&self) -> usize { 1 }"],
    "struct Disc;\nimpl Shape for Disc { fn area(&self) -> usize { 1 } }",
  ),
];
