// The syntax tree as plain nodes. What is looked for here (calls with literals in them) needs a few shapes out of hundreds, so nodes are
// asked for their fields by name, and whatever is not as expected is nothing.

export interface Loose {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

export function isNode(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

export function nodeAt(node: Loose | undefined, field: string): Loose | undefined {
  const found = node?.[field];
  return isNode(found) ? bare(found) : undefined;
}

export function nodesAt(node: Loose | undefined, field: string): Loose[] {
  const found = node?.[field];
  return Array.isArray(found) ? found.filter(isNode).map(bare) : [];
}

/** Without what only a compiler looks at. */
export function bare(node: Loose): Loose {
  let found = node;
  while (
    ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "ChainExpression", "AwaitExpression"].includes(
      found.type,
    )
  ) {
    const inner = found["expression"] ?? found["argument"];
    if (!isNode(inner)) break;
    found = inner;
  }
  return found;
}

export function nameOf(node: Loose | undefined): string | undefined {
  if (node?.type === "Identifier" && typeof node["name"] === "string") return node["name"];
  return undefined;
}

export function textOf(node: Loose | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node?.type !== "TemplateLiteral" || nodesAt(node, "expressions").length > 0) return undefined;
  return nodesAt(node, "quasis").map(quasi).join("");
}

export function quasi(node: Loose): string {
  const value = node["value"] as { cooked?: unknown } | undefined;
  return typeof value?.cooked === "string" ? value.cooked : "";
}

/** Returns the value that a literal stands for. Undefined if the node is no literal. */
export function literal(node: Loose | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.type === "Literal") return node["value"];
  if (node.type === "UnaryExpression" && node["operator"] === "-") {
    const value = literal(nodeAt(node, "argument"));
    return typeof value === "number" ? -value : undefined;
  }
  return textOf(node);
}

/** `a.b` as its object and its name; computed with a literal counts too. */
export function member(node: Loose | undefined): { readonly object: Loose; readonly name: string } | undefined {
  if (node?.type !== "MemberExpression") return undefined;
  const object = nodeAt(node, "object");
  const property = nodeAt(node, "property");
  const name = node["computed"] === true ? textOf(property) : nameOf(property);
  return object === undefined || name === undefined ? undefined : { object, name };
}

/** The properties of an object literal by name. */
export function fields(node: Loose | undefined): Map<string, Loose> {
  const found = new Map<string, Loose>();
  if (node?.type !== "ObjectExpression") return found;
  for (const property of nodesAt(node, "properties")) {
    const key = nodeAt(property, "key");
    const name = property["computed"] === true ? undefined : (nameOf(key) ?? String(literal(key) ?? ""));
    const value = nodeAt(property, "value");
    if (property.type === "Property" && name !== undefined && value !== undefined) found.set(name, value);
  }
  return found;
}

export function isFunction(node: Loose | undefined): node is Loose & { readonly params: unknown } {
  return (
    node !== undefined && ["ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration"].includes(node.type)
  );
}

/** Every node below, the node itself first. `enter` may keep out of a part by saying false. */
export function walk(node: Loose, enter: (node: Loose) => boolean | void): void {
  if (enter(node) === false) return;
  for (const key in node) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) walk(item, enter);
    } else if (isNode(value)) walk(value, enter);
  }
}
