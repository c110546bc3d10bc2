// The pieces and the words of the third round (third-sight.ts).

import { json, object, ok, text } from "./fragments.ts";

export const get = (operation: object, more: object = {}) => ({ paths: { "/orders": { get: operation, ...more } } });
export const answer = (more: object) => ({ responses: { "200": { description: "ok", ...more } } });
export const parameter = (more: object) => ({
  parameters: [{ name: "a", in: "query", schema: text, ...more }],
  responses: ok,
});
export const schemes = (scheme: object) => ({
  ...get({ responses: ok }),
  security: [{ s: [] }],
  components: { securitySchemes: { s: scheme } },
});
export const oauth = (flow: object) =>
  schemes({
    type: "oauth2",
    flows: { clientCredentials: { tokenUrl: "https://a/t", scopes: { r: "read" }, ...flow } },
  });
export const form = (encoding: object, type = "multipart/form-data") => ({
  requestBody: { content: { [type]: { schema: object({ a: text, b: { type: "array", items: text } }), encoding } } },
  responses: ok,
});
export const hook = (operation: object) => ({ paths: {}, webhooks: { placed: { post: operation } } });
export const body = (schema: unknown, required = true) => ({
  requestBody: { required, content: json(schema) },
  responses: ok,
});

export const said = {
  info: "Info Object: metadata about the API; clients MAY use it if needed.",
  docs: "Fields for documentation have no bearing on requests or responses.",
  pathItem:
    "Path Item Object: parameters applicable for all the operations described under this path; they can be overridden at the operation level, but cannot be removed there.",
  servers:
    "Operation Object: an alternative servers array; if one is specified at the path or root level, it is overridden by this value.",
  security:
    "Operation Object: this definition overrides any declared top-level security; to remove it, an empty array can be used.",
  style:
    "Parameter Object: style describes how the parameter value will be serialized; explode whether arrays make separate parameters.",
  unique: "Parameter Object: a unique parameter is defined by a combination of a name and location.",
  encoding: "Encoding Object: a single encoding definition applied to a single schema property.",
  header: "Header Object follows the structure of the Parameter Object; required says whether it is always there.",
  link: "Link Object: the presence of a link does not guarantee the caller's ability to invoke it; rather it provides a known relationship.",
  scheme:
    "Security Scheme Object: bearerFormat is a hint to identify how the token is formatted, for documentation purposes.",
  flow: "OAuth Flow Object: tokenUrl is the URL to be used for this flow.",
  extension:
    "Specification Extensions: patterned fields prefixed by x-; they may or may not be supported by the available tooling.",
  unused:
    "Components Object: all objects defined within it have no effect on the API unless they are explicitly referenced.",
  webhook: "Webhooks: incoming webhooks that MAY be received as part of this API; the provider sends the request.",
  validation: "JSON Schema Validation: a keyword that holds for fewer instances refuses what was valid.",
  annotation: "JSON Schema Validation 9: these keywords are annotations and do not affect validation.",
  content:
    "JSON Schema Validation 8: contentEncoding and contentMediaType say how to interpret a string; they do not validate it.",
  applicator:
    "JSON Schema Core 10: applicators combine subschemas; an instance is valid if it is against all that apply.",
};
