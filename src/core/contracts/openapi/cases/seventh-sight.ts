// A seventh round: tuples and what follows them, and lists that hold nothing. Written before it was run; decision 0073 has what it showed.

import { text, whole } from "./fragments.ts";
import type { OpenApiCase } from "./minimal-document.ts";

const rest = "JSON Schema Core 10.3.1: items applies to what follows prefixItems; false allows nothing there.";
const tuple = { type: "array", prefixItems: [text, whole] };
const closed = { ...tuple, items: false };
const held = (schema: unknown) => ({ type: "object", properties: { at: schema } });

export const seventhSight: readonly OpenApiCase[] = [
  ["breaking", "a tuple of a request is closed", "request", tuple, closed, rest],
  ["compatible", "a tuple of a request is opened", "request", closed, tuple, rest],
  ["compatible", "a tuple of an answer is closed", "response", tuple, closed, rest],
  ["breaking", "a tuple of an answer is opened", "response", closed, tuple, "As a maxItems that goes."],
  ["breaking", "a tuple in a property of a request is closed", "request", held(tuple), held(closed), rest],
  ["breaking", "a tuple as a query parameter is closed", "query", tuple, closed, rest],
  [
    "breaking",
    "a place of a closed tuple of an answer goes",
    "response",
    closed,
    { type: "array", prefixItems: [text], items: false },
    rest,
  ],
  [
    "breaking",
    "a place of a closed tuple of a request goes",
    "request",
    closed,
    { type: "array", prefixItems: [text], items: false },
    rest,
  ],
  [
    "compatible",
    "a place comes to a closed tuple of a request",
    "request",
    { type: "array", prefixItems: [text], items: false },
    closed,
    rest,
  ],
  [
    "breaking",
    "a list of a request must be empty",
    "request",
    { type: "array", items: text },
    { type: "array", items: false },
    rest,
  ],
  ["breaking", "what follows a tuple of a request must be a text", "request", tuple, { ...tuple, items: text }, rest],
  [
    "breaking",
    "what follows a tuple of an answer is something else",
    "response",
    { ...tuple, items: text },
    { ...tuple, items: whole },
    rest,
  ],
];
