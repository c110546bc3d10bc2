// Tests what is read from the output of each compiler, word for word as it was printed.

import { expect, test } from "bun:test";
import { compileErrors, goToolchain, loadErrors } from "../go/go-toolchain.ts";
import { javacErrors, javaToolchain } from "../java/java-toolchain.ts";
import { pyrightErrors, pythonToolchain } from "../python/python-toolchain.ts";
import { chosenCrates } from "../rust/cargo-crates.ts";
import { cargoErrors, rustToolchain } from "../rust/rust-toolchain.ts";
import type { Toolchain } from "./toolchain.ts";

test("Go: errors with what belongs to them, below the module; the other half of an error is none", () => {
  const printed = `# x.org/m/b
b/b.go:5:26: too many arguments in call to a.F
	have (number, number)
	want (int)
./top.go:3:6: T redeclared in this block
	other.go:2:6: other declaration of T
other.go:2:6: other declaration of T
note: module requires Go 1.99
`;
  expect(compileErrors(printed, "sub/")).toEqual([
    { path: "sub/b/b.go", line: 5, message: "too many arguments in call to a.F have (number, number) want (int)" },
    { path: "sub/top.go", line: 3, message: "T redeclared in this block other.go:2:6: other declaration of T" },
  ]);
});

test("Python: an import that somebody catches is no break, and any other is", () => {
  const error = { path: "a.py", line: 0, message: '"x" is unknown import symbol (reportAttributeAccessIssue)' };
  const isForgiven = (text: string, more = {}): boolean => {
    const lines = text.split("\n");
    const line = lines.findIndex((one) => one.includes("import x")) + 1;
    return pythonToolchain.isForgiven?.({ ...error, line, ...more }, lines) === true;
  };
  const caught = [
    "try:\n    from lib import x\nexcept ImportError:\n    x = None\n",
    "def f():\n    try:\n        from lib import x\n    except (ModuleNotFoundError, KeyError):\n        pass\n",
    "try:\n    if True:\n        from lib import x\nexcept:\n    pass\n",
    "try:\n    from lib import x\nexcept KeyError:\n    pass\nexcept Exception as e:\n    pass\n",
    "with contextlib.suppress(ImportError):\n    from lib import x\n",
  ];
  for (const text of caught) expect([text, isForgiven(text)]).toEqual([text, true]);
  const open = [
    "from lib import x\n",
    "try:\n    from lib import x\nexcept KeyError:\n    pass\n",
    "try:\n    pass\nexcept ImportError:\n    from lib import x\n",
    "try:\n    from lib import x\nfinally:\n    pass\ntry:\n    pass\nexcept ImportError:\n    pass\n",
    "if TYPE_CHECKING:\n    from lib import x\n",
  ];
  for (const text of open) expect([text, isForgiven(text)]).toEqual([text, false]);
  expect(isForgiven(caught[0] ?? "", { message: "Expected 1 positional argument (reportCallIssue)" })).toBe(false);
});

test("Go: a package of another module is not installed, one of this module is an error", () => {
  const printed = `["b/b.go:3:8", "no required module provides package github.com/x/y; to add it:\\n\\tgo get github.com/x/y"]
["c/c.go:4:2", "package x.org/m/gone is not in GOROOT (/usr/lib/go/src/x.org/m/gone)"]
["d.go:9:1", "\\x80 not JSON"]
["", "no Go files in /x"]
["left out", "/t/a_windows.go"]
`;
  expect(loadErrors(printed, "")).toEqual({
    errors: [
      { path: "c/c.go", line: 4, message: "package x.org/m/gone is not in GOROOT (/usr/lib/go/src/x.org/m/gone)" },
    ],
    missing: ["github.com/x/y"],
    leftOut: ["/t/a_windows.go"],
  });
});

test("Java: the head, and what stands after the caret", () => {
  const printed = `/t/src/a/B.java:4: error: cannot find symbol
    new A().gone(1);
           ^
  symbol:   method gone(int)
  location: class A
/t/src/a/C.java:2: error: package org.junit.jupiter.api does not exist
import org.junit.jupiter.api.Test;
                            ^
2 errors
`;
  expect(javacErrors(printed, "/t")).toEqual({
    errors: [
      { path: "src/a/B.java", line: 4, message: "cannot find symbol symbol: method gone(int) location: class A" },
      { path: "src/a/C.java", line: 2, message: "package org.junit.jupiter.api does not exist" },
    ],
    missing: ["org.junit.jupiter"],
  });
});

const span = (file: string, line: number, more: object = {}): object => ({
  file_name: file,
  line_start: line,
  is_primary: true,
  label: null,
  expansion: null,
  ...more,
});

const rustc = (message: string, spans: readonly object[], level = "error"): string =>
  JSON.stringify({
    reason: "compiler-message",
    message: { level, message, code: { code: "E0308" }, spans },
  });

test("Rust: errors once, warnings not, and what a macro wrote where it was called", () => {
  const printed = [
    rustc("mismatched types", [span("src/b.rs", 2, { label: "expected `&str`" })]),
    rustc("mismatched types", [span("src/b.rs", 2, { label: "expected `&str`" })]),
    rustc("unused", [span("src/b.rs", 3)], "warning"),
    rustc("in a macro", [span("/rustc/std/macros.rs", 9, { expansion: { span: span("src/c.rs", 7) } })]),
    rustc("somewhere else", [span("/elsewhere/x.rs", 9)]),
    '{"reason":"build-finished","success":false}',
  ].join("\n");
  expect(cargoErrors(printed, "/t", "crates/")).toEqual([
    { path: "crates/src/b.rs", line: 2, message: "mismatched types: expected `&str` [E0308]" },
    { path: "crates/src/c.rs", line: 7, message: "in a macro [E0308]" },
  ]);
});

test("Rust: without leave, crates that run code while they are compiled are left out, however far it is", () => {
  const crate = (name: string, ...kinds: string[]): object => ({
    id: name,
    name,
    manifest_path: `/t/${name}/Cargo.toml`,
    targets: kinds.map((kind) => ({ kind: [kind] })),
  });
  const metadata = {
    packages: [
      crate("plain", "lib"),
      crate("user", "lib"),
      crate("middle", "lib"),
      crate("derive", "proc-macro"),
      crate("own", "lib", "custom-build"),
    ],
    workspace_members: ["plain", "user", "own"],
    workspace_root: "/t",
    resolve: {
      nodes: [
        { id: "user", dependencies: ["middle"] },
        { id: "middle", dependencies: ["derive", "user"] },
      ],
    },
  } as unknown as Parameters<typeof chosenCrates>[0];
  expect(chosenCrates(metadata, true)).toEqual({ asked: ["plain", "user", "own"], left: 0, why: "" });
  const strict = chosenCrates(metadata, false);
  expect([strict.asked, strict.left]).toEqual([["plain"], 2]);
  expect(strict.why).toStartWith("user, and 1 more crates, were not checked: user depends on derive, which has");
  const unlisted = { ...metadata, packages: metadata.packages.filter(({ name }) => name !== "derive") };
  expect(chosenCrates(unlisted, false).asked).toEqual(["plain"]);
});

test("Python: errors from zero on, warnings not, packages that are not there by name", () => {
  const one = (severity: string, message: string, rule: string): object => ({
    file: "/t/a.py",
    severity,
    message,
    rule,
    range: { start: { line: 3, character: 1 } },
  });
  const printed = JSON.stringify({
    generalDiagnostics: [
      one("error", 'Argument of type "int"\n  is not assignable', "reportArgumentType"),
      one("warning", 'Import "yaml" could not be resolved from source', "reportMissingModuleSource"),
      one("information", "hint", "x"),
    ],
  });
  expect(pyrightErrors(`No configuration file found.\n${printed}`, "/t")).toEqual({
    errors: [{ path: "a.py", line: 4, message: 'Argument of type "int" is not assignable (reportArgumentType)' }],
    unchecked: [],
    missing: ["yaml"],
  });
  expect(pyrightErrors("Killed", "/t").failed).toBe("Killed");
});

test("what an error is about, and what kind of break it is", () => {
  const check = ({ read }: Toolchain, message: string, rule: string, name: string): void => {
    const found = read(message);
    expect([message, found.rule, found.names[0]]).toEqual([message, rule, name] as never);
  };
  check(goToolchain, "t.M undefined (type a.T has no field or method M)", "removed-member", "M");
  check(goToolchain, "undefined: a.Gone", "removed", "Gone");
  check(goToolchain, "not enough arguments in call to s.Open have () want (int)", "signature", "Open");
  check(
    goToolchain,
    "cannot use x (variable of type *T) as type I in argument: *T does not implement I (missing method N)",
    "requires-more",
    "N",
  );
  check(javaToolchain, "cannot find symbol symbol: method gone(int) location: class A", "removed-member", "gone");
  check(javaToolchain, "B is not abstract and does not override abstract method run(int) in I", "requires-more", "run");
  check(javaToolchain, "method f in class A cannot be applied to given types;", "signature", "f");
  check(javaToolchain, "unreported exception IOException; must be caught", "requires-more", "IOException");
  check(rustToolchain, "cannot find function `gone` in module `a`: not found in `a` [E0425]", "removed", "gone");
  check(
    rustToolchain,
    "missing field `size` in initializer of `Item`: missing `size` [E0063]",
    "requires-more",
    "size",
  );
  const given =
    'Argument of type "Jar" cannot be assigned to parameter "box" of type "Box" in function "put" "Jar" is not assignable to "Box"';
  expect(pythonToolchain.read(given).names).toEqual(["put", "Jar", "Box"]);
  check(pythonToolchain, '"gone" is unknown import symbol (reportAttributeAccessIssue)', "removed", "gone");
  check(
    pythonToolchain,
    'Cannot access attribute "x" for class "Item" (reportAttributeAccessIssue)',
    "removed-member",
    "x",
  );
});

test("a change inside a function is seen by nobody outside; where the layout is another, everything is", () => {
  const go =
    "package a\n\n// F does.\nfunc F(x int) int {\n\tif x > 0 {\n\t\treturn 1\n\t}\n\treturn x\n}\n\nvar y = 1\n";
  const sees = (toolchain: Toolchain, before: string, after: string): boolean => toolchain.isVisible(before, after);
  expect(sees(goToolchain, go, go.replace("return 1", "return 2"))).toBe(false);
  expect(sees(goToolchain, go, go.replace("// F does.", "// F did."))).toBe(false);
  expect(sees(goToolchain, go, go.replace("x int", "x string"))).toBe(true);
  expect(sees(goToolchain, go, go.replace("y = 1", 'y = ""'))).toBe(true);
  expect(sees(goToolchain, go, go.replace("package", "//go:build linux\n\npackage"))).toBe(true);
  expect(sees(goToolchain, "func F() {\nx()\nfunc G() {\n}\n", "func F() {\ny()\nfunc G() {\n}\n")).toBe(true);
  const java = "class A {\n  int f(int x) {\n    return x;\n  }\n\n  int y = 1;\n}\n";
  expect(sees(javaToolchain, java, java.replace("return x", "return 2"))).toBe(false);
  expect(sees(javaToolchain, java, java.replace("int y", "long y"))).toBe(true);
  const rust = "pub fn f(x: i32) -> i32 {\n    x\n}\n\npub fn g() -> impl Iterator<Item = u8> {\n    a()\n}\n";
  expect(sees(rustToolchain, rust, rust.replace("    x\n", "    x + 1\n"))).toBe(false);
  expect(sees(rustToolchain, rust, rust.replace("    a()", "    b()"))).toBe(true);
});
