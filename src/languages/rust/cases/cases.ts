// What Rust is measured on.

import type { LanguageCases } from "../../../../eval/language-cases.ts";
import { type CompiledCases, judgeWith } from "../../compiled/cases/judge-trees.ts";
import { judgedByCompiler } from "../../compiled/cases/measure-compiled.ts";
import { writtenByHand } from "../../compiled/cases/pairs.ts";
import { rustPairs } from "./pairs.ts";
import { semanticRust } from "./templates.ts";
import { writeRust } from "./write-rust.ts";

const compiled: CompiledCases = {
  render: writeRust,
  judge: () => judgeWith([["rustc", "--version"]], eachByRustc),
  isDear: true,
};

export const cases: LanguageCases = {
  templates: semanticRust,
  measures: [judgedByCompiler("rust", "rustc"), writtenByHand("rust", rustPairs)],
  compiled,
};

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
