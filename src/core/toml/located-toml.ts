// TOML read together with the lines things stand on, so that a refusal can name file and line. Every subject that reads a file of
// tables uses it. What the keys mean, and which there are, is the subject's own business.

import { parse, TomlError } from "smol-toml";
import { Refusal } from "../../protocol/errors.ts";

export type TomlTable = Readonly<Record<string, unknown>>;

export interface LocatedToml {
  readonly document: TomlTable;
  /** The line (from 1) of a key, of the nth table of a list, or of a key in it: `lineOf("cron", 2, "zone")`. */
  lineOf(...at: readonly (string | number)[]): number;
  refuse(problem: string, ...at: readonly (string | number)[]): Refusal;
  refuseKey(key: string, known: readonly string[], ...at: readonly (string | number)[]): Refusal;
}

export function readToml(text: string, path: string): LocatedToml {
  const lines = linesOf(text);
  const lineOf = (...at: readonly (string | number)[]): number => {
    for (let length = at.length; length > 0; length--) {
      const line = lines.get(at.slice(0, length).join("\u0000"));
      if (line !== undefined) return line;
    }
    return 1;
  };
  const refusal = (line: number, problem: string): Refusal =>
    new Refusal("config.malformed", `${path}:${line}: ${problem}`, { path, line }, "Fix the line named above.");
  let document: TomlTable;
  try {
    document = parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [problem = "cannot be read"] = cause.message.split("\n");
    throw refusal(cause.line, problem.replace(/^Invalid TOML document: /, ""));
  }
  return {
    document,
    lineOf,
    refuse: (problem, ...at) => refusal(lineOf(...at), problem),
    refuseKey: (key, known, ...at) => {
      const line = lineOf(...at, key);
      const hint = `Known here: ${known.join(", ")}.`;
      return new Refusal("config.unknown-key", `${path}:${line}: there is no ${key}`, { path, line, key }, hint);
    },
  };
}

export const isTable = (value: unknown): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Lines of headers and keys in plain form, by their path. The nth table of a list counts from 0. */
function linesOf(text: string): Map<string, number> {
  const found = new Map<string, number>();
  const counts = new Map<string, number>();
  let section: readonly (string | number)[] = [];
  let closing: string | undefined;
  const note = (at: readonly (string | number)[], line: number): void => {
    const key = at.join("\u0000");
    if (!found.has(key)) found.set(key, line);
  };
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    if (closing !== undefined) {
      if (line.includes(closing)) closing = undefined;
      continue;
    }
    const header = /^\s*(\[\[?)([^\]]+)\]\]?\s*(?:#.*)?$/.exec(line);
    if (header !== null) {
      const names = keyParts((header[2] ?? "").trim());
      section = names;
      if (header[1] === "[[") {
        const name = names.join("\u0000");
        const count = counts.get(name) ?? 0;
        counts.set(name, count + 1);
        note(names, index + 1);
        section = [...names, count];
      }
      note(section, index + 1);
      continue;
    }
    const assigned =
      /^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=(.*)$/.exec(line);
    if (assigned === null) continue;
    note([...section, ...keyParts(assigned[1] ?? "")], index + 1);
    closing = opens(assigned[2] ?? "");
  }
  return found;
}

/** The quotes that a text over several lines, begun in this line, will end with. */
function opens(value: string): string | undefined {
  for (const quotes of ['"""', "'''"]) {
    if (value.trimStart().startsWith(quotes) && value.split(quotes).length === 2) return quotes;
  }
  return undefined;
}

const keyParts = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
