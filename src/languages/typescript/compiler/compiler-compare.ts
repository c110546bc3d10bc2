// Errors of the merged tree that neither side has, each with the definition behind it. Only errors that mean a broken
// reference, call, member or type count; style and strictness do not.

import ts from "typescript6";
import type { CompilerAnswer, CompilerFinding, CompilerSpot } from "./typescript-compiler.ts";
import type { Side } from "../../../ports/semantic.ts";
import { CompilerTree, top, type FetchTexts } from "./compiler-tree.ts";
import { callCodes, goneCodes, memberCodes } from "./error-codes.ts";

export interface Comparison {
  readonly ours: ReadonlyMap<string, string>;
  readonly theirs: ReadonlyMap<string, string>;
  readonly merged: ReadonlyMap<string, string>;
  readonly paths: readonly string[];
  readonly between: readonly string[];
  readonly betweenMs: number;
  readonly packagesFrom: string | undefined;
}

/**
 * What is no matter of two sides not fitting: unused things (6xxx), types left to be guessed (7xxx, but for a key that is not
 * there), settings (5xxx) and suggestions (80xxx).
 */
function isTelling(code: number): boolean {
  return code === 7053 || !((code >= 5000 && code < 8000) || code >= 80_000);
}

interface Found {
  readonly path: string;
  readonly line: number;
  /** From the first character of the line that is no space. */
  readonly column: number;
  readonly text: string;
  readonly diagnostic: ts.Diagnostic;
}

export async function compareTrees(comparison: Comparison, fetch: FetchTexts): Promise<CompilerAnswer> {
  const texts = new Map<string, string>();
  const treeOf = (blobs: ReadonlyMap<string, string>): CompilerTree =>
    new CompilerTree(blobs, texts, comparison.packagesFrom);
  const trees = { ours: treeOf(comparison.ours), theirs: treeOf(comparison.theirs), merged: treeOf(comparison.merged) };
  const findings: CompilerFinding[] = [];
  const { paths } = comparison;
  const untilMs = performance.now() + comparison.betweenMs;
  const unasked: string[] = [];
  for (const group of trees.merged.groups([...paths, ...comparison.between])) {
    const found = await compareGroup(comparison, trees, { paths: group, untilMs }, fetch);
    if (found === undefined) return { findings: [], complete: false, note: "too many files for the compiler" };
    findings.push(...found.findings);
    unasked.push(...found.unasked);
  }
  return { findings, complete: true, unasked, missingPackages: trees.merged.missingPackages(paths) };
}

/** Files under the same settings; undefined when they are too much. */
async function compareGroup(
  comparison: Comparison,
  trees: Readonly<Record<Side | "merged", CompilerTree>>,
  { paths, untilMs }: { readonly paths: readonly string[]; readonly untilMs: number },
  fetch: FetchTexts,
): Promise<{ readonly findings: CompilerFinding[]; readonly unasked: string[] } | undefined> {
  if (!(await trees.merged.load(paths, fetch))) return undefined;
  const program = trees.merged.program(paths);
  const isExtra = new Set(comparison.between);
  const [first, further] = [paths.filter((path) => !isExtra.has(path)), paths.filter((path) => isExtra.has(path))];
  const errors = errorsIn(program, first);
  let asked = 0;
  for (; asked < further.length && performance.now() < untilMs; asked += 1)
    errors.push(...errorsIn(program, further.slice(asked, asked + 1)));
  const unasked = further.slice(asked);
  if (errors.length === 0) return { findings: [], unasked };
  const sides = new Map<Side, ts.Program>();
  const before = new Map<string, number>();
  for (const side of ["ours", "theirs"] as const) {
    const there = [...new Set(errors.map((one) => one.path))].filter((path) => comparison[side].has(path));
    if (!(await trees[side].load(there, fetch))) return undefined;
    const sideProgram = trees[side].program(there);
    sides.set(side, sideProgram);
    for (const one of errorsIn(sideProgram, there))
      before.set(keyOf(one), Math.max(before.get(keyOf(one)) ?? 0, weightOf(one)));
  }
  const findings = errors
    .filter((one) => weightOf(one) > (before.get(keyOf(one)) ?? 0))
    .map((one) => attributed(one, program, sides));
  return { findings, unasked };
}

/** Code and message are left out: a place that was broken already is broken, however it is now worded. */
function keyOf(one: Found): string {
  return `${one.path}\n${one.column}\n${one.text}`;
}

/**
 * A place that was broken already may be broken worse: an argument of the wrong type whose function is gone now. What was gone before says
 * nothing new, however it fails now.
 */
function weightOf({ diagnostic: { code } }: Found): number {
  if (goneCodes.has(code)) return 4;
  if (memberCodes.has(code)) return 3;
  return callCodes.has(code) ? 2 : 1;
}

function errorsIn(program: ts.Program, paths: readonly string[]): Found[] {
  return paths.flatMap((path) => {
    const file = program.getSourceFile(top + path);
    if (file === undefined) return [];
    return program.getSemanticDiagnostics(file).flatMap((diagnostic): Found[] => {
      if (diagnostic.category !== ts.DiagnosticCategory.Error || !isTelling(diagnostic.code)) return [];
      const start = diagnostic.start ?? 0;
      const line = lineOf(file, start);
      const whole = file.text.slice(file.getLineStarts()[line - 1], start);
      return [{ path, line, column: whole.trimStart().length, text: lineText(file, line), diagnostic }];
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
  const side = sideOf(found, merged, sides);
  const own = sides.get(side);
  const declaration = own === undefined ? undefined : blamed(found, merged, own);
  const named = declaration === undefined ? undefined : nameOf(declaration);
  return {
    path: found.path,
    line: found.line,
    code: found.diagnostic.code,
    message: ts.flattenDiagnosticMessageText(found.diagnostic.messageText, " ").replaceAll(top, ""),
    side,
    symbol: named,
    before: declaration === undefined ? undefined : spotOf(declaration),
    after: declaration === undefined ? undefined : sameIn(merged, declaration),
  };
}

function sideOf(found: Found, merged: ts.Program, sides: ReadonlyMap<Side, ts.Program>): Side {
  const has = (side: Side): boolean =>
    sides
      .get(side)
      ?.getSourceFile(top + found.path)
      ?.text.includes(found.text) ?? false;
  if (has("theirs") && has("ours") && !isOthersChange(found, merged, sides.get("theirs"))) return "ours";
  return has("theirs") || !has("ours") ? "theirs" : "ours";
}

/** Both have the line: whoever did not change what it uses is said to use it. */
function isOthersChange(found: Found, merged: ts.Program, own: ts.Program | undefined): boolean {
  const file = own === undefined ? undefined : behind(found, merged, own)?.getSourceFile();
  return file === undefined || merged.getSourceFile(file.fileName)?.text !== file.text;
}

/** What the error leads to; where the other side did not touch that, what it did touch of all that the statement uses. */
function blamed(found: Found, merged: ts.Program, own: ts.Program): ts.Declaration | undefined {
  const nearest = behind(found, merged, own);
  // What is gone is itself what changed.
  if (goneCodes.has(found.diagnostic.code) || (nearest !== undefined && isChanged(nearest, merged))) return nearest;
  const place = placeOf(found, merged, own);
  const statement = place?.path.findLast((node) => ts.isStatement(node) || ts.isClassElement(node));
  if (statement === undefined) return nearest;
  const checker = own.getTypeChecker();
  let touched: ts.Declaration | undefined;
  const visit = (node: ts.Node): void => {
    if (touched !== undefined) return;
    if (ts.isIdentifier(node))
      touched = namedBy(node, checker).find(
        (one) => one.getSourceFile().fileName.startsWith(top) && isChanged(one, merged),
      );
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return touched ?? nearest;
}

/** Whether the merged tree has it otherwise than the side it is of, or no longer. */
function isChanged(declaration: ts.Declaration, merged: ts.Program): boolean {
  const file = declaration.getSourceFile();
  const there = merged.getSourceFile(file.fileName);
  if (there?.text === file.text) return false;
  const same = sameNode(merged, declaration);
  return same === undefined || same.getText() !== declaration.getText();
}

/** All forms of a function; of a name that takes an object apart, the member it takes. */
function namedBy(node: ts.Identifier, checker: ts.TypeChecker): readonly ts.Declaration[] {
  const { parent } = node;
  if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent)) {
    const taken = parent.propertyName ?? parent.name;
    if (taken === node) return checker.getTypeAtLocation(parent.parent).getProperty(node.text)?.declarations ?? [];
  }
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return [];
  const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return real.declarations ?? [];
}

/** The declaration the use reaches on its own side: what the compiler points at, else the symbol at the same token. */
function behind(found: Found, merged: ts.Program, own: ts.Program): ts.Declaration | undefined {
  const place = placeOf(found, merged, own);
  if (place === undefined) return undefined;
  const { path, start } = place;
  const checker = own.getTypeChecker();
  const end = start + (found.diagnostic.length ?? 0);
  // The part the compiler underlines says most; then what stands at its start, and what is around it.
  const exact = path.filter(ts.isPropertyAccessExpression).find((node) => node.getEnd() === end);
  // A member of something outside the tree says nothing here; what it is asked of does.
  const asked = exact === undefined ? [] : [exact.name, ...leftOf(exact)];
  for (const node of [...asked, ...path.toReversed()]) {
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

/** Where the error stands on its own side, with the nodes around it, outermost first. */
function placeOf(found: Found, merged: ts.Program, own: ts.Program): { path: ts.Node[]; start: number } | undefined {
  const file = own.getSourceFile(top + found.path);
  const here = merged.getSourceFile(top + found.path);
  if (file === undefined || here === undefined) return undefined;
  const column = (found.diagnostic.start ?? 0) - (here.getLineStarts()[found.line - 1] ?? 0);
  const line = file.text.split("\n").findIndex((one) => one.trim() === found.text);
  const lineStart = file.getLineStarts()[line];
  if (line === -1 || lineStart === undefined) return undefined;
  return { path: nodesAt(file, lineStart + column), start: lineStart + column };
}

/** What a member is asked of, from the near to the far: `lookUp(x)` and `lookUp` in `lookUp(x).toFixed`. */
function leftOf({ expression }: ts.PropertyAccessExpression): ts.Node[] {
  const nodes: ts.Node[] = [];
  for (let node: ts.Node = expression; ;) {
    nodes.push(node);
    if (ts.isCallExpression(node) || ts.isNonNullExpression(node) || ts.isAwaitExpression(node)) node = node.expression;
    else if (ts.isParenthesizedExpression(node)) node = node.expression;
    else if (ts.isPropertyAccessExpression(node)) {
      nodes.push(node.name);
      node = node.expression;
    } else return nodes;
  }
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

function sameIn(merged: ts.Program, declaration: ts.Declaration): CompilerSpot | undefined {
  const found = sameNode(merged, declaration);
  return found === undefined ? undefined : spotOf(found);
}

/** The declaration of the same name in the same file of the merged tree. */
function sameNode(merged: ts.Program, declaration: ts.Declaration): ts.Node | undefined {
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
  return found;
}
