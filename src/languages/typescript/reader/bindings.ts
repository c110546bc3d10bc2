// Finds the names that a scope declares before anything in it is read, because names may be used above their declaration.

import type {
  BindingPattern,
  BindingRestElement,
  Class,
  Directive,
  Expression,
  FormalParameterRest,
  Function,
  ParamPattern,
  Statement,
  TSType,
  TSTypeAnnotation,
  VariableDeclaration,
} from "oxc-parser";
import type { Shape } from "../facts.ts";
import { inTypes, inValues, type Kind, type Scope } from "./scope.ts";
import type { SourceFile } from "./source-file.ts";
import { follow, keyName } from "./steps.ts";
import { annotated } from "./type-shapes.ts";

export type MaybeShape = () => Shape | undefined;

/** Reads expressions; given in because it needs the bindings in turn. */
export interface Shapes {
  shapeOf(node: Expression, scope: Scope): Shape | undefined;
  functionShape(node: Function, scope: Scope): Shape | undefined;
}

const unknown: MaybeShape = () => undefined;

/** A thunk that is worked out once, and not again while it is being worked out (`const a = () => a()`). */
export function once(find: MaybeShape): MaybeShape {
  let state: "new" | "busy" | "done" = "new";
  let shape: Shape | undefined;
  return () => {
    if (state === "new") {
      state = "busy";
      shape = find();
      state = "done";
    }
    return shape;
  };
}

interface Place {
  readonly scope: Scope;
  readonly file: SourceFile;
  readonly top: boolean;
}

export function declare(place: Place, name: string, kind: Kind, offset: number, shape: MaybeShape = unknown): void {
  const { scope, file, top } = place;
  if (scope.declares(name, kind)) file.duplicates.push({ name, line: file.lineAt(offset) });
  scope.bind(name, { spaces: spacesOf[kind], top, shape });
}

const spacesOf: Record<Kind, number> = {
  var: inValues,
  function: inValues,
  overload: inValues,
  once: inValues,
  class: inValues | inTypes,
  interface: inTypes,
  alias: inTypes,
  enum: inValues | inTypes,
  namespace: inValues | inTypes,
  import: inValues | inTypes,
  "import-type": inValues | inTypes,
};

/** The declarations directly in a block, and the `var`s anywhere below it when the block is a function's or the file's. */
export function declareBlock(
  place: Place,
  body: readonly (Directive | Statement)[],
  shapes: Shapes,
  hoist: boolean,
): void {
  for (const statement of body) declareStatement(place, statement, shapes);
  if (hoist) for (const statement of body) hoistVars(place, statement, shapes, false);
}

function declareStatement(place: Place, statement: Directive | Statement, shapes: Shapes): void {
  switch (statement.type) {
    case "ExportNamedDeclaration":
      if (statement.declaration) declareStatement(place, statement.declaration, shapes);
      return;
    case "ExportDefaultDeclaration": {
      const { declaration } = statement;
      if (declaration.type === "FunctionDeclaration" || declaration.type === "TSDeclareFunction")
        declareFunction(place, declaration, shapes);
      if (declaration.type === "ClassDeclaration") declareClass(place, declaration);
      if (declaration.type === "TSInterfaceDeclaration")
        declare(place, declaration.id.name, "interface", declaration.start);
      return;
    }
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      declareFunction(place, statement, shapes);
      return;
    case "ClassDeclaration":
      declareClass(place, statement);
      return;
    case "VariableDeclaration":
      declareVariables(place, statement, shapes);
      return;
    case "TSInterfaceDeclaration":
      declare(place, statement.id.name, "interface", statement.start);
      return;
    case "TSTypeAliasDeclaration":
      declare(place, statement.id.name, "alias", statement.start);
      return;
    case "TSEnumDeclaration":
      declare(place, statement.id.name, "enum", statement.start);
      return;
    case "TSModuleDeclaration": {
      const { id } = statement;
      if (statement.kind === "global" || id.type === "Literal") return;
      let first = id;
      while (first.type === "TSQualifiedName") {
        if (first.left.type === "ThisExpression") return;
        first = first.left;
      }
      declare(place, first.name, "namespace", statement.start);
      return;
    }
    case "TSImportEqualsDeclaration":
      declare(place, statement.id.name, "import", statement.start);
      return;
    case "ImportDeclaration":
      for (const one of statement.specifiers) {
        const typeOnly =
          statement.importKind === "type" || (one.type === "ImportSpecifier" && one.importKind === "type");
        declare(place, one.local.name, typeOnly ? "import-type" : "import", one.start);
      }
      return;
    default:
  }
}

function declareFunction(place: Place, node: Function, shapes: Shapes): void {
  if (node.id === null) return;
  const kind = node.type === "TSDeclareFunction" || node.body === null ? "overload" : "function";
  const { scope } = place;
  declare(
    place,
    node.id.name,
    kind,
    node.start,
    once(() => shapes.functionShape(node, scope)),
  );
}

function declareClass(place: Place, node: Class): void {
  if (node.id !== null) declare(place, node.id.name, "class", node.start);
}

export function declareVariables(place: Place, node: VariableDeclaration, shapes: Shapes): void {
  const kind: Kind = node.kind === "var" ? "var" : "once";
  for (const one of node.declarations) {
    const { init } = one;
    const settled = node.kind === "const" || !place.file.javascript;
    const shape = init === null || !settled ? unknown : once(() => shapes.shapeOf(init, place.scope));
    bindPattern(place, one.id, kind, shape);
  }
}

export type Pattern = BindingPattern | BindingRestElement | FormalParameterRest;

/** Declares every name in a pattern; each holds what its path below the whole holds. */
export function bindPattern(place: Place, pattern: Pattern, kind: Kind, shape: MaybeShape): void {
  const whole = annotation(pattern.type === "AssignmentPattern" ? pattern.left : pattern, place, shape);
  switch (pattern.type) {
    case "Identifier":
      declare(place, pattern.name, kind, pattern.start, whole);
      return;
    case "AssignmentPattern":
      bindPattern(place, pattern.left, kind, whole);
      return;
    case "RestElement":
      bindPattern(place, pattern.argument, kind, unknown);
      return;
    case "ArrayPattern":
      for (const one of pattern.elements) if (one) bindPattern(place, one, kind, unknown);
      return;
    case "ObjectPattern":
      for (const one of pattern.properties) {
        if (one.type === "RestElement") bindPattern(place, one, kind, unknown);
        else bindPattern(place, one.value, kind, memberOf(whole, keyName(one.key, one.computed)));
      }
      return;
    default:
  }
}

function annotation(
  pattern: { typeAnnotation?: TSTypeAnnotation | null | undefined },
  place: Place,
  shape: MaybeShape,
): MaybeShape {
  const written = pattern.typeAnnotation;
  if (!written) return shape;
  return once(() =>
    isRecord(written.typeAnnotation) ? entries(shape()) : annotated(written, place.scope, place.file),
  );
}

/** `Record<string, …>` and `{ [key: string]: … }`: the keys are those it is given, and maybe more. */
function isRecord(type: TSType): boolean {
  if (type.type === "TSTypeLiteral")
    return type.members.length > 0 && type.members.every((one) => one.type === "TSIndexSignature");
  if (type.type !== "TSTypeReference" || type.typeName.type !== "Identifier") return false;
  return type.typeName.name === "Record" && type.typeArguments?.params[0]?.type === "TSStringKeyword";
}

function entries(given: Shape | undefined): Shape | undefined {
  if (given?.k !== "object") return undefined;
  return { k: "object", members: given.members.map(({ name, line }) => ({ name, line })), open: true };
}

function memberOf(whole: MaybeShape, name: string | undefined): MaybeShape {
  if (name === undefined) return unknown;
  return once(() => {
    const shape = whole();
    return shape === undefined ? undefined : follow(shape, [{ s: "member", name }]);
  });
}

export function bindParameters(place: Place, params: readonly ParamPattern[], first: MaybeShape = unknown): void {
  params.forEach((param, index) => {
    const pattern = param.type === "TSParameterProperty" ? param.parameter : param;
    bindPattern(place, pattern, "var", index === 0 ? first : unknown);
  });
}

function hoistVars(place: Place, statement: Directive | Statement | null, shapes: Shapes, nested: boolean): void {
  if (statement === null) return;
  const below = (one: Directive | Statement | null): void => hoistVars(place, one, shapes, true);
  switch (statement.type) {
    case "VariableDeclaration":
      if (nested && statement.kind === "var") declareVariables(place, statement, shapes);
      return;
    case "BlockStatement":
      return statement.body.forEach(below);
    case "IfStatement":
      below(statement.consequent);
      return below(statement.alternate);
    case "ForStatement":
      if (statement.init?.type === "VariableDeclaration") below(statement.init);
      return below(statement.body);
    case "ForInStatement":
    case "ForOfStatement":
      if (statement.left.type === "VariableDeclaration") below(statement.left);
      return below(statement.body);
    case "WhileStatement":
    case "DoWhileStatement":
    case "LabeledStatement":
      return below(statement.body);
    case "TryStatement":
      below(statement.block);
      below(statement.handler?.body ?? null);
      return below(statement.finalizer);
    case "SwitchStatement":
      return statement.cases.forEach((one) => one.consequent.forEach(below));
    default:
  }
}
