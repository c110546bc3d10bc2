// Finds the sources that a command of the quick program is made of, by its first word: all that it can load, and nothing that it cannot.
// Where this cannot be told from the graph of imports, the word is left out, and all sources count for it.
//
// A command is found in its manifest and loaded from there. It reaches the daemon by the context's `caller`, and the rooms behind the doors
// by its `backstage`; both are put together in cli.ts and main.ts, so that the graph alone would show every command all of it.

import { dirname, join } from "node:path";
import { between, type BuiltFrom } from "../src/quick/built-from.ts";

interface Edge {
  readonly to: string;
  /** Loaded when it is needed, and not before. */
  readonly isLater: boolean;
}

export interface QuickSources {
  readonly names: readonly string[];
  /** Of any command, without what only some begin with: those compare it for themselves. */
  readonly ofCommands: ReadonlySet<string>;
  /** Of each word that is made of less. */
  readonly ofWord: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface QuickParts {
  readonly inputs: Bun.BuildMetafile["inputs"];
  /** Our own among them. */
  readonly names: readonly string[];
  /** The sources that are compared when they are loaded, and not before. */
  readonly onlySome: readonly string[];
  /** The first words of the commands that a manifest declares. */
  readonly wordsOf: ReadonlyMap<string, readonly string[]>;
  /** Returns the part of a source that is neither comment nor type. */
  readonly codeOf: (name: string) => string;
}

const entry = "src/quick/quick.ts";
const main = "src/main.ts";
const hook = "src/doors/hook/hook.ts";
const cli = "src/doors/cli/cli.ts";
const caller = "src/doors/cli/reach/caller.ts";
/** The module that the caller asks backstage for, when there is no daemon. */
const readInProcess = "src/app/read-in-process.ts";
const backstage = /^src\/(app|daemon|doors\/(mcp|tui|a2a))\//;
const manifests = /^src\/doors\/cli\/manifest\/(?!all\.ts$)/;

export function quickSources({ inputs, names, onlySome, wordsOf, codeOf }: QuickParts): QuickSources {
  const ours = new Set(names.filter((name) => !onlySome.includes(name)));
  const edges = (name: string): Edge[] => edgesOf(inputs, name).filter(({ to }) => ours.has(to));
  const reach = (roots: readonly string[], isCut: (from: string, edge: Edge) => boolean): Set<string> => {
    const found = new Set<string>();
    const queue = [...roots];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (found.has(name)) continue;
      found.add(name);
      for (const edge of edges(name)) if (!isCut(name, edge)) queue.push(edge.to);
    }
    return found;
  };
  const all = (roots: readonly string[]): Set<string> => reach(roots, () => false);
  const every = reach(
    [entry],
    (from, { to, isLater }) =>
      (from === main && isLater && (to === hook || backstage.test(to))) ||
      (from === cli && to === caller) ||
      (manifests.test(from) && isLater),
  );
  // Of the rest, who mentions them may ask for them. The name of a file that is imported is no mention.
  const saidIn = (name: string): string => codeOf(name).replaceAll(/\b(?:from|import)\s*\(?\s*"[^"]*"/g, "");
  const mentions = (names: Iterable<string>, word: RegExp): boolean =>
    [...names].some((name) => name !== main && name !== cli && word.test(saidIn(name)));
  const alone =
    codeOf(caller).match(/\bbackstage\b/g)?.length === codeOf(caller).match(/backstage\.readInProcess\b/g)?.length;

  const ofWord = new Map<string, ReadonlySet<string>>();
  for (const [manifest, words] of wordsOf) {
    const commands = all(edges(manifest).map(({ to }) => to));
    const own = new Set([...every, ...commands]);
    if (mentions(own, /\bbackstage\b/) || !alone) continue;
    const whole = mentions(own, /\bcaller\b/) ? new Set([...own, ...all([caller, readInProcess])]) : own;
    for (const word of words) ofWord.set(word, whole);
  }
  const toVersion = reach([entry], (from, { isLater, to }) => from === main && isLater && to !== "package.json");
  for (const word of ["--version", "-V"]) ofWord.set(word, toVersion);
  ofWord.set("hook", new Set([...toVersion, ...all(hookDoor(codeOf(main)))]));
  return { names, ofCommands: all([entry]), ofWord };
}

/**
 * Returns what main.ts loads for a hook: all that stands before it turns to another word. A hook cannot hand over once it has read what it
 * was told, so all that it may need is compared at its beginning.
 */
function hookDoor(code: string): string[] {
  const [door = "", ...rest] = code.split(/\belse if\b/);
  const loaded = [...door.matchAll(/import\("(\.[^"]+)"\)/g)].map(([, path = ""]) => join(dirname(main), path));
  if (rest.length === 0 || !loaded.includes(hook)) throw new Error("main.ts does not open the door of hooks first");
  return loaded;
}

function edgesOf(inputs: QuickParts["inputs"], name: string): Edge[] {
  // What is loaded later is named by the piece it ends up in; only its original name says which source that is.
  return (inputs[name]?.imports ?? []).map(({ path, original = path, kind }) => ({
    to: original.startsWith(".") ? join(dirname(name), original) : path,
    isLater: kind === "dynamic-import",
  }));
}

/** In an order in which most words are made of a few stretches, and where these begin and end. What commands are made of comes first. */
export function inStretches({ names, ofCommands, ofWord }: QuickSources): {
  readonly names: readonly string[];
  readonly commandCount: number;
  readonly rangesOfWord: Readonly<Record<string, readonly number[]>>;
} {
  const wordsOf = (name: string): string =>
    [...ofWord].flatMap(([word, own]) => (own.has(name) ? [word] : [])).join(" ");
  const together = [...Map.groupBy(ofCommands, wordsOf).values()].flat();
  const ordered = [...together, ...names.filter((name) => !ofCommands.has(name))];
  const ranges = (own: ReadonlySet<string>): number[] =>
    Array.from({ length: ordered.length + 1 }, (_, index) => index).filter(
      (index) => own.has(ordered[index] ?? "") !== own.has(ordered[index - 1] ?? ""),
    );
  return {
    names: ordered,
    commandCount: together.length,
    rangesOfWord: Object.fromEntries([...ofWord].map(([word, own]) => [word, ranges(own)])),
  };
}

/** The sources that the program was built from, one by one, as the list lies beside it. */
export interface ListedSources {
  /** Bun, relative to the top of the clone. */
  readonly bun: string;
  readonly build: string;
  /** Relative to the top of the clone, when the inode of each last changed (`ctimeMs`), and a word for its content. */
  readonly names: readonly string[];
  readonly changedMs: readonly number[];
  readonly contents: readonly string[];
  readonly commandCount: number;
  readonly rangesOfWord: Readonly<Record<string, readonly number[]>>;
}

/** The same as the program has it in itself: sources that no word tells apart in one text, and ranges of such texts. */
export function packed({ bun, names, changedMs, commandCount, rangesOfWord }: ListedSources): BuiltFrom {
  const ends = new Set([0, commandCount, names.length, ...Object.values(rangesOfWord).flat()]);
  const edges = [...ends].sort((a, b) => a - b);
  const stretch = (from: number, to = names.length): string =>
    names
      .slice(from, to)
      .map((name, index) => `${name}${between}${changedMs[from + index]}`)
      .join(between);
  const inStretch = (ranges: readonly number[]): number[] => ranges.map((at) => edges.indexOf(at));
  return {
    bun,
    stretches: edges.slice(0, -1).map((from, index) => stretch(from, edges[index + 1])),
    commandCount: edges.indexOf(commandCount),
    rangesOfWord: Object.fromEntries(Object.entries(rangesOfWord).map(([word, ranges]) => [word, inStretch(ranges)])),
  };
}
