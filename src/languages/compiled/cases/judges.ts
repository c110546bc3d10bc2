// The real compilers as judges: trees are written out, compiled, and the files with errors come back. They share no code with the
// checker. A compiler that is not on this machine is said to be missing by `judgeOf`, not guessed.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type Judged = "go" | "java" | "rust";
export type Files = Readonly<Record<string, string>>;
/** For each tree the files that do not compile. */
export type Judge = (trees: readonly Files[]) => Promise<ReadonlySet<string>[]>;

/** What must run for a language to be judged. */
const programs: Readonly<Record<Judged, readonly (readonly [string, string])[]>> = {
  go: [["go", "version"]],
  java: [
    ["java", "--version"],
    ["javac", "--version"],
  ],
  rust: [["rustc", "--version"]],
};

/** undefined when the compiler is not here, or does not run: rustup's `rustc` without a toolchain is a mere name. */
export function judgeOf(language: Judged): Judge | undefined {
  if (!programs[language].every(([program, flag]) => runs(program, flag))) return undefined;
  return async (trees) => {
    const root = mkdtempSync(join(tmpdir(), "constel-compile-"));
    try {
      const directories = trees.map((files, at) => plant(join(root, String(at)), files));
      if (directories.length === 0) return [];
      return language === "rust" ? await eachByRustc(directories) : await allAtOnce(language, directories, root);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  };
}

function runs(program: string, flag: string): boolean {
  return Bun.which(program) !== null && Bun.spawnSync([program, flag], { stderr: "ignore" }).exitCode === 0;
}

function plant(directory: string, files: Files): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

async function allAtOnce(
  language: "go" | "java",
  directories: readonly string[],
  root: string,
): Promise<Set<string>[]> {
  const script = new URL(language === "go" ? "../../go/cases/judge.go" : "../../java/cases/Judge.java", import.meta.url)
    .pathname;
  const command =
    language === "go" ? ["go", "run", script] : ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", script];
  // One file without a module; what it compiles goes where Go keeps such things.
  const env = { ...process.env, GO111MODULE: "off", TMPDIR: root };
  const child = Bun.spawn([...command, ...directories], {
    stdout: "pipe",
    stderr: "pipe",
    env,
    cwd: root,
    timeout: 600_000,
  });
  const [out, complaints, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`the ${language} judge could not be run (exit ${code}): ${complaints.slice(-2000)}`);
  const broken = new Map(directories.map((directory) => [directory, new Set<string>()]));
  for (const line of out.split("\n")) {
    const [directory = "", path] = line.split("\t");
    if (path !== undefined) broken.get(directory)?.add(path);
  }
  return [...broken.values()];
}

async function eachByRustc(directories: readonly string[]): Promise<Set<string>[]> {
  const results: Set<string>[] = directories.map(() => new Set());
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < directories.length; at = next++) results[at] = await rustc(directories[at] ?? "");
  };
  await Promise.all([work(), work()]);
  return results;
}

async function rustc(directory: string): Promise<Set<string>> {
  const flags = [
    "--edition=2021",
    "--crate-type=lib",
    "--emit=metadata",
    "--error-format=short",
    "-Awarnings",
    "-o",
    "out.rmeta",
  ];
  const child = Bun.spawn(["rustc", ...flags, "src/lib.rs"], {
    cwd: directory,
    stdout: "ignore",
    stderr: "pipe",
    timeout: 60_000,
  });
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  const broken = new Set<string>();
  for (const [, path = ""] of said.matchAll(/^([^\s:]+\.rs):\d+:\d+: error/gm)) broken.add(path);
  if (code !== 0 && broken.size === 0) throw new Error(`rustc failed without naming a file: ${said.slice(-1000)}`);
  return broken;
}
