// The address of a request as code puts it together: from literals, templates, sums and constants, with `{}` where a value goes in, and
// with what says which program is meant: a host, or the name of the setting that holds it.

import { type Address, addressOf, isTelling } from "../../request-address.ts";
import { type Loose, literal, member, nameOf, nodeAt, nodesAt, quasi } from "./loose-tree.ts";

type Constants = ReadonlyMap<string, Loose>;

/** undefined where no path can be told. `base`: what a client was made with. */
export function addressIn(node: Loose | undefined, constants: Constants, base?: Loose): Address | undefined {
  const written = [base, node].map((one) => (one === undefined ? "" : (put(one, constants, 0) ?? "\uE000?\uE000")));
  return addressOf(written.join(""));
}

function put(node: Loose, constants: Constants, depth: number): string | undefined {
  if (depth > 10) return undefined;
  const value = literal(node);
  if (typeof value === "string") return value;
  if (node.type === "TemplateLiteral") {
    const values = nodesAt(node, "expressions");
    return nodesAt(node, "quasis")
      .map((part, at) => {
        const next = values[at];
        return quasi(part) + (next === undefined ? "" : (put(next, constants, depth + 1) ?? "\uE000?\uE000"));
      })
      .join("");
  }
  if (node.type === "BinaryExpression" && node["operator"] === "+") {
    const [left, right] = [nodeAt(node, "left"), nodeAt(node, "right")];
    const of = (one: Loose | undefined): string =>
      one === undefined ? "" : (put(one, constants, depth + 1) ?? "\uE000?\uE000");
    return of(left) + of(right);
  }
  // `settings.ORDERS_URL ?? "http://localhost:3000"`: the setting says more than where it runs by default.
  if (node.type === "LogicalExpression") {
    const left = nodeAt(node, "left");
    return left === undefined ? undefined : put(left, constants, depth + 1);
  }
  if (node.type === "NewExpression" && nameOf(nodeAt(node, "callee")) === "URL") {
    const [path, base] = nodesAt(node, "arguments");
    return [base, path]
      .map((one) => (one === undefined ? "" : (put(one, constants, depth + 1) ?? "\uE000?\uE000")))
      .join("");
  }
  const name = nameOf(node);
  if (name !== undefined) {
    const constant = constants.get(name);
    const known = constant === undefined ? undefined : put(constant, constants, depth + 1);
    // A name in capitals, or one that speaks of an address, may say whose it is; `id` says nothing.
    return known ?? (isTelling(name) ? `\uE000${name}\uE000` : undefined);
  }
  const { name: last = "" } = member(node) ?? {};
  return isTelling(last) ? `\uE000${last}\uE000` : undefined;
}
