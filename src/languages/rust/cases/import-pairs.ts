// Rust, names that a file brings in from elsewhere: one side takes the `use` out because it needs it no more, and the other begins to need it. Also
// names that come by a way that is under a condition.

import { type Pair, pairsIn, pairsOn } from "../../compiled/cases/pairs.ts";

const head = `use std::collections::HashMap;
use std::mem::size_of;
use std::u32;

pub fn first() -> HashMap<usize, usize> { HashMap::new() }
pub fn most() -> u32 { u32::MAX }
pub fn large() -> usize { size_of::<u8>() }
`;
const second = "use std::fmt;\n\npub fn last() -> fmt::Result { Ok(()) }\n";
const place = "\npub fn one() -> usize { 1 }\npub fn two() -> usize { 2 }\npub fn three() -> usize { 3 }\n\n";
const base = {
  "src/lib.rs":
    'pub mod store;\npub mod shapes;\n#[cfg(not(feature = "less"))]\npub use self::shapes::*;\npub mod forms;\npub use self::forms::*;\n',
  "src/store.rs": `${head}${place}\nmod inner { use super::*; pub fn four() -> usize { 4 } }\n\n${second}`,
  "src/forms.rs": "pub struct Form;\nimpl Form { pub fn size(&self) -> usize { 1 } }\n",
  "src/shapes.rs": "pub trait Shape { fn area(&self) -> usize; }\npub fn round() {}\n",
};
const on = pairsIn(base, "src/store.rs", place);
const deep = pairsIn(base, "src/store.rs", "{ use super::*; ");

const form = pairsOn(base, "src/forms.rs", (use) => ({ "src/store.rs": `${base["src/store.rs"]}${use}\n` }));

const whole = head.slice(0, head.indexOf("pub fn most"));
const left = "use std::mem::size_of;\nuse std::u32;\n\npub fn first() -> usize { 1 }\n";
const out = [whole, left] as const;

const crate = {
  "Cargo.toml": '[package]\nname = "a-shop"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": "pub mod store;\npub mod other;\npub fn round() {}\n",
  "src/other.rs": "pub fn less() {}\n",
  "src/store.rs":
    "pub fn load() -> u8 { 1 }\npub struct Cache;\nimpl Cache { pub fn go(&self) {} pub fn of(_n: u8) -> Cache { Cache } }\n",
};
const globs = "use a_shop::*;\nuse a_shop::other::*;\nuse a_shop::store::*;\n\n";
const from = (file: string) => pairsOn(crate, "src/store.rs", (use) => ({ [file]: `${globs}${use}\n` }));
const hidden = ["pub fn load", "pub(crate) fn load"] as const;
const places = ["tests/it.rs", "benches/speed.rs", "examples/first.rs", "src/main.rs", "src/bin/tool.rs"];
const throughGlobs: readonly Pair[] = [
  ...places.map((file) =>
    from(file)(`a function that only its crate has now, in ${file}`, true, hidden, "fn f() { load(); }"),
  ),
  from("tests/it.rs")(
    "a function that is gone, through a glob of its crate",
    true,
    ["fn load", "fn fetch"],
    "fn f() { load(); }",
  ),
  from("tests/it.rs")(
    "a method that only its crate has now",
    true,
    ["pub fn go", "pub(crate) fn go"],
    "fn f(c: &Cache) { c.go(); }",
  ),
  from("tests/it.rs")(
    "a method of what a function answers",
    true,
    ["pub fn go", "pub(crate) fn go"],
    "fn f() { Cache::of(1).go(); }",
  ),
  from("tests/it.rs")(
    "a function that takes nothing any more",
    true,
    ["of(_n: u8)", "of()"],
    "fn f() { Cache::of(1); }",
  ),
  from("tests/it.rs")("another function than the one that is hidden", false, hidden, "fn f() { less(); round(); }"),
  from("tests/it.rs")(
    "a function of the file itself, by the name of the one that is hidden",
    false,
    hidden,
    "fn load() {}\nfn f() { load(); }",
  ),
  from("tests/it.rs")(
    "a module by the crate's name",
    false,
    hidden,
    "mod a_shop { pub fn load() {} }\nfn f() { a_shop::load(); }",
  ),
  pairsOn(crate, "src/store.rs", (use) => ({ "src/other.rs": `use crate::store::*;\n\n${use}\n` }))(
    "a function that its crate still has",
    false,
    hidden,
    "pub fn f() { load(); }",
  ),
];

export const rustImportPairs: readonly Pair[] = [
  on("a type whose use was taken out", true, out, "pub fn f(_m: &HashMap<u8, u8>) {}"),
  on("a function of it", true, out, "pub fn f() -> usize { HashMap::<u8, u8>::new().len() }"),
  on(
    "a module whose use was taken out",
    true,
    [second, "\npub fn last() -> usize { 1 }\n"],
    "pub fn f() -> fmt::Result { Ok(()) }",
  ),
  deep("a type that a module has from the one around", true, out, "pub fn f(_m: &HashMap<u8, u8>) {}"),
  on("a type by its whole path", false, out, "pub fn f(_m: &std::collections::HashMap<u8, u8>) {}"),
  on(
    "a type that comes with all beside it",
    false,
    [whole, `use std::collections::*;\n${left}`],
    "pub fn f(_m: &HashMap<u8, u8>) {}",
  ),
  on(
    "a type that comes by another way",
    false,
    [whole, `use std::collections::{BTreeMap, HashMap};\n${left}`],
    "pub fn f(_m: &HashMap<u8, u8>) {}",
  ),
  on(
    "a type that is declared in its place",
    false,
    [whole, `${left}pub struct HashMap<A, B>(A, B);\n`],
    "pub fn f(_m: &HashMap<u8, u8>) {}",
  ),
  on(
    "a type that a function brings in itself",
    false,
    out,
    "pub fn f() { use std::collections::HashMap; let _m: HashMap<u8, u8> = HashMap::new(); }",
  ),
  on(
    "a number's type needs none",
    false,
    [head, head.replace("use std::u32;\n", "")],
    "pub fn f() -> u32 { u32::MAX }",
  ),
  on(
    "what every file has needs none",
    false,
    [head, head.replace("use std::mem::size_of;\n", "")],
    "pub fn f() -> usize { size_of::<u16>() }",
  ),
  form(
    "a member of what comes beside names under a condition",
    true,
    ["size(&self) -> usize { 1 }", "size(&self) -> u8 { 1 }"],
    "pub fn f(form: &crate::Form) -> usize { form.size() }",
  ),
  form(
    "what may come from names under a condition",
    false,
    ["size(&self) -> usize { 1 }", "size(&self) -> u8 { 1 }"],
    "pub fn f() { crate::round() }",
  ),
  ...throughGlobs,
];
