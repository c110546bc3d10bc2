// A fifth round: payloads of several alternatives. Written before it was run; decision 0065 has what it showed at first sight.

import { object, text, whole } from "./fragments.ts";
import type { AsyncApiCase } from "./minimal-document.ts";

const oneOf = "JSON Schema Core 10.2.1.3: oneOf is valid if exactly one subschema is.";
const told = (kind: string, more: object = {}) => object({ kind: { const: kind }, ...more }, ["kind"]);
const either = (more: object) => ({ oneOf: [told("placed"), told("paid", more)] });
const open = (type: unknown) => ({ oneOf: [object({ a: text }), object({ a: text, b: type })] });

export const fifthSight: readonly AsyncApiCase[] = [
  [
    "breaking",
    "an alternative of what is sent changes a type",
    "v2 subscribe",
    either({ sum: text }),
    either({ sum: whole }),
    oneOf,
  ],
  [
    "breaking",
    "an alternative of what is received changes a type",
    "v2 publish",
    either({ sum: text }),
    either({ sum: whole }),
    oneOf,
  ],
  ["breaking", "an alternative of what is sent loses a property", "v3 send", either({ sum: text }), either({}), oneOf],
  ["compatible", "an alternative of what is sent gets a property", "v3 send", either({}), either({ sum: text }), oneOf],
  [
    "breaking",
    "a nameless alternative beside a looser one changes a type, sent",
    "v3 send",
    open(text),
    open(whole),
    oneOf,
  ],
  [
    "breaking",
    "a nameless alternative beside a looser one changes a type, received",
    "v3 receive",
    open(text),
    open(whole),
    oneOf,
  ],
];
