// Thousands of damaged specifications: whatever stands in one, the comparison answers, and says nothing of a document and itself.

import { expect, test } from "bun:test";
import { asyncApi } from "./asyncapi/asyncapi.ts";
import { asyncApiTable } from "./asyncapi/cases/all.ts";
import { type ContractCase, sourceOf } from "./document-case.ts";
import type { ContractFormat } from "./format.ts";
import { jsonSchemaTable } from "./json-schema/cases/all.ts";
import { jsonSchema } from "./json-schema/json-schema.ts";
import { isRecord } from "./json-value.ts";
import { openApiTable } from "./openapi/cases/all.ts";
import { openApi } from "./openapi/openapi.ts";

/** Thousands of comparisons beside other work. */
const manyMs = 240_000;

/** The same sequence every time, so that a failure can be found again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const strange: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  "",
  "a",
  [],
  {},
  [[]],
  [null],
  { $ref: "#" },
  { $ref: "#/paths" },
  { $ref: "#/components/schemas/Order" },
  { $ref: "" },
  { $ref: "#/~2/%zz" },
  { $ref: "a.yaml" },
  { $ref: 5 },
  { allOf: [{ $ref: "#" }] },
  { oneOf: [{ $ref: "#" }, { type: "null" }] },
  { type: [] },
  { type: ["null"] },
  { enum: [] },
  { not: {} },
  { if: true },
  { discriminator: { propertyName: "x", mapping: [] } },
  "$ref",
  "__proto__",
];

function damage(document: unknown, next: (below: number) => number): unknown {
  const copy: unknown = structuredClone(document);
  for (let times = 1 + next(4); times > 0; times--) damageOnce(copy, next);
  return copy;
}

/** Walks to some place and changes it. */
function damageOnce(value: unknown, next: (below: number) => number): void {
  let at = value;
  for (let depth = next(12); ; depth--) {
    const keys = Array.isArray(at) ? [...at.keys()].map(String) : isRecord(at) ? Object.keys(at) : [];
    const key = keys[next(Math.max(keys.length, 1))];
    if (key === undefined) return;
    const holder = at as Record<string, unknown>;
    const below = holder[key];
    if (depth > 0 && typeof below === "object" && below !== null && Object.keys(below).length > 0) at = below;
    else {
      const deed = next(4);
      if (deed === 0) delete holder[key];
      else if (deed === 1 && !Array.isArray(at)) holder[`${key}x`] = below;
      else if (deed === 2) holder[key] = [below, below];
      else holder[key] = structuredClone(strange[next(strange.length)]);
      return;
    }
  }
}

const schemaKeys = new Set(["type", "enum", "oneOf", "anyOf", "allOf", "not", "if", "properties", "minimum"]);
const valueKeys = new Set([
  "enum",
  "const",
  "default",
  "example",
  "examples",
  "x-extensible-enum",
  "mapping",
  "bindings",
]);

/** The same with a comment in every schema: nothing is the same word for word any more, and nothing has changed. */
function commented(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(commented);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, below]) => [key, valueKeys.has(key) ? below : commented(below)]);
  const isSchema = Object.keys(value).some((key) => schemaKeys.has(key));
  return Object.fromEntries(isSchema ? [...entries, ["$comment", "seen"]] : entries);
}

function damageText(text: string, next: (below: number) => number): string {
  const pieces = ['"', "{", "}", "[", ":", "\n", "&a ", "*a", "<<: *a", "- ", "\t", "#", "!!x ", "\u0000", "é"];
  let damaged = text;
  for (let times = 1 + next(3); times > 0; times--) {
    const at = next(damaged.length);
    damaged = damaged.slice(0, at) + (pieces[next(pieces.length)] ?? "") + damaged.slice(at + next(3));
  }
  return damaged;
}

const kinds: readonly (readonly [ContractFormat, readonly ContractCase[]])[] = [
  [openApi, openApiTable.cases],
  [asyncApi, asyncApiTable.cases],
  [jsonSchema, jsonSchemaTable.cases],
];

for (const [format, cases] of kinds) {
  test(
    `${format.name}: damaged documents are answered, and are no change to themselves`,
    async () => {
      const next = numbers(7);
      for (let round = 0; round < 1_000; round++) {
        const picked = cases[next(cases.length)];
        const [before, after] = [picked?.before, damage(picked?.after, next)];
        const [was, is] = [sourceOf(before, "a.json"), sourceOf(after, "a.json")];
        for (const [one, other] of [
          [was, is],
          [is, was],
        ] as const) {
          const compared = await format.compare(one, other);
          expect(["compared", "unreadable"]).toContain(compared.kind);
        }
        // A comment in Avro is a change, because Avro is not judged.
        const remark = JSON.stringify(after)?.includes("avro") === true ? after : commented(after);
        for (const other of [is, sourceOf(remark, "a.json")]) {
          const same = await format.compare(is, other);
          const changes = same.kind === "compared" ? same.changes : [];
          // In a damaged document a comment may stand where a name is expected, and be something new.
          expect([after, changes.filter(({ verdict }) => other === is || verdict !== "compatible")]).toEqual([
            after,
            [],
          ]);
        }
      }
    },
    manyMs,
  );

  test(
    `${format.name}: damaged text is answered`,
    async () => {
      const next = numbers(11);
      for (let round = 0; round < 500; round++) {
        const picked = cases[next(cases.length)];
        const text = JSON.stringify(picked?.after, null, next(2));
        const is = sourceOf(damageText(text, next), "a.json");
        const compared = await format.compare(sourceOf(picked?.before, "a.json"), is);
        expect(["compared", "unreadable"]).toContain(compared.kind);
      }
    },
    manyMs,
  );
}

test(
  "schemas at random are answered whichever way they are compared",
  async () => {
    const next = numbers(13);
    for (let round = 0; round < 500; round++) {
      const schemas = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`S${at}`, randomSchema(next, 3)]));
      const document = (): string => {
        const schema = randomSchema(next, 4);
        const content = { "application/json": { schema } };
        const post = { requestBody: { content }, responses: { "200": { description: "ok", content } } };
        return JSON.stringify({ openapi: "3.1.0", info: {}, paths: { "/a": { post } }, components: { schemas } });
      };
      const [before, after] = [sourceOf(document(), "a.json"), sourceOf(document(), "a.json")];
      expect((await openApi.compare(before, after)).kind).toBe("compared");
      const text = await after.read("a.json");
      const same = await openApi.compare(after, sourceOf(commented(JSON.parse(text ?? "")), "a.json"));
      expect([text, same]).toEqual([text, { kind: "compared", changes: [], notes: [], complete: true }]);
    }
  },
  manyMs,
);

function randomSchema(next: (below: number) => number, depth: number): unknown {
  const below = (): unknown => randomSchema(next, depth - 1);
  const kind = next(depth <= 0 ? 6 : 16);
  const plain = [
    true,
    { type: "string" },
    { type: ["integer", "null"] },
    { enum: ["a", 1, null] },
    { $ref: `#/components/schemas/S${next(6)}` },
    { type: "number", minimum: next(9) },
  ];
  if (kind < plain.length) return plain[kind];
  if (kind < 8) return { type: "object", properties: { a: below(), b: below() }, required: next(2) === 0 ? ["a"] : [] };
  if (kind < 9) return { allOf: [below(), below()] };
  if (kind < 11) return { oneOf: [below(), below(), below()] };
  if (kind < 12) return { anyOf: [below(), below()] };
  if (kind < 13) return { not: below() };
  if (kind < 14) return { type: "array", items: below(), prefixItems: [below()] };
  if (kind < 15) return { type: "object", additionalProperties: below(), patternProperties: { "^x": below() } };
  return { if: below(), else: below(), dependentSchemas: { a: below() } };
}
