// Paths as code writes them: literals, and constants by their names, which are put in when the files of an application are joined
// (core/contracts/inferred).

import { codeText } from "../../../ports/code-interfaces.ts";
import { fields, type Loose, member, nameOf, nodeAt, nodesAt, quasi, textOf } from "./loose-tree.ts";

const longest = 300;

/** A literal, a template, a sum of texts, or the name of a constant; undefined where it is none of these. */
export function writtenPath(node: Loose | undefined, depth = 0): string | undefined {
  if (node === undefined || depth > 10) return undefined;
  const text = textOf(node);
  if (text !== undefined) return text.length > longest ? undefined : text;
  if (node.type === "TemplateLiteral") {
    const put = nodesAt(node, "expressions").map((one) => writtenPath(one, depth + 1));
    if (put.some((one) => one === undefined)) return undefined;
    return nodesAt(node, "quasis")
      .map((one, at) => `${quasi(one)}${put[at] ?? ""}`)
      .join("");
  }
  if (node.type === "BinaryExpression" && node["operator"] === "+") {
    const sides = [nodeAt(node, "left"), nodeAt(node, "right")].map((one) => writtenPath(one, depth + 1));
    return sides.some((one) => one === undefined) ? undefined : sides.join("");
  }
  const name = dottedName(node);
  return name === undefined ? undefined : codeText(name);
}

/** `a`, `a.b`. */
export function dottedName(node: Loose | undefined): string | undefined {
  const called = member(node);
  if (called === undefined) return nameOf(node);
  const object = dottedName(called.object);
  return object === undefined ? undefined : `${object}.${called.name}`;
}

/** The texts that a constant holds: its own, or those of its fields. */
export function textsIn(name: string, node: Loose, depth = 0): [string, string][] {
  const frozen = node.type === "CallExpression" && member(nodeAt(node, "callee"))?.name === "freeze";
  const value = frozen ? (nodesAt(node, "arguments")[0] ?? node) : node;
  if (value.type === "ObjectExpression")
    return depth > 3 ? [] : [...fields(value)].flatMap(([key, one]) => textsIn(`${name}.${key}`, one, depth + 1));
  const text = value.type === "MemberExpression" || value.type === "Identifier" ? undefined : writtenPath(value);
  return text === undefined ? [] : [[name, text]];
}
