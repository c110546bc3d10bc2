// Reads what a file imports and exports: ES modules, CommonJS, and TypeScript's `import =` and `export =`.

import type { BindingPattern, Directive, Expression, ModuleExportName, Statement } from "oxc-parser";
import type { Declaration, Export, Import, ModuleMention } from "../facts.ts";
import type { Pattern } from "./bindings.ts";
import { defaultName, plain, type Reader } from "./declarations.ts";
import type { Scope } from "./scope.ts";
import { keyName } from "./steps.ts";

export interface ModuleLinks {
  readonly imports: Import[];
  readonly exports: Export[];
  readonly mentions: ModuleMention[];
  /** Definitions made by exporting: `exports.a = …`. */
  readonly declarations: Declaration[];
  exportsOpen: boolean;
  module: "esm" | "commonjs" | "script";
  augments: boolean;
}

/** Name of what `module.exports = …` or `export = …` stands for. */
const wholeName = "*export=*";

export function moduleLinks(body: readonly (Directive | Statement)[], scope: Scope, reader: Reader): ModuleLinks {
  const links: ModuleLinks = {
    imports: [],
    exports: [],
    mentions: [],
    declarations: [],
    exportsOpen: false,
    module: "script",
    augments: false,
  };
  for (const statement of body) link(statement, scope, reader, links);
  return links;
}

function link(statement: Directive | Statement, scope: Scope, reader: Reader, links: ModuleLinks): void {
  const line = reader.file.lineAt(statement.start);
  switch (statement.type) {
    case "ImportDeclaration": {
      links.module = "esm";
      const specifier = statement.source.value;
      const whole = statement.importKind === "type";
      links.mentions.push({
        specifier,
        line,
        how: whole ? "type" : statement.specifiers.length === 0 ? "side-effect" : "import",
      });
      for (const one of statement.specifiers) {
        const imported =
          one.type === "ImportSpecifier"
            ? exportName(one.imported)
            : one.type === "ImportDefaultSpecifier"
              ? "default"
              : "*";
        const typeOnly = whole || (one.type === "ImportSpecifier" && one.importKind === "type");
        links.imports.push({
          local: one.local.name,
          specifier,
          imported,
          line: reader.file.lineAt(one.start),
          style: "import",
          ...(typeOnly ? { typeOnly } : {}),
        });
      }
      return;
    }
    case "TSImportEqualsDeclaration":
      if (statement.moduleReference.type !== "TSExternalModuleReference") return;
      links.module = "esm";
      links.mentions.push({ specifier: statement.moduleReference.expression.value, line, how: "require" });
      links.imports.push({
        local: statement.id.name,
        specifier: statement.moduleReference.expression.value,
        imported: "*",
        line,
        style: "import-equals",
      });
      return;
    case "ExportAllDeclaration": {
      links.module = "esm";
      const from = statement.source.value;
      links.mentions.push({ specifier: from, line, how: "export" });
      const typeOnly = statement.exportKind === "type";
      const name = statement.exported ? exportName(statement.exported) : "*";
      links.exports.push({ name, from, imported: "*", line, ...(typeOnly ? { typeOnly } : {}) });
      return;
    }
    case "ExportNamedDeclaration": {
      links.module = "esm";
      const from = statement.source?.value;
      if (from !== undefined) links.mentions.push({ specifier: from, line, how: "export" });
      for (const one of statement.specifiers) {
        const typeOnly = statement.exportKind === "type" || one.exportKind === "type";
        const local = exportName(one.local);
        const place = { line: reader.file.lineAt(one.start), ...(typeOnly ? { typeOnly: true as const } : {}) };
        links.exports.push({
          name: exportName(one.exported),
          ...(from === undefined ? { local } : { from, imported: local }),
          ...place,
        });
      }
      if (statement.declaration)
        for (const name of declaredNames(statement.declaration)) links.exports.push({ name, local: name, line });
      return;
    }
    case "ExportDefaultDeclaration": {
      links.module = "esm";
      const { declaration } = statement;
      const named =
        declaration.type === "Identifier"
          ? declaration.name
          : "id" in declaration && declaration.id?.type === "Identifier"
            ? declaration.id.name
            : undefined;
      const own = declaration.type === "FunctionExpression" || declaration.type === "ClassExpression";
      links.exports.push({ name: "default", local: own ? defaultName : (named ?? defaultName), line });
      return;
    }
    case "TSExportAssignment":
      links.module = "esm";
      return whole(statement.expression, statement, scope, reader, links);
    case "TSModuleDeclaration":
      if (statement.kind === "global" || statement.id.type === "Literal") links.augments = true;
      return;
    case "ExpressionStatement":
      return commonJs(statement.expression, scope, reader, links);
    default:
  }
}

function exportName(name: ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}

function declaredNames(statement: Statement): string[] {
  switch (statement.type) {
    case "VariableDeclaration":
      return statement.declarations.flatMap((one) => patternNames(one.id));
    case "TSModuleDeclaration": {
      let { id } = statement;
      while (id.type === "TSQualifiedName" && id.left.type !== "ThisExpression") id = id.left;
      return id.type === "Identifier" ? [id.name] : [];
    }
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "ClassDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSEnumDeclaration":
    case "TSImportEqualsDeclaration":
      return statement.id ? [statement.id.name] : [];
    default:
      return [];
  }
}

function patternNames(pattern: BindingPattern): string[] {
  const names: string[] = [];
  collect(pattern, names);
  return names;
}

function collect(pattern: Pattern, names: string[]): void {
  if (pattern.type === "Identifier") names.push(pattern.name);
  else if (pattern.type === "AssignmentPattern") collect(pattern.left, names);
  else if (pattern.type === "RestElement") collect(pattern.argument, names);
  else if (pattern.type === "ArrayPattern") for (const one of pattern.elements) collectMaybe(one, names);
  else for (const one of pattern.properties) collect(one.type === "RestElement" ? one : one.value, names);
}

function collectMaybe(pattern: Pattern | null, names: string[]): void {
  if (pattern !== null) collect(pattern, names);
}

function whole(
  value: Expression,
  node: Statement | Expression,
  scope: Scope,
  reader: Reader,
  links: ModuleLinks,
): void {
  const line = reader.file.lineAt(node.start);
  if (value.type === "Identifier") {
    links.exports.push({ name: "export=", local: value.name, line });
    return;
  }
  const shape = reader.shapes.shapeOf(value, scope);
  if (shape === undefined) links.exportsOpen = true;
  links.declarations.push({
    ...plain(wholeName, "variable", node, reader),
    shape:
      shape?.k === "object" ? { k: "object", members: shape.members, ...(shape.open ? { open: true } : {}) } : shape,
  });
  links.exports.push({ name: "export=", local: wholeName, line });
}

/** `module.exports = …`, `exports.a = …`, `module.exports.a = …` at the top of the file. */
function commonJs(expression: Expression, scope: Scope, reader: Reader, links: ModuleLinks): void {
  if (expression.type !== "AssignmentExpression" || expression.operator !== "=") return;
  const target = exportTarget(expression.left as Expression);
  if (target === undefined) return;
  if (links.module === "script") links.module = "commonjs";
  const { right } = expression;
  if (target === "") {
    // `module.exports = exports = …` and the like: the value is the innermost.
    if (right.type === "AssignmentExpression") links.exportsOpen = true;
    return whole(right, expression, scope, reader, links);
  }
  const line = reader.file.lineAt(expression.start);
  if (target === "__esModule") return;
  if (right.type === "Identifier" && right.name !== "undefined") {
    links.exports.push({ name: target, local: right.name, line });
    return;
  }
  if (right.type === "UnaryExpression" || right.type === "AssignmentExpression") {
    links.exportsOpen = true;
    return;
  }
  const local = `*${target}*`;
  links.declarations.push({
    ...plain(local, right.type.includes("Function") ? "function" : "variable", expression, reader),
    shape: reader.shapes.shapeOf(right, scope),
  });
  links.exports.push({ name: target, local, line });
}

/** The name exported to by assigning here; empty for the whole module. */
export function exportTarget(left: Expression): string | undefined {
  if (left.type !== "MemberExpression") return undefined;
  const name = keyName(left.property, left.computed);
  if (name === undefined) return undefined;
  if (left.object.type === "Identifier" && left.object.name === "module") return name === "exports" ? "" : undefined;
  const holder = left.object;
  if (holder.type === "Identifier" && holder.name === "exports") return name;
  return exportTarget(holder) === "" ? name : undefined;
}
