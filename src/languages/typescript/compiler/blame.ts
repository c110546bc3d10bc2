// The definition behind an error of the merged tree: what the use reaches on its own side, and which of the two sides changed it.

import { type Checker, type NodeHandle, type Project, type Symbol, SymbolFlags } from "typescript/unstable/async";
import {
  isArrowFunction,
  isAwaitExpression,
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isClassDeclaration,
  isClassExpression,
  isEnumDeclaration,
  isFunctionExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isJSDocSignature,
  isNewExpression,
  isNonNullExpression,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSourceFile,
  isStatement,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";
import type { Node, PropertyAccessExpression, SourceFile } from "typescript/unstable/ast";
import type { Side } from "../../../ports/semantic.ts";
import { top } from "./compiler-tree.ts";
import { goneCodes } from "./error-codes.ts";
import type { Shown } from "./native-compiler.ts";
import type { CompilerSpot } from "./typescript-compiler.ts";

export interface Found {
  readonly path: string;
  readonly line: number;
  /** From the first character of the line that is no space. */
  readonly column: number;
  /** The whole line, without the spaces around it. */
  readonly text: string;
  readonly code: number;
  readonly message: string;
  /** From the beginning of the line. */
  readonly start: number;
  readonly length: number;
}

export interface Blame {
  readonly side: Side;
  readonly symbol: string | undefined;
  readonly before: CompilerSpot | undefined;
  readonly after: CompilerSpot | undefined;
}

export type Sides = Readonly<Record<Side, Shown>>;

export async function blame(found: Found, merged: Shown, sides: Sides): Promise<Blame> {
  const side = await sideOf(found, merged, sides);
  const declaration = await blamed(found, merged, sides[side]);
  if (declaration === undefined) return { side, symbol: undefined, before: undefined, after: undefined };
  const same = await sameNode(merged, declaration);
  return {
    side,
    symbol: nameOf(declaration),
    before: spotOf(declaration),
    after: same === undefined ? undefined : spotOf(same),
  };
}

async function sideOf(found: Found, merged: Shown, sides: Sides): Promise<Side> {
  const has = (side: Side): boolean => sides[side].tree.text(found.path)?.includes(found.text) ?? false;
  if (has("theirs") && has("ours") && !(await isOthersChange(found, merged, sides.theirs))) return "ours";
  return has("theirs") || !has("ours") ? "theirs" : "ours";
}

/** Both have the line: whoever did not change what it uses is said to use it. */
async function isOthersChange(found: Found, merged: Shown, own: Shown): Promise<boolean> {
  const file = (await behind(found, own))?.getSourceFile();
  return file === undefined || (await fileIn(merged, file.fileName))?.text !== file.text;
}

/**
 * Returns the node that the error leads to. If the other side did not touch it, returns what that side did touch of all that the statement
 * uses.
 */
async function blamed(found: Found, merged: Shown, own: Shown): Promise<Node | undefined> {
  const nearest = await behind(found, own);
  // What is gone is itself what changed.
  if (goneCodes.has(found.code) || (nearest !== undefined && (await isChanged(nearest, merged)))) return nearest;
  const place = await placeOf(found, own);
  const statement = place?.path.findLast((node) => isStatement(node) || isMember(node));
  if (statement === undefined) return nearest;
  for (const name of namesIn(statement)) {
    for (const one of await namedBy(name, own.project)) {
      if (one.getSourceFile().fileName.startsWith(top) && (await isChanged(one, merged))) return one;
    }
  }
  return nearest;
}

const isMember = (node: Node): boolean => isClassDeclaration(node.parent) || isClassExpression(node.parent);

function namesIn(node: Node): Node[] {
  const names: Node[] = [];
  const visit = (one: Node): void => {
    if (isIdentifier(one)) names.push(one);
    one.forEachChild(visit);
  };
  visit(node);
  return names;
}

/** The merged tree has it otherwise than the side it is of, or no longer. */
async function isChanged(declaration: Node, merged: Shown): Promise<boolean> {
  const file = declaration.getSourceFile();
  if ((await fileIn(merged, file.fileName))?.text === file.text) return false;
  const same = await sameNode(merged, declaration);
  return same === undefined || same.getText() !== declaration.getText();
}

const fileIn = ({ project }: Shown, name: string): Promise<SourceFile | undefined> =>
  project.program.getSourceFile(name);

/** All forms of a function; of a name that takes an object apart, the member it takes. */
async function namedBy(node: Node, project: Project): Promise<readonly Node[]> {
  const { parent } = node;
  const { checker } = project;
  if (isBindingElement(parent) && isObjectBindingPattern(parent.parent) && isIdentifier(node)) {
    if ((parent.propertyName ?? parent.name) === node) {
      const type = await checker.getTypeAtLocation(parent.parent);
      const member = type === undefined ? undefined : await checker.getPropertyOfType(type, node.text);
      return await declarationsOf(member, project);
    }
  }
  return await declarationsOf(await symbolAt(node, checker), project);
}

async function symbolAt(node: Node, checker: Checker): Promise<Symbol | undefined> {
  const symbol = await checker.getSymbolAtLocation(node);
  if (symbol === undefined || (symbol.flags & SymbolFlags.Alias) === 0) return symbol;
  return await checker.getAliasedSymbol(symbol);
}

async function declarationsOf(symbol: Symbol | undefined, project: Project): Promise<Node[]> {
  const nodes: Node[] = [];
  for (const handle of symbol?.declarations ?? []) {
    const node = await resolved(handle, project);
    if (node !== undefined) nodes.push(node);
  }
  return nodes;
}

const resolved = (handle: NodeHandle | undefined, project: Project): Promise<Node | undefined> =>
  handle === undefined ? Promise.resolve(undefined) : handle.resolve(project);

async function firstOf(symbol: Symbol | undefined, project: Project): Promise<Node | undefined> {
  return await resolved(symbol?.declarations[0], project);
}

/** The declaration the use reaches on its own side: what the compiler points at, else the symbol at the same token. */
async function behind(found: Found, own: Shown): Promise<Node | undefined> {
  const place = await placeOf(found, own);
  if (place === undefined) return undefined;
  const { path, start } = place;
  // The part the compiler underlines says most; then what stands at its start, and what is around it.
  const exact = path.filter(isPropertyAccessExpression).find((node) => node.getEnd() === start + found.length);
  // A member of something outside the tree says nothing here; what it is asked of does.
  const asked = exact === undefined ? [] : [exact.name, ...leftOf(exact)];
  for (const node of [...asked, ...path.toReversed()]) {
    const declaration = await declarationOf(node, own.project);
    if (declaration !== undefined && !isSourceFile(declaration) && declaration.getSourceFile().fileName.startsWith(top))
      return declaration;
    if (isStatement(node)) break;
  }
  return undefined;
}

/** Returns the place of the error on its own side, with the nodes around it, outermost first. */
async function placeOf(found: Found, own: Shown): Promise<{ path: Node[]; start: number } | undefined> {
  const file = await fileIn(own, top + found.path);
  if (file === undefined) return undefined;
  const line = file.text.split("\n").findIndex((one) => one.trim() === found.text);
  const lineStart = file.getLineStarts()[line];
  if (line === -1 || lineStart === undefined) return undefined;
  return { path: nodesAt(file, lineStart + found.start), start: lineStart + found.start };
}

/** Returns the expressions that a member is asked of, from the near to the far: `lookUp(x)` and `lookUp` in `lookUp(x).toFixed`. */
function leftOf({ expression }: PropertyAccessExpression): Node[] {
  const nodes: Node[] = [];
  for (let node: Node = expression; ;) {
    nodes.push(node);
    if (isCallExpression(node) || isNonNullExpression(node) || isAwaitExpression(node)) node = node.expression;
    else if (isParenthesizedExpression(node)) node = node.expression;
    else if (isPropertyAccessExpression(node)) {
      nodes.push(node.name);
      node = node.expression;
    } else return nodes;
  }
}

async function declarationOf(node: Node, project: Project): Promise<Node | undefined> {
  const { checker } = project;
  if (isObjectLiteralExpression(node)) {
    return await firstOf(await (await checker.getContextualType(node))?.getSymbol(), project);
  }
  if (isCallExpression(node) || isNewExpression(node)) {
    const called = await resolved((await checker.getResolvedSignature(node))?.declaration, project);
    if (called !== undefined && !isJSDocSignature(called)) return called;
  }
  const symbol = await symbolAt(node, checker);
  const declaration = await firstOf(symbol, project);
  if (symbol === undefined || declaration?.getSourceFile() !== node.getSourceFile()) return declaration;
  // A local variable is not what changed: its type is.
  const type = await checker.getTypeOfSymbol(symbol);
  return (await firstOf(await type?.getSymbol(), project)) ?? declaration;
}

/** The nodes around a position, outermost first. */
function nodesAt(file: SourceFile, position: number): Node[] {
  const path: Node[] = [];
  const visit = (node: Node): void => {
    if (position < node.getStart(file) || position >= node.getEnd()) return;
    path.push(node);
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return path;
}

function nameOf(declaration: Node): string | undefined {
  const name = nameNode(declaration)?.getText();
  const { parent } = declaration;
  const holder =
    isClassDeclaration(parent) ||
    isClassExpression(parent) ||
    isInterfaceDeclaration(parent) ||
    isEnumDeclaration(parent)
      ? parent.name?.getText()
      : undefined;
  return name === undefined || holder === undefined ? name : `${holder}.${name}`;
}

/** A function or class without a name of its own has that of what it is given to. */
function nameNode(declaration: Node): Node | undefined {
  const { name } = declaration as { readonly name?: Node };
  if (name !== undefined) return name;
  if (isBinaryExpression(declaration))
    return isPropertyAccessExpression(declaration.left) ? declaration.left.name : undefined;
  if (isArrowFunction(declaration) || isFunctionExpression(declaration) || isClassExpression(declaration)) {
    const { parent } = declaration;
    if (isVariableDeclaration(parent) || isPropertyAssignment(parent) || isBindingElement(parent)) return parent.name;
    if (isBinaryExpression(parent)) return nameNode(parent);
  }
  return undefined;
}

function spotOf(declaration: Node): CompilerSpot {
  const file = declaration.getSourceFile();
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;
  return {
    path: file.fileName.slice(top.length),
    line: lineAt(declaration.getStart(file)),
    endLine: lineAt(declaration.getEnd()),
  };
}

/** The declaration of the same name in the same file of the merged tree. */
async function sameNode(merged: Shown, declaration: Node): Promise<Node | undefined> {
  const file = await fileIn(merged, declaration.getSourceFile().fileName);
  const wanted = nameOf(declaration);
  if (file === undefined || wanted === undefined) return undefined;
  let found: Node | undefined;
  const visit = (node: Node): void => {
    if (found !== undefined) return;
    if (node.kind === declaration.kind && nameOf(node) === wanted) found = node;
    else node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return found;
}
