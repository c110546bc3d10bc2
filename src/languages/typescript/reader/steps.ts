// Putting steps after a shape, and the plain names of keys.

import type { PropertyKey } from "oxc-parser";
import type { Shape, Step } from "../facts.ts";

/** Returns what steps lead to. What the file itself says (a literal's member, an element's type) is followed at once. */
export function follow(shape: Shape, steps: readonly Step[]): Shape | undefined {
  const reduced = reduce(shape, steps);
  if (reduced === undefined) return undefined;
  const { from, rest } = reduced;
  if (rest.length === 0) return from;
  if (from.k === "value") return { k: "value", root: from.root, steps: [...from.steps, ...rest] };
  if (from.k === "from") return { k: "from", shape: from.shape, steps: [...from.steps, ...rest] };
  return { k: "from", shape: from, steps: rest };
}

/** Takes the steps that the shape alone answers; undefined when they lead to nothing known elsewhere. */
export function reduce(shape: Shape, steps: readonly Step[]): { from: Shape; rest: readonly Step[] } | undefined {
  let from: Shape = shape;
  let at = 0;
  for (; at < steps.length; at += 1) {
    const step = steps[at];
    if (step === undefined || isNamed(from)) break;
    const next = inside(from, step);
    if (next === undefined) return undefined;
    if (next === "stay") break;
    from = next;
  }
  return { from, rest: steps.slice(at) };
}

/** Another file may decide what it is. */
function isNamed(shape: Shape): boolean {
  return shape.k === "value" || shape.k === "type" || shape.k === "from" || shape.k === "union" || shape.k === "both";
}

function inside(shape: Shape, step: Step): Shape | "stay" | undefined {
  if (step.s === "fit" || step.s === "implement") return "stay";
  if (step.s === "await") return shape;
  if (shape.k === "object" && step.s === "member") return shape.members.find((one) => one.name === step.name)?.shape;
  if (shape.k === "array" && step.s === "element") return shape.of;
  if (shape.k !== "function" || step.s !== "call") return undefined;
  const [only] = shape.signatures;
  return shape.signatures.length === 1 && only !== undefined && !only.generator ? only.returns : undefined;
}

/** The name a key has when it can be read off the source. */
export function keyName(key: PropertyKey, computed: boolean): string | undefined {
  if (key.type === "PrivateIdentifier") return `#${key.name}`;
  if (key.type === "Identifier" && !computed) return key.name;
  if (key.type === "Literal" && (typeof key.value === "string" || typeof key.value === "number"))
    return String(key.value);
  if (key.type === "TemplateLiteral" && key.expressions.length === 0) return key.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}
