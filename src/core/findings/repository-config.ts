// What a repository's own constel.toml says about its findings. It is read from a tree, not from disk, and it comes from
// people we do not know: what is wrong in it is noted and passed over.

import { parse } from "smol-toml";
import type { RepositoryObserver } from "../../ports/git.ts";
import type { OwnPatterns } from "./exclusions.ts";

export interface RepositoryConfig {
  readonly gateCommand: string | undefined;
  readonly gateDeadlineMs: number;
  readonly patterns: OwnPatterns;
  readonly notes: readonly string[];
}

const defaultGateDeadlineMs = 600_000;

export async function readRepositoryConfig(observer: RepositoryObserver, tree: string): Promise<RepositoryConfig> {
  const entry = (await observer.tree(tree)).get("constel.toml");
  const bytes = entry?.mode.startsWith("100") === true ? await observer.read(entry.blob) : undefined;
  return parseRepositoryConfig(bytes === undefined ? "" : new TextDecoder().decode(bytes));
}

export function parseRepositoryConfig(text: string): RepositoryConfig {
  let document: Record<string, unknown>;
  try {
    document = parse(text);
  } catch {
    const patterns = { exclude: [], include: [] };
    const notes = ["constel.toml cannot be read as TOML, so defaults hold"];
    return { gateCommand: undefined, gateDeadlineMs: defaultGateDeadlineMs, patterns, notes };
  }
  const gate = tableOf(document["gate"]);
  const findings = tableOf(document["findings"]);
  const command = gate["command"];
  const seconds = gate["deadline_seconds"];
  const isTime = typeof seconds === "number" && seconds > 0 && seconds <= 86_400;
  return {
    gateCommand: typeof command === "string" && command.trim() !== "" ? command : undefined,
    gateDeadlineMs: isTime ? seconds * 1000 : defaultGateDeadlineMs,
    patterns: { exclude: texts(findings["exclude"]), include: texts(findings["include"]) },
    notes: [],
  };
}

const tableOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** As many as a person would write. */
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string").slice(0, 500) : [];
