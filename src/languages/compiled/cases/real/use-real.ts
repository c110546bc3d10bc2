// What the other side writes: a second copy of a real function that uses the declaration, a new function that calls it the way its
// parameters say, a type that implements it, and near misses: copies that have nothing to do with it, and names that only look the
// same. Each is a block between two marks, so that the compiler's errors can be held against the one they are in.

import type { Dice } from "../../../typescript/cases/random-project.ts";
import type { Files } from "../judge-trees.ts";
import type { Piece } from "./piece.ts";
import type { RealLanguage } from "./read-pieces.ts";
import { besides, type Block, type Draft, goFile } from "./block.ts";
import { madeUp } from "./made-up-real.ts";

const longestCopy = 3_500;

export function usesOf(
  language: RealLanguage,
  files: Files,
  pieces: readonly Piece[],
  target: Piece,
  dice: Dice,
  from: number,
): Block[] {
  const drafts: Draft[] = [];
  const word = new RegExp(`(?<![\\w$])${target.name}(?![\\w$])`);
  const functions = pieces.filter(
    (one) => one.kind === "function" && one.hasBody && one !== target && one.text.length < longestCopy,
  );
  const users = functions.filter((one) => word.test(one.text.slice(one.nameAt[1] - one.at[0])));
  for (const one of chosen(users, 5, dice)) drafts.push(copy(language, files, one, from + drafts.length, "copy"));
  const others = functions.filter((one) => one.path === target.path && !users.includes(one));
  for (const one of chosen(others, 2, dice)) drafts.push(copy(language, files, one, from + drafts.length, "near copy"));
  for (const one of madeUp(language, files, pieces, target)) drafts.push(one(from + drafts.length));
  return numbered(drafts, from);
}

/** Second copies of tests that use a declaration, and of some of the same files that do not. */
export function testsOf(files: Files, pieces: readonly Piece[], target: Piece, dice: Dice, from: number): Block[] {
  const word = new RegExp(`(?<![\\w$])${target.name}(?![\\w$])`);
  const tests = pieces.filter((one) => one.kind === "test" && one.text.length < longestCopy);
  const users = tests.filter((one) => word.test(one.text));
  const others = tests.filter((one) => one.path === target.path && !users.includes(one));
  const drafts = [
    ...chosen(users, 6, dice).map((one) => ({ one, kind: "copy of a test" })),
    ...chosen(others, 2, dice).map((one) => ({ one, kind: "near copy of a test" })),
  ].map(({ one, kind }, at): Draft => {
    const draft = copy("rust", files, one, from + at, kind);
    return { ...draft, at: nextLine(files[one.path] ?? "", one.at[1]) };
  });
  return numbered(drafts, from);
}

function numbered(drafts: readonly Draft[], from: number): Block[] {
  return drafts.map((draft, at) => ({ ...draft, number: from + at, text: marked(draft.text, from + at) }));
}

const marked = (text: string, number: number): string => `// block ${number}\n${text.trimEnd()}\n// end ${number}\n`;

function chosen<Item>(items: readonly Item[], count: number, dice: Dice): Item[] {
  const rest = [...items];
  const found: Item[] = [];
  while (rest.length > 0 && found.length < count) found.push(...rest.splice(dice.below(rest.length), 1));
  return found;
}

function copy(language: RealLanguage, files: Files, one: Piece, number: number, kind: string): Draft {
  const at = one.nameAt[0] - one.at[0];
  const name = language === "rust" ? `${one.name}_again${number}` : `${one.name}Again${number}`;
  const text = one.text.slice(0, at) + name + one.text.slice(at + one.name.length);
  const whole = files[one.path] ?? "";
  if (language === "go") return { kind, path: besides(one.path, number), at: undefined, text: goFile(whole, text) };
  if (language === "java")
    return { kind, path: one.path, at: nextLine(whole, one.at[1]), text: text.replace(/@Override\s*/g, "") };
  const header = one.header.replace(/^(unsafe\s+)?impl(\s*<(?:[^<>]|<[^<>]*>)*>)?\s+[^{]*?\sfor\s+/s, "impl$2 ");
  return { kind, path: one.path, at: whole.length, text: one.header === "" ? text : `${header} {\n    ${text}\n}` };
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

/** The blocks put into the tree, from the end of each file on, so that none moves another's place. */
export function withBlocks(files: Files, blocks: readonly Block[]): Files {
  const all: Record<string, string> = { ...files };
  for (const { path, at, text } of [...blocks].sort((a, b) => (b.at ?? 0) - (a.at ?? 0) || b.number - a.number)) {
    const whole = files[path] ?? "";
    if (at === undefined) all[path] = text;
    else all[path] = `${(all[path] ?? whole).slice(0, at)}\n${text}${(all[path] ?? whole).slice(at)}`;
  }
  return all;
}

/** The number of the block that a line of a file stands in. */
export function blockAt(text: string, line: number): number | undefined {
  const lines = text.split("\n");
  for (let at = Math.min(line, lines.length) - 1; at >= 0; at -= 1) {
    const [, word, number] = /^\s*\/\/ (block|end) (\d+)$/.exec(lines[at] ?? "") ?? [];
    if (word === "block") return Number(number);
    if (word === "end" && at !== line - 1) return undefined;
  }
  return undefined;
}
