// The symbol index: what it costs beyond the parser to know what files offer and ask for, at first and after one edit.
// The files are constel's own sources, in memory, so that neither disk nor git is measured.

import { Glob } from "bun";
import { parseSync } from "oxc-parser";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Summaries } from "../src/languages/typescript/rules/summaries.ts";
import { parseTypeScript } from "../src/languages/typescript/reader/parse-typescript.ts";
import type { TypeScriptSummary } from "../src/languages/typescript/facts.ts";
import { type Entry, interleave, median } from "./harness.ts";

const sources = join(import.meta.dir, "../src");

/** Path to text; the path stands for the blob too. */
function ownSources(): Map<string, string> {
  const paths = [...new Glob("**/*.ts").scanSync(sources)].sort();
  return new Map(paths.map((path) => [path, readFileSync(join(sources, path), "utf8")]));
}

/** The tree has to be read out of the parser, for it is what anybody parses for. */
export function parserAlone(path: string, text: string): unknown {
  return parseSync(path, text, { lang: "ts", sourceType: "module", astType: "ts", preserveParens: false }).program;
}

function index(texts: ReadonlyMap<string, string>, cache = new Map<string, TypeScriptSummary>()) {
  const view = { id: "all", blobs: new Map([...texts.keys()].map((path) => [path, path])) };
  const summaries = new Summaries(parseTypeScript, cache, async (blob) => texts.get(blob));
  return { cache, fill: async () => await summaries.loadAll(view, [...texts.keys()], "full") };
}

async function firstTime(rounds: number) {
  const texts = ownSources();
  const { ours, floor } = await interleave(
    rounds,
    () => index(texts).fill(),
    () => {
      for (const [path, text] of texts) parserAlone(path, text);
    },
  );
  return { value: median(ours), floor: median(floor), unit: "ms", note: `${texts.size} TypeScript files` };
}

async function afterOneEdit(rounds: number) {
  const texts = ownSources();
  const { cache, fill } = index(texts);
  await fill();
  const edited = "sensing/watch.ts";
  const text = texts.get(edited) ?? "";
  const { ours, floor } = await interleave(
    rounds,
    async () => {
      for (const key of cache.keys()) if (key.startsWith(`${edited}:`)) cache.delete(key);
      await index(texts, cache).fill();
    },
    () => parserAlone(edited, text),
  );
  const note = `${texts.size} files, one edited: ${median(ours).toFixed(1)} ms, parser alone ${median(floor).toFixed(1)} ms`;
  return { value: median(ours) - median(floor), floor: 50, unit: "ms", note };
}

export const symbolEntries: readonly Entry[] = [
  {
    name: "symbol-index-first",
    what: "the symbol index of constel's own sources, for the first time",
    floorIs: "the parser alone over the same files",
    bar: 2,
    better: "lower",
    lane: "full",
    measure: (rounds) => firstTime(Math.min(rounds, 30)),
  },
  {
    name: "symbol-index-edit",
    what: "the symbol index after one edit, beyond the parser alone on that file",
    floorIs: "the 50 ms of the bar",
    bar: 1,
    better: "lower",
    lane: "full",
    measure: (rounds) => afterOneEdit(rounds),
  },
];
