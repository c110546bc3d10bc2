// The small pieces of specifications that the tables of cases are written with.

export const text = { type: "string" };
export const whole = { type: "integer" };
export const ok = { "200": { description: "ok" } };
export const json = (schema: unknown) => ({ "application/json": { schema } });
export const object = (properties: unknown, required: string[] = []) => ({ type: "object", properties, required });
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const answer = (schema: unknown) => ({ "200": { description: "ok", content: json(schema) } });
export const at = (path: string, operation: unknown, more: object = {}) => ({
  paths: { [path]: { get: { responses: ok, ...(operation as object) }, ...more } },
});
export const withSchemas = (schemas: unknown, schema: unknown) => ({
  paths: { "/a": { get: { responses: answer(schema) } } },
  components: { schemas },
});
export const list = (items: unknown) => ({ type: "array", items });
