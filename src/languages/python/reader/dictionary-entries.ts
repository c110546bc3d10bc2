// The keys of a dictionary that a module writes out, and whether its file gives it more of them.

import type { PythonEntries } from "../facts.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

/** Tables of data are not read key by key. */
const mostKeys = 200;

/** undefined when not all keys are written out as texts. */
export function entriesOf(syntax: Syntax, name: string, dictionary: number): PythonEntries | undefined {
  if (dictionary === 0 || syntax.kind(dictionary) !== "dictionary") return undefined;
  const pairs = syntax.children(dictionary);
  if (pairs.length === 0 || pairs.length > mostKeys) return undefined;
  const keys: Record<string, readonly [number, number]> = {};
  for (const pair of pairs) {
    const key = /^["']([\w.-]{1,60})["']$/.exec(syntax.text(syntax.at(pair, "key")))?.[1];
    if (key === undefined) return undefined;
    keys[key] = [syntax.line(pair), Bun.hash.crc32(syntax.text(syntax.at(pair, "value")))];
  }
  const grown = grownAt(syntax.source, name);
  return { keys, ...(grown === undefined ? {} : { grown }) };
}

/** The line where it is given keys, or handed to somebody who may do so. */
function grownAt(source: string, name: string): number | undefined {
  const own = `(?<![\\w.])${name}`;
  const grows = new RegExp(
    `${own}\\s*\\[[^\\]\\n]*\\]\\s*=(?!=)|${own}\\s*(\\.(update|setdefault)\\(|\\|=)|\\(\\s*${name}\\s*[,)]|,\\s*${name}\\s*\\)`,
  );
  const at = source.search(grows);
  return at === -1 ? undefined : source.slice(0, at).split("\n").length;
}
