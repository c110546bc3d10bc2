// constel.toml, of a repository or of a root directory: the one reader. It is strict, because a gate that cannot be read must
// never pass for no gate: an unknown key, a value of the wrong type, a link in the file's place are refused with file and
// line. Where the bytes come from (a file, a tree, a commit) is the caller's; what they mean is decided here.
//
//   [gate]                                     [findings]
//   command = "npm ci && npm test"             exclude = ["docs/"]
//   deadline_seconds = 600                     include = []
//
//   [workspace]                                [regenerate]
//   copy = [".env"]                            "package-lock.json" = "npm install --package-lock-only"
//   setup = "npm ci"
//   setup_deadline_seconds = 600               [permissions]   # kept as it stands, for those who read it
//
//   [land]
//   by = "pull-request"                        # or "push"
//   merge = "constel"                          # or "person"
//   method = "squash"                          # or "merge", "rebase", "queue"
//   rounds = 3
//
//   [harvest]
//   require_review = true

import { parse, TomlError } from "smol-toml";
import { Refusal } from "./errors.ts";
import { type LandingWay, landingWays, mergeMethods } from "./landing-ways.ts";

export interface GateSetting {
  readonly command: string;
  readonly deadlineMs: number;
}

export interface LandSetting {
  readonly by?: LandingWay;
  /** Whoever merges a pull request that is green and approved. */
  readonly merge?: "constel" | "person";
  readonly method?: (typeof mergeMethods)[number];
  /** The number of times that its agent is told what is missing before a person is. */
  readonly rounds?: number;
}

export interface ConstelToml {
  /** Undefined when the file declares none; never because it could not be understood. */
  readonly gate: GateSetting | undefined;
  readonly findings: { readonly exclude: readonly string[]; readonly include: readonly string[] };
  readonly workspace: {
    readonly copy?: readonly string[];
    readonly setup?: string;
    readonly setupDeadlineMs?: number;
  };
  readonly harvest: { readonly requireReview: boolean };
  /** Path to the command that makes the file anew. */
  readonly regenerate: ReadonlyMap<string, string>;
  readonly permissions: Readonly<Record<string, unknown>>;
  readonly land: LandSetting;
}

/** The thing that stands where the file should be. */
export type FoundToml =
  | { readonly kind: "missing" }
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  /** A link, a directory, a submodule, a file far too large. */
  | { readonly kind: "unfit"; readonly what: string }
  /** There is none, and beside its place is one whose name was meant for it. */
  | { readonly kind: "misnamed"; readonly name: string };

export const constelTomlName = "constel.toml";
export const largestConstelToml = 1024 * 1024;
export const defaultGateDeadlineMs = 600_000;

const longestSeconds = 86_400;
const mostEntries = 500;

export function readConstelToml(found: FoundToml, where: string): ConstelToml {
  if (found.kind === "missing") return understand({});
  if (found.kind === "misnamed") {
    throw malformed(where, undefined, `it is missing, and ${found.name} is not read in its place: rename it`);
  }
  if (found.kind === "unfit") throw malformed(where, undefined, `it is ${found.what}, not a plain file`);
  if (found.bytes.length > largestConstelToml) throw malformed(where, undefined, "it is over 1 MiB");
  const text = decoded(found.bytes, where);
  let table: Record<string, unknown>;
  try {
    table = parse(text);
  } catch (cause) {
    const line = cause instanceof TomlError ? cause.line : undefined;
    const said = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
    throw malformed(where, line, said.replace(/^Invalid TOML document: /, "not TOML: "));
  }
  const complaint = complaintAbout(table);
  if (complaint !== undefined) throw malformed(where, lineOf(text, complaint), complaint);
  return understand(table);
}

/**
 * Says what a directory without a constel.toml has instead, by its names (or all paths below it). The author of a file of nearly that name
 * has settings, and perhaps a gate. Something below that name leaves no room for the file.
 */
export function tomlBeside(paths: Iterable<string>): FoundToml {
  for (const path of paths) {
    if (path.startsWith(`${constelTomlName}/`)) return { kind: "unfit", what: "a directory" };
    if (/^\.?constel\.(to?ml|ya?ml|json)$/i.test(path)) return { kind: "misnamed", name: path };
  }
  return { kind: "missing" };
}

function malformed(where: string, line: number | undefined, problem: string): Refusal {
  const place = line === undefined ? where : `${where}:${line}`;
  const hint =
    "Fix the file; until then nothing that depends on it lands. docs/guides/tasks-from-brief-to-main.md lists its keys.";
  return new Refusal("config.malformed", `${place}: ${problem}`, { path: where, line: line ?? null }, hint);
}

function decoded(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed(where, undefined, "it is not UTF-8 text");
  }
}

/** The first line with which the complaint is true: what comes before it, read alone, does not earn it. */
function lineOf(text: string, complaint: string): number | undefined {
  const lines = text.split("\n");
  for (let count = 1; count <= Math.min(lines.length, 2_000); count++) {
    try {
      if (complaintAbout(parse(lines.slice(0, count).join("\n"))) === complaint) return count;
    } catch {
      // a value that goes on in the next line
    }
  }
  return undefined;
}

type Check = (value: unknown, name: string) => string | undefined;

const tables: Readonly<Record<string, Check>> = {
  gate: table({ command: commandText, deadline_seconds: seconds }, (gate) =>
    gate["command"] === undefined ? "[gate] has no command" : undefined,
  ),
  findings: table({ exclude: texts, include: texts }),
  harvest: table({ require_review: flag }),
  workspace: table({ copy: texts, setup: commandText, setup_deadline_seconds: seconds }),
  regenerate: isTable((entries) => {
    for (const [path, command] of Object.entries(entries)) {
      if (!isPlainPath(path)) return `[regenerate] ${JSON.stringify(path)} is not a path inside the repository`;
      const complaint = commandText(command, `[regenerate] ${JSON.stringify(path)}`);
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  }),
  permissions: isTable(() => undefined),
  land: table({
    by: oneOf(landingWays),
    merge: oneOf(["constel", "person"]),
    method: oneOf(mergeMethods),
    rounds: (value, name) =>
      Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 20
        ? undefined
        : `${name} must be a whole number from 0 to 20`,
  }),
};

function oneOf(words: readonly string[]): Check {
  return (value, name) =>
    typeof value === "string" && words.includes(value)
      ? undefined
      : `${name} must be ${words.map((word) => JSON.stringify(word)).join(" or ")}`;
}

function complaintAbout(document: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(document)) {
    const check = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (check === undefined) return `${name} is not known here (known: ${Object.keys(tables).join(", ")})`;
    const complaint = check(value, name);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

function table(
  keys: Readonly<Record<string, Check>>,
  whole: (entries: Entries) => string | undefined = () => undefined,
): Check {
  return isTable((entries, name) => {
    for (const [key, value] of Object.entries(entries)) {
      const check = Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (check === undefined) return `[${name}] ${key} is not known here (known: ${Object.keys(keys).join(", ")})`;
      const complaint = check(value, `[${name}] ${key}`);
      if (complaint !== undefined) return complaint;
    }
    return whole(entries);
  });
}

type Entries = Readonly<Record<string, unknown>>;

function isTable(check: (entries: Entries, name: string) => string | undefined): Check {
  return (value, name) => {
    if (Array.isArray(value)) return `${name} must be one table: write [${name}], not [[${name}]] or a list`;
    if (typeof value !== "object" || value === null || value instanceof Date) {
      return `${name} must be a table: write [${name}] on a line of its own`;
    }
    return check(value as Entries, name);
  };
}

/** Comments alone would pass whatever they are asked about. */
function commandText(value: unknown, name: string): string | undefined {
  const isCommand = typeof value === "string" && /^[^\S\n]*[^\s#]/m.test(value) && !value.includes("\0");
  return isCommand ? undefined : `${name} must be one shell command in quotes`;
}

function seconds(value: unknown, name: string): string | undefined {
  const isTime = typeof value === "number" && value > 0 && value <= longestSeconds;
  return isTime ? undefined : `${name} must be a number of seconds, at most ${longestSeconds}`;
}

function flag(value: unknown, name: string): string | undefined {
  return typeof value === "boolean" ? undefined : `${name} must be true or false`;
}

function texts(value: unknown, name: string): string | undefined {
  const isList = Array.isArray(value) && value.length <= mostEntries && value.every((one) => typeof one === "string");
  return isList ? undefined : `${name} must be a list of at most ${mostEntries} texts`;
}

function isPlainPath(path: string): boolean {
  const parts = path.split("/");
  return parts.every((part) => part !== "" && part !== "." && part !== ".." && part.toLowerCase() !== ".git");
}

/** Of a table without a complaint. */
function understand(document: Readonly<Record<string, unknown>>): ConstelToml {
  const gate = document["gate"] as { command: string; deadline_seconds?: number } | undefined;
  const findings = (document["findings"] ?? {}) as { exclude?: string[]; include?: string[] };
  const {
    copy,
    setup,
    setup_deadline_seconds: deadline,
  } = (document["workspace"] ?? {}) as {
    copy?: string[];
    setup?: string;
    setup_deadline_seconds?: number;
  };
  return {
    gate:
      gate === undefined
        ? undefined
        : {
            command: gate.command,
            deadlineMs: gate.deadline_seconds === undefined ? defaultGateDeadlineMs : gate.deadline_seconds * 1000,
          },
    findings: { exclude: findings.exclude ?? [], include: findings.include ?? [] },
    harvest: {
      requireReview: (document["harvest"] as { require_review?: boolean } | undefined)?.require_review === true,
    },
    workspace: {
      ...(copy === undefined ? {} : { copy }),
      ...(setup === undefined ? {} : { setup }),
      ...(deadline === undefined ? {} : { setupDeadlineMs: deadline * 1000 }),
    },
    regenerate: new Map(Object.entries((document["regenerate"] ?? {}) as Record<string, string>)),
    permissions: (document["permissions"] ?? {}) as Record<string, unknown>,
    land: (document["land"] ?? {}) as LandSetting,
  };
}
