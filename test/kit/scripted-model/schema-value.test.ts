import { expect, test } from "bun:test";
import { smallestFor } from "./schema-value.ts";

function check(name: string, schema: object, expected: unknown): void {
  test(name, () => expect(smallestFor(schema as Record<string, unknown>)).toEqual(expected));
}

const text = { type: "string" };
check("a text", text, "");
check("a text of some length", { type: "string", minLength: 3 }, "xxx");
check("a number", { type: "number", minimum: 2 }, 2);
check("a number above another", { type: "integer", exclusiveMinimum: 2 }, 3);
check("a number that must be negative", { type: "integer", maximum: -1 }, -1);
check("yes or no", { type: "boolean" }, false);
check("one of a few", { enum: ["b", "a"] }, "b");
check("just this", { const: 7 }, 7);
check("a list", { type: "array", items: text }, []);
check("a list of two", { type: "array", items: text, minItems: 2 }, ["", ""]);
check("only what an object needs", { type: "object", properties: { a: text, b: text }, required: ["b"] }, { b: "" });
check("the first of several", { anyOf: [{ type: "null" }, text] }, null);
check("the first of several types", { type: ["string", "null"] }, "");
check("all of several", { allOf: [{ properties: { a: text }, required: ["a"] }, { type: "object" }] }, { a: "" });
check("elsewhere in the schema", { $ref: "#/$defs/one", $defs: { one: { const: 1 } } }, 1);
check("types in capitals", { type: "OBJECT", properties: { a: { type: "STRING" } }, required: ["a"] }, { a: "" });
const itself = { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] };
check("a schema that needs itself, which has none, comes to an end", itself, { a: expect.anything() });
