// config.toml: reading it with errors that name the line, and merging it with flags and environment. Precedence: flag, environment, file,
// default. A value means the same wherever it is given: numbers and lists are read as TOML from all of them.

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
  /** The path of the file, for errors. */
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

/** Checks what `--set` says, whatever stands in the file: a word that is not understood is refused. */
export function checkFlags(flags: readonly string[]): void {
  for (const [key, text] of readFlags(flags)) usableText(key, text, "--set");
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
    if (isTable(value) && !isSettingKey(key)) return flatten(value, `${key}.`);
    return [[key, value]];
  });
}

/** A list is an object too, and so is a date. */
function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function readFlags(flags: readonly string[]): Map<SettingKey, string> {
  const found = new Map<SettingKey, string>();
  for (const flag of flags) {
    const at = flag.indexOf("=");
    const key = at === -1 ? flag : flag.slice(0, at);
    if (!isSettingKey(key)) throw new Refusal("config.unknown-key", `there is no setting ${key}`, { key });
    if (at === -1) throw new Refusal("usage.bad-value", `--set takes ${key}=value`, { key });
    found.set(key, flag.slice(at + 1));
  }
  return found;
}

export function usableText(key: SettingKey, text: string, from: string): ConfigValue {
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
    case "integer": {
      const value = tomlValue(text);
      if (!fits(key, value)) throw refuse();
      return (value as number) + 0; // there is no -0
    }
    case "texts": {
      if (text === "") return [];
      const list = text.trim().startsWith("[") ? tomlValue(text) : text.split(",").map((part) => part.trim());
      if (!fits(key, list)) throw refuse();
      return list as string[];
    }
    default:
      throw new Refusal("usage.bad-value", `${key} holds tables and can only be set in config.toml`, { key });
  }
}

/** As it would be understood in the file; undefined when it would not. */
function tomlValue(text: string): unknown {
  try {
    const { value, ...others } = parse(`value = ${text.trim()}`);
    return Object.keys(others).length === 0 ? value : undefined;
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
      return Array.isArray(value) && value.every(isTable);
  }
}

/** Some editors put one in front. */
export const byteOrderMark = /^\uFEFF/;

/** The line (from 1) on which a dotted key is set, for errors and edits; undefined when it is not there in plain form. */
export function lineOfKey(text: string, key: string): number | undefined {
  let section = "";
  for (const [index, line] of text.replace(byteOrderMark, "").split("\n").entries()) {
    const header = /^\s*\[\[?([^\]]+)\]/.exec(line);
    if (header) {
      section = `${header[1]?.trim()}.`;
      if (header[1] === key) return index + 1;
      continue;
    }
    const name = /^\s*("?)([A-Za-z0-9_.-]+)\1\s*=/.exec(line)?.[2];
    if (name !== undefined && section + name === key) return index + 1;
  }
  return undefined;
}

function malformed(path: string, line: number, problem: string): Refusal {
  return new Refusal("config.malformed", `${path}:${line}: ${problem}`, { path, line });
}
