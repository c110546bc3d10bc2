// A case of a comparison table: two versions of a specification, the verdict they deserve, and the public words that
// decide it. The tables are data, so that eval/ can print agreement and a test can hold it.

import { verdictOf } from "./format.ts";
import type { ContractFormat, ContractSource, ContractVerdict } from "./format.ts";

/** One file, or several by path; the first one is the entry. */
export type CaseFiles = string | Readonly<Record<string, string>>;

export interface ContractCase {
  readonly name: string;
  readonly before: CaseFiles;
  readonly after: CaseFiles;
  readonly expected: ContractVerdict;
  /** The words that decide it, from a specification or a tool's documentation; in short where a grammar or a table says it. */
  readonly words: string;
  /** The place where the words stand. */
  readonly source: string;
}

/** A case's files as the source that a format reads from. */
export function caseSource(files: CaseFiles, onlyFile: string): ContractSource {
  const byPath = new Map(typeof files === "string" ? [[onlyFile, files]] : Object.entries(files));
  const [entry = onlyFile] = byPath.keys();
  return {
    entry,
    read: (path) => Promise.resolve(byPath.get(path)),
    list: (directory) => {
      const prefix = directory === "" || directory === "." ? "" : `${directory}/`;
      return Promise.resolve([...byPath.keys()].filter((path) => path.startsWith(prefix)));
    },
  };
}

export interface Disagreement {
  readonly name: string;
  readonly expected: ContractVerdict;
  /** null when a side could not be read. */
  readonly found: ContractVerdict | null;
  readonly detail: string;
}

/** Runs a table; what comes back is only where the format sees it otherwise. */
export async function disagreements(
  format: ContractFormat,
  cases: readonly ContractCase[],
  onlyFile: string,
): Promise<Disagreement[]> {
  const differing: Disagreement[] = [];
  for (const { name, before, after, expected } of cases) {
    const result = await format.compare(caseSource(before, onlyFile), caseSource(after, onlyFile));
    const found = result.kind === "compared" ? verdictOf(result.changes) : null;
    if (found === expected) continue;
    const detail =
      result.kind === "compared"
        ? result.changes.map(({ rule, verdict }) => `${rule} (${verdict})`).join(", ")
        : result.problems.map(({ message }) => message).join(", ");
    differing.push({ name, expected, found, detail });
  }
  return differing;
}
