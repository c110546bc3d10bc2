// Rust, where values go: into variants and tuples, through references, `?` and `unwrap`, into what `Some`, `Ok` and `Err` hold, and from a variable
// to a place that wants a type. Each with what only looks so.

import { type Pair, pairsOn } from "../../compiled/cases/pairs.ts";

const library = `use std::fmt;

pub enum Shape { Round(usize), Named(String, usize), Kept(Box<usize>), Lent(&'static str) }
pub struct Width(pub usize);
pub struct View<'a>(pub &'a usize);
pub struct Holds<T>(pub T);
pub enum Either<T> { One(T), Other(usize) }
pub struct Fault { pub at: usize }
pub fn measure(at: usize) -> usize { at }
pub fn lent() -> &'static usize { &1 }
pub fn parsed(text: &str) -> Result<usize, Fault> { Ok(1) }
pub fn found() -> Option<usize> { None }
pub fn fault() -> Fault { Fault { at: 1 } }
pub fn look(at: &usize) {}
pub fn take(at: usize) {}
pub fn pair() -> (usize, String) { (1, String::new()) }
pub struct Two(pub usize, pub String);
pub fn look_at(text: &str) -> (usize, String) { (1, String::new()) }
pub fn shown(to: &mut fmt::Formatter<'_>) -> fmt::Result { Ok(()) }
`;
const base = {
  "src/lib.rs": "pub mod store;\npub mod app;\n",
  "src/store.rs": library,
  "src/app.rs": "\n",
};
const on = pairsOn(base, "src/store.rs", (use) => ({ "src/app.rs": `use crate::store::*;\n\n${use}\n` }));

const maybe = ["measure(at: usize) -> usize { at }", "measure(at: usize) -> Option<usize> { Some(at) }"] as const;
const wide = ["measure(at: usize) -> usize { at }", "measure(at: usize) -> u64 { 1 }"] as const;
const wideRound = ["Round(usize)", "Round(u64)"] as const;
const wideParsed = [
  "parsed(text: &str) -> Result<usize, Fault> { Ok(1) }",
  "parsed(text: &str) -> Result<u64, Fault> { Ok(1) }",
] as const;
const wideFound = ["found() -> Option<usize>", "found() -> Option<u64>"] as const;
const otherFault = ["fault() -> Fault { Fault { at: 1 } }", "fault() -> String { String::new() }"] as const;
const onlyOne = ["pair() -> (usize, String) { (1, String::new()) }", "pair() -> bool { true }"] as const;
const three = [
  "pair() -> (usize, String) { (1, String::new()) }",
  "pair() -> (usize, String, u8) { (1, String::new(), 1) }",
] as const;
const asStruct = [
  "pair() -> (usize, String) { (1, String::new()) }",
  "pair() -> Two { Two(1, String::new()) }",
] as const;
const lentNoMore = ["lent() -> &'static usize { &1 }", "lent() -> usize { 1 }"] as const;

export const rustValuePairs: readonly Pair[] = [
  on(
    "a variable of a call, given to a variant",
    true,
    maybe,
    "fn f() -> Shape { let n = measure(1); Shape::Round(n) }",
  ),
  on("a call, given to a variant", true, maybe, "fn f() -> Shape { Shape::Round(measure(1)) }"),
  on(
    "a call, given to the second place of a variant",
    true,
    wide,
    "fn f(s: String) -> Shape { Shape::Named(s, measure(1)) }",
  ),
  on("a call, given to a tuple", true, wide, "fn f() -> Width { Width(measure(1)) }"),
  on(
    "a variable, given to a variant in an Err",
    true,
    wide,
    "fn f() -> Result<(), Shape> { let n = measure(1); Err(Shape::Round(n)) }",
  ),
  on(
    "a variant that is brought in",
    true,
    maybe,
    "use crate::store::Shape::Round;\nfn f() -> Shape { Round(measure(1)) }",
  ),
  on(
    "a variant that is brought in and holds more",
    true,
    ["Round(usize)", "Round(usize, usize)"],
    "use crate::store::Shape::Round;\nfn f() -> Shape { Round(1) }",
  ),
  on(
    "a variant that is brought in, in a pattern",
    true,
    ["Round(usize)", "Round(usize, usize)"],
    "use crate::store::Shape::{self as Form, Round};\nfn f(s: Form) -> usize { if let Round(n) = s { n } else { 0 } }",
  ),
  on(
    "a variant that is brought in by another name",
    false,
    ["Lent(&'static str)", "Lent(String)"],
    "use crate::store::Shape::Round as Circle;\nfn f(s: Shape) -> Shape { if let Circle(n) = s { Circle(n) } else { s } }",
  ),
  on("a variant that holds another type", true, wideRound, "fn f(n: usize) -> Shape { Shape::Round(n) }"),
  on(
    "a text for a variant that holds a String now",
    true,
    ["Lent(&'static str)", "Lent(String)"],
    'fn f() -> Shape { Shape::Lent("a") }',
  ),
  on("a number fits a variant that holds another kind", false, wideRound, "fn f() -> Shape { Shape::Round(1) }"),
  on(
    "a pattern of a variant that holds another type",
    false,
    wideRound,
    "fn f(s: &Shape) -> bool { matches!(s, Shape::Round(_)) }",
  ),
  on("a tuple of any type", false, wide, "fn f() { let _h = Holds(measure(1)); }"),
  on("a variant of any type", false, wide, "fn f() { let _e = Either::One(measure(1)); }"),
  on("a variant beside one of any type", true, wide, "fn f() -> Either<u8> { Either::Other(measure(1)) }"),
  on(
    "a variable that is bound again",
    false,
    wide,
    "fn f() -> Shape { let n = measure(1); let n = n as usize; Shape::Round(n) }",
  ),
  on(
    "a value that is turned into another",
    false,
    wide,
    "fn f() -> Shape { let n = measure(1).try_into().unwrap_or(0); Shape::Round(n) }",
  ),
  on(
    "what the variant of another enum holds",
    false,
    wide,
    "enum Own { Round(u64) }\nfn f(n: u64) -> Own { let _ = measure(1); Own::Round(n) }",
  ),
  on("a variant used as a function", false, wideRound, "fn f() -> Option<Shape> { Some(1).map(Shape::Round) }"),

  on("a reference to a call", true, wide, "fn f() { look(&measure(1)); }"),
  on("a reference that was kept", true, wide, "fn f() { let n = &measure(1); look(n); }"),
  on("a reference in a tuple", true, wide, "fn f(see: impl Fn(View)) { let n = measure(1); see(View(&n)); }"),
  on("a reference to what was one itself", false, lentNoMore, "fn f() { let n = &lent(); look(n); }"),
  on("what is no reference any more", true, lentNoMore, "fn f() { let n = lent(); look(n); }"),
  on(
    "what is a reference now",
    true,
    ["measure(at: usize) -> usize { at }", "measure(at: usize) -> &'static usize { &1 }"],
    "fn f() { take(measure(1)); }",
  ),
  on(
    "a reference to what is a reference now",
    false,
    ["measure(at: usize) -> usize { at }", "measure(at: usize) -> &'static usize { &1 }"],
    "fn f() { look(&measure(1)); }",
  ),
  on(
    "a reference to what leads to it",
    false,
    ["measure(at: usize) -> usize { at }", "measure(at: usize) -> Box<usize> { Box::new(at) }"],
    "fn f() { look(&measure(1)); }",
  ),

  on("what ? takes out, given on", true, wideParsed, 'fn f() -> Result<(), Fault> { take(parsed("a")?); Ok(()) }'),
  on(
    "what ? takes out, kept",
    true,
    wideParsed,
    'fn f() -> Result<Shape, Fault> { let n = parsed("a")?; Ok(Shape::Round(n)) }',
  ),
  on("what unwrap takes out", true, wideFound, "fn f() { take(found().unwrap()); }"),
  on(
    "what expect takes out, kept",
    true,
    wideFound,
    'fn f() -> Shape { let n = found().expect("n"); Shape::Round(n) }',
  ),
  on("what unwrap_or takes out beside a number", true, wideFound, "fn f() { take(found().unwrap_or(3)); }"),
  on(
    "what ? takes out of another Result",
    false,
    ["Result<usize, Fault> { Ok(1) }", "Result<usize, Box<Fault>> { Ok(1) }"],
    'fn f() -> Result<(), Box<Fault>> { let n = parsed("a")?; take(n); Ok(()) }'.replace(
      "Box<Fault>> { let",
      "Box<Fault>> where Box<Fault>: From<Fault> { let",
    ),
  ),
  on("what map makes of it", false, wideFound, "fn f() { take(found().map(|n| n as usize).unwrap()); }"),

  on("a variable at the end of a body", true, wide, "fn f() -> usize { let n = measure(1); n }"),
  on("a variable that is returned", true, wide, "fn f() -> usize { let n = measure(1); return n; }"),
  on("a variable for a let of a type", true, wide, "fn f() { let n = measure(1); let _m: usize = n; }"),
  on(
    "a variable as a condition",
    true,
    ["measure(at: usize) -> usize { at }", "measure(at: usize) -> bool { true }"],
    "fn f() -> usize { let n = measure(1); n }",
  ),
  on("a variable whose type is left open", false, wide, "fn f() { let n = measure(1); let _m = n; }"),
  on("a variable in a closure", false, wide, "fn f() -> bool { let g = || { let n = measure(1); n }; g() > 0 }"),
  on(
    "a variable that is compared with a number",
    true,
    ["measure(at: usize) -> usize { at }", "measure(at: usize) -> Option<usize> { Some(at) }"],
    "fn f() -> bool { let n = measure(1); n == 1 }",
  ),
  on("a variable beside a number", false, wide, "fn f() -> bool { let n = measure(1); n + 1 == 2 }"),

  on("a tuple that is taken apart", true, onlyOne, "fn f() -> usize { let (n, _) = pair(); n }"),
  on("a tuple that is taken apart and holds more", true, three, "fn f() -> usize { let (n, _s) = pair(); n }"),
  on("a tuple that is taken apart and is a struct", true, asStruct, "fn f() -> usize { let (n, _) = pair(); n }"),
  on("a tuple that is taken apart with a rest", false, three, "fn f() -> usize { let (n, ..) = pair(); n }"),
  on(
    "a tuple whose place holds another type",
    false,
    ["pair() -> (usize, String) { (1, String::new()) }", "pair() -> (usize, u8) { (1, 1) }"],
    "fn f() -> usize { let (n, _) = pair(); n }",
  ),
  on("the second place of a tuple", true, onlyOne, "fn f() -> String { pair().1 }"),
  on("the second place of a tuple that was kept", true, onlyOne, "fn f() -> String { let p = pair(); p.1 }"),
  on("the second place of a tuple with more", false, three, "fn f() -> String { pair().1 }"),
  on("the second place of a struct", false, asStruct, "fn f() -> String { pair().1 }"),
  on(
    "the second place of a tuple in a Box",
    false,
    ["pair() -> (usize, String) { (1, String::new()) }", "pair() -> Box<(usize, String)> { todo!() }"],
    "fn f() -> String { pair().1 }",
  ),
  on(
    "a tuple behind a reference",
    false,
    ["pair() -> (usize, String) { (1, String::new()) }", "pair() -> &'static (usize, String) { todo!() }"],
    "fn f() { let (_n, _) = pair(); }",
  ),
  on(
    "a tuple that an Option holds now",
    true,
    ["pair() -> (usize, String) { (1, String::new()) }", "pair() -> Option<(usize, String)> { None }"],
    "fn f() { let (_n, _s) = pair(); }",
  ),

  on("what Some holds, in what a function answers", true, wide, "fn f() -> Option<usize> { Some(measure(1)) }"),
  on("what Ok holds, in what a function answers", true, maybe, "fn f() -> Result<usize, ()> { Ok(measure(1)) }"),
  on("what Err holds, in what a function answers", true, otherFault, "fn f() -> Result<usize, Fault> { Err(fault()) }"),
  on("what Some holds, kept before", true, wide, "fn f() -> Option<usize> { let n = measure(1); Some(n) }"),
  on("what Some holds, for a let of a type", true, wide, "fn f() { let _n: Option<usize> = Some(measure(1)); }"),
  on("what Some holds in an open type", false, wide, "fn f() { let _n: Option<_> = Some(measure(1)); }"),
  on(
    "what Ok holds beside another Err",
    false,
    otherFault,
    "fn f() -> Result<usize, Fault> { let _ = fault(); Ok(1) }",
  ),
  on(
    "what Some holds that leads on",
    false,
    ["lent() -> &'static usize { &1 }", "lent() -> &'static Box<usize> { todo!() }"],
    "fn f() -> Option<&'static usize> { Some(lent()) }",
  ),
  on(
    "what Ok holds of an alias that holds none",
    false,
    wide,
    "fn f(to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { let _ = measure(1); Ok(()) }",
  ),
];
