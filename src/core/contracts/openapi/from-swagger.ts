// A Swagger 2.0 document in the shape of OpenAPI 3. Schemas are passed on as they are, so that their references still lead where they
// led.

import { field, fieldsOf, isRecord, listOf, textOf, textsOf } from "../json-value.ts";
import type { Shapes } from "../schema/shapes.ts";

type Node = Readonly<Record<string, unknown>>;

const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch"]);

export function fromSwagger(root: Node, shapes: Shapes): Node {
  const paths: Record<string, unknown> = {};
  for (const [template, reference] of Object.entries(fieldsOf(root, "paths"))) {
    paths[template] = pathItemFrom(fieldsOf(shapes.follow(reference)), root, shapes);
  }
  return {
    openapi: "3.0.3",
    servers: serversFrom(root),
    security: root["security"],
    paths,
    components: { securitySchemes: schemesFrom(fieldsOf(root, "securityDefinitions")) },
  };
}

function serversFrom(root: Node): unknown[] {
  const [host, base] = [textOf(root, "host"), textOf(root, "basePath") ?? ""];
  if (host === undefined) return base === "" ? [] : [{ url: base }];
  const schemes = textsOf(root, "schemes");
  return (schemes.length === 0 ? [""] : schemes).map((scheme) => ({
    url: `${scheme === "" ? "" : `${scheme}:`}//${host}${base}`,
  }));
}

function pathItemFrom(pathItem: Node, root: Node, shapes: Shapes): Node {
  const result: Record<string, unknown> = {};
  const shared = listOf(pathItem, "parameters").map((one) => shapes.follow(one));
  for (const [key, value] of Object.entries(pathItem)) {
    if (methods.has(key) && isRecord(value)) result[key] = operationFrom(value, shared, root, shapes);
  }
  return result;
}

function operationFrom(operation: Node, shared: readonly unknown[], root: Node, shapes: Shapes): Node {
  const { consumes: _, produces: __, schemes: ___, ...rest } = operation;
  const own = listOf(operation, "parameters").map((one) => shapes.follow(one));
  const overridden = shared.filter((one) => !own.some((other) => identity(one) === identity(other)));
  const all = [...overridden, ...own].filter(isRecord);
  const consumes = mediaTypes(operation["consumes"] ?? root["consumes"]);
  const produces = mediaTypes(operation["produces"] ?? root["produces"]);
  return {
    ...rest,
    parameters: all.filter((one) => one["in"] !== "body" && one["in"] !== "formData").map(parameterFrom),
    requestBody: bodyFrom(all, consumes),
    responses: responsesFrom(fieldsOf(operation, "responses"), produces, shapes),
  };
}

function identity(parameter: unknown): string {
  return `${textOf(parameter, "in")} ${textOf(parameter, "name")}`;
}

function mediaTypes(value: unknown): string[] {
  const list = listOf(value).filter((type) => typeof type === "string");
  return list.length === 0 ? ["application/json"] : list;
}

function bodyFrom(parameters: readonly Node[], consumes: readonly string[]): unknown {
  const body = parameters.find((one) => one["in"] === "body");
  if (body !== undefined) return { required: body["required"] === true, content: contentOf(consumes, body["schema"]) };
  const parts = parameters.filter((one) => one["in"] === "formData");
  if (parts.length === 0) return undefined;
  const forms = consumes.filter((type) => /form/i.test(type));
  const usual = parts.some((one) => one["type"] === "file")
    ? "multipart/form-data"
    : "application/x-www-form-urlencoded";
  const required = parts.filter((one) => one["required"] === true).map((one) => textOf(one, "name"));
  const properties = Object.fromEntries(parts.map((one) => [textOf(one, "name") ?? "", schemaFrom(one)]));
  const schema = { type: "object", properties, required };
  return { required: required.length > 0, content: contentOf(forms.length === 0 ? [usual] : forms, schema) };
}

function contentOf(types: readonly string[], schema: unknown): Node {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

/** The ways of writing lists, in the words of OpenAPI 3. */
const collectionFormats: Readonly<Record<string, Node>> = {
  csv: { explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  tsv: { style: "tabDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { explode: true },
};

function parameterFrom(parameter: Node): Node {
  const isList = parameter["type"] === "array";
  const written = isList ? (collectionFormats[textOf(parameter, "collectionFormat") ?? "csv"] ?? {}) : {};
  return {
    name: parameter["name"],
    in: parameter["in"],
    required: parameter["required"],
    allowEmptyValue: parameter["allowEmptyValue"],
    deprecated: parameter["deprecated"],
    schema: schemaFrom(parameter),
    ...written,
  };
}

/** The schema that parameters, headers and items have among their own fields. */
function schemaFrom(node: Node): Node {
  const { name: _, in: __, required: ___, description: ____, collectionFormat: _____, ...schema } = node;
  return schema["type"] === "file" ? { ...schema, type: "string", format: "binary" } : schema;
}

function responsesFrom(responses: Node, produces: readonly string[], shapes: Shapes): Node {
  const result: Record<string, unknown> = {};
  for (const [code, reference] of Object.entries(responses)) {
    const response = shapes.follow(reference);
    const schema = field(response, "schema");
    const headers = Object.entries(fieldsOf(response, "headers")).map(([name, header]) => [
      name,
      { schema: schemaFrom(fieldsOf(header)) },
    ]);
    result[code] = {
      headers: Object.fromEntries(headers),
      ...(schema === undefined ? {} : { content: contentOf(produces, fileSchema(schema)) }),
    };
  }
  return result;
}

function fileSchema(schema: unknown): unknown {
  return field(schema, "type") === "file" ? { type: "string", format: "binary" } : schema;
}

const flowNames: Readonly<Record<string, string>> = {
  implicit: "implicit",
  password: "password",
  application: "clientCredentials",
  accessCode: "authorizationCode",
};

function schemesFrom(definitions: Node): Node {
  return Object.fromEntries(Object.entries(definitions).map(([name, scheme]) => [name, schemeFrom(fieldsOf(scheme))]));
}

function schemeFrom(scheme: Node): Node {
  if (scheme["type"] === "basic") return { type: "http", scheme: "basic" };
  if (scheme["type"] !== "oauth2") return scheme;
  const flow = flowNames[textOf(scheme, "flow") ?? ""] ?? "implicit";
  const { authorizationUrl, tokenUrl, scopes } = scheme;
  return { type: "oauth2", flows: { [flow]: { authorizationUrl, tokenUrl, scopes } } };
}
