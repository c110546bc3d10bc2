// A sixth round: tuples and what follows them, and the keywords that the earlier rounds met only alone. Written before it was run; decision 0073
// has what it showed at first sight.

import { object, text, whole } from "./fragments.ts";
import type { JsonSchemaCase } from "./json-schema-case.ts";

const rest = "Core 10.3.1: items applies to what follows prefixItems; false allows nothing there.";
const pair = (more: object = {}) => ({ type: "array", prefixItems: [text, whole], ...more });
const draft7 = (more: object = {}) => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "array",
  items: [text, whole],
  ...more,
});
const names = "Core 10.3.2: properties, patternProperties, additionalProperties.";
const bounds = "Validation 6: a bound is inclusive unless it says otherwise.";

export const sixthSight: readonly JsonSchemaCase[] = [
  ["breaking", "items after a tuple are refused, two places", pair(), pair({ items: false }), rest],
  ["dangerous", "items after a tuple are allowed again", pair({ items: false }), pair(), rest],
  ["breaking", "items after a tuple must be texts", pair(), pair({ items: text }), rest],
  ["dangerous", "items after a tuple may be anything", pair({ items: text }), pair(), rest],
  ["compatible", "items: true is written after a tuple", pair(), pair({ items: true }), rest],
  [
    "breaking",
    "a place of a closed tuple goes",
    pair({ items: false }),
    { type: "array", prefixItems: [text], items: false },
    rest,
  ],
  [
    "dangerous",
    "a place comes to a closed tuple",
    { type: "array", prefixItems: [text], items: false },
    pair({ items: false }),
    rest,
  ],
  [
    "compatible",
    "a closed tuple says how long it is at most",
    pair({ items: false }),
    pair({ items: false, maxItems: 2 }),
    rest,
  ],
  ["breaking", "a closed tuple may only be shorter", pair({ items: false }), pair({ items: false, maxItems: 1 }), rest],
  ["breaking", "a closed tuple must be whole", pair({ items: false }), pair({ items: false, minItems: 2 }), rest],
  [
    "breaking",
    "a closed tuple behind a reference is closed only now",
    { $ref: "#/$defs/P", $defs: { P: pair() } },
    { $ref: "#/$defs/P", $defs: { P: pair({ items: false }) } },
    rest,
  ],
  ["breaking", "a tuple in a property is closed", object({ at: pair() }), object({ at: pair({ items: false }) }), rest],
  ["breaking", "a tuple of draft 7 is closed", draft7(), draft7({ additionalItems: false }), rest],
  ["dangerous", "a tuple of draft 7 is opened", draft7({ additionalItems: false }), draft7(), rest],
  [
    "compatible",
    "a closed tuple of draft 7 in the words of today",
    draft7({ additionalItems: false }),
    pair({ items: false }),
    rest,
  ],
  [
    "breaking",
    "a list of nothing but the empty one",
    { type: "array", items: text },
    { type: "array", items: false },
    rest,
  ],
  [
    "dangerous",
    "a list that had to be empty may hold texts",
    { type: "array", items: false },
    { type: "array", items: text },
    rest,
  ],
  [
    "compatible",
    "a list that holds nothing is one of at most none",
    { type: "array", items: false },
    { type: "array", maxItems: 0 },
    rest,
  ],
  ["breaking", "one place of a tuple is forbidden", pair(), { type: "array", prefixItems: [text, false] }, rest],
  [
    "breaking",
    "an exclusive bound takes a value away",
    { ...whole, maximum: 10 },
    { ...whole, exclusiveMaximum: 10 },
    bounds,
  ],
  [
    "compatible",
    "an exclusive bound of whole numbers is an inclusive one",
    { ...whole, exclusiveMaximum: 10 },
    { ...whole, maximum: 9 },
    bounds,
  ],
  [
    "breaking",
    "a multiple of two becomes one of four",
    { ...whole, multipleOf: 2 },
    { ...whole, multipleOf: 4 },
    bounds,
  ],
  [
    "dangerous",
    "a multiple of four becomes one of two",
    { ...whole, multipleOf: 4 },
    { ...whole, multipleOf: 2 },
    bounds,
  ],
  [
    "breaking",
    "a multiple of two becomes one of three",
    { ...whole, multipleOf: 2 },
    { ...whole, multipleOf: 3 },
    bounds,
  ],
  [
    "breaking",
    "names under a pattern are closed off",
    { type: "object", patternProperties: { "^x-": text } },
    { type: "object", patternProperties: { "^x-": text }, additionalProperties: false },
    names,
  ],
  [
    "breaking",
    "values of a map must be whole numbers",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: whole },
    names,
  ],
  [
    "breaking",
    "a map must be empty",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: false },
    names,
  ],
  ["breaking", "names have a length", { type: "object" }, { type: "object", propertyNames: { maxLength: 3 } }, names],
  [
    "dangerous",
    "names have none any more",
    { type: "object", propertyNames: { maxLength: 3 } },
    { type: "object" },
    names,
  ],
  [
    "breaking",
    "one property brings another two levels down",
    object({ a: object({ b: text, c: text }) }),
    object({ a: { ...object({ b: text, c: text }), dependentRequired: { b: ["c"] } } }),
    "Validation 6.5.4",
  ],
];
