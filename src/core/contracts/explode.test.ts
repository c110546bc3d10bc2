// Specifications that were made to explode, for every format: each comparison ends within its steps, and where they did not suffice it
// says so, names the place, and never calls the answer compatible. Steps are counted here and not seconds, so a busy machine changes nothing.

import { describe, expect, test } from "bun:test";
import { asyncApi } from "./asyncapi/asyncapi.ts";
import { Budget } from "./budget.ts";
import { caseSource } from "./contract-case.ts";
import { sourceOf } from "./document-case.ts";
import { type ContractComparison, type ContractFormat, verdictOf } from "./format.ts";
import { graphqlFormat } from "./graphql/graphql.ts";
import { jsonSchema } from "./json-schema/json-schema.ts";
import { openApi } from "./openapi/openapi.ts";
import { protobufFormat } from "./protobuf/protobuf.ts";

/** Large inputs beside other work. */
const slowMs = 120_000;

type Schema = Record<string, unknown>;

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const object = (name: string, type = "string"): Schema => ({ type: "object", properties: { [name]: { type } } });
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** The same schemas in each format that has them; `S0` is the one that is used. */
const inFormats: readonly (readonly [ContractFormat, (schemas: Schema) => unknown])[] = [
  [
    openApi,
    (schemas) => ({
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      paths: {
        "/orders": {
          post: {
            requestBody: { content: { "application/json": { schema: ref("S0") } } },
            responses: { "200": { description: "ok", content: { "application/json": { schema: ref("S0") } } } },
          },
        },
      },
      components: { schemas },
    }),
  ],
  [
    asyncApi,
    (schemas) => ({
      asyncapi: "2.6.0",
      info: { title: "Shop", version: "1" },
      channels: { orders: { subscribe: { message: { name: "order", payload: ref("S0") } } } },
      components: { schemas },
    }),
  ],
  [jsonSchema, (schemas) => ({ ...ref("S0"), components: { schemas } })],
];

/** Schemas that lie in each other: each level names the next one, the last holds what changes. */
function tower(levels: number, type: string, level: (next: Schema, at: number) => Schema): Schema {
  const schemas: Schema = { [`S${levels}`]: object("z", type) };
  for (let at = 0; at < levels; at += 1) schemas[`S${at}`] = level(ref(`S${at + 1}`), at);
  return schemas;
}

const levels: Readonly<Record<string, (next: Schema, at: number) => Schema>> = {
  "allOf of oneOf": (next, at) => ({
    allOf: [{ oneOf: [next, object(`a${at}`)] }, { oneOf: [next, object(`b${at}`)] }],
  }),
  "allOf of anyOf": (next, at) => ({
    allOf: [{ anyOf: [next, object(`a${at}`)] }, { anyOf: [next, object(`b${at}`)] }],
  }),
  "oneOf of allOf": (next, at) => ({
    oneOf: [{ allOf: [next, object(`a${at}`)] }, { allOf: [next, object(`b${at}`)] }],
  }),
  "anyOf of allOf": (next, at) => ({
    anyOf: [{ allOf: [next, object(`a${at}`)] }, { allOf: [next, object(`b${at}`)] }],
  }),
  "allOf of the same twice": (next) => ({ allOf: [next, next] }),
  "properties of the same twice": (next) => ({ ...object("x"), properties: { a: next, b: next } }),
  not: (next) => ({ not: next }),
};

function answer(format: ContractFormat, before: unknown, after: unknown, budget: Budget): Promise<ContractComparison> {
  return format.compare(sourceOf(before, "a.json"), sourceOf(after, "a.json"), undefined, undefined, budget);
}

/** A comparison that ends before it has seen everything says where, and is never compatible. */
function expectHonest(compared: ContractComparison, budget: Budget): void {
  expect(budget.spent).toBeLessThanOrEqual(budget.most);
  if (compared.kind === "unreadable") return expect(compared.problems.length).toBeGreaterThan(0);
  expect(verdictOf(compared.changes)).not.toBe("compatible");
  if (!compared.complete)
    expect(compared.notes.join("\n")).toMatch(/^not compared: \S.*, larger than constel looks at$/m);
}

for (const [format, documentOf] of inFormats) {
  describe(`${format.name}: schemas`, () => {
    for (const [name, level] of Object.entries(levels)) {
      test(`${name}, four and twenty levels of it, takes no more steps than they ask for`, async () => {
        const budget = new Budget();
        const documents = ["string", "integer"].map((type) => documentOf(tower(24, type, level)));
        const compared = await answer(format, documents[0], documents[1], budget);
        expect([name, budget.isSpent]).toEqual([name, false]);
        expect(compared).toMatchObject({ complete: true });
        expectHonest(compared, budget);
      });
    }

    test("thirty alternatives of thirty, fourteen levels of them, are paired and not multiplied", async () => {
      const grid = (type: string): Schema => {
        const schemas: Schema = {};
        for (let at = 0; at < 14; at += 1) {
          const next = (place: number): Schema => ({
            type: "object",
            properties: { [`p${place}`]: at === 13 ? { type } : ref(`S${at + 1}`) },
          });
          schemas[`S${at}`] = { oneOf: times(30, next) };
        }
        return schemas;
      };
      const budget = new Budget(50_000);
      const compared = await answer(format, documentOf(grid("string")), documentOf(grid("integer")), budget);
      expect(compared).toMatchObject({ complete: true });
      expectHonest(compared, budget);
    });

    const hostile: Readonly<Record<string, (type: string) => Schema>> = {
      "alternatives that nothing tells apart": (type) => ({
        S0: {
          anyOf: times(300, (at) => ({ type: "string", minLength: at, maxLength: type === "string" ? 500 : 400 })),
        },
      }),
      "a hundred lists in one schema": (type) => ({
        S0: { allOf: times(100, (at) => ({ anyOf: times(20, (place) => object(`p${at}_${place}`, type)) })) },
      }),
      "an allOf of thousands": (type) => ({ S0: { allOf: times(5_000, (at) => object(`${type}${at}`)) } }),
      "a schema that is made of itself in every way": (type) => ({
        S0: {
          allOf: [{ properties: { a: { oneOf: [ref("S0"), { allOf: [ref("S0"), object("b", type)] }] } } }, ref("S1")],
        },
        S1: { anyOf: [ref("S0"), { not: ref("S0") }, { items: ref("S1"), properties: { a: ref("S1") } }] },
      }),
      "an enum of a hundred thousand values": (type) => ({ S0: { enum: times(100_000, (at) => `${type}${at}`) } }),
      "an enum of objects, twice": (type) => {
        const values = times(5_000, (at) => ({ [type]: at }));
        return { S0: { allOf: [{ enum: values }, { enum: values }] } };
      },
      "thousands of properties": (type) => ({
        S0: { type: "object", properties: Object.fromEntries(times(20_000, (at) => [`p${at}`, { type }])) },
      }),
      "expressions that never end on some texts": (type) => ({
        S0: {
          type: "object",
          properties: { [`${"a".repeat(5_000)}!`]: { type } },
          patternProperties: { "^(a+)+$": { type }, "^(a|aa)+$": { type } },
          additionalProperties: { pattern: "(x+x+)+y", type },
        },
      }),
      "names of a million letters": (type) => ({ S0: object(type.repeat(200_000)) }),
    };
    for (const [name, schemas] of Object.entries(hostile)) {
      test(
        `${name} end within the steps`,
        async () => {
          const budget = new Budget(20_000);
          const compared = await answer(format, documentOf(schemas("string")), documentOf(schemas("integer")), budget);
          expectHonest(compared, budget);
        },
        slowMs,
      );
    }

    test("where no steps are left the place is named, and the answer is neither complete nor compatible", async () => {
      const documents = ["string", "integer"].map((type) =>
        documentOf(tower(10, type, (next) => ({ properties: { next } }))),
      );
      const compared = await answer(format, documents[0], documents[1], new Budget(30));
      expect(compared).toMatchObject({ kind: "compared", complete: false });
      if (compared.kind !== "compared") return;
      expect(compared.changes.some(({ rule, verdict }) => rule === "not-compared" && verdict === "dangerous")).toBe(
        true,
      );
      expect(compared.notes.join("\n")).toMatch(/not compared: .*next.*, larger than constel looks at/);
    });
  });
}

describe("documents", () => {
  const yaml = (more: string, type: string): string =>
    `openapi: 3.1.0\npaths:\n  /a: {get: {responses: {"200": {description: ok, content: {application/json: {schema: ` +
    `{$ref: "#/components/schemas/A30"}}}}}}}\ncomponents:\n  schemas:\n    A0: &a0 {type: ${type}}\n${more}`;

  test("aliases that double thirty times stay what they are", async () => {
    const doubling = times(
      30,
      (at) => `    A${at + 1}: &a${at + 1} {type: object, properties: {x: *a${at}, y: *a${at}}}\n`,
    ).join("");
    const budget = new Budget(5_000);
    const compared = await answer(openApi, yaml(doubling, "string"), yaml(doubling, "integer"), budget);
    expect(compared).toMatchObject({ kind: "compared", complete: true });
    expectHonest(compared, budget);
  });

  test("a hundred thousand levels are refused, and no stack overflows", async () => {
    const deep = (open: string, close: string): string => `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    for (const text of [`{"openapi":"3.1.0","x":${deep('{"a":', "}")}}`, `openapi: 3.1.0\nx: ${deep("[", "]")}`]) {
      expect(await answer(openApi, "openapi: 3.1.0\npaths: {}", text, new Budget())).toMatchObject({
        kind: "unreadable",
      });
    }
  });

  test("fifty megabytes are refused in every format", async () => {
    const large = "#".repeat(50_000_000);
    const sides: readonly (readonly [ContractFormat, string, string])[] = [
      [openApi, "a.yaml", `openapi: 3.1.0\n${large}`],
      [asyncApi, "a.yaml", `asyncapi: 2.6.0\n${large}`],
      [jsonSchema, "a.schema.yaml", `type: string\n${large}`],
      [graphqlFormat, "a.graphql", `type Query { a: Int }\n${large}`],
      [protobufFormat, "a.proto", `syntax = "proto3";\n//${large}`],
    ];
    for (const [format, file, text] of sides) {
      const source = caseSource(text, file);
      expect([format.name, (await format.compare(source, source)).kind]).toEqual([format.name, "unreadable"]);
    }
  });

  test("references that each lead twice through the next are looked up once", async () => {
    const parts = Object.fromEntries(times(40, (at) => [`k${at}`, refer(`#/k${at + 1}/k${at + 1}`)]));
    const document = { openapi: "3.1.0", paths: {}, ...parts, k40: { k40: {} } };
    expect((await answer(openApi, `\n${JSON.stringify(document)}`, document, new Budget())).kind).toBe("compared");
  });

  test("texts made for expressions to try every place of are passed over once", async () => {
    const document = (mark: string): unknown => ({
      openapi: "3.1.0",
      servers: [{ url: `http://${"/".repeat(300_000)}${mark}` }],
      paths: { [`/${"{".repeat(300_000)}${mark}`]: { get: { responses: {} } } },
    });
    expect((await answer(openApi, document("a"), document("b"), new Budget())).kind).toBe("compared");
    expect(protobufFormat.recognises("a.proto", `${"\n".repeat(300_000)}x`)).toBe(false);
  });
});

const refer = ($ref: string): Schema => ({ $ref });

describe("graphql and protobuf", () => {
  type Text = (type: string) => string;
  const graphql: Readonly<Record<string, Text>> = {
    types: (type) =>
      `type Query { a: Int }\n${times(20_000, (at) => `type T${at} { f: ${type} g: T${(at + 1) % 20_000} }`).join("\n")}`,
    fields: (type) => `type Query { ${times(20_000, (at) => `f${at}: ${type}`).join(" ")} }`,
    values: (type) => `type Query { e: E }\nenum E { ${times(20_000, (at) => `${type}${at}`).join(" ")} }`,
    members: (type) =>
      `type Query { u: U }\n${times(5_000, (at) => `type ${type}${at} { a: Int }`).join("\n")}\nunion U = ${times(5_000, (at) => `${type}${at}`).join(" | ")}`,
    arguments: (type) => `type Query { a(${times(10_000, (at) => `a${at}: ${type}`).join(" ")}): Int }`,
  };
  const protobuf: Readonly<Record<string, Text>> = {
    messages: (type) =>
      times(20_000, (at) => `message T${at} { ${type} f = 1; T${(at + 1) % 20_000} g = 2; }`).join("\n"),
    fields: (type) => `message M { ${times(15_000, (at) => `${type} f${at} = ${at + 1};`).join("\n")} }`,
    values: (type) => `enum E { ${times(20_000, (at) => `${type}${at} = ${at};`).join("\n")} }`,
    reservations: (type) =>
      `message M { ${times(20_000, (at) => `reserved ${at * 9 + 1} to ${at * 9 + 10 - type.length};`).join("\n")} }`,
    methods: (type) =>
      `message A {} message B {}\nservice S { ${times(10_000, (at) => `rpc M${at}(${type === "int32" ? "A" : "B"}) returns (A);`).join("\n")} }`,
  };
  const tables: readonly (readonly [
    ContractFormat,
    string,
    Readonly<Record<string, Text>>,
    readonly [string, string],
  ])[] = [
    [graphqlFormat, "a.graphql", graphql, ["Int", "String"]],
    [
      protobufFormat,
      "a.proto",
      Object.fromEntries(
        Object.entries(protobuf).map(([name, text]) => [name, (type) => `syntax = "proto3";\n${text(type)}`]),
      ),
      ["int32", "string"],
    ],
  ];
  for (const [format, file, texts, [was, is]] of tables) {
    for (const [name, text] of Object.entries(texts)) {
      test(
        `${format.name}: thousands of ${name} end within the steps`,
        async () => {
          const budget = new Budget(30_000);
          const [before, after] = [caseSource(text(was), file), caseSource(text(is), file)];
          const compared = await format.compare(before, after, undefined, undefined, budget);
          expect(compared.kind).toBe("compared");
          expectHonest(compared, budget);
          if (compared.kind === "compared") expect(compared.changes.length).toBeLessThanOrEqual(5_000);
        },
        slowMs,
      );
    }
  }

  test("nesting of a hundred thousand levels is refused, and no stack overflows", async () => {
    const deep = (open: string, close: string): string => open.repeat(100_000) + close.repeat(100_000);
    const sides: readonly (readonly [ContractFormat, string, string])[] = [
      [graphqlFormat, "a.graphql", `type Query { a: ${"[".repeat(100_000)}Int${"]".repeat(100_000)} }`],
      [protobufFormat, "a.proto", `syntax = "proto3"; ${deep("message A {", "}")}`],
      [protobufFormat, "a.proto", `syntax = "proto3"; option (a) = ${deep("{ a: ", "}")};`],
    ];
    for (const [format, file, text] of sides) {
      const compared = await format.compare(caseSource(text, file), caseSource(text, file));
      expect([format.name, compared.kind]).toEqual([format.name, "unreadable"]);
    }
  });

  test("descriptions, names and numbers as long as the file are passed over once", async () => {
    const long = "x".repeat(2_000_000);
    const sides: readonly (readonly [ContractFormat, string, string, string])[] = [
      [graphqlFormat, "a.graphql", "type Query { a: Int }", `"${long}" type Query { a: Int }`],
      [
        graphqlFormat,
        "a.graphql",
        "type Query { a: Int }",
        `# import ${" ".repeat(200_000)}\ntype Query { a: String }`,
      ],
      [
        protobufFormat,
        "a.proto",
        "message A {}",
        `message A { optional int32 a = 1 [default = ${"7".repeat(500_000)}]; }`,
      ],
      [protobufFormat, "a.proto", "message A {}", `message A { optional string a = 1 [default = "${long}"]; }`],
    ];
    for (const [format, file, before, after] of sides) {
      expect((await format.compare(caseSource(before, file), caseSource(after, file))).kind).toBe("compared");
    }
  });
});
