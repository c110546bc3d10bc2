// What the other side does meanwhile: a new use of the same thing, or something near it that is none. Copies of the project's
// own files and functions give uses as real developers write them; the others are made up from what the thing is.

import { dirname, join } from "node:path";
import ts from "typescript6";
import type { Dice } from "../random-project.ts";
import { memberUses, nearMisses, wholeUses } from "./made-up.ts";
import type { Edits, Project, Target } from "./project.ts";

export interface Use {
  readonly name: string;
  readonly edits: Edits;
}

/** One of the ways; undefined where this one does not go. */
export function newUse(project: Project, target: Target, member: string | undefined, dice: Dice): Use | undefined {
  const roll = dice.next();
  if (roll < 0.25) return copiedFile(project, target, dice);
  if (roll < 0.5) return copiedStatement(project, target, dice);
  if (roll < 0.65) return nearMiss(project, target, dice);
  return madeUp(project, target, roll < 0.85 ? member : undefined, dice);
}

function copiedFile(project: Project, target: Target, dice: Dice): Use | undefined {
  const users = project.usersOf(target);
  if (users.length === 0) return undefined;
  const from = dice.pick(users);
  return { name: `a copy of ${from}`, edits: new Map([[beside(from, "copy"), project.text(from)]]) };
}

function beside(path: string, word: string): string {
  const name = path.slice(dirname(path) === "." ? 0 : dirname(path).length + 1);
  return join(dirname(path), name.replace(/^([^.]+)/, `$1-${word}`));
}

/** A function, class or constant that uses it, once more under another name, at the end of the file. */
function copiedStatement(project: Project, target: Target, dice: Dice): Use | undefined {
  const statements = project.referencesOf(target.node).flatMap(({ fileName, textSpan }) => {
    const path = project.pathOf(fileName);
    const file = path === target.path || !project.isOwn(fileName) ? undefined : project.program.getSourceFile(fileName);
    const statement = file?.statements.find((one) => one.getStart() <= textSpan.start && textSpan.start < one.getEnd());
    const name = statement === undefined ? undefined : nameOf(statement);
    return statement === undefined || name === undefined ? [] : [{ path, statement, name }];
  });
  if (statements.length === 0) return undefined;
  const { path, statement, name } = dice.pick(statements);
  const copy = statement.getText().replaceAll(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, "g"), `${name}Again`);
  return { name: `a copy of ${name} in ${path}`, edits: new Map([[path, `${project.text(path)}\n${copy}\n`]]) };
}

function nameOf(statement: ts.Statement): string | undefined {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    const isDefault = ts.getModifiers(statement)?.some((one) => one.kind === ts.SyntaxKind.DefaultKeyword);
    return isDefault === true ? undefined : statement.name?.text;
  }
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return statement.name.text;
  if (!ts.isVariableStatement(statement)) return undefined;
  const [first, ...rest] = statement.declarationList.declarations;
  return first !== undefined && rest.length === 0 && ts.isIdentifier(first.name) ? first.name.text : undefined;
}

function madeUp(project: Project, target: Target, member: string | undefined, dice: Dice): Use | undefined {
  const bodies = member === undefined ? wholeUses(project, target) : memberUses(project, target, member);
  if (bodies.length === 0) return undefined;
  const body = dice.pick(bodies);
  const path = freshPath(project, target, dice);
  return written(project, target, path, body, dice);
}

/** Beside it, or beside one of its users. */
function freshPath(project: Project, target: Target, dice: Dice): string {
  const places = [target.path, target.path, ...project.usersOf(target)];
  const place = dice.pick(places);
  const ending = /\.[cm]?[jt]sx?$/.exec(target.path)?.[0] ?? ".ts";
  const name = dice.below(4) === 0 ? `fresh-${dice.below(1000)}.test` : `fresh-${dice.below(1000)}`;
  return join(dirname(place), `${name}${ending.replace("x", "")}`);
}

export type Body = (name: string) => string;

/** The file with the import that brings the name in, in one of the ways there are. */
function written(project: Project, target: Target, path: string, body: Body, dice: Dice): Use {
  const { name, isDefault } = target;
  const from = JSON.stringify(project.specifier(path, barrelOf(project, target, path, dice) ?? target.path));
  const isScript = /\.[cm]?jsx?$/.test(path);
  const isCommon = isScript && /\bmodule\.exports|\bexports\.|\brequire\(/.test(project.text(target.path));
  const plain = isDefault ? `import ${name} from ${from};` : `import { ${name} } from ${from};`;
  const isType = !isValue(project, target);
  const ways: (readonly [string, string])[] = isCommon
    ? [
        ["required and taken apart", `const { ${name} } = require(${from});\n\n${asCommon(body(name))}`],
        ["required", `const given = require(${from});\n\n${asCommon(body(`given.${name}`))}`],
      ]
    : [
        ["imported", `${plain}\n\n${body(name)}`],
        ["imported", `${plain}\n\n${body(name)}`],
        [
          "imported under another name",
          isDefault
            ? `import other from ${from};\n\n${body("other")}`
            : `import { ${name} as other } from ${from};\n\n${body("other")}`,
        ],
        ["by a namespace", `import * as given from ${from};\n\n${body(`given.${isDefault ? "default" : name}`)}`],
        ["re-exported", `export { ${isDefault ? "default as " : ""}${name} } from ${from};\n`],
        ...(isType || isScript
          ? ([
              ["as a type", `import type { ${isDefault ? "default as " : ""}${name} } from ${from};\n\n${body(name)}`],
            ] as const)
          : ([
              [
                "by a dynamic import",
                `export async function later() {\n  const { ${isDefault ? `default: ${name}` : name} } = await import(${from});\n  return ${name};\n}\n`,
              ],
            ] as const)),
      ];
  const [way, text] = dice.pick(ways);
  return { name: `${way}: ${text.replaceAll("\n", " ")}`, edits: new Map([[path, text]]) };
}

function asCommon(text: string): string {
  return text
    .replace(/^export const (\w+) =/, "exports.$1 =")
    .replace(/^export function (\w+)/, "exports.$1 = function $1");
}

function isValue(project: Project, target: Target): boolean {
  const name = ts.getNameOfDeclaration(target.node);
  const symbol = name === undefined ? undefined : project.checker.getSymbolAtLocation(name);
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Value) !== 0;
}

/** Now and then, a file above it that gives it on under the same name. */
function barrelOf(project: Project, target: Target, from: string, dice: Dice): string | undefined {
  if (target.isDefault || dice.below(3) !== 0) return undefined;
  const barrels = project.paths.filter((path) => {
    if (!/(^|\/)index\.[cm]?[jt]sx?$/.test(path) || path === from || path === target.path) return false;
    const file = project.file(path);
    const symbol = file === undefined ? undefined : project.checker.getSymbolAtLocation(file);
    const found = symbol === undefined ? undefined : project.checker.tryGetMemberInModuleExports(target.name, symbol);
    const real =
      found !== undefined && (found.flags & ts.SymbolFlags.Alias) !== 0
        ? project.checker.getAliasedSymbol(found)
        : found;
    return real?.declarations?.includes(target.node) ?? false;
  });
  return barrels.length === 0 ? undefined : dice.pick(barrels);
}

function nearMiss(project: Project, target: Target, dice: Dice): Use | undefined {
  const others = project.targets.filter(
    (one) => one.path === target.path && one.name !== target.name && !one.isDefault,
  );
  const other = others.length === 0 ? undefined : dice.pick(others);
  const path = freshPath(project, target, dice);
  const made = nearMisses(target, other?.name, project.specifier(path, target.path));
  const [way, text] = dice.pick(made);
  return { name: `near miss, ${way}`, edits: new Map([[path, text]]) };
}
