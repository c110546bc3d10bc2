// The smallest value that fits a JSON schema, for requests that demand structured output and match no rule.

import { type JsonObject, listOf, objectOf, textOf } from "./json.ts";

export function smallestFor(schema: JsonObject, root: JsonObject = schema, depth = 0): unknown {
  // A schema that contains itself without an end has no smallest value.
  if (depth > 20) return null;
  const inner = (one: unknown): unknown => smallestFor(objectOf(one), root, depth + 1);
  if ("const" in schema) return schema["const"];
  if (listOf(schema["enum"]).length > 0) return listOf(schema["enum"])[0];
  if (typeof schema["$ref"] === "string") return inner(referred(schema["$ref"], root));
  for (const word of ["anyOf", "oneOf"]) {
    if (listOf(schema[word]).length > 0) return inner(listOf(schema[word])[0]);
  }
  const all = listOf(schema["allOf"]).map(objectOf);
  if (all.length > 0) return inner(all.reduce<JsonObject>(merged, { ...schema, allOf: undefined }));
  switch (typeOf(schema)) {
    case "object": {
      const properties = objectOf(schema["properties"]);
      const required = listOf(schema["required"]).map(textOf);
      return Object.fromEntries(required.map((name) => [name, inner(properties[name])]));
    }
    case "array":
      return Array.from({ length: Number(schema["minItems"] ?? 0) }, () => inner(schema["items"]));
    case "string":
      return "x".repeat(Number(schema["minLength"] ?? 0));
    case "integer":
    case "number":
      return smallestNumber(schema);
    case "boolean":
      return false;
    default:
      return null;
  }
}

function smallestNumber(schema: JsonObject): number {
  const above = schema["exclusiveMinimum"];
  const least = typeof above === "number" ? above + 1 : Number(schema["minimum"] ?? 0);
  const most = Number(schema["maximum"] ?? Infinity);
  return Math.min(Math.max(0, least), most);
}

/** Gemini writes types in capitals; a schema that says none but has properties is an object. */
function typeOf(schema: JsonObject): string {
  const type = listOf(schema["type"])[0] ?? schema["type"];
  if (typeof type === "string") return type.toLowerCase();
  return "properties" in schema ? "object" : "null";
}

function referred(path: string, root: JsonObject): JsonObject {
  const steps = path.split("/").slice(1);
  return steps.reduce((at, step) => objectOf(at[step]), root);
}

function merged(left: JsonObject, right: JsonObject): JsonObject {
  const properties = { ...objectOf(left["properties"]), ...objectOf(right["properties"]) };
  const required = [...listOf(left["required"]), ...listOf(right["required"])];
  return { ...left, ...right, properties, required };
}
