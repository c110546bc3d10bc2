// The owner's compiler asked about trees that exist only in memory, for the evals: the same way through languages and host as `check`
// goes, without a repository.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemProcesses } from "../src/host/process/run.ts";
import { openToolchains } from "../src/host/toolchains/open-toolchains.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import type { SemanticInput, SemanticOutcome, TreeView } from "../src/ports/semantic.ts";

export interface AskedToolchain {
  check(input: SemanticInput): Promise<SemanticOutcome>;
  close(): void;
}

/** undefined where the toolchain is not on this machine. */
export function askToolchain(language: string): AskedToolchain | undefined {
  const directory = mkdtempSync(join(tmpdir(), "constel-asked-"));
  const trees = new Map<string, TreeView>();
  let read: SemanticInput["read"] = async () => undefined;
  const toolchains = openToolchains({
    observer: {
      tree: async (id) =>
        new Map([...(trees.get(id)?.blobs ?? [])].map(([path, blob]) => [path, { mode: "100644", blob }])),
      read: async (blob) => Buffer.from((await read(blob)) ?? ""),
      isThere: async () => true,
    },
    processes: systemProcesses,
    environment: process.env,
    rules: () => ({ off: [], mayRunBuildCode: true, memoryBytes: 3 * 1024 ** 3 }),
    checkouts: () => [],
    directory,
    name: language,
  });
  const compiler = openLanguages().named(language)?.compiler;
  if (compiler?.readiness?.(toolchains).state !== "ready") {
    rmSync(directory, { recursive: true });
    return undefined;
  }
  return {
    check: (input) => {
      trees.clear();
      for (const tree of [input.base, input.ours, input.theirs, input.merged]) trees.set(tree.id, tree);
      read = input.read;
      return compiler.check(input, { checkouts: [], deadlineMs: 120_000, toolchains });
    },
    close: () => {
      toolchains.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
