// A fourth round: keywords together and inside each other, as registries and tools that compare schemas describe what they look at. Written
// before it was run; decision 0052 has what it showed at first sight.

import { object, text, whole } from "./fragments.ts";
import type { JsonSchemaCase } from "./json-schema-case.ts";

const list = (items: unknown, more: object = {}) => ({ type: "array", items, ...more });
const closed = (properties: unknown, required: string[] = []) => ({
  ...object(properties, required),
  additionalProperties: false,
});
const kinds = (...names: string[]) => ({
  oneOf: names.map((name) => object({ kind: { const: name } }, ["kind"])),
});
// oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
const when = (then: object) => ({ ...object({ a: text, b: text }), if: { required: ["a"] }, then });

const shrinks = "An instance that was valid no longer is.";
const grows = "Whoever reads may meet an instance that was not valid before.";
const same = "Both schemas are valid for the same instances.";
const gone = "A property that was described is no longer.";
const annotates = "Validation 9: annotations do not affect validation.";

export const fourthSight: readonly JsonSchemaCase[] = [
  [
    "breaking",
    "a described property goes from an open object",
    object({ a: text, b: text }),
    object({ a: text }),
    gone,
  ],
  [
    "breaking",
    "a described property goes from a closed object",
    closed({ a: text, b: text }),
    closed({ a: text }),
    shrinks,
  ],
  [
    "compatible",
    "a property comes to a closed object",
    closed({ a: text }),
    closed({ a: text, b: text }),
    "Readers pass over properties they do not know (decision 30).",
  ],
  ["breaking", "an open object is closed", object({ a: text }), closed({ a: text }), shrinks],
  ["dangerous", "a required property becomes optional", object({ a: text }, ["a"]), object({ a: text }), grows],
  [
    "breaking",
    "a property of items becomes required",
    list(object({ a: text })),
    list(object({ a: text }, ["a"])),
    shrinks,
  ],
  [
    "breaking",
    "a property of values becomes required",
    { additionalProperties: object({ a: text }) },
    { additionalProperties: object({ a: text }, ["a"]) },
    shrinks,
  ],
  [
    "breaking",
    "a property under a pattern narrows",
    { patternProperties: { "^x-": { type: ["string", "number"] } } },
    { patternProperties: { "^x-": text } },
    shrinks,
  ],
  [
    "dangerous",
    "an integer becomes a number, as the tools describe it",
    object({ a: whole }),
    object({ a: { type: "number" } }),
    grows,
  ],
  [
    "breaking",
    "a number becomes an integer, as the tools describe it",
    object({ a: { type: "number" } }),
    object({ a: whole }),
    shrinks,
  ],
  ["breaking", "a text becomes a list", object({ a: text }), object({ a: list(text) }), shrinks],
  ["dangerous", "null is allowed beside an enum", { enum: ["a"] }, { enum: ["a", null] }, grows],
  ["breaking", "null is no longer allowed, as the tools describe it", { type: ["string", "null"] }, text, shrinks],
  ["breaking", "an enum goes down to a constant", { enum: ["a", "b"] }, { const: "a" }, shrinks],
  ["compatible", "an enum of one becomes a constant", { enum: ["a"] }, { const: "a" }, same],
  ["compatible", "the values of an enum change places", { enum: ["a", "b"] }, { enum: ["b", "a"] }, same],
  ["breaking", "an alternative goes", kinds("a", "b"), kinds("a"), shrinks],
  ["dangerous", "an alternative comes", kinds("a"), kinds("a", "b"), grows],
  ["compatible", "alternatives change places", kinds("a", "b"), kinds("b", "a"), same],
  [
    "breaking",
    "a property inside an alternative narrows",
    { oneOf: [object({ kind: { const: "a" }, n: whole }, ["kind"]), object({ kind: { const: "b" } }, ["kind"])] },
    {
      oneOf: [
        object({ kind: { const: "a" }, n: { ...whole, maximum: 3 } }, ["kind"]),
        object({ kind: { const: "b" } }, ["kind"]),
      ],
    },
    shrinks,
  ],
  [
    "breaking",
    "a part of allOf is added that demands",
    { allOf: [object({ a: text })] },
    { allOf: [object({ a: text }), { minProperties: 1 }] },
    shrinks,
  ],
  [
    "dangerous",
    "a part of allOf that demands goes",
    { allOf: [object({ a: text }), { minProperties: 1 }] },
    { allOf: [object({ a: text })] },
    grows,
  ],
  [
    "compatible",
    "two parts of allOf are put together",
    { allOf: [object({ a: text }), object({ b: text }, ["b"])] },
    object({ a: text, b: text }, ["b"]),
    same,
  ],
  ["breaking", "a condition demands more", when({}), when({ required: ["b"] }), shrinks],
  ["dangerous", "a condition demands less", when({ required: ["b"] }), when({}), grows],
  ["breaking", "a list of any length is bounded", list(text), list(text, { maxItems: 3 }), shrinks],
  ["breaking", "two equal items are no longer allowed", list(text), list(text, { uniqueItems: true }), shrinks],
  ["compatible", "a bound that was implied is written", list(text, { minItems: 0 }), list(text), same],
  ["breaking", "items must be there that are named", list(text), list(text, { contains: { const: "a" } }), shrinks],
  ["breaking", "a tuple has no room for more", { prefixItems: [text] }, { prefixItems: [text], items: false }, shrinks],
  ["dangerous", "a tuple has room for more", { prefixItems: [text], items: false }, { prefixItems: [text] }, grows],
  [
    "breaking",
    "a definition behind two references narrows",
    { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/B" }, B: text } },
    { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/B" }, B: { ...text, minLength: 1 } } },
    shrinks,
  ],
  [
    "breaking",
    "a schema that contains itself narrows inside",
    { $ref: "#/$defs/T", $defs: { T: object({ next: { $ref: "#/$defs/T" }, v: text }) } },
    { $ref: "#/$defs/T", $defs: { T: object({ next: { $ref: "#/$defs/T" }, v: whole }) } },
    shrinks,
  ],
  [
    "compatible",
    "a reference is written out",
    { ...object({ a: { $ref: "#/$defs/A" } }), $defs: { A: text } },
    object({ a: text }),
    same,
  ],
  [
    "compatible",
    "titles, examples and defaults change",
    { ...text, title: "a", examples: ["a"], default: "a" },
    { ...text, title: "b", examples: ["b"], default: "b" },
    annotates,
  ],
  ["compatible", "a schema that allows all is true", object({ a: {} }), object({ a: true }), same],
  ["breaking", "a property is forbidden, as the tools describe it", object({ a: text }), object({ a: false }), shrinks],
  ["breaking", "everything is forbidden", text, false, shrinks],
  [
    "breaking",
    "one property needs another, as the tools describe it",
    object({ a: text, b: text }),
    { ...object({ a: text, b: text }), dependentRequired: { a: ["b"] } },
    shrinks,
  ],
  [
    "compatible",
    "the same is said in the words of an older draft",
    { ...object({ a: text, b: text }), dependencies: { a: ["b"] } },
    { ...object({ a: text, b: text }), dependentRequired: { a: ["b"] } },
    same,
  ],
  [
    "breaking",
    "what is excluded is something else",
    { ...whole, not: { maximum: 3 } },
    { ...whole, not: { minimum: 9 } },
    shrinks,
  ],
  [
    "dangerous",
    "what is excluded shrinks",
    { ...text, not: { enum: ["a", "b"] } },
    { ...text, not: { const: "a" } },
    grows,
  ],
  [
    "breaking",
    "what is excluded grows",
    { ...text, not: { const: "a" } },
    { ...text, not: { enum: ["a", "b"] } },
    shrinks,
  ],
];
