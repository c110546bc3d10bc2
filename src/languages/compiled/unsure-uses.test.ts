import { expect, test } from "bun:test";
import type { Scene } from "../python/rules/scenario.suite.ts";
import { runCompiled } from "./scene.suite.ts";

async function check(language: string, scene: Scene, expected: readonly string[]): Promise<void> {
  const { unsure = [], conflicts } = await runCompiled(language, scene);
  expect(
    unsure.map(({ side, path, line, symbol, definition }) => `${side} ${path}:${line} ${symbol} ${definition}`),
  ).toEqual([...expected]);
  expect(conflicts).toEqual([]);
}

test("Rust: a new use of a function that is gone, or takes something else, where one system builds it", async () => {
  const one = "pub fn opener(path: &str) -> usize { path.len() }\n";
  const both = `#[cfg(windows)]\n${one}#[cfg(not(windows))]\n${one}`;
  const base = {
    "Cargo.toml": '[package]\nname = "x"\n',
    "src/lib.rs": "pub mod os;\npub mod app;\n",
    "src/os.rs": both,
    "src/app.rs": "pub fn go() {}\n",
  };
  const theirs = { "src/app.rs": 'use crate::os::opener;\npub fn go() { opener("x"); }\n' };
  const said = ["theirs src/app.rs:1 opener src/os.rs"];
  await check("rust", { base, ours: { "src/os.rs": both.replace("opener", "open_it") }, theirs }, said);
  const wider = both.replace("path: &str", "path: &str, mode: u8");
  await check("rust", { base, ours: { "src/os.rs": wider }, theirs }, said);
  // Nothing of it changed; one that always holds took the place of both; the use was there before.
  await check("rust", { base, ours: { "src/os.rs": `${both}pub fn more() {}\n` }, theirs }, []);
  await check("rust", { base, ours: { "src/os.rs": one }, theirs }, []);
  const more = { "src/app.rs": `${theirs["src/app.rs"]}pub fn more() {}\n` };
  const renamed = { "src/os.rs": both.replace("opener", "open_it") };
  await check("rust", { base: { ...base, ...theirs }, ours: renamed, theirs: more }, []);
});

test("Rust: helpers of tests are nobody else's", async () => {
  const tests = (name: string): string => `pub fn a() {}\n#[cfg(test)]\nmod tests {\n    fn ${name}() {}\n}\n`;
  const base = {
    "Cargo.toml": '[package]\nname = "x"\n',
    "src/lib.rs": tests("set_up"),
    "src/b.rs": "pub fn b() {}\n",
  };
  const theirs = { "src/b.rs": "pub fn b() { crate::c::set_up(); }\n" };
  await check("rust", { base, ours: { "src/lib.rs": tests("prepare") }, theirs }, []);
});

test("Rust: a new word in a macro that is not read, where the other side changed something of that name", async () => {
  const base = {
    "src/lib.rs": "pub mod store;\npub mod app;\n",
    "src/store.rs": "pub fn load() {}\npub fn save() {}\n",
    "src/app.rs": "pub fn go() {}\n",
  };
  const gone = { "src/store.rs": "pub fn fetch() {}\npub fn save() {}\n" };
  const app = (body: string) => ({ "src/app.rs": `pub fn go() {\n    ${body}\n}\n` });
  const named = ["theirs src/app.rs:2 load src/store.rs"];
  const own = app("tokio::select! { _ = crate::store::load() => {} }");
  await check("rust", { base, ours: gone, theirs: own }, named);
  const [first] = (await runCompiled("rust", { base, ours: gone, theirs: own })).unsure ?? [];
  expect(first).toMatchObject({ because: "what the macro select! is given is not read", isForCompiler: true });
  // Read, but perhaps by another macro of that name.
  const hiding = { ...gone, "src/lib.rs": `#[macro_use]\nextern crate elsewhere;\n${base["src/lib.rs"]}` };
  await check(
    "rust",
    { base: { ...base, "src/lib.rs": hiding["src/lib.rs"] }, ours: gone, theirs: app("vec![crate::store::load()];") },
    named,
  );
  await check(
    "rust",
    { base, ours: gone, theirs: { "src/app.rs": "macro_rules! go {\n    () => { crate::store::load() };\n}\n" } },
    named,
  );
  // Also in the file where it stood; but not what is a variable there.
  const far = { ...base, "src/store.rs": `pub fn load() {}\n${"// …\n".repeat(5)}pub fn save() {}\n` };
  const added = { "src/store.rs": `${far["src/store.rs"]}fn go() { own!(load()); }\n` };
  const lost = { "src/store.rs": far["src/store.rs"].replace("load", "fetch") };
  await check("rust", { base: far, ours: lost, theirs: added }, ["theirs src/store.rs:8 load src/store.rs"]);
  const local = { "src/store.rs": added["src/store.rs"].replace("go()", "go(load: fn())") };
  await check("rust", { base: far, ours: lost, theirs: local }, []);
  // Something else; words alone; it was there before.
  await check("rust", { base, ours: gone, theirs: app("tokio::select! { _ = crate::store::save() => {} }") }, []);
  await check("rust", { base, ours: gone, theirs: app('own!("load", stringify!(x)); let _ = stringify!(load);') }, []);
  await check(
    "rust",
    { base: { ...base, ...own }, ours: gone, theirs: app("1; tokio::select! { _ = crate::store::load() => {} }") },
    [],
  );
});

test("Go: names in files for one system, by their name or a build tag, and uses in such files", async () => {
  const opener = (name: string): string => `package lib\n\nfunc ${name}(path string) int { return 1 }\n`;
  const base = {
    "go.mod": "module m\n",
    "lib/open_windows.go": opener("Opener"),
    "lib/open_unix.go": `//go:build !windows\n\n${opener("Opener")}`,
    "lib/all.go": "package lib\n\nfunc Old() {}\n",
    "app/a.go": "package app\n",
  };
  const uses = (name: string): string => `package app\n\nimport "m/lib"\n\nfunc run() {\n\tlib.${name}\n}\n`;
  const theirs = { "app/a.go": uses('Opener("x")') };
  for (const path of ["lib/open_windows.go", "lib/open_unix.go"] as const) {
    const ours = { [path]: base[path].replace("Opener", "OpenIt") };
    await check("go", { base, ours, theirs }, [`theirs app/a.go:6 Opener ${path}`]);
  }
  const gone = { "lib/all.go": "package lib\n\nfunc New() {}\n" };
  await check("go", { base, ours: gone, theirs: { "app/b_windows.go": uses("Old()") } }, [
    "theirs app/b_windows.go:6 Old lib/all.go",
  ]);
  // It only moved to another file for the same systems.
  const moved = { "lib/open_unix.go": null, "lib/open_posix.go": base["lib/open_unix.go"] };
  await check("go", { base, ours: moved, theirs }, []);
});

test("Go: a method that is gone from a type which embeds one from elsewhere", async () => {
  const lib = (method: string): string =>
    `package lib\n\nimport "example.com/other"\n\ntype Store struct {\n\tother.Base\n}\n\n${method}`;
  const base = { "go.mod": "module example.com/x\n", "lib/lib.go": lib("func (s *Store) Open() int { return 1 }\n") };
  const theirs = {
    "app/app.go": 'package app\n\nimport "example.com/x/lib"\n\nfunc Use(s *lib.Store) int { return s.Open() }\n',
  };
  await check("go", { base, ours: { "lib/lib.go": lib("") }, theirs }, ["theirs app/app.go:5 Store.Open lib/lib.go"]);
});

test("Java: a method that is gone from a class which extends one from elsewhere", async () => {
  const lib = (method: string): string =>
    `package a;\n\nimport org.other.Base;\n\npublic class Store extends Base {\n${method}}\n`;
  const base = { "src/a/Store.java": lib("    public int open() { return 1; }\n") };
  const use = "package b;\n\nimport a.Store;\n\nclass App {\n    int use(Store s) { return s.open(); }\n}\n";
  const said = ["theirs src/b/App.java:6 Store.open src/a/Store.java"];
  await check("java", { base, ours: { "src/a/Store.java": lib("") }, theirs: { "src/b/App.java": use } }, said);
  // The use was there before.
  const old = { base: { ...base, "src/b/App.java": use }, theirs: { "src/b/App.java": `${use}// more\n` } };
  await check("java", { ...old, ours: { "src/a/Store.java": lib("") } }, []);
});

test("Rust: a method that is gone from a type to which a trait or a derive from elsewhere gives more", async () => {
  const lib = (method: string): string => `pub struct Store;\nimpl Store {\n    pub fn keep(&self) {}\n${method}}\n`;
  const base = {
    "Cargo.toml": '[package]\nname = "x"\n',
    "src/lib.rs": "pub mod lib2;\npub mod app;\n",
    "src/lib2.rs": lib("    pub fn open(&self) -> u8 { 1 }\n"),
    "src/app.rs": "pub fn go() {}\n",
  };
  const theirs = { "src/app.rs": "use crate::lib2::Store;\npub fn go(s: &Store) -> u8 { s.open() }\n" };
  const said = ["theirs src/app.rs:2 Store::open src/lib2.rs"];
  for (const given of [`${lib("")}impl other::Trait for Store {}\n`, `#[derive(other::More)]\n${lib("")}`])
    await check("rust", { base, ours: { "src/lib2.rs": given }, theirs }, said);
});

test("Rust: a macro that the other side renamed or took away is named, wherever it is called", async () => {
  const lib =
    "#[macro_export]\nmacro_rules! twice {\n    ($a:expr) => { $a * 2 };\n}\npub mod store;\npub fn other() {}\n";
  const store = "pub fn load() -> usize { 1 }\n";
  const base = {
    "Cargo.toml": '[package]\nname = "my-lib"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": lib,
    "src/store.rs": store,
  };
  const renamed = { "src/lib.rs": lib.replace("twice", "double") };
  const removed = { "src/lib.rs": lib.slice(lib.indexOf("pub mod")) };
  const inStore = (body: string) => ({ "src/store.rs": `${store}fn f() -> usize { ${body} }\n` });
  const inTests = { "tests/a.rs": "#[test]\nfn a() { let _n = my_lib::twice!(2); }\n" };
  for (const ours of [renamed, removed]) {
    for (const body of ["crate::twice!(2)", "twice!(2)", "twice!{2}"])
      await check("rust", { base, ours, theirs: inStore(body) }, ["theirs src/store.rs:2 twice! src/lib.rs"]);
    await check("rust", { base, ours, theirs: inTests }, ["theirs tests/a.rs:2 twice! src/lib.rs"]);
  }
  const [first] = (await runCompiled("rust", { base, ours: renamed, theirs: inTests })).unsure ?? [];
  expect(first).toMatchObject({ because: "where the macro twice! comes from is not read", isForCompiler: true });
  // It is still there; a function of that name is gone, not the macro; the file has one of its own.
  await check("rust", { base, ours: { "src/lib.rs": `${lib}pub fn more() {}\n` }, theirs: inTests }, []);
  const both = { ...base, "src/lib.rs": `${lib}pub fn twice() {}\n` };
  await check("rust", { base: both, ours: { "src/lib.rs": lib }, theirs: inTests }, []);
  const own = { "src/store.rs": `macro_rules! twice {\n    () => { 1 };\n}\n${store}fn f() -> usize { twice!() }\n` };
  await check("rust", { base, ours: renamed, theirs: own }, []);
});
