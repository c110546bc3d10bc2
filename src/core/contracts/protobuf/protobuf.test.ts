import { describe, expect, test } from "bun:test";
import { caseSource, disagreements } from "../contract-case.ts";
import type { CaseFiles } from "../contract-case.ts";
import type { ContractComparison } from "../format.ts";
import { protobufCases, protobufHeldAside } from "./cases/all.ts";
import { protobufFormat } from "./protobuf.ts";
import { throwing } from "../../../../test/kit/rejection.ts";

const compare = (before: CaseFiles, after: CaseFiles): Promise<ContractComparison> =>
  protobufFormat.compare(caseSource(before, "a.proto"), caseSource(after, "a.proto"));

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

const good = 'syntax = "proto3";';

describe("the table of protobuf cases", () => {
  test("agrees with the language guide and the documented rules", async () => {
    expect(await disagreements(protobufFormat, [...protobufCases, ...protobufHeldAside], "a.proto")).toEqual([]);
  });

  test("has at least 80 cases, each with the words that decide it and a name of its own", () => {
    const all = [...protobufCases, ...protobufHeldAside];
    expect(all.length).toBeGreaterThanOrEqual(80);
    expect(all.filter(({ words, source }) => words === "" || source === "")).toEqual([]);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });
});

describe("a .proto file", () => {
  test.each([
    ["a.proto", 'syntax = "proto3";', true],
    ["a.proto", "// about\nmessage A {}", true],
    ["a.proto", 'edition = "2024";', true],
    ["a.proto", 'import "b.proto";', true],
    ["a.proto", "<html><body>", false],
    ["a.txt", 'syntax = "proto3";', false],
  ] as const)("%s is recognised by its path and text (%s)", (path, text, expected) => {
    expect(protobufFormat.recognises(path, text)).toBe(expected);
  });
});

describe("a change of a protobuf contract", () => {
  test("has rule, path, both values, what it does, and the names in consumers' code", async () => {
    const before = 'syntax = "proto3"; package shop.v1; message Order { int32 total = 4; }';
    const after = 'syntax = "proto3"; package shop.v1; message Order { string total = 4; }';
    expect(await compare(before, after)).toEqual({
      kind: "compared",
      complete: true,
      notes: [],
      changes: [
        {
          rule: "field-type-changed",
          verdict: "breaking",
          path: "shop.v1.Order.total (4)",
          direction: null,
          before: "int32",
          after: "string",
          text: "The type of shop.v1.Order.total (4) changed from int32 to string: old and new no longer read each other's bytes.",
          names: ["total"],
        },
      ],
    });
  });

  test("says whether bytes and JSON are still read when a type changes", async () => {
    const effect = async (from: string, to: string): Promise<string> => {
      const result = await compare(`${good} message A { ${from} n = 1; }`, `${good} message A { ${to} n = 1; }`);
      return result.kind === "compared" ? (result.changes[0]?.text ?? "") : "";
    };
    expect(await effect("int32", "uint32")).toContain("though bytes and JSON are read");
    expect(await effect("int32", "int64")).toContain("JSON differs, though bytes are read");
    expect(await effect("string", "bytes")).toContain("JSON differs, though bytes are read");
    expect(await effect("sint32", "int32")).toContain("no longer read each other's bytes");
  });

  test("of a method has a direction", async () => {
    const service = (rpc: string): string => `${good} message A {} message B {} service S { rpc G${rpc}; }`;
    const result = await compare(service("(A) returns (A)"), service("(B) returns (stream A)"));
    expect(result).toMatchObject({
      changes: [
        { rule: "method-request-type-changed", path: "S/G", direction: "request", names: ["G", "S"] },
        { rule: "method-server-streaming-changed", direction: "response", before: "single", after: "stream" },
      ],
    });
  });

  test("tells a deletion without reservation from one with", async () => {
    const before = `${good} message A { int32 n = 1; int32 m = 2; }`;
    expect(await changesOf(before, `${good} message A { int32 n = 1; }`)).toEqual([
      "breaking field-deleted-without-reserving A.m",
    ]);
    expect(await changesOf(before, `${good} message A { int32 n = 1; reserved 2; reserved "m"; }`)).toEqual([
      "breaking field-deleted A.m",
    ]);
  });

  test("of the package is told once, and what else changed beside it", async () => {
    const version = (name: string, more: string): string =>
      `syntax = "proto3"; package shop.${name}; message A { B b = 1; message C { E e = 1; } ${more} } message B {} enum E { E_A = 0; } service S { rpc G(A) returns (B); }`;
    expect(await changesOf(version("v1", ""), version("v2", "int32 n = 2;"))).toEqual([
      "breaking file-package-changed a.proto",
      "compatible field-added shop.v2.A.n",
    ]);
  });

  test("of a deleted message is told without what was inside it", async () => {
    expect(
      await changesOf(`${good} message A { message B { message C {} enum E { X = 0; } } }`, `${good} message A {}`),
    ).toEqual(["breaking message-deleted A.B"]);
  });

  test("is a move when a file beside defines the type now", async () => {
    const before = { "t/a.proto": `${good} package t; message A {} message B {}` };
    const after = { "t/a.proto": `${good} package t; message A {}`, "t/b.proto": `${good} package t; message B {}` };
    expect(await compare(before, after)).toMatchObject({
      changes: [{ rule: "message-moved-to-another-file", before: "t/a.proto", after: "t/b.proto" }],
    });
  });

  test("of an enum value's name is one change, and a further name another", async () => {
    const before = `${good} enum E { A = 0; B = 1; }`;
    expect(await changesOf(before, `${good} enum E { A = 0; C = 1; }`)).toEqual(["breaking enum-value-renamed E.B"]);
    expect(await changesOf(before, `${good} enum E { option allow_alias = true; A = 0; B = 1; C = 1; }`)).toEqual([
      "compatible enum-alias-added E.C",
    ]);
    expect(await changesOf(before, `${good} enum E { A = 0; B = 2; }`)).toEqual([
      "breaking enum-value-number-changed E.B",
    ]);
  });

  test("of a oneof is told for the oneof and for its fields", async () => {
    expect(
      await changesOf(
        `${good} message A { oneof x { int32 n = 1; } }`,
        `${good} message A { oneof y { int32 n = 1; } }`,
      ),
    ).toEqual([
      "breaking field-moved-to-another-oneof A.n (1)",
      "breaking oneof-deleted A.x",
      "compatible oneof-added A.y",
    ]);
  });

  test("of an imported file is told for the file and for its types", async () => {
    const files = { "a.proto": `${good} import "b.proto";`, "b.proto": `${good} message B {}` };
    expect(await changesOf(files, { "a.proto": good })).toEqual([
      "breaking file-deleted b.proto",
      "breaking message-deleted B",
    ]);
    // Imported or not, a file that is on both sides is the same file.
    expect(await changesOf(files, { ...files, "a.proto": good })).toEqual([]);
    expect(await changesOf({ ...files, "a.proto": good }, files)).toEqual([]);
  });

  test("is found in every file of a directory", async () => {
    const source = (b: string): ReturnType<typeof caseSource> => ({
      ...caseSource(
        {
          "p/a.proto": `${good} import "b.proto"; message A { B b = 1; }`,
          "p/b.proto": `${good} message B { ${b} }`,
          "p/c.proto": `${good} message C {}`,
        },
        "",
      ),
      entry: "p",
    });
    const result = await protobufFormat.compare(source("int32 n = 1;"), source("int64 n = 1;"));
    expect(result).toMatchObject({ kind: "compared", complete: true, changes: [{ path: "B.n (1)" }] });
  });
});

describe("a contract that cannot be judged", () => {
  test.each([
    [
      "a missing semicolon",
      `${good}\nmessage A {\n  int32 n = 1\n  int32 m = 2;\n}`,
      4,
      'Expected ";", found "int32".',
    ],
    ["a message that does not end", `${good}\nmessage A {\n  int32 n = 1;\n`, 4, "found the end of the file"],
    ["a string that does not end", `${good}\noption go_package = "x;\n`, 2, "does not end on its line"],
    ["a comment that does not end", `${good}\n/* x\n`, 2, "A comment does not end."],
    ["a strange character", `${good}\nmessage A { § }`, 2, 'Unexpected character "§".'],
    ["a syntax that nobody knows", 'syntax = "proto4";', 1, '"proto4" is not known'],
    ["an edition that nobody knows", 'edition = "1999";', 1, '"1999" is not known'],
    ["a field number of zero", `${good}\n\nmessage A { int32 n = 0; }`, 3, "outside 1 to 536870911"],
    ["a number used twice", `${good}\nmessage A {\n  int32 n = 1;\n  int32 m = 1;\n}`, 4, "which another field has"],
    ["a name used twice", `${good}\nmessage A {\n  int32 n = 1;\n  int32 n = 2;\n}`, 4, "two fields named n"],
    ["a message defined twice", `${good}\nmessage A {}\nmessage A {}`, 3, "A is defined twice"],
    ["a type defined nowhere", `${good}\nmessage A {\n  Gone g = 1;\n}`, 3, "The type Gone is defined nowhere."],
    ["a page of HTML", "<!DOCTYPE html>\n<html></html>", 1, "Expected a definition"],
    ["a range that ends before it begins", `${good} message A { reserved 5 to 3; }`, 1, "ends before it begins"],
    ["two packages", `${good} package a;\npackage b;`, 2, "names its package twice"],
  ] as const)("has %s, and the line is said", async (_, text, line, message) => {
    for (const [before, after, side] of [
      [good, text, "after"],
      [text, good, "before"],
    ] as const) {
      const [first = ""] = await problemsOf(before, after);
      expect(first).toStartWith(`${side} a.proto:${line} `);
      expect(first).toContain(message);
    }
  });

  test("is not there", async () => {
    const nothing = { entry: "gone.proto", read: () => Promise.resolve(undefined) };
    const result = await protobufFormat.compare(caseSource(good, "a.proto"), nothing);
    expect(result).toMatchObject({ kind: "unreadable", problems: [{ side: "after", path: "gone.proto", line: null }] });
  });

  test("imports a file that this version deleted", async () => {
    const a = `${good}\nimport "b.proto";\nmessage A { B b = 1; }`;
    expect(await problemsOf({ "a.proto": a, "b.proto": `${good} message B {}` }, { "a.proto": a })).toEqual([
      "after a.proto:2 The imported file b.proto is no longer there.",
    ]);
  });
});

describe("imports", () => {
  test("that are in no snapshot are named, and silence about them is not complete", async () => {
    const text = `${good}\nimport "google/api/annotations.proto";\nmessage A { google.api.HttpRule r = 1; }`;
    expect(await compare(text, text)).toEqual({
      kind: "compared",
      changes: [],
      notes: [
        "google/api/annotations.proto, imported by a.proto:2, is not in the snapshot; its types were not compared.",
      ],
      complete: false,
    });
  });

  test("may form a cycle", async () => {
    const files = (field: string): CaseFiles => ({
      "a.proto": `${good} import "b.proto"; message A { B b = 1; }`,
      "b.proto": `${good} import "a.proto"; import "b.proto"; message B { A a = 1; ${field} }`,
    });
    expect(await changesOf(files(""), files("int32 n = 2;"))).toEqual(["compatible field-added B.n"]);
  });

  test("never leave the snapshot", async () => {
    const text = `${good} import "../../../etc/passwd"; import "/etc/passwd";`;
    expect(await compare(text, text)).toMatchObject({ kind: "compared", complete: false });
  });

  test("of well-known types need no file", async () => {
    const text = `${good} import "google/protobuf/timestamp.proto"; message A { google.protobuf.Timestamp at = 1; }`;
    expect(await compare(text, text)).toMatchObject({ kind: "compared", complete: true, changes: [] });
  });
});

describe("a hostile contract", () => {
  test("is refused when it is nested too deeply", async () => {
    expect((await problemsOf(good, `${good} ${"message A { ".repeat(100_000)}`))[0]).toContain("nested too deeply");
    expect((await problemsOf(good, `${good} option (x) = ${"{ a ".repeat(100_000)}`))[0]).toContain(
      "nested too deeply",
    );
    expect(
      (await problemsOf(good, `${good} message A { optional group G = 1 ${"{ optional group G = 1 ".repeat(1000)}`))[0],
    ).toContain("nested too deeply");
  });

  test("of 5 MB is compared, and of more than the bound refused", async () => {
    const messages = Array.from(
      { length: 40_000 },
      (_, at) =>
        `message T${at} { string id = 1; repeated T${Math.max(0, at - 1)} items = 2 [deprecated = true]; oneof x { int32 a = 3; } reserved 9 to 11; }`,
    );
    const large = `${good} ${messages.join("\n")}`;
    expect(large.length).toBeGreaterThan(4_500_000);
    expect(await changesOf(large, large.replace("T7 { string id", "T7 { bytes id"))).toEqual([
      "breaking field-type-changed T7.id (1)",
    ]);
    expect((await problemsOf(good, `${good} /*${"x".repeat(25_000_000)}*/`))[0]).toContain("larger than");
  }, 180_000);

  test("with a hundred thousand values, fields and reservations takes no square of their number", async () => {
    const many = (of: (at: number) => string): string =>
      Array.from({ length: 100_000 }, (_, at) => of(at + 1)).join("\n");
    const before = `${good} enum E { E_0 = 0; ${many((at) => `E_${at} = ${at};`)} } message A { ${many((at) => `int32 n${at} = ${at + 20_000};`)} }`;
    const after = `${good} enum E { E_0 = 0; ${many((at) => `reserved ${at};`)} ${many((at) => `reserved "E_${at}";`)} } message A { ${many((at) => `reserved ${at + 20_000};`)} }`;
    const result = await compare(before, after);
    expect(result).toMatchObject({
      complete: true,
      notes: ["only 5000 changes are listed, 195000 more were found; the verdict breaking is that of all"],
    });
  }, 180_000);

  test("may use names that JavaScript has a meaning for", async () => {
    const before = `${good} message __proto__ { int32 constructor = 1; int32 __proto__ = 2; } enum toString { __proto = 0; }`;
    expect(
      await changesOf(before, `${good} message __proto__ { int32 constructor = 1; } enum toString { x = 0; }`),
    ).toEqual([
      "breaking field-deleted-without-reserving __proto__.__proto__",
      "breaking enum-value-renamed toString.__proto",
    ]);
  });

  test("gives up when it is told to", async () => {
    const source = caseSource(good, "a.proto");
    expect(await throwing(protobufFormat.compare(source, source, AbortSignal.abort()))).toThrow();
  });
});
