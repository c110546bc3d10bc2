// Rust, what macros are given: each macro of the library that is read, with what breaks in it and what only looks so.

import { type Pair, pairsOn } from "../../compiled/cases/pairs.ts";

const library = `use std::ops::Not;

pub const LIMIT: usize = 3;
pub fn load(at: usize) -> usize { at }
pub fn is_open() -> bool { true }
pub fn title() -> String { String::new() }
#[derive(Debug, PartialEq, Clone)]
pub enum State { Open, Closed(usize), Lost { why: usize } }
pub fn state() -> State { State::Open }
#[derive(Debug, PartialEq, Clone)]
pub struct Config { pub size: usize }
impl Config {
    pub fn new(size: usize) -> Self { Config { size } }
    pub fn grown(&self, by: usize) -> usize { self.size + by }
}
pub struct Point { pub x: usize }
pub struct Flag;
impl Not for Flag { type Output = bool; fn not(self) -> bool { true } }
static YES: bool = true;
`;
const base = {
  "src/lib.rs": "pub mod store;\npub mod app;\n",
  "src/store.rs": library,
  "src/app.rs": "\n",
};
const on = pairsOn(base, "src/store.rs", (use) => ({ "src/app.rs": `use crate::store::*;\n\n${use}\n` }));

const renamed = ["pub fn load", "pub fn fetch"] as const;
const wider = ["load(at: usize)", "load(at: usize, by: usize)"] as const;
const noGrown = ["pub fn grown", "pub fn greater"] as const;
const noLimit = ["pub const LIMIT", "pub const MOST"] as const;
const noLost = [", Lost { why: usize }", ""] as const;

/** Each calls `load`. */
const calls: readonly (readonly [name: string, body: string])[] = [
  ["assert_eq!", "assert_eq!(load(1), 2);"],
  ["assert_ne!, the second", "assert_ne!(2, crate::store::load(1),);"],
  ["assert!", "assert!(load(1) == 2);"],
  ["the text of an assert!", 'assert!(true, "{}", load(1));'],
  ["debug_assert!", "debug_assert!(load(1) > 2);"],
  ["debug_assert_eq!", 'debug_assert_eq!(1, 2, "{}", load(1));'],
  ["println!", 'println!("{}", load(1));'],
  ["print!, by name", 'print!("{a}", a = load(1));'],
  ["eprintln!", 'eprintln!("{:?}", Some(load(1)));'],
  ["format! in a let", 'let _s = format!("{}", load(1));'],
  ["vec!", "let _v = vec![1, load(1)];"],
  ["vec! of one", "let _v = vec![load(1); 3];"],
  ["vec! of so many", "let _v = vec![0; load(1)];"],
  ["vec! as the start of a chain", "let _n = vec![load(1)].len();"],
  ["dbg!", "dbg!(load(1));"],
  ["panic!", 'panic!("{}", load(1));'],
  ["todo!", 'todo!("{}", load(1));'],
  ["unreachable!", 'unreachable!("{}", load(1));'],
  ["matches!, what is asked", "let _b = matches!(load(1), 1 | 2);"],
  ["matches!, its guard", "let _b = matches!(Some(1), Some(n) if n > load(1));"],
  ["macros in macros", 'assert_eq!(vec![1], vec![format!("{}", load(1)).len()]);'],
  ["a closure in a macro", "assert!([1].iter().all(|n| load(*n) == 1));"],
  ["a macro in a closure", "let _f = |n: usize| assert_eq!(load(n), 2);"],
  ["a block in a macro", "assert!({ let a = load(1); a > 2 });"],
  ["a macro by its path", 'std::println!("{}", load(1)); ::core::assert!(load(1) > 0);'],
];

/** None of them calls it. */
const others: readonly (readonly [name: string, body: string])[] = [
  ["a parameter of a closure in a macro", "assert!([1].iter().all(|load| *load == 1));"],
  ["a variable of that name", "let load = |n: usize| n; assert_eq!(load(1), 2);"],
  ["a name that is given to a text", 'println!("{load}", load = 1);'],
  ["a variable in a text", 'let load = 1; println!("{load}");'],
  ["a text that speaks of it", 'println!("load(1) {{load}}");'],
  ["what a pattern binds", "assert!(matches!(Some(1), Some(load) if load > 0));"],
  ["words that are not looked at", 'assert_eq!(stringify!(load(1)), "");'],
  ["a macro of the file itself", "macro_rules! assert_eq { ($($t:tt)*) => {}; }\nassert_eq!(load(1), 2);"],
  ["a macro that is brought in", "use crate::app::own::vec;\nlet _v = vec![load(1)];"],
];
const own = "\nmod own {\n    macro_rules! none { ($($t:tt)*) => { 1 }; }\n    pub(crate) use none as vec;\n}\n";

export const rustMacroPairs: readonly Pair[] = [
  ...calls.map(([name, body]) => on(`${name}: a function is gone`, true, renamed, `pub fn f() { ${body} }`)),
  ...calls.map(([name, body]) => on(`${name}: it takes more`, true, wider, `pub fn f() { ${body} }`)),
  ...calls.map(([name, body]) =>
    on(
      `${name}: it has another parameter's name`,
      false,
      ["load(at: usize) -> usize { at }", "load(by: usize) -> usize { by }"],
      `pub fn f() { ${body} }`,
    ),
  ),
  ...others.map(([name, body]) =>
    on(
      `${name} is not the function that is gone`,
      false,
      renamed,
      `pub fn f() { ${body} }${body.includes("own::") ? own : ""}`,
    ),
  ),
  on(
    "write! to what is written to",
    true,
    renamed,
    'use std::fmt::Write;\npub fn f(to: &mut String) { let _ = write!(to, "{}", load(1)); }',
  ),
  on(
    "writeln! in an impl",
    true,
    ["fn title", "fn name"],
    'pub struct A;\nimpl std::fmt::Display for A {\n    fn fmt(&self, f: &mut std::fmt::Formatter<\'_>) -> std::fmt::Result { writeln!(f, "{}", title()) }\n}',
  ),
  on("a member of a parameter, in a macro", true, noGrown, "pub fn f(c: &Config) { assert_eq!(c.grown(1), 2); }"),
  on(
    "a member of a variable, in a macro",
    true,
    noGrown,
    'pub fn f() { let c = Config::new(1); println!("{}", c.grown(1)); }',
  ),
  on(
    "a member of a type parameter, in a macro",
    false,
    noGrown,
    "pub trait Grown { fn grown(&self, by: usize) -> usize; }\npub fn f<T: Grown>(c: &T) { assert_eq!(c.grown(1), 2); }",
  ),
  on(
    "a member of self, in a macro",
    true,
    noGrown,
    "pub struct A { c: Config }\nimpl A { pub fn f(&self) { assert_eq!(self.c.grown(1), 2); } }",
  ),
  on(
    "Self, in a macro",
    false,
    noGrown,
    "pub struct A;\nimpl A { fn grown(n: usize) -> usize { n } pub fn f(&self) { assert_eq!(Self::grown(1), 2); } }",
  ),
  on(
    "how a value is made, in a vec!",
    true,
    ["new(size: usize)", "new(size: usize, by: usize)"],
    "pub fn f() -> Vec<Config> { vec![Config::new(3)] }",
  ),
  on(
    "a literal, in a vec!",
    true,
    ["pub x: usize", "pub x: usize, pub y: usize"],
    "pub fn f() -> Vec<Point> { vec![Point { x: 1 }] }",
  ),
  on("a constant in a text", true, noLimit, 'pub fn f() { println!("{LIMIT}"); }'),
  on("a constant as the width in a text", true, noLimit, 'pub fn f() { println!("{:>LIMIT$}", 1); }'),
  on("a constant in a text with two braces", false, noLimit, 'pub fn f() { println!("{{LIMIT}} \\u{1F600}"); }'),
  on("a constant in a raw text", true, noLimit, 'pub fn f() -> String { format!(r#"\\{LIMIT:?}"#) }'),
  on(
    "a variant in matches!",
    true,
    noLost,
    "pub fn f(s: &State) -> bool { matches!(s, State::Open | State::Lost { .. }) }",
  ),
  on(
    "a variant that holds more in matches!",
    true,
    ["Closed(usize)", "Closed(usize, usize)"],
    "pub fn f(s: &State) -> bool { matches!(s, State::Closed(_)) }",
  ),
  on(
    "one more variant beside matches!",
    false,
    ["Open, ", "Open, Half, "],
    "pub fn f(s: &State) -> bool { matches!(s, State::Open | State::Closed(_) | State::Lost { .. }) }",
  ),
  on(
    "one more variant in a match inside of a macro",
    true,
    ["Open, ", "Open, Half, "],
    "pub fn f(s: &State) { assert!(match s { State::Open => true, State::Closed(_) | State::Lost { .. } => false }); }",
  ),
  on(
    "a condition that may fail now",
    true,
    ["is_open() -> bool { true }", "is_open() -> Option<bool> { None }"],
    "pub fn f() { assert!(is_open()); }",
  ),
  on(
    "a condition that is a number now",
    true,
    ["is_open() -> bool { true }", "is_open() -> usize { 1 }"],
    "pub fn f() { assert!(is_open()); }",
  ),
  on(
    "a condition that is a reference now",
    false,
    ["is_open() -> bool { true }", "is_open() -> &'static bool { &YES }"],
    "pub fn f() { assert!(is_open()); }",
  ),
  on(
    "a condition that can be denied",
    false,
    ["is_open() -> bool { true }", "is_open() -> Flag { Flag }"],
    "pub fn f() { assert!(is_open()); }",
  ),
  on(
    "a number that may fail now is compared",
    true,
    ["load(at: usize) -> usize { at }", "load(at: usize) -> Option<usize> { Some(at) }"],
    "pub fn f() { assert_eq!(load(1), 2); }",
  ),
  on(
    "a number of another kind is compared",
    false,
    ["load(at: usize) -> usize { at }", "load(at: usize) -> u8 { at as u8 }"],
    "pub fn f() { assert_eq!(load(1), 2); }",
  ),
  on(
    "a text of another kind is compared",
    false,
    ["title() -> String { String::new() }", 'title() -> &\'static str { "" }'],
    'pub fn f() { assert_eq!(title(), "a"); }',
  ),
  on(
    "a number in place of a text is compared",
    true,
    ["title() -> String { String::new() }", "title() -> usize { 1 }"],
    'pub fn f() { assert_eq!(title(), "a"); }',
  ),
  on(
    "what is given inside of a macro is of another type",
    true,
    ["load(at: usize) -> usize { at }", "load(at: &str) -> usize { at.len() }"],
    "pub fn f() { assert_eq!(load(1), 2); }",
  ),
];
