// The compiler's part in a check: which files are worth asking about, and how its answer and ours become one list.
// Ours is fast and sees what the syntax shows; the compiler sees types. Where it finished, it also overrules us on
// members and calls.

import type { Place, ReadBlob, SemanticConflict, SemanticRule, Side, TreeView } from "../../../ports/semantic.ts";
import type { CompilerAnswer, CompilerFinding, CompilerSpot } from "./typescript-compiler.ts";
import { isSymbolName } from "../../symbol-name.ts";
import { isScript } from "../files.ts";
import { callCodes, goneCodes, memberCodes } from "./error-codes.ts";
import { type Additions, additionsOf } from "../reader/additions.ts";
import { filesBetween, type ImportsOf } from "./files-between.ts";
import type { Scene } from "../rules/explain.ts";
import type { Program } from "../rules/program.ts";

/** The greatest distance in the import graph at which two changed files are still asked about. */
const maxHops = 20;
const maxVisited = 3000;

type Load = (program: Program, path: string) => Promise<unknown>;

/** Returns the part of a file that others can see, as text that is equal when that part is. */
export type SurfaceOf = (path: string, text: string) => string;

export interface ToAsk {
  /** Changed files. */
  readonly paths: string[];
  /** Files that nobody changed, the nearest first. */
  readonly between: string[];
  /** Files between the two that are too many to ask about. */
  readonly left: number;
}

/**
 * Changed files of the merged tree that reach, through imports, something the other side changed for others to see, or that
 * both changed; and files that nobody changed and that reach something of both.
 */
export async function pathsToAsk(
  scene: Scene,
  load: Load,
  surfaceOf: SurfaceOf | undefined,
  importsOf: ImportsOf,
): Promise<ToAsk> {
  const { base, merged, changed, sides, read } = scene;
  const asked = new Set<string>();
  const seen = {
    ours: await seenFromOutside(scene, "ours", surfaceOf),
    theirs: await seenFromOutside(scene, "theirs", surfaceOf),
  };
  const additions = surfaceOf === undefined ? undefined : await additionsOfBoth(scene, seen);
  const breaking = additions === undefined ? seen : breakingOf(seen, additions);
  for (const [own, other] of [
    ["ours", "theirs"],
    ["theirs", "ours"],
  ] as const) {
    // What is declared for all files is reached without an import.
    const isEverywhere = [...seen[other]].some((path) => /\.d\.[cm]?ts$/.test(path));
    for (const path of changed[own]) {
      if (!isScript(path) || !merged.tree.blobs.has(path)) continue;
      const isMerged = changed[other].has(path) && !(additions !== undefined && addsApart(path, scene, additions));
      // Whoever takes all that a module exports takes what is added to it too.
      const text = await textIn(scene, own, path);
      const goals = /\b(?:import|export)\s*(?:type\s*)?\*/.test(text) ? seen[other] : breaking[other];
      if (isEverywhere || isMerged || (await reaches(merged, path, goals, sides[own], load))) asked.add(path);
    }
  }
  const found = await filesBetween(base.tree, breaking, read, importsOf);
  const between = found.paths.filter(
    (path) => !changed.ours.has(path) && !changed.theirs.has(path) && merged.tree.blobs.has(path),
  );
  return { paths: [...asked].sort(), between, left: found.left };
}

async function textIn({ sides, read }: Scene, side: Side, path: string): Promise<string> {
  const blob = sides[side].tree.blobs.get(path);
  return (blob === undefined ? undefined : await read(blob)) ?? "";
}

type Seen = Readonly<Record<Side, ReadonlySet<string>>>;

type BothAdditions = Readonly<Record<Side, ReadonlyMap<string, Additions | undefined>>>;

async function additionsOfBoth(scene: Scene, seen: Seen): Promise<BothAdditions> {
  return {
    ours: await additionsIn(scene, "ours", seen.ours),
    theirs: await additionsIn(scene, "theirs", seen.theirs),
  };
}

/** Of what others can see, the files whose change can break one that the other side has not changed to fit. */
function breakingOf(seen: Seen, additions: BothAdditions): Seen {
  const breaking = (own: Side, other: Side): ReadonlySet<string> => {
    const others = [...additions[other].values()];
    const isTwice = (name: string): boolean => others.some((one) => one === undefined || one.names.has(name));
    return new Set(
      [...seen[own]].filter((path) => {
        const added = additions[own].get(path);
        return added === undefined || !added.onlyAdds || [...added.names].some(isTwice);
      }),
    );
  };
  return { ours: breaking("ours", "theirs"), theirs: breaking("theirs", "ours") };
}

/** Both changed the file, and each only added to what was there, under names of its own. */
function addsApart(path: string, { base }: Scene, additions: BothAdditions): boolean {
  if (!base.tree.blobs.has(path)) return false;
  const nothing: Additions = { onlyAdds: true, names: new Set() };
  // Without an entry, nothing of the change can be seen from outside a function.
  const [ours, theirs] = [additions.ours, additions.theirs].map((all) => (all.has(path) ? all.get(path) : nothing));
  if (ours?.onlyAdds !== true || theirs?.onlyAdds !== true) return false;
  return ![...ours.names].some((name) => theirs.names.has(name));
}

async function additionsIn(
  { base, sides, read }: Scene,
  side: Side,
  paths: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Additions | undefined>> {
  const found = new Map<string, Additions | undefined>();
  for (const path of paths) {
    const [before, after] = [base.tree.blobs.get(path), sides[side].tree.blobs.get(path)];
    // Nobody who did not change imports a new file.
    if (before === undefined) continue;
    const [was, is] = [await read(before), after === undefined ? undefined : await read(after)];
    found.set(path, was === undefined || is === undefined ? undefined : additionsOf(path, was, is));
  }
  return found;
}

/** The files of a side whose change others can see. */
async function seenFromOutside(
  { base, sides, changed, read }: Scene,
  side: Side,
  surfaceOf: SurfaceOf | undefined,
): Promise<ReadonlySet<string>> {
  if (surfaceOf === undefined) return changed[side];
  const seen = new Set<string>();
  for (const path of changed[side]) {
    const [before, after] = [base.tree.blobs.get(path), sides[side].tree.blobs.get(path)];
    const texts = await Promise.all([before, after].map(async (blob) => (blob === undefined ? undefined : read(blob))));
    const [was, is] = texts.map((text) => (text === undefined ? undefined : surfaceOf(path, text)));
    if (was === undefined || was !== is) seen.add(path);
  }
  return seen;
}

async function reaches(
  program: Program,
  start: string,
  goals: ReadonlySet<string>,
  own: Program,
  load: Load,
): Promise<boolean> {
  const seen = new Set([start]);
  let edge = [start];
  for (let hop = 0; hop < maxHops && edge.length > 0 && seen.size < maxVisited; hop += 1) {
    const next: string[] = [];
    for (const path of edge) {
      await load(program, path);
      for (const { specifier } of program.file(path)?.summary.mentions ?? []) {
        const found = program.resolve(path, specifier);
        // A module that is gone was taken away by someone: always worth asking. So is one that other settings hide.
        if (found === "missing" || (found === "external" && isFile(own, path, specifier))) return true;
        if (found === "external" && mayLead(specifier, goals)) return true;
        if (found === "external" || seen.has(found.path)) continue;
        if (goals.has(found.path)) return true;
        seen.add(found.path);
        next.push(found.path);
      }
    }
    edge = next;
  }
  return false;
}

/** An alias that only a bundler knows looks like a package; what it ends with is a file that the other side changed. */
function mayLead(specifier: string, goals: ReadonlySet<string>): boolean {
  if (/^(node|bun|https?):/.test(specifier)) return false;
  const inside = specifier.slice(specifier.indexOf("/") + 1).replace(/\.[cm]?[jt]sx?$/, "");
  for (const goal of goals) {
    const name = goal.replace(/(\/index)?\.(d\.)?[cm]?[jt]sx?$/, "");
    if (name === inside || name.endsWith(`/${inside}`)) return true;
  }
  return false;
}

function isFile(program: Program, path: string, specifier: string): boolean {
  return program.tree.blobs.has(path) && typeof program.resolve(path, specifier) === "object";
}

/** Rules the compiler judges better than we do. */
const overruled = new Set<SemanticRule>(["signature", "removed-member", "made-private", "type-only", "type-mismatch"]);

export async function reconciled(
  ours: readonly SemanticConflict[],
  answer: CompilerAnswer,
  asked: readonly string[],
  scene: Scene,
): Promise<SemanticConflict[]> {
  const unasked = new Set(answer.unasked);
  const isJudged = (path: string): boolean => !/\.[cm]?jsx?$/.test(path) && !unasked.has(path);
  const judged = new Set(answer.complete ? asked.filter(isJudged) : []);
  const kept = ours.filter((one) => {
    if (!overruled.has(one.rule) || !judged.has(one.use.path)) return true;
    return answer.findings.some((finding) => isSame(one, finding));
  });
  const added = new Map<string, SemanticConflict>();
  for (const finding of answer.findings) {
    if (kept.some((one) => isSame(one, finding))) continue;
    const key = `${finding.path}\n${finding.symbol ?? finding.line}`;
    if (!added.has(key)) added.set(key, await conflictOf(finding, scene));
  }
  return [...kept, ...added.values()];
}

/** The compiler may point at another line of the same use, or once at each use of one name. */
function isSame(conflict: SemanticConflict, finding: CompilerFinding): boolean {
  if (conflict.use.path !== finding.path) return false;
  if (conflict.use.line === finding.line) return true;
  const name = conflict.symbol.slice(conflict.symbol.lastIndexOf(".") + 1);
  if (finding.message.includes(`'${name}'`)) return true;
  return (
    finding.symbol !== undefined &&
    (finding.symbol === conflict.symbol || finding.symbol.startsWith(`${conflict.symbol}.`))
  );
}

async function conflictOf(finding: CompilerFinding, scene: Scene): Promise<SemanticConflict> {
  const { path, line, side, message } = finding;
  const { merged, sides, read } = scene;
  const use = await place(merged.tree, { path, line, endLine: line }, read);
  const symbol = finding.symbol ?? namesIn(message).find(isSymbolName) ?? path;
  return {
    language: "typescript",
    rule: ruleOf(finding),
    symbol,
    definitionSide: side === "ours" ? "theirs" : "ours",
    definitionBefore: finding.before === undefined ? use : await place(sides[side].tree, finding.before, read),
    definitionAfter: finding.after === undefined ? undefined : await place(merged.tree, finding.after, read),
    use,
    message: `${path}:${line} no longer fits ${symbol}: ${message}`,
    suggestion: `Change ${path} to fit ${symbol} as it is now.`,
    byCompiler: true,
  };
}

/** Names and modules: a whole type that is quoted is neither. */
function namesIn(message: string): string[] {
  return Array.from(message.matchAll(/'([\w$#@/.-]+)'/g), ([, name = ""]) => name);
}

const typeOnly = new Set([1361, 1362, 2693]);
const twice = new Set([1117, 2300, 2323, 2393, 2440, 2451, 2528]);

function isMemberItself(symbol: string | undefined, message: string): boolean {
  const [name] = namesIn(message);
  return symbol === undefined || symbol === name || symbol.endsWith(`.${name}`);
}

/** A promise stands where something else is wanted; one that is wanted, or that stands for another, says nothing. */
function isPromiseGiven(message: string): boolean {
  return /(?<!to type |parameter of type )'Promise<[^']*'(?! is not assignable to (?:parameter of )?type 'Promise<)/.test(
    message,
  );
}

function ruleOf({ code, message, symbol }: CompilerFinding): SemanticRule {
  if (isPromiseGiven(message) && !goneCodes.has(code)) return "became-async";
  if (goneCodes.has(code)) return "removed";
  // What is missing may be asked of the value of something that changed: then that is what changed, and not by losing it.
  if (memberCodes.has(code)) return isMemberItself(symbol, message) ? "removed-member" : "type-mismatch";
  if (code === 2341 || code === 2445) return "made-private";
  if (callCodes.has(code)) return "signature";
  if (typeOnly.has(code)) return "type-only";
  return twice.has(code) ? "duplicate-definition" : "type-mismatch";
}

async function place(tree: TreeView, spot: CompilerSpot, read: ReadBlob): Promise<Place> {
  const blob = tree.blobs.get(spot.path);
  const text = blob === undefined ? undefined : await read(blob);
  const end = Math.min(spot.endLine, spot.line + 19);
  return {
    path: spot.path,
    line: spot.line,
    text: (text ?? "")
      .split("\n")
      .slice(spot.line - 1, end)
      .join("\n"),
  };
}
