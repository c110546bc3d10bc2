// The owner's compilers asked about repositories that try to run their own programs while they are compiled. Each repository
// also holds a collision that only types tell: it must be found, so that nobody takes a compiler that was never asked for a
// safe one. Each trap leaves a file behind when it springs. A toolchain that is not on this machine skips its test.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Scratch, snapshotOf } from "../host/git/scratch.suite.ts";
import { systemProcesses } from "../host/process/run.ts";
import { openLanguages } from "../languages/open-languages.ts";
import type { CompilerWish } from "../protocol/compilers.ts";
import type { PairVerdict } from "../protocol/findings.ts";
import { pipelineOver } from "../sensing/pipeline.suite.ts";
import { openMemory } from "../sensing/repository-memory.ts";
import { repositoryToolchains } from "./repository-toolchains.ts";

let scratch: Scratch;
const languages = openLanguages();
beforeAll(() => {
  scratch = new Scratch();
  mkdirSync(scratch.path("sprung"));
  mkdirSync(scratch.path("bin"));
  // Above the place where the compilers work, where any user of the machine may have put something.
  scratch.write(scratch.root, {
    ".cargo/config.toml": `[build]\nrustc-wrapper = "${trap("cargo-above")}"\n`,
    "rust-toolchain.toml": '[toolchain]\nchannel = "none-such"\n',
    "go.work": "go 1.19\n\nuse ./nowhere\n",
    "pyrightconfig.json": '{ "typeCheckingMode": "off" }',
  });
  for (const name of ["python", "python3", "gcc", "cc", "git", "ld"]) trap(name, join("bin", name));
  // A sandbox would keep traps from leaving their files: what is shown here must hold without one.
  writeFileSync(scratch.path("bin", "bwrap"), "#!/bin/sh\nexit 1\n");
  chmodSync(scratch.path("bin", "bwrap"), 0o755);
});
afterAll(async () => {
  languages.close();
  await scratch.close();
});

/** A program that says that it ran, and then does what it was called for. */
function trap(name: string, at = join("traps", name)): string {
  const path = scratch.path(at);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n: > '${scratch.path("sprung", name)}'\nexec "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

const sprung = (): string[] => readdirSync(scratch.path("sprung")).sort();
const springs = (name: string): string => JSON.stringify(scratch.path("sprung", name));

interface Sides {
  readonly base: Readonly<Record<string, string>>;
  readonly ours: Readonly<Record<string, string>>;
  readonly theirs: Readonly<Record<string, string>>;
}

/** The environment of a hostile caller, with everything it would make compilers do. */
const hostileEnvironment = (): Record<string, string> => ({
  GOFLAGS: `-toolexec=${trap("go-toolexec")}`,
  CC: trap("go-cc"),
  CGO_ENABLED: "1",
  RUSTC_WRAPPER: trap("rustc-wrapper"),
  RUSTC: trap("rustc"),
  JAVA_TOOL_OPTIONS: "-javaagent:/none-such.jar",
  JDK_JAVAC_OPTIONS: "-Xplugin:none-such",
  NODE_OPTIONS: "--require /none-such.js",
});

let count = 0;

async function asked(
  sides: Sides,
  compilers: Partial<CompilerWish> = {},
  path?: string,
  trees = true,
): Promise<PairVerdict> {
  count += 1;
  const repository = scratch.repository(`r${count}`, sides.base);
  const [ours, theirs] = [scratch.worktree(repository, `ours${count}`), scratch.worktree(repository, `theirs${count}`)];
  scratch.write(ours, sides.ours);
  scratch.write(theirs, sides.theirs);
  for (const program of ["go", "javac", "cargo", "pyright", "nice"])
    trap(`own-${program}`, join(`r${count}`, "bin", program));
  const observer = await scratch.observe(repository);
  const found = (await observer.worktrees()).found.map((one) => one.path);
  const environment = {
    ...hostileEnvironment(),
    // First a directory of the repository, then one of the owner's in which things lie that no compiler needs.
    PATH: path ?? [join(repository, "bin"), scratch.path("bin"), process.env["PATH"]].join(":"),
    HOME: scratch.home,
    RUSTUP_HOME: process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup"),
  };
  const toolchains = repositoryToolchains({
    observer,
    processes: systemProcesses,
    environment,
    directory: scratch.path("place"),
    compilers: { off: [], buildCode: [], memoryBytes: 3 * 1024 ** 3, ...compilers },
    checkouts: () => found,
  });
  try {
    const snapshots = [await snapshotOf(observer, ours), await snapshotOf(observer, theirs)] as const;
    const [merge] = await observer.merge([{ ours: snapshots[0], theirs: snapshots[1] }], { trees });
    if (merge === undefined) throw new Error("git gave no answer");
    const asking = { asked: { when: "now" }, deadlineMs: 100_000, toolchains } as const;
    const pipeline = pipelineOver(observer, { memory: openMemory(languages), compilers: asking, deadlineMs: 100_000 });
    const side = (label: string, worktree: string, at: 0 | 1) => {
      const { commit, tree } = snapshots[at];
      return { side: { label, worktree, branch: label, commit, tree }, snapshot: snapshots[at] };
    };
    return await pipeline.judge(side("ours", ours, 0), side("theirs", theirs, 1), merge);
  } finally {
    toolchains.close();
    expect(existsSync(scratch.path("place")) ? readdirSync(scratch.path("place")) : []).toEqual([]);
  }
}

const evidence = ({ findings }: PairVerdict): string[] =>
  findings.flatMap((one) => one.evidence.map(({ message }) => message));
const openOf = ({ open }: PairVerdict): string[] => open.map(({ why }) => why);
/** Not there, or there as a name only: rustup's programs answer nothing where no toolchain was chosen. */
const lacks = (program: string): boolean =>
  Bun.which(program) === null ||
  Bun.spawnSync([program, program === "go" ? "version" : "--version"], { stderr: "ignore" }).exitCode !== 0;

const goSides: Sides = {
  base: {
    "go.mod": "module x.org/m\n\ngo 1.19\n",
    "a/a.go": `package a\n\n//go:generate ${"sh -c 'exit 1'"}\n\nfunc F(x int) int { return x }\n`,
    "a/c.go": 'package a\n\n// #cgo CFLAGS: -O1\nimport "C"\n',
    "b/b.go": "package b\n",
  },
  ours: { "a/a.go": "package a\n\nfunc F(x string) int { return len(x) }\n" },
  theirs: {
    "b/b.go": 'package b\n\nimport "x.org/m/a"\n\nfunc G() int {\n\treturn a.F(1)\n}\n',
  },
};

test.skipIf(lacks("go"))("Go: what only types tell is found, and nothing of the repository runs", async () => {
  const runs = `package b\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) { os.WriteFile(${springs("go-test")}, nil, 0600) }\n`;
  scratch.write(scratch.home, { ".config/go/env": `GOFLAGS=-toolexec=${trap("go-env")}\n` });
  const verdict = await asked({ ...goSides, theirs: { ...goSides.theirs, "b/b_test.go": runs } });
  expect(sprung()).toEqual([]);
  expect(evidence(verdict)).toEqual([
    expect.stringMatching(/go [\d.]+ on the merged tree: b\/b\.go:6: cannot use 1 .* in argument to a\.F\)?$/),
  ]);
  // Where the syntax shows it too, it is told in the words of the syntax.
  expect(verdict.findings[0]?.title).toMatch(
    /^ours changes the \w+ of F \(a\/a\.go:3\), which theirs uses in b\/b\.go:6$/,
  );
  expect(verdict.complete).toBe(true);
});

test.skipIf(lacks("go"))(
  "Go: it finds the same where git made no merged tree, inside bubblewrap where it is there",
  async () => {
    const verdict = await asked(goSides, {}, process.env["PATH"], false);
    expect(evidence(verdict)).toEqual([expect.stringMatching(/b\/b\.go:6: cannot use 1 /)]);
    expect(verdict.complete).toBe(true);
  },
);

test.skipIf(lacks("javac"))("Java: what only types tell is found, and nothing of the repository runs", async () => {
  const processor =
    "package evil;\npublic class P extends javax.annotation.processing.AbstractProcessor {\n" +
    `  static { try { new java.io.File(${springs("java-processor")}).createNewFile(); } catch (java.io.IOException e) {} }\n` +
    "  public boolean process(java.util.Set<? extends javax.lang.model.element.TypeElement> a, javax.annotation.processing.RoundEnvironment r) { return false; }\n}\n";
  const verdict = await asked({
    base: {
      "src/a/A.java": "package a;\npublic class A {\n  public int f(int x) {\n    return x;\n  }\n}\n",
      "src/a/B.java": "package a;\npublic class B {\n}\n",
      "src/evil/P.java": processor,
      "META-INF/services/javax.annotation.processing.Processor": "evil.P\n",
      "META-INF/services/com.sun.source.util.Plugin": "evil.P\n",
      // Names that would be options or lists of arguments, were they given as they are.
      "@args.java": "-processorpath src -processor evil.P\n",
      "-proc:full.java": "class X {}\n",
      'a "b\\c.java': "class Y {}\n",
    },
    ours: { "src/a/A.java": "package a;\npublic class A {\n  public int f(String x) {\n    return 1;\n  }\n}\n" },
    theirs: { "src/a/B.java": "package a;\npublic class B {\n  int g() {\n    return new A().f(1);\n  }\n}\n" },
  });
  expect(sprung()).toEqual([]);
  expect(evidence(verdict)).toEqual([
    expect.stringMatching(
      /javac \S+ on the merged tree: src\/a\/B\.java:4: incompatible types: int cannot be converted/,
    ),
  ]);
  expect(verdict.findings[0]?.title).toMatch(/\bf \(src\/a\/A\.java:3\)/);
  // The list of arguments is no Java, so that something is broken without the merge.
  expect(openOf(verdict)).toEqual([expect.stringContaining("@args.java:1 has an error without the merge too")]);
});

const crate = (name: string, more = ""): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${more}`;

const rustSides = (): Sides => ({
  base: {
    "Cargo.toml": '[workspace]\nmembers = ["m", "scripted", "user"]\nresolver = "2"\n',
    "m/Cargo.toml": crate("m"),
    "m/src/lib.rs": "pub mod a;\npub mod b;\n",
    "m/src/a.rs": "pub fn f<T>(x: T) -> T {\n    x\n}\n",
    "m/src/b.rs": "\n",
    "scripted/Cargo.toml": crate("scripted"),
    "scripted/build.rs": `fn main() { std::fs::write(${springs("build-script")}, "").unwrap(); }\n`,
    "scripted/src/lib.rs": "\n",
    "user/Cargo.toml": crate("user", '[dependencies]\nscripted = { path = "../scripted" }\n'),
    "user/src/lib.rs": "\n",
    ".cargo/config.toml": `[build]\nrustc = "${trap("cargo-rustc")}"\nrustc-wrapper = "${trap("cargo-wrapper")}"\n[alias]\nmetadata = "run"\n`,
    "m/.cargo/config": `[build]\nrustc-workspace-wrapper = "${trap("cargo-workspace-wrapper")}"\n`,
    "rust-toolchain.toml": '[toolchain]\npath = "./bin"\n',
  },
  // A bound is read by nobody but the compiler.
  ours: { "m/src/a.rs": "pub fn f<T: Copy>(x: T) -> T {\n    x\n}\n" },
  theirs: { "m/src/b.rs": "pub fn g() -> String {\n    crate::a::f(String::new())\n}\n" },
});

test.skipIf(lacks("cargo"))(
  "Rust: what only types tell is found in crates for which nothing runs; of the others it is said",
  async () => {
    const verdict = await asked(rustSides());
    expect(sprung()).toEqual([]);
    expect(evidence(verdict)).toEqual([
      expect.stringMatching(/cargo \S+ on the merged tree: m\/src\/b\.rs:2: .*`String: Copy`.* \[E0277\]\)?$/),
    ]);
    expect(openOf(verdict)).toEqual([
      expect.stringMatching(/scripted, and 1 more crates, were not checked: scripted has a build script/),
    ]);
  },
);

test.skipIf(lacks("pyright"))("Python: what only types tell is found, and no interpreter runs", async () => {
  const verdict = await asked({
    base: {
      "a.py": "def f(x: int) -> int:\n    return x\n",
      "b.py": "\n",
      "json.py": `open(${springs("python-module")}, "w")\n`,
      "pyrightconfig.json": '{ "venvPath": ".", "venv": ".venv", "typeCheckingMode": "off" }',
    },
    ours: { "a.py": "def f(x: str) -> int:\n    return len(x)\n" },
    theirs: { "b.py": "from a import f\n\ndef g() -> int:\n    return f(1)\n" },
  });
  expect(sprung()).toEqual([]);
  expect(evidence(verdict)).toEqual([
    expect.stringMatching(/pyright \S+ on the merged tree: b\.py:4: Argument of type/),
  ]);
  expect(verdict.complete).toBe(true);
});

/** A break that no syntax shows: a constant that no longer fits. */
const overflow: Sides = {
  base: { "go.mod": "module x.org/m\n\ngo 1.19\n", "a/a.go": "package a\n\nconst N = 1\n", "b/b.go": "package b\n" },
  ours: { "a/a.go": "package a\n\nconst N = 300\n" },
  theirs: { "b/b.go": 'package b\n\nimport "x.org/m/a"\n\nvar B byte = a.N\n' },
};

test("a toolchain that is not there, or only inside the repository, is named in the silence", async () => {
  const verdict = await asked(overflow, {}, `${scratch.path(`r${count + 1}`, "bin")}:/usr/nowhere:bin`);
  expect(openOf(verdict)).toEqual(["Go types were not checked: go is not on the PATH"]);
  expect([verdict.complete, verdict.findings, sprung()]).toEqual([false, [], []]);
});

const goIsOff = "Go types were not checked: compilers.off names go";

test("what the owner turned off is not asked, and without it nothing is complete", async () => {
  const verdict = await asked(overflow, { off: ["go"] });
  expect([verdict.complete, verdict.notes]).toEqual([false, [goIsOff]]);
});

test("what was not asked is noted beside what was found, and beside what is open", async () => {
  const both = { ...overflow.ours, "both.txt": `${"one\n".repeat(20)}ours\n` };
  const base = { ...overflow.base, "both.txt": "one\n".repeat(20) };
  const theirs = { ...overflow.theirs, "both.txt": `theirs\n${"one\n".repeat(20)}`, "c.py": "def (\n" };
  const found = await asked({ base, ours: both, theirs }, { off: ["go"] });
  expect([found.findings.map(({ severity }) => severity), found.notes]).toEqual([["context"], [goIsOff]]);
  const broken = await asked({ base, ours: { ...overflow.ours, "d.py": "x = 1\n" }, theirs }, { off: ["go"] });
  expect([openOf(broken).length, broken.notes]).toEqual([1, expect.arrayContaining([goIsOff])]);
});
