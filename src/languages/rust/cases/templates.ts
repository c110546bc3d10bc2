// Semantic findings in Rust, end to end through git: each kind with the near-misses that must stay silent. The wide measurement is
// in semantic-compiled.ts.

import {
  type Change,
  type Files,
  type Grow,
  type Seed,
  snake,
  type Template,
} from "../../../../eval/scenarios/scenario.ts";

interface Names {
  readonly name: string;
  readonly fresh: string;
}

const library = (name: string): string => `pub fn ${name}(value: i32) -> String {
    value.to_string()
}

pub struct Store {
    pub path: String,
}

impl Store {
    pub fn open(mode: i32) -> Store {
        Store { path: mode.to_string() }
    }

    pub fn size(&self) -> i32 {
        1
    }
}

pub enum State {
    Open,
    Closed,
}
`;
const base = ({ name }: Names): Files => ({
  "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": "pub mod store;\npub mod usage;\npub mod other;\n",
  "src/store.rs": library(name),
  "src/usage.rs": `use crate::store::${name};\n\npub fn used() -> String {\n    ${name}(1)\n}\n`,
  "src/other.rs": "pub const OTHER: i32 = 1;\n",
});
const renamed = ({ fresh }: Names): Change => ({
  "src/store.rs": library(fresh),
  "src/usage.rs": `use crate::store::${fresh};\n\npub fn used() -> String {\n    ${fresh}(1)\n}\n`,
});
const edited =
  (...pairs: readonly (readonly [from: string, to: string])[]): ((names: Names) => Change) =>
  (names) => ({
    "src/store.rs": pairs.reduce((text, [from, to]) => text.replace(from, to), library(names.name)),
  });
const adds =
  (text: (names: Names) => string): ((names: Names) => Change) =>
  (names) => ({ "src/other.rs": `pub const OTHER: i32 = 1;\n\n${text(names)}` });

function template(
  name: string,
  expects: boolean,
  ours: (names: Names) => Change,
  theirs: (names: Names) => Change,
): Template {
  const grow: Grow = (seed: Seed) => {
    const names = { name: snake(seed.name()), fresh: snake(seed.name()) };
    return { base: base(names), ours: ours(names), theirs: theirs(names), expect: expects ? ["semantic"] : [] };
  };
  return { kind: "semantic", name: `Rust: ${name}`, grow };
}

const newUse = adds(({ name }) => `use crate::store::${name};\n\npub fn run() -> String {\n    ${name}(2)\n}\n`);
const matches = adds(
  () =>
    "use crate::store::State;\n\npub fn run(state: &State) -> i32 {\n    match state {\n        State::Open => 1,\n        State::Closed => 2,\n    }\n}\n",
);

export const semanticRust: readonly Template[] = [
  template("renamed, and used anew", true, renamed, newUse),
  template(
    "renamed, and reached through its module",
    true,
    renamed,
    adds(({ name }) => `pub fn run() -> String {\n    super::store::${name}(2)\n}\n`),
  ),
  template(
    "renamed, and brought in under another name",
    true,
    renamed,
    adds(
      ({ name }) =>
        `use crate::store::{self, ${name} as made};\n\npub fn run(_: &store::Store) -> String {\n    made(2)\n}\n`,
    ),
  ),
  template(
    "made private",
    true,
    (names) => ({
      ...edited([`pub fn ${names.name}`, `pub(self) fn ${names.name}`])(names),
      "src/usage.rs": "pub fn used() {}\n",
    }),
    newUse,
  ),
  template(
    "one parameter more in a function of a type",
    true,
    edited(["open(mode: i32)", "open(mode: i32, _more: bool)"]),
    adds(() => "use crate::store::Store;\n\npub fn run() -> Store {\n    Store::open(1)\n}\n"),
  ),
  template(
    "a method removed",
    true,
    edited(["fn size", "fn length"]),
    adds(() => "use crate::store::Store;\n\npub fn run(store: &Store) -> i32 {\n    store.size()\n}\n"),
  ),
  template(
    "a struct has one field more",
    true,
    edited(
      ["pub path: String,", "pub path: String,\n    pub more: i32,"],
      ["path: mode.to_string()", "path: mode.to_string(), more: 1"],
    ),
    adds(() => "use crate::store::Store;\n\npub fn run() -> Store {\n    Store { path: String::new() }\n}\n"),
  ),
  template("an enum has one variant more", true, edited(["    Closed,\n", "    Closed,\n    Broken,\n"]), matches),
  template(
    "near miss, only in a string and a comment",
    false,
    renamed,
    adds(({ name }) => `// ${name} is nice\npub const TEXT: &str = "${name}(1)";\n`),
  ),
  template(
    "near miss, the old name stays as another",
    false,
    ({ name, fresh }) => ({ "src/store.rs": `pub use self::${fresh} as ${name};\n\n${library(fresh)}` }),
    newUse,
  ),
  template(
    "near miss, another module has the same name",
    false,
    renamed,
    adds(
      ({ name }) => `pub fn ${name}(value: i32) -> i32 {\n    value\n}\n\npub fn run() -> i32 {\n    ${name}(2)\n}\n`,
    ),
  ),
  template(
    "near miss, a local of that name",
    false,
    renamed,
    adds(({ name }) => `pub fn run(${name}: i32) -> i32 {\n    ${name}\n}\n`),
  ),
  template(
    "near miss, a match that takes the rest",
    false,
    edited(["    Closed,\n", "    Closed,\n    Broken,\n"]),
    adds(
      () =>
        "use crate::store::State;\n\npub fn run(state: &State) -> i32 {\n    match state {\n        State::Open => 1,\n        _ => 2,\n    }\n}\n",
    ),
  ),
  template(
    "near miss, the rest of a struct is taken over",
    false,
    edited(
      ["pub path: String,", "pub path: String,\n    pub more: i32,"],
      ["path: mode.to_string()", "path: mode.to_string(), more: 1"],
    ),
    adds(
      () =>
        "use crate::store::Store;\n\npub fn run(store: Store) -> Store {\n    Store { path: String::new(), ..store }\n}\n",
    ),
  ),
  template(
    "near miss, under cfg",
    false,
    renamed,
    adds(({ name }) => `#[cfg(feature = "never")]\npub fn run() -> String {\n    crate::store::${name}(2)\n}\n`),
  ),
  template(
    "near miss, a macro may bring it",
    false,
    ({ name, fresh }) => ({
      "src/store.rs": `macro_rules! older {\n    ($n:ident) => { pub fn $n(value: i32) -> String { ${fresh}(value) } };\n}\nolder!(${name});\n\n${library(fresh)}`,
    }),
    newUse,
  ),
];
