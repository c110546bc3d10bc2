// Uses made up from what a thing is. `undefined as never` fits every parameter, so that only the number of arguments, the
// names and the shapes decide.

import ts from "typescript6";
import type { Project, Target } from "./project.ts";
import type { Body } from "./uses.ts";

const nothing = "(undefined as never)";

/** Uses of the thing as a whole. */
export function wholeUses(project: Project, { node, path, name }: Target): readonly Body[] {
  const isScript = /\.[cm]?jsx?$/.test(path);
  const none = isScript ? "undefined" : nothing;
  const { checker } = project;
  if (ts.isClassLike(node)) {
    const made = node.members.find(ts.isConstructorDeclaration);
    const given = (made?.parameters ?? []).filter((one) => required(one)).map(() => none);
    const isAbstract = ts.getModifiers(node)?.some((one) => one.kind === ts.SyntaxKind.AbstractKeyword) ?? false;
    return [
      ...(isAbstract ? [] : [(it: string) => `export const made = new ${it}(${given.join(", ")});\n`]),
      ...(isScript ? [] : [(it: string) => `export const same = (one: ${it}${anys(node)}): unknown => one;\n`]),
      ...(isScript || isAbstract ? [] : [(it: string) => `export class Fresh extends ${it}${anys(node)} {}\n`]),
    ];
  }
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
    const literal = literalOf(checker, node, none);
    return [
      (it) => `export const same = (one: ${it}${anys(node)}): unknown => one;\n`,
      (it) => `export type Fresh = { readonly all: readonly ${it}${anys(node)}[] };\n`,
      ...(literal === undefined ? [] : [(it: string) => `export const made: ${it}${anys(node)} = ${literal};\n`]),
      ...(literal === undefined ? [] : [(it: string) => `export const made: ${it}${anys(node)} = ${literal};\n`]),
    ];
  }
  if (ts.isEnumDeclaration(node)) return [(it) => `export const all = Object.keys(${it});\n`];
  const at = ts.getNameOfDeclaration(node) ?? node;
  const [signature] = checker.getTypeAtLocation(at).getCallSignatures();
  if (signature === undefined) {
    return [
      (it) => `export const fresh = [${it}];\n`,
      ...(isScript ? [] : [(it: string) => `export type Fresh = typeof ${it};\n`]),
    ];
  }
  const parameters = signature.declaration?.parameters ?? [];
  if (!parameters.every((one) => ts.isParameter(one))) return [];
  const least = parameters.filter((one) => ts.isParameter(one) && required(one)).map(() => none);
  const most = parameters.filter((one) => ts.isParameter(one) && one.dotDotDotToken === undefined).map(() => none);
  const part = memberOfType(checker, signature.getReturnType());
  return [
    (it) => `export const fresh = () => ${it}(${least.join(", ")});\n`,
    (it) => `export function ${name === "fresh" ? "again" : "fresh"}() {\n  return ${it}(${most.join(", ")});\n}\n`,
    ...(part === undefined ? [] : [(it: string) => `export const part = () => ${it}(${least.join(", ")}).${part};\n`]),
    ...(part === undefined
      ? []
      : [
          (it: string) =>
            `export const takenApart = () => {\n  const { ${part} } = ${it}(${most.join(", ")});\n  return ${part};\n};\n`,
        ]),
    ...(isScript ? [] : [(it: string) => `export type Fresh = ReturnType<typeof ${it}>;\n`]),
  ];
}

/** Uses of one of its members. */
export function memberUses(project: Project, { node, path }: Target, member: string): readonly Body[] {
  if (/\.[cm]?jsx?$/.test(path)) return [];
  if (ts.isEnumDeclaration(node)) return [(it) => `export const one = ${it}.${member};\n`];
  const isClass = ts.isClassLike(node);
  if (!isClass && !ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node)) return [];
  const type = project.checker.getTypeAtLocation(node);
  const symbol = type.getProperty(member);
  const own = isClass ? node.members.find((one) => one.name?.getText() === member) : undefined;
  const isStatic =
    own !== undefined &&
    ts.canHaveModifiers(own) &&
    ts.getModifiers(own)?.some((one) => one.kind === ts.SyntaxKind.StaticKeyword);
  if (isStatic === true) return [(it) => `export const one = ${it}.${member};\n`];
  if (symbol === undefined) return [];
  const [signature] = project.checker.getTypeOfSymbolAtLocation(symbol, node).getCallSignatures();
  const least = (signature?.declaration?.parameters ?? [])
    .filter((one) => ts.isParameter(one) && required(one))
    .map(() => nothing);
  return [
    (it) => `export const read = (one: ${it}${anys(node)}) => one.${member};\n`,
    (it) => `export const read = ({ ${member} }: ${it}${anys(node)}) => ${member};\n`,
    (it) => `export const some = (all: ${it}${anys(node)}[]) => all.map((one) => one.${member}).filter(Boolean);\n`,
    (it) => `export type Part = Pick<${it}${anys(node)}, "${member}">;\n`,
    (it) => `export type Part = ${it}${anys(node)}["${member}"];\n`,
    ...(signature === undefined
      ? []
      : [(it: string) => `export const call = (one: ${it}${anys(node)}) => one.${member}(${least.join(", ")});\n`]),
  ];
}

/** What looks like a use of it and is none; `other` is something beside it that stays. */
export function nearMisses(
  { name, path }: Target,
  other: string | undefined,
  from: string,
): readonly (readonly [string, string])[] {
  const isScript = /\.[cm]?jsx?$/.test(path);
  return [
    ["a mention", `// ${name} is used by others; see ${from}\nexport const text = "${name}() of ${from}";\n`],
    ["a name of its own", `function ${name}() {\n  return 1;\n}\nexport const fresh = ${name}();\n`],
    ["a key", `export const keys = { ${name}: 1 };\nexport const one = keys.${name};\n`],
    ...(isScript || other === undefined
      ? []
      : ([
          ["a neighbour", `import * as given from "${from}";\n\nexport type Beside = typeof given;\n// ${other}\n`],
          ["a neighbour by name", `export { ${other} } from "${from}";\n`],
          [
            "a local that hides it",
            `import * as given from "${from}";\n\nexport const run = (${name}: () => number) => [${name}(), typeof given];\n`,
          ],
        ] as const)),
  ];
}

function required(one: ts.ParameterDeclaration): boolean {
  return one.questionToken === undefined && one.initializer === undefined && one.dotDotDotToken === undefined;
}

function anys(
  node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.EnumDeclaration,
): string {
  const needed = ts.isEnumDeclaration(node)
    ? []
    : (node.typeParameters ?? []).filter((one) => one.default === undefined);
  return needed.length === 0 ? "" : `<${needed.map(() => "any").join(", ")}>`;
}

/** An object with all that the type requires; undefined for what is not made of plain properties. */
function literalOf(
  checker: ts.TypeChecker,
  node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration,
  none: string,
): string | undefined {
  const type = checker.getTypeAtLocation(node);
  const properties = checker.getPropertiesOfType(type);
  const isPlain =
    (type.flags & ts.TypeFlags.Object) !== 0 && type.getCallSignatures().length === 0 && properties.length > 0;
  if (!isPlain || properties.some((one) => !/^[a-zA-Z_$][\w$]*$/.test(one.name))) return undefined;
  const needed = properties.filter((one) => (one.flags & ts.SymbolFlags.Optional) === 0);
  return `{ ${needed.map((one) => `${one.name}: ${none}`).join(", ")} }`;
}

function memberOfType(checker: ts.TypeChecker, type: ts.Type): string | undefined {
  if ((type.flags & ts.TypeFlags.Object) === 0) return undefined;
  return checker.getPropertiesOfType(type).find((one) => /^[a-z][A-Za-z]*$/.test(one.name))?.name;
}
