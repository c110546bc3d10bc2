import { expect, test } from "bun:test";
import { openLanguages } from "../open-languages.ts";
import { affectedTests } from "../../core/worktrees/affected-tests.ts";
import { type Files, inputOf } from "../python/rules/scenario.suite.ts";

/** Checks which tests a change of this file likely affects. */
async function check(language: string, files: Files, changed: string, expected: readonly string[]): Promise<void> {
  const { base, read } = inputOf({ base: files, ours: {}, theirs: {} });
  const graph = await openLanguages().named(language)?.imports(base, read);
  expect(affectedTests([changed], graph === undefined ? [] : [graph])).toEqual([...expected]);
}

test("Go: the tests of the package and of those that import it, however far", async () => {
  const files = {
    "go.mod": "module example.org/m\n",
    "core/core.go": "package core\n\nfunc Base() int { return 1 }\n",
    "core/core_test.go": "package core\n\nfunc TestBase() { Base() }\n",
    "lib/lib.go": 'package lib\n\nimport "example.org/m/core"\n\nfunc Make() int { return core.Base() }\n',
    "lib/lib_test.go": 'package lib_test\n\nimport "example.org/m/lib"\n\nfunc TestMake() { lib.Make() }\n',
    "other/other.go": "package other\n",
    "other/other_test.go": "package other\n\nfunc TestOther() {}\n",
  };
  await check("go", files, "core/core.go", ["core/core_test.go", "lib/lib_test.go"]);
  await check("go", files, "lib/lib.go", ["lib/lib_test.go"]);
  await check("go", files, "other/other.go", ["other/other_test.go"]);
});

test("Java: the classes under src/test that lead to it, by import or in its package", async () => {
  const files = {
    "src/main/java/p/Core.java": "package p;\n\npublic class Core {\n  public static int base() { return 1; }\n}\n",
    "src/main/java/p/q/Lib.java":
      "package p.q;\n\nimport p.Core;\n\npublic class Lib {\n  public static int make() { return Core.base(); }\n}\n",
    "src/main/java/p/Other.java": "package p;\n\npublic class Other {}\n",
    "src/test/java/p/CoreTest.java": "package p;\n\nclass CoreTest {\n  void test() { Core.base(); }\n}\n",
    "src/test/java/p/q/LibTest.java": "package p.q;\n\nclass LibTest {\n  void test() { Lib.make(); }\n}\n",
    "src/test/java/p/OtherTest.java": "package p;\n\nclass OtherTest {\n  Other other = new Other();\n}\n",
  };
  await check("java", files, "src/main/java/p/Core.java", [
    "src/test/java/p/CoreTest.java",
    "src/test/java/p/q/LibTest.java",
  ]);
  await check("java", files, "src/main/java/p/q/Lib.java", ["src/test/java/p/q/LibTest.java"]);
  await check("java", files, "src/main/java/p/Other.java", ["src/test/java/p/OtherTest.java"]);
});

test("Rust: files under tests, and those with tests of their own", async () => {
  const files = {
    "Cargo.toml": '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub mod core;\npub mod other;\npub mod user;\n",
    "src/core.rs": "pub fn base() -> i32 {\n    1\n}\n",
    "src/other.rs": "pub fn other() -> i32 {\n    1\n}\n",
    "src/user.rs":
      "use crate::core::base;\n\npub fn user() -> i32 {\n    base()\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {}\n}\n",
    "tests/core.rs": "use p::core;\n\n#[test]\nfn base() {\n    core::base();\n}\n",
    "tests/path.rs": "#[test]\nfn works() {\n    assert_eq!(p::core::base(), 1);\n}\n",
    "tests/other.rs": "use p::other::other;\n\n#[test]\nfn works() {\n    other();\n}\n",
  };
  await check("rust", files, "src/core.rs", ["src/user.rs", "tests/core.rs", "tests/path.rs"]);
  await check("rust", files, "src/other.rs", ["tests/other.rs"]);
  await check("rust", files, "src/user.rs", ["src/user.rs"]);
});
