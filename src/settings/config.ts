// config.toml: reading it with errors that name the line, merging it with flags and environment, and changing one value
// without disturbing the rest of the file. Precedence: flag, environment, file, default.

import { parse, TomlError } from "smol-toml";
import { Refusal } from "../protocol/errors.ts";
import {
  type Config,
  complaintAbout,
  type ConfigValue,
  declarations,
  isSettingKey,
  type SettingKey,
  settingKeys,
  variableOf,
} from "./declarations.ts";

export type Origin = "flag" | "environment" | "file" | "default";

export interface LoadedConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<SettingKey, Origin>>;
}

export interface ConfigSources {
  /** The text of config.toml; undefined when there is none, which means defaults. */
  readonly file: string | undefined;
  /** Where it stands, for errors. */
  readonly filePath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `key=value` pairs from `--set`. */
  readonly flags: readonly string[];
}

export function loadConfig(sources: ConfigSources): LoadedConfig {
  const values: Record<string, ConfigValue> = {};
  const origins: Record<string, Origin> = {};
  const fromFile = sources.file === undefined ? {} : readFile(sources.file, sources.filePath);
  const fromFlags = readFlags(sources.flags);
  for (const key of settingKeys) {
    const variable = sources.env[variableOf(key)];
    if (fromFlags.has(key)) {
      values[key] = usableText(key, fromFlags.get(key) ?? "", "--set");
      origins[key] = "flag";
    } else if (variable !== undefined) {
      values[key] = usableText(key, variable, variableOf(key));
      origins[key] = "environment";
    } else if (key in fromFile) {
      values[key] = fromFile[key] as ConfigValue;
      origins[key] = "file";
    } else {
      values[key] = declarations[key].default;
      origins[key] = "default";
    }
  }
  return { config: Object.freeze(values) as unknown as Config, origins: origins as Record<SettingKey, Origin> };
}

/** What `--set` says, whatever stands in the file: a word that is not understood is refused. */
export function checkFlags(flags: readonly string[]): void {
  for (const [key, text] of readFlags(flags)) usableText(key, text, "--set");
}

/** The text of config.toml with one value set; comments and order stay. */
export function setInText(text: string, key: SettingKey, value: string): string {
  const literal = tomlLiteral(usableText(key, value, "config.toml"));
  const [section, name] = splitKey(key);
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  const written = (all: readonly string[]): string => all.map((line) => line + end).join("");
  const at = lineOfKey(text, key);
  if (at !== undefined) {
    const line = lines[at - 1] ?? "";
    const comment = /^[^"'#]*(?:"[^"]*"|'[^']*')?[^"'#]*(#.*)$/.exec(line)?.[1];
    const before = line.slice(0, line.indexOf("=")).trimEnd(); // as it was written: `port`, or `http.port` on top
    lines[at - 1] = `${before} = ${literal}${comment === undefined ? "" : ` ${comment}`}`;
    return written(lines);
  }
  const header = lines.findIndex((line) => sectionOf(line) === section);
  if (header === -1)
    return written([...lines, ...(lines.length > 0 ? [""] : []), `[${section}]`, `${name} = ${literal}`]);
  lines.splice(header + 1, 0, `${name} = ${literal}`);
  return written(lines);
}

/** `[http]`, with or without a comment behind it. */
function sectionOf(line: string): string | undefined {
  return /^\s*\[\s*([^[\]]+?)\s*\]\s*(?:#.*)?$/.exec(line.replace(byteOrderMark, ""))?.[1];
}

function readFile(text: string, path: string): Record<string, ConfigValue> {
  let document: Record<string, unknown>;
  try {
    document = parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [problem = "cannot be read"] = cause.message.split("\n");
    throw malformed(path, cause.line, problem.replace(/^Invalid TOML document: /, ""));
  }
  const values: Record<string, ConfigValue> = {};
  for (const [key, value] of flatten(document)) {
    const line = lineOfKey(text, key) ?? 1;
    if (!isSettingKey(key)) {
      throw new Refusal("config.unknown-key", `${path}:${line}: there is no setting ${key}`, { path, line, key });
    }
    if (!fits(key, value)) throw malformed(path, line, `${key} must be ${typeNames[declarations[key].type]}`);
    const complaint = complaintAbout(key, value as ConfigValue);
    if (complaint !== undefined) throw malformed(path, line, `${key} must ${complaint}`);
    values[key] = value as ConfigValue;
  }
  return values;
}

/** Tables become dotted keys; arrays of tables stay values. */
function flatten(table: Record<string, unknown>, prefix = ""): [string, unknown][] {
  return Object.entries(table).flatMap(([name, value]): [string, unknown][] => {
    const key = prefix + name;
    const isTable = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
    if (isTable && !isSettingKey(key)) return flatten(value as Record<string, unknown>, `${key}.`);
    return [[key, value]];
  });
}

function readFlags(flags: readonly string[]): Map<SettingKey, string> {
  const found = new Map<SettingKey, string>();
  for (const flag of flags) {
    const at = flag.indexOf("=");
    const key = at === -1 ? flag : flag.slice(0, at);
    if (!isSettingKey(key)) throw new Refusal("config.unknown-key", `there is no setting ${key}`, { key });
    if (at === -1) throw new Refusal("usage.bad-value", `--set wants ${key}=value`, { key });
    found.set(key, flag.slice(at + 1));
  }
  return found;
}

function usableText(key: SettingKey, text: string, from: string): ConfigValue {
  const value = parseText(key, text, from);
  const complaint = complaintAbout(key, value);
  if (complaint === undefined) return value;
  throw new Refusal("usage.bad-value", `${from}: ${key} must ${complaint}`, { key });
}

function parseText(key: SettingKey, text: string, from: string): ConfigValue {
  const refuse = (): Refusal =>
    new Refusal(
      "usage.bad-value",
      `${from}: ${key} must be ${typeNames[declarations[key].type]}, not ${JSON.stringify(text)}`,
      {
        key,
      },
    );
  switch (declarations[key].type as string) {
    case "text":
      return text;
    case "boolean":
      if (["true", "1", "yes", "on"].includes(text)) return true;
      if (["false", "0", "no", "off"].includes(text)) return false;
      throw refuse();
    case "integer":
      if (/^-?\d{1,15}$/.test(text)) return Number(text);
      throw refuse();
    case "texts": {
      const list = text.trim().startsWith("[") ? listIn(text) : text.split(",").map((part) => part.trim());
      if (list === undefined) throw refuse();
      return text === "" ? [] : list;
    }
    default:
      throw new Refusal("usage.bad-value", `${key} holds tables and can only be set in config.toml`, { key });
  }
}

/** A list as it is written in the file, for texts that hold a comma, and because people write it so. */
function listIn(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
  } catch {
    return undefined;
  }
}

const typeNames = {
  text: "text in quotes",
  integer: "a whole number",
  boolean: "true or false",
  texts: "a list of texts",
  tables: "a list of tables",
} as const;

function fits(key: SettingKey, value: unknown): boolean {
  switch (declarations[key].type as keyof typeof typeNames) {
    case "text":
      return typeof value === "string";
    case "integer":
      return typeof value === "number" && Number.isSafeInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "tables":
      return Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null);
  }
}

/** Some editors put one in front. */
const byteOrderMark = /^\uFEFF/;

/** The line (from 1) on which a dotted key is set, for errors and edits; undefined when it is not there in plain form. */
function lineOfKey(text: string, key: string): number | undefined {
  let section = "";
  for (const [index, line] of text.replace(byteOrderMark, "").split("\n").entries()) {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?/.exec(line);
    if (header) {
      section = `${header[1]}.`;
      if (header[1] === key) return index + 1;
      continue;
    }
    const name = /^\s*("?)([A-Za-z0-9_.-]+)\1\s*=/.exec(line)?.[2];
    if (name !== undefined && section + name === key) return index + 1;
  }
  return undefined;
}

function splitKey(key: string): [section: string, name: string] {
  const at = key.lastIndexOf(".");
  return [key.slice(0, at), key.slice(at + 1)];
}

function tomlLiteral(value: ConfigValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
  return String(value);
}

function malformed(path: string, line: number, problem: string): Refusal {
  return new Refusal("config.malformed", `${path}:${line}: ${problem}`, { path, line });
}
