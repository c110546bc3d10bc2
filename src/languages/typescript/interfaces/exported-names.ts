// Finds what a file gives to others, and under which names, as far as interfaces are concerned: routers, plugins, schemas, and what it
// passes on.

import type { CodeName } from "../../../ports/code-interfaces.ts";
import { fields, type Loose, member, nameOf, nodeAt, nodesAt, textOf } from "./loose-tree.ts";

export function exportedNames(
  program: Loose,
  names: ReadonlyMap<string, CodeName>,
  made: ReadonlyMap<Loose, string>,
  plugins: ReadonlyMap<Loose, string>,
  /** The router that a function makes and gives back. */
  givenBy: (node: Loose | undefined) => string | undefined,
): Record<string, CodeName> {
  const found = new Map<string, CodeName>();
  const give = (as: string | undefined, own: string | undefined): void => {
    if (as !== undefined && own !== undefined) found.set(as, names.get(own) ?? { name: own, module: null });
  };
  const value = (node: Loose | undefined): string | undefined =>
    givenBy(node) ?? nameOf(node) ?? (node === undefined ? undefined : (plugins.get(node) ?? made.get(node)));
  for (const statement of nodesAt(program, "body")) {
    if (statement.type === "ExportDefaultDeclaration") {
      const node = nodeAt(statement, "declaration");
      give("default", value(node) ?? nameOf(nodeAt(node, "id")) ?? "default");
    }
    if (statement.type === "ExportNamedDeclaration") {
      const declaration = nodeAt(statement, "declaration");
      give(nameOf(nodeAt(declaration, "id")), givenBy(declaration) ?? nameOf(nodeAt(declaration, "id")));
      for (const one of nodesAt(declaration, "declarations"))
        give(nameOf(nodeAt(one, "id")), givenBy(nodeAt(one, "init")) ?? nameOf(nodeAt(one, "id")));
      const module = textOf(nodeAt(statement, "source"));
      for (const one of nodesAt(statement, "specifiers")) {
        const [local, as] = [nameOf(nodeAt(one, "local")), nameOf(nodeAt(one, "exported"))];
        if (module === undefined) give(as, local);
        else if (as !== undefined && local !== undefined) found.set(as, { name: local, module });
      }
    }
    if (statement.type === "ExpressionStatement") commonJs(nodeAt(statement, "expression"), give, value);
  }
  return Object.fromEntries(found);
}

/** `module.exports = router`, `module.exports = { router }`, `exports.router = router`. */
function commonJs(
  node: Loose | undefined,
  give: (as: string | undefined, own: string | undefined) => void,
  value: (node: Loose | undefined) => string | undefined,
): void {
  if (node?.type !== "AssignmentExpression") return;
  const left = member(nodeAt(node, "left"));
  const right = nodeAt(node, "right");
  const object = nameOf(left?.object);
  const inner = member(left?.object);
  if (object === "module" && left?.name === "exports") {
    give("default", value(right) ?? (right?.type === "ObjectExpression" ? undefined : "default"));
    for (const [name, one] of fields(right)) give(name, value(one));
  } else if (object === "exports" || (inner !== undefined && nameOf(inner.object) === "module"))
    give(left?.name, value(right));
}
