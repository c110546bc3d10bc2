// What the one side does: a refactoring of something that is exported, with all its uses put right, as a developer with an
// editor does it. Whether it is whole is for the compiler to say; half ones are thrown away.

import { dirname, join } from "node:path";
import ts from "typescript6";
import type { Dice } from "../random-project.ts";
import type { Edits, Project, Target } from "./project.ts";

export interface Refactoring {
  readonly name: string;
  readonly make: (project: Project, target: Target, dice: Dice) => Refactored | undefined;
}

export interface Refactored {
  readonly edits: Edits;
  /** The member it is about, where it is about one. */
  readonly member?: string;
}

export const refactorings: readonly Refactoring[] = [
  { name: "rename", make: (project, { node, name }) => whole(project.rename(node, `${name}Renewed`)) },
  { name: "rename member", make: renameMember },
  { name: "rename member", make: renameMember },
  { name: "rename file", make: (project, { path }) => ({ edits: project.renameFile(path, renewed(path)) }) },
  { name: "add required parameter", make: addParameter },
  { name: "add required parameter", make: addParameter },
  { name: "add optional parameter", make: addOptional },
  { name: "drop last parameter", make: dropParameter },
  { name: "make async", make: makeAsync },
  { name: "make member private", make: makePrivate },
  { name: "stop exporting", make: stopExporting },
  { name: "delete unused", make: deleteUnused },
  { name: "delete unused member", make: deleteMember },
  { name: "move to a new file", make: moveToNewFile },
  { name: "default to named", make: convertExport },
  { name: "require a property", make: requireProperty },
  { name: "add a required property", make: addProperty },
  { name: "loosen a property", make: loosenProperty },
  { name: "widen the result", make: widenResult },
];

function whole(edits: Edits | undefined): Refactored | undefined {
  return edits === undefined ? undefined : { edits };
}

function renewed(path: string): string {
  const name = path.slice(dirname(path) === "." ? 0 : dirname(path).length + 1);
  return join(dirname(path), name.replace(/^([^.]+)/, "$1-renewed"));
}

type Holder = ts.ClassLikeDeclaration | ts.InterfaceDeclaration | ts.EnumDeclaration | ts.TypeLiteralNode;

function holderOf(node: ts.Node): Holder | undefined {
  if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node)) return node;
  return ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type) ? node.type : undefined;
}

function memberOf(target: Target, dice: Dice, fits: (one: ts.Declaration) => boolean): ts.NamedDeclaration | undefined {
  const holder = holderOf(target.node);
  const members = ([...(holder?.members ?? [])] as ts.NamedDeclaration[]).filter(
    (one) => one.name !== undefined && ts.isIdentifier(one.name) && fits(one),
  );
  return members.length === 0 ? undefined : dice.pick(members);
}

const nameIn = (node: ts.NamedDeclaration): string => node.name?.getText() ?? "";
const has = (node: ts.Node, kind: ts.SyntaxKind): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((one) => one.kind === kind) ?? false);

function renameMember(project: Project, target: Target, dice: Dice): Refactored | undefined {
  const member = memberOf(target, dice, (one) => !has(one, ts.SyntaxKind.PrivateKeyword));
  const edits = member === undefined ? undefined : project.rename(member, `${nameIn(member)}Renewed`);
  return member === undefined || edits === undefined ? undefined : { edits, member: nameIn(member) };
}

type Callable = ts.FunctionDeclaration | ts.MethodDeclaration | ts.ArrowFunction | ts.FunctionExpression;

/** The function itself, or a method of the class. */
function callableOf(
  target: Target,
  dice: Dice,
): { callable: Callable; declared: ts.NamedDeclaration; member?: string } | undefined {
  const { node } = target;
  if (
    ts.isPropertyAccessExpression(node) &&
    ts.isBinaryExpression(node.parent) &&
    ts.isFunctionExpression(node.parent.right)
  )
    return { callable: node.parent.right, declared: node };
  if (ts.isFunctionDeclaration(node)) return node.body === undefined ? undefined : { callable: node, declared: node };
  if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
    const made = node.initializer;
    return ts.isArrowFunction(made) || ts.isFunctionExpression(made) ? { callable: made, declared: node } : undefined;
  }
  const method = memberOf(target, dice, (one) => ts.isMethodDeclaration(one) && one.body !== undefined);
  return method !== undefined && ts.isMethodDeclaration(method)
    ? { callable: method, declared: method, member: nameIn(method) }
    : undefined;
}

interface Call {
  readonly path: string;
  readonly node: ts.CallExpression | ts.NewExpression;
}

/** Every call; undefined when it is also handed around, which no edit of calls puts right. */
function callsOf(project: Project, declared: ts.Declaration): readonly Call[] | undefined {
  const calls: Call[] = [];
  for (const one of project.referencesOf(declared)) {
    if (one.isWriteAccess && one.textSpan.start === ts.getNameOfDeclaration(declared)?.getStart()) continue;
    const file = project.program.getSourceFile(one.fileName);
    if (file === undefined || !project.isOwn(one.fileName)) return undefined;
    const at = tokenAt(file, one.textSpan.start);
    if (at === undefined) return undefined;
    if (ts.findAncestor(at, (node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node))) continue;
    const callee = ts.isPropertyAccessExpression(at.parent) && at.parent.name === at ? at.parent : at;
    if (callee === declared || at.parent === declared) continue;
    if (!ts.isCallExpression(callee.parent) || callee.parent.expression !== callee) return undefined;
    calls.push({ path: project.pathOf(one.fileName), node: callee.parent });
  }
  return calls;
}

function tokenAt(file: ts.SourceFile, position: number): ts.Node | undefined {
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (position < node.getStart(file) || position >= node.getEnd()) return;
    found = node;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function addParameter(project: Project, target: Target, dice: Dice): Refactored | undefined {
  const found = callableOf(target, dice);
  const calls = found === undefined ? undefined : callsOf(project, found.declared);
  if (found === undefined || calls === undefined) return undefined;
  const { parameters } = found.callable;
  if (parameters.some((one) => one.questionToken ?? one.initializer ?? one.dotDotDotToken)) return undefined;
  const changes = [
    inParameters(target.path, found.callable, "renewed: number"),
    ...calls.map((call) => argument(call)),
  ];
  return changes.includes(undefined)
    ? undefined
    : { edits: project.edited(changes.filter((one) => one !== undefined)), ...named(found.member) };
}

const named = (member: string | undefined): { member?: string } => (member === undefined ? {} : { member });

function inParameters(path: string, { parameters }: Callable, text: string): Change | undefined {
  const last = parameters.at(-1);
  if (last === undefined) return undefined;
  return { path, start: last.getEnd(), length: 0, text: `, ${text}` };
}

interface Change {
  readonly path: string;
  readonly start: number;
  readonly length: number;
  readonly text: string;
}

function argument({ path, node }: Call): Change | undefined {
  const last = node.arguments?.at(-1);
  if (last === undefined || node.arguments?.some((one) => ts.isSpreadElement(one))) return undefined;
  return { path, start: last.getEnd(), length: 0, text: ", 1" };
}

function addOptional(project: Project, target: Target, dice: Dice): Refactored | undefined {
  const found = callableOf(target, dice);
  if (found === undefined || found.callable.parameters.some((one) => one.dotDotDotToken)) return undefined;
  const change = inParameters(target.path, found.callable, "renewed?: number");
  return change === undefined ? undefined : { edits: project.edited([change]), ...named(found.member) };
}

function dropParameter(project: Project, target: Target, dice: Dice): Refactored | undefined {
  const found = callableOf(target, dice);
  const last = found?.callable.parameters.at(-1);
  const before = found?.callable.parameters.at(-2);
  const body = found?.callable.body;
  if (found === undefined || last === undefined || before === undefined || body === undefined) return undefined;
  if (!ts.isBlock(body) || !ts.isIdentifier(last.name) || last.dotDotDotToken !== undefined) return undefined;
  const calls = callsOf(project, found.declared);
  if (calls === undefined) return undefined;
  const type = last.type?.getText() ?? "undefined";
  const count = found.callable.parameters.length;
  const kept = `\n  const ${last.name.text} = ${last.initializer?.getText() ?? `undefined as unknown as ${type}`};`;
  const changes: Change[] = [
    { path: target.path, start: before.getEnd(), length: last.getEnd() - before.getEnd(), text: "" },
    { path: target.path, start: body.getStart() + 1, length: 0, text: kept },
  ];
  for (const { path, node } of calls) {
    const given = node.arguments ?? [];
    const [extra, prior] = [given[count - 1], given[count - 2]];
    if (extra !== undefined && prior !== undefined)
      changes.push({ path, start: prior.getEnd(), length: extra.getEnd() - prior.getEnd(), text: "" });
  }
  return { edits: project.edited(changes), ...named(found.member) };
}

function makeAsync(project: Project, target: Target, dice: Dice): Refactored | undefined {
  const found = callableOf(target, dice);
  if (found === undefined || has(found.callable, ts.SyntaxKind.AsyncKeyword)) return undefined;
  const { callable, declared, member } = found;
  const calls = callsOf(project, declared);
  if (calls === undefined || callable.asteriskToken !== undefined || callable.parameters.length === 0) return undefined;
  const { path } = target;
  const start = ts.isFunctionDeclaration(callable)
    ? callable.getText().indexOf("function") + callable.getStart()
    : ts.isMethodDeclaration(callable)
      ? callable.name.getStart()
      : callable.getStart();
  const changes: Change[] = [{ path, start, length: 0, text: "async " }];
  if (callable.type !== undefined) {
    const { type } = callable;
    changes.push({ path, start: type.getStart(), length: type.getWidth(), text: `Promise<${type.getText()}>` });
  }
  for (const call of calls) {
    if (ts.isAwaitExpression(call.node.parent)) continue;
    changes.push({ path: call.path, start: call.node.getStart(), length: 0, text: "(await " });
    changes.push({ path: call.path, start: call.node.getEnd(), length: 0, text: ")" });
  }
  return { edits: project.edited(changes), ...named(member) };
}

function makePrivate(project: Project, target: Target, dice: Dice): Refactored | undefined {
  if (!ts.isClassLike(target.node)) return undefined;
  const { node } = target;
  const isPublic = (one: ts.Declaration): boolean =>
    (ts.isMethodDeclaration(one) || ts.isPropertyDeclaration(one)) &&
    ![ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.AbstractKeyword].some((kind) =>
      has(one, kind),
    );
  const member = memberOf(target, dice, isPublic);
  if (member === undefined) return undefined;
  const inside = project
    .referencesOf(member)
    .every((one) => one.fileName === node.getSourceFile().fileName && one.textSpan.start < node.getEnd());
  if (!inside) return undefined;
  const word = has(member, ts.SyntaxKind.PublicKeyword) ? "" : "private ";
  const edits = project.edited([{ path: target.path, start: member.getStart(), length: 0, text: word }]);
  return word === "" ? undefined : { edits, member: nameIn(member) };
}

function statementOf(node: ts.Node): ts.Statement | undefined {
  return ts.findAncestor(node, (one): one is ts.Statement => ts.isStatement(one) && ts.isSourceFile(one.parent));
}

function stopExporting(project: Project, target: Target): Refactored | undefined {
  const statement = statementOf(target.node);
  if (statement === undefined || target.isDefault || project.usersOf(target).length > 0) return undefined;
  const word = ts.canHaveModifiers(statement)
    ? ts.getModifiers(statement)?.find((one) => one.kind === ts.SyntaxKind.ExportKeyword)
    : undefined;
  if (word === undefined) return undefined;
  const change = { path: target.path, start: word.getStart(), length: word.getWidth() + 1, text: "" };
  return { edits: project.edited([change]) };
}

function deleteUnused(project: Project, target: Target): Refactored | undefined {
  const statement = statementOf(target.node);
  if (statement === undefined || project.referencesOf(target.node).length > 1) return undefined;
  if (ts.isVariableStatement(statement) && statement.declarationList.declarations.length > 1) return undefined;
  const change = { path: target.path, start: statement.getFullStart(), length: statement.getFullWidth(), text: "\n" };
  return { edits: project.edited([change]) };
}

function deleteMember(project: Project, target: Target, dice: Dice): Refactored | undefined {
  const member = memberOf(target, dice, (one) => project.referencesOf(one).length <= 1);
  if (member === undefined) return undefined;
  const comma = ts.isEnumMember(member) ? 1 : 0;
  const change = { path: target.path, start: member.getFullStart(), length: member.getFullWidth() + comma, text: "" };
  return { edits: project.edited([change]), member: nameIn(member) };
}

function moveToNewFile(project: Project, target: Target): Refactored | undefined {
  const statement = statementOf(target.node);
  if (statement === undefined) return undefined;
  const range = { pos: statement.getStart(), end: statement.getEnd() };
  return whole(project.refactor(target.path, range, "Move to a new file", "Move to a new file"));
}

function convertExport(project: Project, target: Target): Refactored | undefined {
  const statement = statementOf(target.node);
  if (statement === undefined || !target.isDefault) return undefined;
  const range = { pos: statement.getStart(), end: statement.getStart() };
  return whole(project.refactor(target.path, range, "Convert export", "Convert default export to named export"));
}

function propertyOf(target: Target, dice: Dice, isOptional: boolean): ts.PropertySignature | undefined {
  const found = memberOf(
    target,
    dice,
    (one) => ts.isPropertySignature(one) && (one.questionToken !== undefined) === isOptional,
  );
  return found !== undefined && ts.isPropertySignature(found) ? found : undefined;
}

function requireProperty(project: Project, target: Target, dice: Dice): Refactored | undefined {
  const property = propertyOf(target, dice, true);
  if (property?.questionToken === undefined) return undefined;
  const change = { path: target.path, start: property.questionToken.getStart(), length: 1, text: "" };
  return { edits: project.edited([change]), member: nameIn(property) };
}

function loosenProperty(project: Project, target: Target, dice: Dice): Refactored | undefined {
  const property = propertyOf(target, dice, false);
  if (property === undefined) return undefined;
  const change = { path: target.path, start: property.name.getEnd(), length: 0, text: "?" };
  return { edits: project.edited([change]), member: nameIn(property) };
}

function addProperty(project: Project, target: Target): Refactored | undefined {
  const holder = holderOf(target.node);
  if (holder === undefined || !(ts.isInterfaceDeclaration(holder) || ts.isTypeLiteralNode(holder))) return undefined;
  const change = { path: target.path, start: holder.getEnd() - 1, length: 0, text: "  renewed: number;\n" };
  return { edits: project.edited([change]) };
}

function widenResult(project: Project, target: Target, dice: Dice): Refactored | undefined {
  const found = callableOf(target, dice);
  const type = found?.callable.type;
  if (found === undefined || type === undefined || ts.isTypePredicateNode(type)) return undefined;
  const change = { path: target.path, start: type.getEnd(), length: 0, text: " | undefined" };
  return { edits: project.edited([change]), ...named(found.member) };
}
