// One library, two versions.

import type { Grow, Template } from "./scenario.ts";

const template = (name: string, grow: Grow): Template => ({ kind: "dependency-drift", name, grow });

interface Layout {
  /** The files that have the two installed together. */
  readonly together: Readonly<Record<string, string>>;
  readonly left: string;
  readonly right: string;
  readonly write: (name: string, range: string) => string;
}

const npm: Layout = {
  together: { "package.json": '{ "name": "all", "workspaces": ["packages/*"] }\n' },
  left: "packages/a/package.json",
  right: "packages/b/package.json",
  write: (name, range) => `${JSON.stringify({ name: "x", dependencies: { [name]: range, left: "1.0.0" } }, null, 2)}\n`,
};
const pyproject: Layout = {
  together: { "uv.lock": "version = 1\n" },
  left: "a/pyproject.toml",
  right: "b/pyproject.toml",
  write: (name, range) => `[project]\nname = "x"\ndependencies = [\n  "${name}${range}",\n  "other>=1",\n]\n`,
};
const requirements: Layout = {
  together: {},
  left: "requirements.txt",
  right: "requirements-dev.txt",
  write: (name, range) => `other==1.0\n${name}${range}\n`,
};
const cargo: Layout = {
  together: { "Cargo.lock": "version = 3\n" },
  left: "crates/a/Cargo.toml",
  right: "crates/b/Cargo.toml",
  write: (name, range) => `[package]\nname = "x"\n\n[dependencies]\n${name} = "${range}"\n`,
};
const go: Layout = {
  together: { "go.work": "go 1.22\nuse ./a\nuse ./b\n" },
  left: "a/go.mod",
  right: "b/go.mod",
  write: (name, range) => `module example.org/x\n\ngo 1.22\n\nrequire (\n\texample.org/${name} ${range}\n)\n`,
};

const pair =
  (layout: Layout, before: string, left: string, right: string, expects: boolean): Grow =>
  (seed) => {
    const name = seed.pick(["alpha-kit", "beta", "gamma-core"]);
    return {
      base: {
        ...layout.together,
        [layout.left]: layout.write(name, before),
        [layout.right]: layout.write(name, before),
      },
      ours: { [layout.left]: layout.write(name, left) },
      theirs: { [layout.right]: layout.write(name, right) },
      expect: expects ? ["dependency-drift"] : [],
    };
  };

export const dependencyDrift: readonly Template[] = [
  template("npm, two majors", pair(npm, "^1.0.0", "^2.1.0", "^3.0.0", true)),
  template("npm, two exact versions", pair(npm, "1.0.0", "2.1.0", "2.1.1", true)),
  template("npm, before one", pair(npm, "^0.1.0", "^0.2.0", "^0.3.4", true)),
  template("pyproject, pinned apart", pair(pyproject, ">=1,<2", ">=2,<3", "~=3.1", true)),
  template("requirements, pinned apart", pair(requirements, "==1.0", "==2.0", "==2.1", true)),
  template("Cargo, two majors", pair(cargo, "1", "2.0", "3", true)),
  template("Go, before one", pair(go, "v0.1.0", "v0.2.0", "v0.4.1", true)),
  template("near miss: two samples with lock files of their own", (seed) => ({
    base: {
      "package-lock.json": "{}\n",
      "sample/a/package.json": npm.write("alpha", "^1.0.0"),
      "sample/a/package-lock.json": "{}\n",
      "sample/b/package.json": npm.write("alpha", "^1.0.0"),
      "sample/b/package-lock.json": "{}\n",
    },
    ours: { "sample/a/package.json": npm.write("alpha", `^2.${seed.below(9)}.0`) },
    theirs: { "sample/b/package.json": npm.write("alpha", `^3.${seed.below(9)}.0`) },
    expect: [],
  })),
  template(
    "near miss: two services",
    pair(
      { ...requirements, left: "a/requirements.txt", right: "b/requirements.txt" },
      "==1.0",
      "==2.0",
      "==2.1",
      false,
    ),
  ),
  template("near miss: apart already before", (seed) => ({
    base: { ...npm.together, [npm.left]: npm.write("alpha", "25.5.1"), [npm.right]: npm.write("alpha", "24.1.0") },
    ours: { [npm.left]: npm.write("alpha", "25.5.2") },
    theirs: { [npm.right]: npm.write("alpha", `24.1.${seed.below(8) + 1}`) },
    expect: [],
  })),
  template("near miss: npm, ranges that meet", pair(npm, "^1.0.0", "^2.1.0", ">=2 <4", false)),
  template("near miss: npm, the same", pair(npm, "^1.0.0", "^2.1.0", "^2.1.0", false)),
  template("near miss: npm, a tag and a path", pair(npm, "^1.0.0", "latest", "workspace:*", false)),
  template("near miss: Go, the newer of the two wins", pair(go, "v1.1.0", "v1.2.0", "v1.9.0", false)),
  template("near miss: Cargo, compatible", pair(cargo, "1", "1.2", "1.4.1", false)),
  template("near miss: pyproject, ranges that meet", pair(pyproject, ">=1,<2", ">=2", "~=3.1", false)),
  template("near miss: only one side changes it", (seed) => ({
    base: { [npm.left]: npm.write("alpha", "^1.0.0"), [npm.right]: npm.write("alpha", "^2.0.0") },
    ours: { [npm.left]: npm.write("alpha", "^1.1.0") },
    theirs: { "README.md": `${seed.name()}\n` },
    expect: [],
  })),
];
