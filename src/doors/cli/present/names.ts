// Chooses the names of lines of work on a screen. A label is a whole branch name, and two of them fill a line of 80 columns before anything
// is said; a task's branch is therefore called by its number, and another long one loses its middle. Names that are shown together are never
// the same for two labels. JSON has the labels themselves.

import { counted } from "../../../protocol/counted.ts";
import { listed } from "../../../protocol/listed.ts";
import { pathText } from "./hunks.ts";
import { unbounded } from "./output.ts";
import { middleCut, width } from "./table.ts";

export type Name = (label: string) => string;

/** Longer labels than this are shortened. */
const longest = 28;

/** As constel names the branch of a task, with the directory where two worktrees share it. */
const ofTask = /^constel\/([^/]+)\/(\d+)-[^/ ]*( \([^/]*\))?$/;

/** The default branch as the origin has it, and its commit. */
const ofOrigin = /^(\S+ at the origin) \([0-9a-f]+\)$/;

/** Names for labels that are shown together. Where there are no columns (a pipe, a file), none loses its middle. */
export function namesOf(labels: Iterable<string>, columns = 0): Name {
  const most = columns >= unbounded ? Infinity : longest;
  const all = [...new Set(labels)].map((label) => ({ label, names: candidates(label, most) }));
  const wanted = new Map<string, number>();
  for (const name of all.flatMap(({ names }) => names)) wanted.set(name, (wanted.get(name) ?? 0) + 1);
  const chosen = new Map(all.map(({ label, names }) => [label, names.find((name) => wanted.get(name) === 1) ?? label]));
  return (label) => chosen.get(label) ?? label;
}

/** The text with every label in it replaced by its name. Labels that keep their name are left alone, however short. */
export function renamed(text: string, labels: readonly string[], name: Name): string {
  const changed = labels.filter((label) => label !== "" && name(label) !== label).sort((a, b) => b.length - a.length);
  if (changed.length === 0) return text;
  const pattern = new RegExp(`(?<![\\w/-])(?:${changed.map(escaped).join("|")})(?![\\w/-])`, "g");
  return text.replaceAll(pattern, name);
}

/**
 * Shortens a list of three or more names ("a, b, c and d") if the text is wider than this: the names that have no room are counted, as in
 * "a, b and 2 others". The rest of the text stays whole.
 */
export function fewerNames(text: string, names: readonly string[], columns: number): string {
  const list = width(text) <= columns ? undefined : longestList(text, names.map(pathText));
  if (list === undefined) return text;
  const [before, after] = [text.slice(0, list.at), text.slice(list.at + list.text.length)];
  const withFirst = (shown: number): string =>
    `${before}${listed([...list.names.slice(0, shown), counted(list.names.length - shown, "other")])}${after}`;
  let shown = list.names.length - 1;
  while (shown > 1 && width(withFirst(shown)) > columns) shown -= 1;
  return withFirst(shown);
}

interface NameList {
  readonly at: number;
  readonly text: string;
  readonly names: readonly string[];
}

/** The one with the most names, of three at least. */
function longestList(text: string, names: readonly string[]): NameList | undefined {
  const known = names.filter((name) => name !== "").sort((a, b) => b.length - a.length);
  if (known.length < 3) return undefined;
  const one = `(?:${known.map(escaped).join("|")})`;
  const lists = new RegExp(`(?<![\\w/-])${one}(?:, ${one})+ and ${one}(?![\\w/-])`, "g");
  const part = new RegExp(`(${one})(?:, | and |$)`, "gy");
  return [...text.matchAll(lists)]
    .map(({ 0: found, index }) => ({
      at: index,
      text: found,
      names: [...found.matchAll(part)].map(([, name = ""]) => name),
    }))
    .sort((a, b) => b.names.length - a.names.length)[0];
}

/** From the shortest on; the last is the label as it is. */
function candidates(label: string, most: number): string[] {
  const [, constellation, number, place = ""] = ofTask.exec(label) ?? [];
  if (number !== undefined) return [`task ${number}${place}`, `task ${number} of ${constellation}${place}`, label];
  const [, atOrigin] = ofOrigin.exec(label) ?? [];
  if (atOrigin !== undefined) return width(label) > most ? [atOrigin, label] : [label];
  const shorter = [most, most + 12, most + 24].filter((limit) => width(label) > limit);
  return [...shorter.map((limit) => middleCut(label, limit)), label];
}

const escaped = (label: string): string => label.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
