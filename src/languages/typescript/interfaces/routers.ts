// Tells what makes a router in Hono, Express and Fastify, and how they write paths.

import { fields, type Loose, member, nameOf, nodeAt, nodesAt, textOf } from "./loose-tree.ts";
import { writtenPath } from "./written-paths.ts";

/** `new Hono()`, `express()`, `express.Router()`, `Fastify()`, with whatever is chained to it. */
export function madeRouter(node: Loose | undefined): { readonly root: Loose; readonly prefix: string } | undefined {
  let prefix = "";
  let at = node;
  for (let depth = 0; at !== undefined && depth < 200; depth += 1) {
    const callee = nodeAt(at, "callee");
    const name = nameOf(callee) ?? member(callee)?.name ?? "";
    if (at.type === "NewExpression" && /^(Hono|OpenAPIHono|Elysia)$/.test(name)) return { root: at, prefix };
    if (at.type !== "CallExpression") return undefined;
    if (/^(express|Router|fastify|Fastify)$/.test(name)) return { root: at, prefix };
    if (name === "basePath") prefix = joined(pathOf(writtenPath(nodesAt(at, "arguments")[0]) ?? ""), prefix);
    at = member(callee)?.object;
  }
  return undefined;
}

export function requiredModule(node: Loose): string | undefined {
  if (node.type !== "CallExpression" || nameOf(nodeAt(node, "callee")) !== "require") return undefined;
  return textOf(nodesAt(node, "arguments")[0]);
}

export const isJsonSchema = (node: Loose): boolean => {
  const found = fields(node);
  return found.has("properties") && textOf(found.get("type")) === "object";
};

/** `:id`, `:id(\\d+)`, `:id{[0-9]+}`, `:id?` and `*` as OpenAPI writes parameters. */
export function pathOf(written: string): string {
  const path = withParameters(written);
  return path === "" || path.startsWith("/") || path.startsWith("\uE001") ? path : `/${path}`;
}

export function withParameters(written: string): string {
  return written
    .replaceAll(/:([A-Za-z_]\w*)(\{[^}]{0,500}\}|\([^)]{0,500}\))?\??/g, "{$1}")
    .replaceAll(/\/\*(\w*)/g, (_, name: string) => `/{${name === "" ? "rest" : name}}`);
}

export function joined(before: string, after: string): string {
  return `${before.replace(/\/$/, "")}${after === "/" ? "" : after}`;
}
