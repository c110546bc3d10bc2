// `constel install`: what it would change in a person's own files, and doing it. All is planned first, and what cannot be done is
// refused before the first byte is written. Undo puts the bytes of before back where nobody touched the file since, and takes out only
// what is ours where somebody did.

import { lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { parse, TomlError } from "smol-toml";
import { counted } from "../../protocol/counted.ts";
import { listed } from "../../protocol/listed.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { InstallTarget, TomlTable } from "../../ports/runtime.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { cutAdded } from "./cut-added.ts";
import { addedTexts, addHooks, removeHooks, type Unfit } from "./json-hooks.ts";
import {
  hashOf,
  type InstallRecord,
  readInstallRecord,
  removeInstallRecord,
  writeInstallRecord,
} from "./install-records.ts";
import { killPoint } from "../../settings/kill-at.ts";
import { plainJson } from "./plain-json.ts";
import { lineDiff } from "./line-diff.ts";
import { addBlock, markdownMarks, removeBlock, tomlMarks } from "./marked-block.ts";
import { removeTrust } from "./toml-trust.ts";
import { readSettingsFile, removeSettingsFile, type SettingsFile, writeSettingsFile } from "./settings-file.ts";

export interface FilePlan {
  readonly target: InstallTarget;
  readonly file: SettingsFile;
  readonly change: "write" | "remove" | "same" | "absent" | "not-ours";
  /** The new content of the file. */
  readonly content: string | Buffer;
  /** The content that the file would have without us. Null if there would be no file. */
  readonly before: Buffer | null;
  /** The texts that are added to the content without us, each by itself. */
  readonly added: readonly string[];
  readonly diff: readonly string[];
  /** Anything else to know of it before somebody says yes. */
  readonly note?: string;
}

/** Plans the file with our part in it. If the file has our part already, the newer one replaces it. */
export function planInstall(home: string, target: InstallTarget): FilePlan {
  const file = readSettingsFile(target.path);
  const without = withoutOurs(home, target, file);
  if (without === "not-ours")
    return { target, file, change: "not-ours", content: "", before: null, added: [], diff: [] };
  const base = readable(target, without.text);
  const content = withOurs(target, base.text);
  const change = file.bytes !== undefined && content === file.text ? "same" : "write";
  const added = addedBy(target, base.text, content);
  const diff = lineDiff(file.text, content);
  const note = base.note === undefined ? {} : { note: base.note };
  return { target, file, change, content, before: without.bytes, added, diff, ...note };
}

/** The text as the program reads it, and what that takes. */
function readable(target: InstallTarget, text: string): { readonly text: string; readonly note?: string } {
  if (target.kind !== "hooks") return { text };
  if (text.trim() === "") return { text: target.mark ? text : text.replace("\uFEFF", "") };
  // Text that is not JSON even so is refused, with its own line.
  if (typeof addHooks(text, target.entries) !== "string") return { text };
  const { text: plain, comments, commas, mark } = plainJson(text, target.comments, target.mark);
  const gone = [
    ...(comments === 0 ? [] : [counted(comments, "comment")]),
    ...(commas === 0 ? [] : [counted(commas, "trailing comma")]),
    ...(mark ? ["the byte order mark"] : []),
  ];
  if (gone.length === 0) return { text };
  const are = comments + commas + Number(mark) === 1 ? "is" : "are";
  const note = `${target.runtime} skips such a file as a whole, hooks included, so ${listed(gone)} ${are} taken out; \`constel install ${target.runtime} --undo\` puts the file back as it was.`;
  return { text: plain, note };
}

export function planUndo(home: string, target: InstallTarget): FilePlan {
  const file = readSettingsFile(target.path);
  const plan = { target, file, before: null, content: "", added: [], diff: [] };
  if (file.bytes === undefined) return { ...plan, change: "absent" };
  const without = withoutOurs(home, target, file);
  if (without === "not-ours") return { ...plan, change: "not-ours" };
  if (without.bytes === null) return { ...plan, change: "remove", diff: lineDiff(file.text, "") };
  if (without.bytes.equals(file.bytes)) return { ...plan, change: "absent" };
  return { ...plan, change: "write", content: without.bytes, diff: lineDiff(file.text, without.text) };
}

/** While a person thought about it, the file may have become another. */
export function refuseChanged({ target: { path }, file, change }: FilePlan): void {
  if (change !== "write" && change !== "remove") return;
  const now = readSettingsFile(path);
  const isSame = now.bytes === undefined ? file.bytes === undefined : file.bytes?.equals(now.bytes) === true;
  if (!isSame || now.real !== file.real)
    throw new Refusal("install.changed", `${path} has changed meanwhile`, { path });
}

/** `making`: the directories that will be made for all that is installed together. */
export function applyInstall(home: string, plan: FilePlan, nowMs: number, making: readonly string[] = []): void {
  const { target, file, content, before, added } = plan;
  if (plan.change !== "write") return;
  const known = readInstallRecord(home, target.path);
  const made = [...new Set([...(known?.made ?? []), ...making])];
  const afterHash = hashOf(content);
  // First what is needed to undo it.
  const reads =
    target.kind === "hooks"
      ? { ...(target.comments ? { comments: true } : {}), ...(target.mark ? {} : { mark: false }) }
      : {};
  const about = { path: target.path, runtime: target.runtime, atMs: nowMs, ...reads };
  writeInstallRecord(home, { ...about, before, afterHash, added, made });
  killPoint("install.recorded");
  try {
    refuseChanged(plan);
    writeSettingsFile(file, content);
  } catch (cause) {
    if (known === undefined) removeInstallRecord(home, target.path);
    else writeInstallRecord(home, known);
    throw cause;
  }
  killPoint("install.written");
}

/** Answers the directories that were made for the file: they go when all files are done, and then what is known of it. */
export function applyUndo(home: string, plan: FilePlan): readonly string[] {
  const { target, file, content, change } = plan;
  refuseChanged(plan);
  if (change === "write") writeSettingsFile(file, content);
  if (change === "remove") removeSettingsFile(file);
  killPoint("undo.written");
  return change === "not-ours" ? [] : (readInstallRecord(home, target.path)?.made ?? []);
}

/** After everything is undone; until then a kill leaves enough to undo the rest. */
export function forgetUndone(home: string, { target, change }: FilePlan): void {
  if (change !== "not-ours") removeInstallRecord(home, target.path);
}

/** Those that hold nothing, the innermost first. */
export function removeEmptied(directories: readonly string[]): void {
  for (const directory of [...new Set(directories)].sort((a, b) => b.length - a.length)) removeIfEmpty(directory);
}

/** The bytes of before where we know them; else the file as it is, with ours taken out. */
function withoutOurs(
  home: string,
  target: InstallTarget,
  file: SettingsFile,
): { readonly text: string; readonly bytes: Buffer | null } | "not-ours" {
  const { bytes, text } = file;
  if (bytes === undefined) return { text: "", bytes: null };
  const record = readInstallRecord(home, target.path);
  if (record !== undefined && record.afterHash === hashOf(bytes))
    return { text: record.before?.toString("utf8") ?? "", bytes: record.before };
  if (target.kind === "file") return text === target.text ? { text: "", bytes: null } : "not-ours";
  const left = cutRecorded(record, text) ?? strip(target, text);
  // We made it, and nothing but what we put there is left.
  const isEmptied = record?.before === null && ["", "{}"].includes(left.replace(/\s/g, ""));
  return isEmptied ? { text: "", bytes: null } : { text: left, bytes: Buffer.from(left) };
}

function cutRecorded(record: InstallRecord | undefined, text: string): string | undefined {
  if (record?.added === undefined || record.added.length === 0) return undefined;
  return cutAdded(text, record.before?.toString("utf8") ?? "", record.added);
}

function withOurs(target: InstallTarget, text: string): string {
  switch (target.kind) {
    case "hooks":
      return fit(target.path, addHooks(text, target.entries));
    case "instructions":
      return addBlock(text, target.text, markdownMarks);
    case "toml":
      return withTables(target.path, text, target.tables);
    case "file":
      return target.text;
  }
}

function addedBy(target: InstallTarget, before: string, after: string): readonly string[] {
  if (target.kind === "hooks") return addedTexts(before, target.entries);
  // Blocks stand at the end.
  return after.length > before.length ? [after.slice(before.length)] : [];
}

function strip(target: Exclude<InstallTarget, { kind: "file" }>, text: string): string {
  switch (target.kind) {
    case "hooks":
      return fit(target.path, removeHooks(text, target.isOurs));
    case "instructions":
      return removeBlock(text, markdownMarks);
    case "toml":
      return removeTrust(text);
  }
}

/** Both as it was and as it will be it must be TOML. Tables that are there already are somebody else's and stay. */
function withTables(path: string, text: string, tables: readonly TomlTable[]): string {
  const before = parsedToml(path, text);
  const missing = tables.filter(({ keys }) => !hasTable(before, keys));
  if (missing.length === 0) return text;
  const blocks = missing.map(({ keys, body }) => `[${keys.map(tomlKey).join(".")}]\n${body}`);
  const after = addBlock(text, blocks.join("\n"), tomlMarks);
  try {
    parse(after.replace("\uFEFF", ""));
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    // An inline table, or dotted keys: TOML lets nobody add to these from outside.
    const line = text.split(/\r?\n/).findIndex((one) => /^\s*(?:\[+\s*)?["']?hooks\b/.test(one)) + 1;
    throw invalid(path, { line: Math.max(1, line), why: "hooks is written so that no table can be added to it" });
  }
  return after;
}

const tomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key));

function hasTable(table: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  if (typeof table !== "object" || table === null || !Object.hasOwn(table, key)) return false;
  return hasTable((table as Record<string, unknown>)[key], rest);
}

function parsedToml(path: string, text: string): unknown {
  try {
    return parse(text.replace("\uFEFF", ""));
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    throw invalid(path, { line: cause.line, why: `it is not TOML: ${cause.message.split("\n")[0] ?? ""}` });
  }
}

function fit(path: string, text: string | Unfit): string {
  if (typeof text === "string") return text;
  throw invalid(path, text);
}

function invalid(path: string, { line, why }: Unfit): Refusal {
  return new Refusal("install.invalid-file", `${path}:${line}: ${why}`, { path, line });
}

/** On the way to these files, the outermost first. */
export function missingDirectories(paths: readonly string[]): string[] {
  const missing = (directory: string): string[] => {
    if (directory === dirname(directory) || lstatSync(directory, { throwIfNoEntry: false }) !== undefined) return [];
    return [...missing(dirname(directory)), directory];
  };
  return [...new Set(paths.flatMap((path) => missing(dirname(path))))];
}

function removeIfEmpty(directory: string): void {
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  using above = TrustedDirectory.open(dirname(directory));
  above.removeEmpty(basename(directory));
}
