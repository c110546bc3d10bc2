// Errors of the merged tree that neither side has, each with the definition behind it. Only errors that mean a broken
// reference, call, member or type count; style and strictness do not.

import { type Diagnostic, DiagnosticCategory } from "typescript/unstable/async";
import type { Side } from "../../../ports/semantic.ts";
import { blame, type Found, type Sides } from "./blame.ts";
import { settingsFor } from "./compiler-options.ts";
import { CompilerTree, top } from "./compiler-tree.ts";
import { callCodes, goneCodes, memberCodes } from "./error-codes.ts";
import { missingPackages, unresolvedCodes } from "./missing-packages.ts";
import type { NativeCompiler, Shown } from "./native-compiler.ts";
import type { TreeTexts } from "./tree-texts.ts";
import type { CompilerAnswer, CompilerFinding } from "./typescript-compiler.ts";

export interface Comparison {
  readonly ours: ReadonlyMap<string, string>;
  readonly theirs: ReadonlyMap<string, string>;
  readonly merged: ReadonlyMap<string, string>;
  readonly paths: readonly string[];
  readonly between: readonly string[];
  readonly betweenMs: number;
  readonly packagesFrom: string | undefined;
}

export interface CompilerTools {
  readonly compiler: NativeCompiler;
  readonly texts: TreeTexts;
  /** Returns the time that the compiler has spent, as it is counted against `betweenMs`. */
  readonly spentMs: () => number;
}

/**
 * False for errors that do not come from two sides not fitting: unused things (6xxx), types left to be guessed (7xxx, but for a key that
 * is not there), settings (5xxx) and suggestions (80xxx).
 */
function isTelling(code: number): boolean {
  return code === 7053 || !((code >= 5000 && code < 8000) || code >= 80_000);
}

type Trees = Readonly<Record<Side | "merged", CompilerTree>>;

interface Group {
  readonly settings: string | undefined;
  readonly paths: readonly string[];
}

interface Compared {
  readonly findings: readonly CompilerFinding[];
  readonly unasked: readonly string[];
  readonly missing: readonly string[];
}

export async function compareTrees(comparison: Comparison, tools: CompilerTools): Promise<CompilerAnswer> {
  const trees = await treesOf(comparison, tools.texts);
  const untilMs = tools.spentMs() + comparison.betweenMs;
  const all: Compared[] = [];
  for (const group of groupsOf(trees.merged, [...comparison.paths, ...comparison.between])) {
    all.push(await new GroupCheck(group, trees, tools).compare(new Set(comparison.between), untilMs));
  }
  return {
    findings: all.flatMap(({ findings }) => findings),
    complete: true,
    unasked: all.flatMap(({ unasked }) => unasked),
    missingPackages: [...new Set(all.flatMap(({ missing }) => missing))].sort(),
  };
}

async function treesOf({ ours, theirs, merged, packagesFrom }: Comparison, texts: TreeTexts): Promise<Trees> {
  const treeOf = (blobs: ReadonlyMap<string, string>): CompilerTree => new CompilerTree(blobs, texts, packagesFrom);
  const trees = { ours: treeOf(ours), theirs: treeOf(theirs), merged: treeOf(merged) };
  await Promise.all(Object.values(trees).map((tree) => tree.open()));
  return trees;
}

/** The paths that are compiled under the same settings, together. */
function groupsOf(tree: CompilerTree, paths: readonly string[]): Group[] {
  const groups = new Map<string | undefined, string[]>();
  for (const path of paths) {
    const settings = settingsFor(path, tree);
    const group = groups.get(settings);
    if (group === undefined) groups.set(settings, [path]);
    else group.push(path);
  }
  return [...groups].map(([settings, of]) => ({ settings, paths: of }));
}

/** Files under the same settings. */
class GroupCheck {
  readonly #group: Group;
  readonly #trees: Trees;
  readonly #tools: CompilerTools;
  readonly #shown: Shown[] = [];

  constructor(group: Group, trees: Trees, tools: CompilerTools) {
    this.#group = group;
    this.#trees = trees;
    this.#tools = tools;
  }

  async compare(isFurther: ReadonlySet<string>, untilMs: number): Promise<Compared> {
    try {
      return await this.#compare(isFurther, untilMs);
    } finally {
      for (const shown of this.#shown) await shown.dispose();
    }
  }

  async #compare(isFurther: ReadonlySet<string>, untilMs: number): Promise<Compared> {
    const { paths } = this.#group;
    const merged = await this.#show(this.#trees.merged);
    const first = paths.filter((path) => !isFurther.has(path));
    const further = paths.filter((path) => isFurther.has(path));
    const errors = await errorsIn(merged, first);
    const unresolved = errors.filter(({ code }) => unresolvedCodes.has(code)).map(({ message }) => quoted(message));
    const program = await merged.project.program.getSourceFileNames();
    const missing = missingPackages(merged.tree, unresolved, program);
    let asked = 0;
    for (; asked < further.length && this.#tools.spentMs() < untilMs; asked += 1)
      errors.push(...(await errorsIn(merged, further.slice(asked, asked + 1))));
    return { findings: await this.#findings(errors, merged), unasked: further.slice(asked), missing };
  }

  async #findings(errors: readonly Found[], merged: Shown): Promise<CompilerFinding[]> {
    if (errors.length === 0) return [];
    const sides = { ours: await this.#show(this.#trees.ours), theirs: await this.#show(this.#trees.theirs) };
    const before = new Map<string, number>();
    for (const side of Object.values(sides)) {
      const there = [...new Set(errors.map(({ path }) => path))].filter((path) => side.tree.blobs.has(path));
      for (const one of await errorsIn(side, there))
        before.set(keyOf(one), Math.max(before.get(keyOf(one)) ?? 0, weightOf(one)));
    }
    const findings: CompilerFinding[] = [];
    for (const one of errors) {
      if (weightOf(one) > (before.get(keyOf(one)) ?? 0)) findings.push(await findingOf(one, merged, sides));
    }
    return findings;
  }

  async #show(tree: CompilerTree): Promise<Shown> {
    const { settings, paths } = this.#group;
    const there = settings !== undefined && tree.blobs.has(settings) ? settings : settingsFor(paths[0] ?? "", tree);
    const roots = [...new Set([...paths, ...tree.ambient()])].filter((path) => tree.blobs.has(path));
    const shown = await this.#tools.compiler.show(tree, there, roots);
    this.#shown.push(shown);
    return shown;
  }
}

async function findingOf(found: Found, merged: Shown, sides: Sides): Promise<CompilerFinding> {
  const { path, line, code, message } = found;
  return { path, line, code, message, ...(await blame(found, merged, sides)) };
}

/** Code and message are left out: a place that was broken already is broken, however it is now worded. */
function keyOf(one: Found): string {
  return `${one.path}\n${one.column}\n${one.text}`;
}

/**
 * A place that was broken already may be broken worse: an argument of the wrong type whose function is gone now. What was gone before says
 * nothing new, however it fails now.
 */
function weightOf({ code }: Found): number {
  if (goneCodes.has(code)) return 4;
  if (memberCodes.has(code)) return 3;
  return callCodes.has(code) ? 2 : 1;
}

async function errorsIn({ project, tree }: Shown, paths: readonly string[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const path of paths) {
    const text = (await tree.read(path)) ?? "";
    for (const one of await project.program.getSemanticDiagnostics(top + path)) {
      if (one.category === DiagnosticCategory.Error && isTelling(one.code)) found.push(foundIn(path, text, one));
    }
  }
  return found;
}

function foundIn(path: string, text: string, { code, pos, end, ...diagnostic }: Diagnostic): Found {
  const lineStart = text.lastIndexOf("\n", pos - 1) + 1;
  const lineEnd = text.indexOf("\n", pos);
  const whole = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd);
  return {
    path,
    line: text.slice(0, lineStart).split("\n").length,
    column: text.slice(lineStart, pos).trimStart().length,
    text: whole.trim(),
    code,
    message: messageOf(diagnostic).replaceAll(top, ""),
    start: pos - lineStart,
    length: end - pos,
  };
}

/** With what it stands on, as one line. */
const messageOf = ({ text, messageChain = [] }: Pick<Diagnostic, "text" | "messageChain">): string =>
  [text, ...messageChain.map(messageOf)].join(" ");

const quoted = (message: string): string => /'([^']+)'/.exec(message)?.[1] ?? "";
