// Errors of the merged tree that neither side has, each with the definition behind it. Only errors that mean a broken
// reference, call, member or type count; style and strictness do not.

import ts from "typescript6";
import type { CompilerAnswer, CompilerFinding, CompilerSpot } from "../../../protocol/typescript-compiler.ts";
import type { Side } from "../../../protocol/semantic.ts";
import { CompilerTree, top, type FetchTexts } from "./compiler-tree.ts";

export interface Comparison {
  readonly ours: ReadonlyMap<string, string>;
  readonly theirs: ReadonlyMap<string, string>;
  readonly merged: ReadonlyMap<string, string>;
  readonly paths: readonly string[];
  readonly packagesFrom: string | undefined;
}

const telling = new Set([
  1117, 1361, 1362, 1484, 2300, 2304, 2305, 2306, 2307, 2308, 2314, 2315, 2322, 2323, 2339, 2341, 2344, 2345, 2349,
  2350, 2351, 2352, 2353, 2355, 2361, 2362, 2363, 2365, 2366, 2367, 2391, 2393, 2394, 2395, 2411, 2414, 2415, 2416,
  2417, 2420, 2422, 2430, 2440, 2445, 2448, 2451, 2454, 2459, 2460, 2461, 2488, 2503, 2507, 2511, 2515, 2528, 2531,
  2532, 2533, 2538, 2540, 2551, 2552, 2553, 2554, 2555, 2556, 2558, 2559, 2561, 2571, 2575, 2576, 2577, 2578, 2589,
  2604, 2605, 2607, 2611, 2613, 2614, 2616, 2617, 2619, 2636, 2638, 2654, 2655, 2656, 2665, 2669, 2678, 2683, 2684,
  2689, 2693, 2694, 2698, 2702, 2707, 2708, 2709, 2713, 2717, 2719, 2722, 2724, 2739, 2740, 2741, 2743, 2749, 2769,
  2786, 2801, 2820, 4112, 4113, 4114, 4116, 4117, 18004, 18013, 18046, 18047, 18048, 18049,
]);

interface Found {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly diagnostic: ts.Diagnostic;
}

export async function compareTrees(comparison: Comparison, fetch: FetchTexts): Promise<CompilerAnswer> {
  const texts = new Map<string, string>();
  const treeOf = (blobs: ReadonlyMap<string, string>): CompilerTree =>
    new CompilerTree(blobs, texts, comparison.packagesFrom);
  const merged = treeOf(comparison.merged);
  const tooLarge: CompilerAnswer = { findings: [], complete: false, note: "too many files for the compiler" };
  if (!(await merged.load(comparison.paths, fetch))) return tooLarge;
  const program = merged.program(comparison.paths);
  const errors = errorsIn(program, comparison.paths);
  if (errors.length === 0) return { findings: [], complete: true };
  const paths = [...new Set(errors.map((one) => one.path))];
  const sides = new Map<Side, ts.Program>();
  const before = new Set<string>();
  for (const side of ["ours", "theirs"] as const) {
    const tree = treeOf(comparison[side]);
    const there = paths.filter((path) => comparison[side].has(path));
    if (!(await tree.load(there, fetch))) return tooLarge;
    const sideProgram = tree.program(there);
    sides.set(side, sideProgram);
    for (const one of errorsIn(sideProgram, there)) before.add(keyOf(one));
  }
  const fresh = errors.filter((one) => !before.has(keyOf(one)));
  return { findings: fresh.map((one) => attributed(one, program, sides)), complete: true };
}

/** Code and message are left out: a line that was broken already is broken, however it is now worded. */
function keyOf(one: Found): string {
  return `${one.path}\n${one.text}`;
}

function errorsIn(program: ts.Program, paths: readonly string[]): Found[] {
  return paths.flatMap((path) => {
    const file = program.getSourceFile(top + path);
    if (file === undefined) return [];
    return program.getSemanticDiagnostics(file).flatMap((diagnostic): Found[] => {
      if (diagnostic.category !== ts.DiagnosticCategory.Error || !telling.has(diagnostic.code)) return [];
      const line = lineOf(file, diagnostic.start ?? 0);
      return [{ path, line, text: lineText(file, line), diagnostic }];
    });
  });
}

function lineOf(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}

function lineText(file: ts.SourceFile, line: number): string {
  const starts = file.getLineStarts();
  return file.text.slice(starts[line - 1], starts[line] ?? file.text.length).trim();
}

function attributed(found: Found, merged: ts.Program, sides: ReadonlyMap<Side, ts.Program>): CompilerFinding {
  const side = sideOf(found, sides);
  const own = sides.get(side);
  const declaration = own === undefined ? undefined : behind(found, merged, own);
  const named = declaration === undefined ? undefined : nameOf(declaration);
  return {
    path: found.path,
    line: found.line,
    code: found.diagnostic.code,
    message: ts.flattenDiagnosticMessageText(found.diagnostic.messageText, " "),
    side,
    symbol: named,
    before: declaration === undefined ? undefined : spotOf(declaration),
    after: declaration === undefined ? undefined : sameIn(merged, declaration),
  };
}

function sideOf(found: Found, sides: ReadonlyMap<Side, ts.Program>): Side {
  const has = (side: Side): boolean =>
    sides
      .get(side)
      ?.getSourceFile(top + found.path)
      ?.text.includes(found.text) ?? false;
  return has("theirs") || !has("ours") ? "theirs" : "ours";
}

/** The declaration the use reaches on its own side: what the compiler points at, else the symbol at the same token. */
function behind(found: Found, merged: ts.Program, own: ts.Program): ts.Declaration | undefined {
  const file = own.getSourceFile(top + found.path);
  const here = merged.getSourceFile(top + found.path);
  if (file === undefined || here === undefined) return undefined;
  const start = found.diagnostic.start ?? 0;
  const column = start - (here.getLineStarts()[found.line - 1] ?? 0);
  const line = file.text.split("\n").findIndex((one) => one.trim() === found.text);
  const lineStart = file.getLineStarts()[line];
  if (line === -1 || lineStart === undefined) return undefined;
  const path = nodesAt(file, lineStart + column);
  const checker = own.getTypeChecker();
  const end = lineStart + column + (found.diagnostic.length ?? 0);
  // The part the compiler underlines says most; then what stands at its start, and what is around it.
  const exact = path.filter(ts.isPropertyAccessExpression).find((node) => node.getEnd() === end);
  for (const node of [...(exact === undefined ? [] : [exact.name]), ...path.reverse()]) {
    const declaration = declarationOf(node, checker);
    if (
      declaration !== undefined &&
      !ts.isSourceFile(declaration) &&
      declaration.getSourceFile().fileName.startsWith(top)
    )
      return declaration;
    if (ts.isStatement(node)) break;
  }
  return undefined;
}

function declarationOf(node: ts.Node, checker: ts.TypeChecker): ts.Declaration | undefined {
  if (ts.isObjectLiteralExpression(node)) return checker.getContextualType(node)?.symbol?.declarations?.[0];
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const called = checker.getResolvedSignature(node)?.declaration;
    if (called !== undefined && !ts.isJSDocSignature(called)) return called;
  }
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return undefined;
  const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = real.declarations?.[0];
  if (declaration === undefined || declaration.getSourceFile() !== node.getSourceFile()) return declaration;
  // A local variable is not what changed: its type is.
  return checker.getTypeOfSymbol(real).symbol?.declarations?.[0] ?? declaration;
}

/** The nodes around a position, outermost first. */
function nodesAt(file: ts.SourceFile, position: number): ts.Node[] {
  const path: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (position < node.getStart(file) || position >= node.getEnd()) return;
    path.push(node);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return path;
}

function nameOf(declaration: ts.Declaration): string | undefined {
  const name = ts.getNameOfDeclaration(declaration)?.getText();
  const { parent } = declaration;
  const holder =
    ts.isClassLike(parent) || ts.isInterfaceDeclaration(parent) || ts.isEnumDeclaration(parent)
      ? parent.name?.getText()
      : undefined;
  return name === undefined || holder === undefined ? name : `${holder}.${name}`;
}

function spotOf(declaration: ts.Node): CompilerSpot {
  const file = declaration.getSourceFile();
  return {
    path: file.fileName.slice(top.length),
    line: lineOf(file, declaration.getStart(file)),
    endLine: lineOf(file, declaration.getEnd()),
  };
}

/** The declaration of the same name in the same file of the merged tree. */
function sameIn(merged: ts.Program, declaration: ts.Declaration): CompilerSpot | undefined {
  const file = merged.getSourceFile(declaration.getSourceFile().fileName);
  const wanted = nameOf(declaration);
  if (file === undefined || wanted === undefined) return undefined;
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (found !== undefined) return;
    if (node.kind === declaration.kind && nameOf(node as ts.Declaration) === wanted) found = node;
    else ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return found === undefined ? undefined : spotOf(found);
}
