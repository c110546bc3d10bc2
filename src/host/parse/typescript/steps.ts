// Putting steps after a shape, and the plain names of keys.

import type { PropertyKey } from "oxc-parser";
import type { Shape, Step } from "../../../protocol/typescript-summary.ts";

export function follow(shape: Shape, steps: readonly Step[]): Shape {
  if (steps.length === 0) return shape;
  if (shape.k === "value") return { k: "value", root: shape.root, steps: [...shape.steps, ...steps] };
  if (shape.k === "from") return { k: "from", shape: shape.shape, steps: [...shape.steps, ...steps] };
  return { k: "from", shape, steps };
}

/** The name a key has when it can be read off the source. */
export function keyName(key: PropertyKey, computed: boolean): string | undefined {
  if (key.type === "PrivateIdentifier") return `#${key.name}`;
  if (key.type === "Identifier" && !computed) return key.name;
  if (key.type === "Literal" && (typeof key.value === "string" || typeof key.value === "number"))
    return String(key.value);
  return undefined;
}
