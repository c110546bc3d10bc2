// Reading two versions together must answer what reading each with care does. A space before the first brace makes a file one for the
// careful reader, and changes nothing else but the number of the column.

import { describe, expect, test } from "bun:test";
import { asyncApi } from "./asyncapi/asyncapi.ts";
import { asyncApiTable } from "./asyncapi/cases/all.ts";
import type { ContractFormat, ContractSource } from "./format.ts";
import { jsonSchema } from "./json-schema/json-schema.ts";
import { jsonSchemaTable } from "./json-schema/cases/all.ts";
import { openApi } from "./openapi/openapi.ts";
import { openApiTable } from "./openapi/cases/all.ts";
import { readTwins } from "./twin-documents.ts";

const source = (text: string): ContractSource => ({
  entry: "openapi.json",
  read: (path) => Promise.resolve(path === "openapi.json" ? text : undefined),
});

async function bothWays(format: ContractFormat, before: string, after: string): Promise<void> {
  const together = await format.compare(source(before), source(after));
  expect(together).toEqual(await format.compare(source(` ${before}`), source(` ${after}`)));
}

describe("two versions that are read together", () => {
  for (const [format, table] of [
    [openApi, openApiTable],
    [asyncApi, asyncApiTable],
    [jsonSchema, jsonSchemaTable],
  ] as const) {
    test(`have the changes that are found with care, in ${format.name}`, async () => {
      for (const { before, after } of [...table.cases, ...table.held])
        await bothWays(format, JSON.stringify(before), JSON.stringify(after));
    });
  }

  const document = (schemas: string, more = ""): string =>
    `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"d","content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}}},"components":{"schemas":{${schemas}}}${more}}`;
  const plain = document(
    '"A":{"type":"object","properties":{"b":{"$ref":"#/components/schemas/B"}}},"B":{"type":"string"}',
  );

  test("are left to the careful reader where a key is twice, a reference leads away or nowhere, or a part has a name of its own", async () => {
    const odd = [
      document('"A":{"type":"object","type":"string"}'),
      document('"A":{"$ref":"other.json#/A"}'),
      document('"A":{"$ref":"#/components/schemas/Nowhere"}'),
      document('"A":{"$id":"https://example.org/a","type":"string"}'),
      document('"A":{"\\u0024ref":"#/components/schemas/Nowhere"}'),
      document('"A":{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      document('"A":{"type":"string"}', ',"x-deep":'.concat("[".repeat(300), "]".repeat(300))),
    ];
    for (const text of odd) {
      expect(await readTwins(source(plain), source(text))).toBeUndefined();
      expect(await readTwins(source(text), source(plain))).toBeUndefined();
      await bothWays(openApi, plain, text);
      await bothWays(openApi, text, plain);
    }
  });

  test("are the same only where what they refer to is", async () => {
    const changed = plain.replace('"B":{"type":"string"}', '"B":{"type":"integer"}');
    expect(await readTwins(source(plain), source(changed))).toBeDefined();
    expect(await openApi.compare(source(plain), source(changed))).toMatchObject({ changes: [{ verdict: "breaking" }] });
    await bothWays(openApi, plain, changed);
    await bothWays(openApi, plain, plain.replace('"/a"', '"/b"'));
    await bothWays(openApi, plain, plain.replaceAll(":{", " : { "));
    expect(await readTwins(source(plain), source(plain.replaceAll(":{", " : { ")))).toBeDefined();
  });

  test("are not the same in a part that is written in the same words and refers into the middle of what changed", async () => {
    const schemas = (type: string): string =>
      `"A":{"allOf":[{"properties":{"b":{"$ref":"#/components/schemas/B/properties/c"}}}]},"B":{"properties":{"c":{"type":"${type}"}}}`;
    const [before, after] = [document(schemas("string")), document(schemas("integer"))];
    expect(await readTwins(source(before), source(after))).toBeDefined();
    expect(await openApi.compare(source(before), source(after))).toMatchObject({ changes: [{ verdict: "breaking" }] });
    await bothWays(openApi, before, after);
  });
});
