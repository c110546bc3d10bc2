import { expect, test } from "bun:test";
import { readManifest } from "./manifests.ts";

const check = (path: string, text: string, expected: Readonly<Record<string, string>> | undefined): void =>
  test(`${path}: ${expected === undefined ? "cannot be read" : Object.keys(expected).join(", ") || "nothing"}`, () => {
    const manifest = readManifest(path, text);
    const found = manifest && Object.fromEntries(manifest.requirements.map(({ name, range }) => [name, range]));
    expect(found).toEqual(expected);
  });

check("package.json", '{"dependencies":{"a":"^1"},"devDependencies":{"b":"2"},"peerDependencies":{"c":"*"}}', {
  a: "^1",
  b: "2",
});
check("package.json", '{"dependencies":{"a":"1"},"devDependencies":{"a":"2"}}', {});
check("package.json", '{"dependencies":', undefined);
check("package.json", "[]", {});
check(
  "requirements.txt",
  "# c\nFoo_Bar==1.0  # why\nbaz[x]>=2,<3\n-r other.txt\nq @ https://e.org/q\nz<2; python_version<'3'\n",
  { "foo-bar": "==1.0", baz: ">=2,<3" },
);
check(
  "pyproject.toml",
  '[project]\ndependencies = ["a>=1", "b"]\n[tool.poetry.dependencies]\npython = "^3"\nc = { version = "^2" }\n',
  { a: ">=1", c: "^2" },
);
check("Cargo.toml", '[dependencies]\na = "1"\nb = { version = "2", features = [] }\nc = { path = "../c" }\n', {
  a: "1",
  b: "2",
});
check(
  "go.mod",
  "module e.org/x\n\nrequire e.org/a v1.2.3\nrequire (\n\te.org/b v0.1.0 // indirect\n\te.org/c v0.0.0-20240101000000-abcdefabcdef\n)\nreplace (\n\te.org/d v1.0.0 => ../d\n)\n",
  { "e.org/a": "1.2.3", "e.org/b": "0.1.0" },
);
