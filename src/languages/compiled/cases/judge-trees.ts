// A real compiler as judge: trees are written out, compiled, and the files with errors come back. It shares no code with the checker.
// A compiler that is not on this machine is said to be missing, not guessed.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Render } from "./model.ts";

export type Files = Readonly<Record<string, string>>;
/** For each tree the files that do not compile. */
export type Judge = (trees: readonly Files[]) => Promise<ReadonlySet<string>[]>;

/** What a compiled language brings to the measurement of random merges. */
export interface CompiledCases {
  /** A model of a project as this language's files. */
  readonly render: Render;
  /** undefined when the compiler is not here. */
  judge(): Judge | undefined;
  /** Each tree costs a start of the compiler, so it is asked about no more of them than it must be. */
  readonly isDear?: true;
}

/**
 * `programs` must all run, each with the flag that does nothing: rustup's `rustc` without a toolchain is a mere name. `compile` is
 * given the directories of the trees and one around them.
 */
export function judgeWith(
  programs: readonly (readonly [program: string, flag: string])[],
  compile: (directories: readonly string[], root: string) => Promise<ReadonlySet<string>[]>,
): Judge | undefined {
  if (!programs.every(([program, flag]) => runs(program, flag))) return undefined;
  return async (trees) => {
    const root = mkdtempSync(join(tmpdir(), "constel-compile-"));
    try {
      const directories = trees.map((files, at) => plant(join(root, String(at)), files));
      return directories.length === 0 ? [] : await compile(directories, root);
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

/** One start for all trees: the command is given the directories and prints `directory<tab>file` for each file with an error. */
export async function allAtOnce(
  command: readonly string[],
  directories: readonly string[],
  root: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Set<string>[]> {
  const child = Bun.spawn([...command, ...directories], {
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, TMPDIR: root, ...environment },
    cwd: root,
    timeout: 600_000,
  });
  const [out, complaints, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command[0]} could not be run (exit ${code}): ${complaints.slice(-2000)}`);
  const broken = new Map(directories.map((directory) => [directory, new Set<string>()]));
  for (const line of out.split("\n")) {
    const [directory = "", path] = line.split("\t");
    if (path !== undefined) broken.get(directory)?.add(path);
  }
  return [...broken.values()];
}
