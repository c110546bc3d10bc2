import { describe, expect, test } from "bun:test";
import { caseSource, disagreements } from "../contract-case.ts";
import type { CaseFiles } from "../contract-case.ts";
import type { ContractComparison } from "../format.ts";
import { graphqlCases, graphqlHeldAside } from "./cases/all.ts";
import { graphqlFormat } from "./graphql.ts";
import { throwing } from "../../../../test/kit/rejection.ts";

const compare = (before: CaseFiles, after: CaseFiles): Promise<ContractComparison> =>
  graphqlFormat.compare(caseSource(before, "schema.graphql"), caseSource(after, "schema.graphql"));

async function problemsOf(before: CaseFiles, after: CaseFiles): Promise<string[]> {
  const result = await compare(before, after);
  if (result.kind !== "unreadable") return [];
  return result.problems.map(({ side, path, line, message }) => `${side} ${path}:${line} ${message}`);
}

async function changesOf(before: CaseFiles, after: CaseFiles): Promise<string[]> {
  const result = await compare(before, after);
  if (result.kind !== "compared") throw new Error(result.problems[0]?.message);
  return result.changes.map(({ rule, verdict, path }) => `${verdict} ${rule} ${path}`);
}

describe("the table of GraphQL cases", () => {
  test("agrees with the specification and the tools' documentation", async () => {
    expect(await disagreements(graphqlFormat, [...graphqlCases, ...graphqlHeldAside], "schema.graphql")).toEqual([]);
  });

  test("has at least 80 cases, each with the words that decide it and a name of its own", () => {
    const all = [...graphqlCases, ...graphqlHeldAside];
    expect(all.length).toBeGreaterThanOrEqual(80);
    expect(all.filter(({ words, source }) => words === "" || source === "")).toEqual([]);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });
});

describe("a GraphQL file", () => {
  test.each([
    ["schema.graphql", "type Query { a: Int }", true],
    ["schema.gql", '"About" type Query { a: Int }', true],
    ["schema.graphqls", '# note\n\nextend schema @link(url: "x")', true],
    ["d.graphql", "directive @a on FIELD", true],
    ["q.graphql", "query Types { type { input } }", false],
    ["f.graphql", "fragment F on T { enum }", false],
    ["schema.json", "type Query { a: Int }", false],
  ] as const)("%s is recognised by its path and text (%s)", (path, text, expected) => {
    expect(graphqlFormat.recognises(path, text)).toBe(expected);
  });
});

describe("a change of a GraphQL schema", () => {
  test("has rule, path, direction, both values and the names in consumers' code", async () => {
    const result = await compare("type Query { a(x: Int): Int! }", "type Query { a(x: Int!): Int }");
    expect(result).toMatchObject({
      kind: "compared",
      complete: true,
      changes: [
        {
          rule: "field-type-changed",
          path: "Query.a",
          direction: "response",
          before: "Int!",
          after: "Int",
          names: ["a"],
        },
        {
          rule: "field-argument-type-changed",
          path: "Query.a.x",
          direction: "request",
          before: "Int",
          after: "Int!",
          names: ["x", "a"],
        },
      ],
    });
  });

  test("is told once: a new type without its fields, a deprecation without the use of its directive", async () => {
    expect(
      await changesOf(
        "type Query { a: Int }",
        'type Query { a: Int @deprecated(reason: "r") } "d" type N { "e" x(y: Int): Int }',
      ),
    ).toEqual(["compatible type-added N", "compatible field-deprecation-added Query.a"]);
  });

  test("of a directive is told for each of its parts", async () => {
    expect(
      await changesOf(
        "directive @d(a: Int) on FIELD type Query { a: Int }",
        '"new" directive @d(b: Int!) on FIELD | QUERY type Query { a: Int }',
      ),
    ).toEqual([
      "breaking directive-argument-removed @d.a",
      "breaking directive-argument-added @d.b",
      "compatible directive-description-changed @d",
      "compatible directive-location-added @d",
    ]);
  });

  test("of the roots is seen beside a schema block that names none", async () => {
    const types = "type Query { a: Int } type Mutation { b: Int }";
    expect(
      await changesOf(`extend schema @link(url: "x") ${types}`, `schema @link(url: "x") { query: Query } ${types}`),
    ).toEqual(["breaking schema-mutation-type-changed schema"]);
  });

  test("of a directive's argument is one change with both values", async () => {
    const definition = "directive @cost(n: Int) on FIELD_DEFINITION";
    const result = await compare(
      `${definition} type Query { a: Int @cost(n: 1) }`,
      `${definition} type Query { a: Int @cost(n: 2) }`,
    );
    expect(result).toMatchObject({
      changes: [
        { rule: "directive-usage-argument-changed", verdict: "dangerous", before: "1", after: "2", names: ["a"] },
      ],
    });
  });
});

describe("a schema that cannot be judged", () => {
  test("has a syntax error, with its line, on either side", async () => {
    expect(await problemsOf("type Query { a: Int }", "type Query {\n  a: Int\n  b Int\n}")).toEqual([
      'after schema.graphql:3 Syntax Error: Expected ":", found Name "Int".',
    ]);
    expect(await problemsOf("type Query {", "type Query { a: Int }")).toEqual([
      "before schema.graphql:1 Syntax Error: Expected Name, found <EOF>.",
    ]);
  });

  test("is empty, or a document of operations, or not there", async () => {
    const good = "type Query { a: Int }";
    expect(await problemsOf(good, "")).toEqual(["after schema.graphql:1 Syntax Error: Unexpected <EOF>."]);
    expect(await problemsOf(good, "type Query { a: Int }\nquery { a }")).toEqual([
      "after schema.graphql:2 The file holds operations or fragments, so it is not a schema.",
    ]);
    const nothing = { entry: "gone.graphql", read: () => Promise.resolve(undefined) };
    const result = await graphqlFormat.compare(caseSource(good, "schema.graphql"), nothing);
    expect(result).toMatchObject({
      kind: "unreadable",
      problems: [{ side: "after", path: "gone.graphql", line: null }],
    });
  });

  test("defines something twice, or extends a type as what it is not", async () => {
    const good = "type Query { a: Int }";
    expect(await problemsOf(good, "type Query { a: Int }\ntype Query { b: Int }")).toEqual([
      "after schema.graphql:2 There can be only one type named Query.",
    ]);
    expect(await problemsOf(good, "type Query {\n  a: Int\n  a: String\n}")).toEqual([
      "after schema.graphql:3 type named Query has two fields named a.",
    ]);
    expect(await problemsOf(good, "type Query { a: E }\nenum E { X\nX }")).toEqual([
      "after schema.graphql:3 type named E has two values named X.",
    ]);
    expect(await problemsOf(good, "type Query { a: Int }\nextend interface Query { b: Int }")).toEqual([
      "after schema.graphql:2 type named Query is extended as another kind of type.",
    ]);
  });

  test("deleted a type that it still uses", async () => {
    expect(await problemsOf("type Query { a: A } type A { x: Int }", "type Query {\n  a: A\n}")).toEqual([
      "after schema.graphql:2 The type A is defined nowhere.",
    ]);
  });
});

describe("a schema of several files", () => {
  test("takes what its import comments name, and cycles of them end", async () => {
    const files = {
      "graph/schema.graphql": '# import A from "./parts/a.graphql"\ntype Query { a: A }',
      "graph/parts/a.graphql": '# import "../schema.graphql"\ntype A { x: Int }',
    };
    const after = { ...files, "graph/parts/a.graphql": '# import "../schema.graphql"\ntype A { y: Int }' };
    expect(await changesOf(files, after)).toEqual(["breaking field-removed A.x", "compatible field-added A.y"]);
  });

  test("names an import that is not there, and never leaves the snapshot", async () => {
    expect(await problemsOf("type Query { a: Int }", '# import "./gone.graphql"\ntype Query { a: Int }')).toEqual([
      "after gone.graphql:null The file is not there or is not text.",
    ]);
    const outside = '# import "../../etc/passwd"\n# import "/etc/passwd"\ntype Query { a: Int }';
    expect(await changesOf("type Query { a: Int }", outside)).toEqual([]);
  });

  test("leaves out files beside it that define the same types, and those with operations", async () => {
    const beside = { "copy.graphql": "type Query { z: Int }", "query.graphql": "query Q { a }" };
    expect(
      await changesOf(
        { "s.graphql": "type Query { a: Int }", ...beside },
        { "s.graphql": "type Query { a: Int }", ...beside },
      ),
    ).toEqual([]);
  });

  test("may be a directory", async () => {
    const source = (b: string): ReturnType<typeof caseSource> => ({
      ...caseSource(
        { "graph/a.graphql": "type Query { b: B }", "graph/b.graphql": b, "graph/q.graphql": "query { b { x } }" },
        "",
      ),
      entry: "graph",
    });
    const result = await graphqlFormat.compare(source("type B { x: Int }"), source("type B { x: String }"));
    expect(result).toMatchObject({ kind: "compared", changes: [{ rule: "field-type-changed", path: "B.x" }] });
  });

  test("says which types both versions leave to somebody else", async () => {
    const result = await compare("type Query { a: Account }", "type Query { a: Account }");
    expect(result).toMatchObject({
      kind: "compared",
      complete: false,
      notes: ["The type Account (schema.graphql:1) is defined elsewhere and was not compared."],
    });
  });
});

describe("a hostile schema", () => {
  test("is refused when it is nested too deeply", async () => {
    const good = "type Query { a: Int }";
    for (const deep of [
      `type Query { a: ${"[".repeat(200_000)}Int${"]".repeat(200_000)} }`,
      `type Query { a(x: Int = ${"[".repeat(200_000)}1${"]".repeat(200_000)}): Int }`,
      `type Query { a(x: Int = ${"{a:".repeat(200_000)}1${"}".repeat(200_000)}): Int }`,
    ]) {
      expect((await problemsOf(good, deep))[0]).toContain("nested too deeply to be read");
    }
  });

  test("is refused when one place has thousands of directives", async () => {
    const good = "type Query { a: Int }";
    expect(await problemsOf(good, `type Query {\n  a: Int ${"@k ".repeat(20_000)}\n}`)).toEqual([
      "after schema.graphql:2 type named Query has more than 200 directives in one place.",
    ]);
  });

  test("of 5 MB is compared, and of more than the bound refused", async () => {
    const types = Array.from(
      { length: 60_000 },
      (_, at) => `type T${at} { id: ID! other(first: Int = 10): [T${Math.max(0, at - 1)}!]! text: String @deprecated }`,
    );
    const large = `type Query { a: T0 }\n${types.join("\n")}`;
    expect(large.length).toBeGreaterThan(4_500_000);
    expect(await changesOf(large, large.replace("type T7 { id: ID!", "type T7 { id: ID"))).toEqual([
      "breaking field-type-changed T7.id",
    ]);
    expect(
      (await problemsOf("type Query { a: Int }", `type Query { a: Int }\n${"#".repeat(25_000_000)}`))[0],
    ).toContain("larger than");
  }, 180_000);

  test("may use names that JavaScript has a meaning for", async () => {
    const before =
      "type Query { __proto__: Int a(__proto__: Int, constructor: Int): Int } enum constructor { __proto__ toString }";
    expect(await changesOf(before, "type Query { a(constructor: Int): Int } enum constructor { toString }")).toEqual([
      "breaking field-removed Query.__proto__",
      "breaking field-argument-removed Query.a.__proto__",
      "breaking enum-value-removed constructor.__proto__",
    ]);
  });

  test("gives up when it is told to", async () => {
    const aborted = AbortSignal.abort();
    const source = caseSource("type Query { a: Int }", "schema.graphql");
    expect(await throwing(graphqlFormat.compare(source, source, aborted))).toThrow();
  });
});
