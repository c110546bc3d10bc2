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
];
