// One side moves a file, the other edits it where it was: git carries the edit along, and so does the check.

import { expect, test } from "bun:test";
import { said } from "../compiled/scene.suite.ts";

const go = { "go.mod": "module example.org/m\n", "lib/lib.go": "package lib\n\nfunc Make() int { return 1 }\n" };

test("Go: a use added to a file that the other side renamed is followed to its new name", async () => {
  const work = 'package app\n\nimport "example.org/m/lib"\n\nvar first = 1\nvar second = 2\n';
  const base = { ...go, "app/work.go": work };
  const use = "var third = lib.Make()\n";
  const make = { "lib/lib.go": "package lib\n\nfunc Build() int { return 1 }\n" };
  const theirs = { "app/work.go": `${work}${use}` };
  const renamed = { "app/work.go": null, "app/job.go": work };
  const after = { "go.mod": go["go.mod"], "app/job.go": `${work}${use}` };
  const lib = { "lib/lib.go": go["lib/lib.go"] };
  expect(await said("go", { base, ours: { ...renamed, ...make }, theirs, merged: { ...after, ...make } })).toEqual([
    "renamed Make app/job.go",
  ]);
  expect(await said("go", { base, ours: renamed, theirs, merged: { ...after, ...lib } })).toEqual([]);
});

test("Go: in another package the file no longer reaches what it used beside it", async () => {
  const work = "package lib\n\nfunc Work() int { return 1 }\n";
  const base = { ...go, "lib/work.go": work, "lib/own.go": "package lib\n\nfunc helper() int { return 2 }\n" };
  const use = "\nvar more = helper()\n";
  const moved = work.replace("lib", "jobs");
  const { "lib/work.go": _, ...kept } = base;
  const rest = { ...kept, "jobs/work.go": `${moved}${use}` };
  const scene = {
    base,
    ours: { "lib/work.go": null, "jobs/work.go": moved },
    theirs: { "lib/work.go": `${work}${use}` },
  };
  expect(await said("go", { ...scene, merged: rest })).toEqual(["moved helper jobs/work.go"]);
  // What it always used is the mover's own matter, and what it brings with it is there.
  const own = "\nvar more = Work()\n";
  const again = { ...scene, theirs: { "lib/work.go": `${work}${own}` } };
  expect(await said("go", { ...again, merged: { ...rest, "jobs/work.go": `${moved}${own}` } })).toEqual([]);
});

test("Java: what is changed in a file that the other side moved is changed at its new place", async () => {
  const lib =
    "package p.old;\n\npublic class Lib {\n  public static int make(int a) { return a; }\n  public static int other() { return 2; }\n}\n";
  const app = "package p;\n\npublic class App {\n  int n = 1;\n}\n";
  const base = { "src/p/old/Lib.java": lib, "src/p/App.java": app };
  const moved = lib.replace("p.old", "p.young");
  const use = app.replace("int n = 1;", "int n = p.young.Lib.make(1);");
  const renamed = (text: string): string => text.replace("int make(", "int build(");
  const ours = { "src/p/old/Lib.java": null, "src/p/young/Lib.java": moved, "src/p/App.java": use };
  const theirs = { "src/p/old/Lib.java": renamed(lib) };
  const merged = { "src/p/young/Lib.java": renamed(moved), "src/p/App.java": use };
  expect(await said("java", { base, ours, theirs, merged })).toEqual(["removed-member Lib.make src/p/App.java"]);
  const fine = { "src/p/old/Lib.java": lib.replace("return 2", "return 3") };
  const still = { "src/p/young/Lib.java": moved.replace("return 2", "return 3"), "src/p/App.java": use };
  expect(await said("java", { base, ours, theirs: fine, merged: still })).toEqual([]);
});

test("Rust: a use of `super` added to a file that the other side moved to another module", async () => {
  const work = "pub fn work() -> i32 {\n    1\n}\n";
  const base = {
    "Cargo.toml": '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub mod a;\npub mod b;\n",
    "src/a/mod.rs": "pub mod work;\npub fn helper() -> i32 {\n    2\n}\n",
    "src/b/mod.rs": "pub fn other() -> i32 {\n    3\n}\n",
    "src/a/work.rs": work,
  };
  const ours = {
    "src/a/mod.rs": base["src/a/mod.rs"].replace("pub mod work;\n", ""),
    "src/b/mod.rs": `pub mod work;\n${base["src/b/mod.rs"]}`,
    "src/a/work.rs": null,
    "src/b/work.rs": work,
  };
  const more = (name: string): string => `${work}pub fn more() -> i32 {\n    ${name}()\n}\n`;
  const check = async (name: string): Promise<string[]> => {
    const { "src/a/work.rs": _, ...rest } = base;
    const { "src/a/work.rs": __, ...mods } = ours;
    const merged = { ...rest, ...mods, "src/b/work.rs": more(name) };
    return await said("rust", { base, ours, theirs: { "src/a/work.rs": more(name) }, merged });
  };
  expect(await check("super::helper")).toEqual(["moved helper src/b/work.rs"]);
  expect(await check("crate::a::helper")).toEqual([]);
});

test("a name that one side adds to a file which the other moved, and that beside its new place, is there twice", async () => {
  const lib = go["lib/lib.go"];
  const base = { ...go, "core/core.go": "package core\n" };
  const moved = lib.replace("package lib", "package core");
  const run = "\nfunc Run() {}\n";
  const ours = { "lib/lib.go": null, "core/lib.go": moved, "core/run.go": `package core\n${run}` };
  const { "lib/lib.go": _, ...rest } = base;
  const merged = { ...rest, "core/lib.go": `${moved}${run}`, "core/run.go": `package core\n${run}` };
  expect(await said("go", { base, ours, theirs: { "lib/lib.go": `${lib}${run}` }, merged })).toEqual([
    "duplicate-definition Run lib/lib.go",
  ]);
});

test("Java: a class that was renamed with its file is followed too", async () => {
  const lib = "package p;\n\npublic class Lib {\n  public static int make() { return 1; }\n}\n";
  const work = "package p;\n\npublic class Work {\n  int first() { return 1; }\n  int second() { return 2; }\n}\n";
  const use = work.replace("int first()", "int third() { return Lib.make(); }\n  int first()");
  const base = { "src/p/Lib.java": lib, "src/p/Work.java": work };
  const renamed = (text: string): string => text.replace("class Work", "class Job");
  const ours = {
    "src/p/Lib.java": lib.replace("make", "build"),
    "src/p/Work.java": null,
    "src/p/Job.java": renamed(work),
  };
  const merged = { "src/p/Lib.java": ours["src/p/Lib.java"], "src/p/Job.java": renamed(use) };
  expect(await said("java", { base, ours, theirs: { "src/p/Work.java": use }, merged })).toEqual([
    "removed-member Lib.make src/p/Job.java",
  ]);
});
