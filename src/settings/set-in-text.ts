// One value of config.toml set, and the rest of the file as it was: comments, order, line ends. TOML can say the same in many ways (lists
// over several lines, quoted and dotted keys, tables in braces), so an edit counts only when the file then reads as before but for that value.

import { parse } from "smol-toml";
import { Refusal } from "../protocol/errors.ts";
import { byteOrderMark, lineOfKey, usableText } from "./config.ts";
import type { ConfigValue, SettingKey } from "./declarations.ts";

export function setInText(text: string, key: SettingKey, value: string): string {
  const wanted = usableText(key, value, "config.toml");
  const edits = possibleEdits(text, key, tomlLiteral(wanted));
  const before = readable(text);
  // What cannot be read may be the very line that is set; whoever writes the file looks whether it can be read then.
  if (before === undefined) return edits.next().value ?? text;
  const expected = withValue(before, key, wanted);
  for (const after of edits) if (Bun.deepEquals(readable(after), expected)) return after;
  const line = lineOfKey(text, key);
  throw new Refusal(
    "config.by-hand",
    `config.toml holds ${key} in a form that only you can change${line === undefined ? "" : `, in line ${line}`}`,
    { key, ...(line === undefined ? {} : { line }) },
  );
}

/** The likeliest first. Which of them is right is for the parser to say. */
function* possibleEdits(text: string, key: SettingKey, literal: string): Generator<string, undefined> {
  const [section, name] = splitKey(key);
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  const written = (all: readonly string[]): string => all.map((line) => line + end).join("");
  for (const [first, line] of lines.entries()) {
    if (nameIn(line) !== name) continue;
    const before = line.slice(0, line.indexOf("=")).trimEnd(); // as it was written: `port`, or `http.port` on top
    for (let last = first; last < Math.min(lines.length, first + mostLines); last++) {
      const comment = trailingComment.exec(lines[last] ?? "")?.[1];
      const set = `${before} = ${literal}${comment === undefined ? "" : ` ${comment}`}`;
      yield written(lines.toSpliced(first, last - first + 1, set));
    }
  }
  for (const [index, line] of lines.entries())
    if (sectionOf(line) === section) yield written(lines.toSpliced(index + 1, 0, `${name} = ${literal}`));
  yield written([...lines, ...(lines.length > 0 ? [""] : []), `[${section}]`, `${name} = ${literal}`]);
  yield written([`${section}.${name} = ${literal}`, ...lines]); // the section may be made of dotted keys on top
  return undefined;
}

/** A list that somebody wrote one entry a line. */
const mostLines = 500;

const trailingComment = /^[^"'#]*(?:(?:"[^"]*"|'[^']*')[^"'#]*)?(#.*)$/;

/** The last part of the key that a line sets. */
function nameIn(line: string): string | undefined {
  return /^(?:\s*["']?[\w-]+["']?\s*\.)*\s*["']?([\w-]+)["']?\s*=/.exec(line.replace(byteOrderMark, ""))?.[1];
}

/** `[http]`, with or without a comment behind it. */
function sectionOf(line: string): string | undefined {
  const header = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line.replace(byteOrderMark, ""))?.[1];
  return header?.replaceAll(/["'\s]/g, "");
}

function readable(text: string): Record<string, unknown> | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function withValue(document: Record<string, unknown>, key: SettingKey, value: ConfigValue): Record<string, unknown> {
  const [section, name] = splitKey(key);
  const table = document[section];
  return { ...document, [section]: { ...(typeof table === "object" ? table : {}), [name]: value } };
}

function splitKey(key: string): [section: string, name: string] {
  const at = key.lastIndexOf(".");
  return [key.slice(0, at), key.slice(at + 1)];
}

function tomlLiteral(value: ConfigValue): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map((item) => quoted(item)).join(", ")}]`;
  return String(value);
}

/** TOML takes what JSON does, but for one control character that JSON lets stand. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");
