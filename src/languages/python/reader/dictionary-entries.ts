// The keys of a dictionary that a module writes out, and whether its file gives it more of them.

import type { PythonEntries } from "../facts.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

/** Tables of data are not read key by key. */
const mostKeys = 200;

/** The depth to which dictionaries in dictionaries are read. */
const mostLevels = 4;

/** undefined when not all keys are written out as texts. */
export function entriesOf(syntax: Syntax, name: string, dictionary: number): PythonEntries | undefined {
  if (dictionary === 0 || syntax.kind(dictionary) !== "dictionary") return undefined;
  let insideGrows: number | undefined | "unasked" = "unasked";
  return read(syntax, dictionary, grownAt(syntax.source, name), 1, () => {
    if (insideGrows === "unasked") insideGrows = insideGrownAt(syntax.source, name);
    return insideGrows;
  });
}

function read(
  syntax: Syntax,
  dictionary: number,
  grown: number | undefined,
  level: number,
  insideGrown: () => number | undefined,
): PythonEntries | undefined {
  const pairs = syntax.children(dictionary);
  if (pairs.length === 0 || pairs.length > mostKeys) return undefined;
  const keys: Record<string, readonly [number, number]> = {};
  const inside: Record<string, PythonEntries> = {};
  for (const pair of pairs) {
    const key = /^["']([\w.-]{1,60})["']$/.exec(syntax.text(syntax.at(pair, "key")))?.[1];
    if (key === undefined) return undefined;
    const value = syntax.at(pair, "value");
    keys[key] = [syntax.line(pair), Bun.hash.crc32(syntax.text(value))];
    if (level === mostLevels || value === 0 || syntax.kind(value) !== "dictionary") continue;
    const entries = read(syntax, value, grown ?? insideGrown(), level + 1, insideGrown);
    if (entries !== undefined) inside[key] = entries;
  }
  return {
    keys,
    ...(grown === undefined ? {} : { grown }),
    ...(Object.keys(inside).length === 0 ? {} : { inside }),
  };
}

/** The line where it is given keys, or handed to somebody who may do so. */
function grownAt(source: string, name: string): number | undefined {
  const own = `(?<![\\w.])${name}`;
  return lineOf(
    source,
    `${own}\\s*\\[[^\\]\\n]*\\]\\s*=(?!=)|${own}\\s*(\\.(update|setdefault)\\(|\\|=)|\\(\\s*${name}\\s*[,)]|,\\s*${name}\\s*\\)`,
  );
}

/** The line where a dictionary in it may be given keys: it is changed there, handed on, or gets a name of its own. */
function insideGrownAt(source: string, name: string): number | undefined {
  const entry = `(?<![\\w.])${name}(?:\\[[^\\]\\n]{0,80}\\]){1,4}`;
  return lineOf(source, `${entry}\\s*(=(?!=)|\\.(update|setdefault)\\(|\\|=|[,)])|[^=!<>]=\\s*${entry}\\s*$`, "m");
}

function lineOf(source: string, pattern: string, flags = ""): number | undefined {
  const at = source.search(new RegExp(pattern, flags));
  return at === -1 ? undefined : source.slice(0, at).split("\n").length;
}
