// Reading specifications that are large, split, wrong or hostile: a clear answer within bounds.

import { describe, expect, test } from "bun:test";
import type { ContractComparison, ContractSource } from "./format.ts";
import { verdictOf } from "./format.ts";
import { loadContract } from "./load-contract.ts";
import { openApi } from "./openapi/openapi.ts";
import { throwing } from "../../../test/kit/rejection.ts";

/** Beside other work a large specification may take its time; how much it may take is measured in bench/. */
const largeMs = 120_000;

function files(all: Record<string, string>, entry = "openapi.yaml"): ContractSource & { readonly asked: string[] } {
  const asked: string[] = [];
  const read = (path: string): Promise<string | undefined> => {
    asked.push(path);
    return Promise.resolve(Object.hasOwn(all, path) ? all[path] : undefined);
  };
  return { entry, read, asked };
}

function answering(schema: string, rest = ""): string {
  return `openapi: 3.1.0\ninfo: {title: x, version: "1"}\npaths:\n  /a:\n    get:\n      responses:\n        "200":\n          description: ok\n          content:\n            application/json:\n              schema: ${schema}\n${rest}`;
}

function compare(before: string, after: string): Promise<ContractComparison> {
  return openApi.compare(files({ "openapi.yaml": before }), files({ "openapi.yaml": after }));
}

async function problemOf(text: string): Promise<unknown> {
  const compared = await compare(answering("{}"), text);
  if (compared.kind !== "unreadable") throw new Error(`it was read: ${JSON.stringify(compared)}`);
  return compared.problems;
}

function verdict(compared: ContractComparison): string {
  return compared.kind === "compared" ? verdictOf(compared.changes) : compared.kind;
}

describe("a file that is no specification", () => {
  test("HTML is called HTML", async () => {
    expect(await problemOf("<!doctype html>\n<html><body>Not found</body></html>")).toEqual([
      {
        side: "after",
        path: "openapi.yaml",
        line: 1,
        message: "is HTML or XML, not a specification in JSON or YAML",
      },
    ]);
  });

  test("an empty file, a list, and a document of another kind are refused", async () => {
    expect(await problemOf("\n\n")).toMatchObject([{ message: "is empty" }]);
    expect(await problemOf("- a\n- b\n")).toMatchObject([{ message: "holds no object, so it is not a specification" }]);
    expect(await problemOf("a: 1")).toMatchObject([
      { message: "is no OpenAPI document: it has neither the field openapi nor swagger" },
    ]);
    expect(await problemOf("openapi: 9.0.0")).toMatchObject([
      { message: "has the version 9.0.0, which is not known: 2.0 and 3.x are" },
    ]);
  });

  test("a missing file is a problem without a line", async () => {
    const compared = await openApi.compare(files({ "openapi.yaml": answering("{}") }), files({}));
    expect(compared).toEqual({
      kind: "unreadable",
      problems: [{ side: "after", path: "openapi.yaml", line: null, message: "is not there, or is not text" }],
    });
  });

  test("broken YAML and broken JSON are told with their line", async () => {
    expect(await problemOf('openapi: 3.1.0\ninfo:\n  title: "x\npaths: {}\n')).toMatchObject([{ line: 4 }]);
    expect(await problemOf('{\n  "openapi": "3.1.0",\n  "paths": {\n')).toMatchObject([{ line: 4 }]);
  });

  test("a conflict that git left in the file is no silence", async () => {
    expect(
      await problemOf("openapi: 3.1.0\n<<<<<<< ours\npaths: {}\n=======\npaths: {}\n>>>>>>> theirs\n"),
    ).toBeArray();
  });
});

describe("equal keys", () => {
  test("in YAML are told with the line of the second", async () => {
    expect(await problemOf("openapi: 3.1.0\npaths:\n  /a: {}\n  /b: {}\n  /a: {}\n")).toMatchObject([
      { line: 5, message: "has the same key twice in one mapping" },
    ]);
  });

  test("in JSON are told too, also where they are spelled differently", async () => {
    expect(await problemOf('{\n"openapi": "3.1.0",\n"paths": {\n"/a": {},\n"/\\u0061": {}\n}\n}')).toMatchObject([
      { line: 5, message: 'has the key "/a" twice in one object' },
    ]);
  });

  test("in different objects, in values and in texts are none", async () => {
    const text = '{"openapi":"3.1.0","paths":{},"x":[{"a":1},{"a":2}],"y":"{\\"a\\": 1, \\"a\\": 2}"}';
    expect(verdict(await compare(text, text))).toBe("compatible");
  });
});

describe("YAML", () => {
  test("anchors, aliases and merge keys are followed", async () => {
    const before = answering(
      "{<<: *base, required: [a]}",
      "x-base: &base {type: object, properties: {a: {type: string}}}\n",
    );
    // An anchor has to stand in front of its alias.
    const ordered = (schema: string): string =>
      `x-base: &base {type: object, properties: {a: {type: string}}}\n${answering(schema)}`;
    expect(verdict(await compare(before, before))).toBe("unreadable");
    const same = await compare(
      ordered("{<<: *base, required: [a]}"),
      answering("{type: object, properties: {a: {type: string}}, required: [a]}"),
    );
    expect(same).toEqual({ kind: "compared", changes: [], notes: [], complete: true });
    expect(verdict(await compare(ordered("{<<: *base, required: [a]}"), ordered("*base")))).toBe("breaking");
  });

  test("a schema that contains itself by an alias ends", async () => {
    const text = (name: string): string =>
      `x: &node {type: object, properties: {next: *node, ${name}: {type: string}}}\n${answering("*node")}`;
    const compared = await compare(text("a"), text("b"));
    expect(["breaking", "unreadable"]).toContain(verdict(compared));
  });

  test(
    "a billion laughs are few",
    async () => {
      let text = 'a0: &a0 {type: string, description: "ha"}\n';
      for (let level = 1; level <= 30; level++) {
        const names = Array.from({ length: 10 }, (_, at) => `p${at}: *a${level - 1}`).join(", ");
        text += `a${level}: &a${level} {type: object, properties: {${names}}}\n`;
      }
      const before = `${text}${answering("*a30")}`;
      const compared = await compare(before, before.replace("type: string", "type: integer"));
      expect(verdict(compared)).toBe("breaking");
      expect(await compare(before, before)).toEqual({ kind: "compared", changes: [], notes: [], complete: true });
    },
    largeMs,
  );

  test(
    "a billion laughs by merge keys are refused",
    async () => {
      const names = Array.from({ length: 2_000 }, (_, at) => `k${at}: 1`).join(", ");
      const merges = Array.from({ length: 2_000 }, (_, at) => `m${at}: {<<: *a}`).join("\n");
      expect(await problemOf(`a: &a {${names}}\n${merges}\nopenapi: 3.1.0\n`)).toBeArray();
    },
    largeMs,
  );
});

describe("size and depth", () => {
  test(
    "what is nested beyond reason is refused, in JSON and in YAML",
    async () => {
      const deep = 50_000;
      const json = `{"openapi":"3.1.0","x":${"[".repeat(deep)}${"]".repeat(deep)}}`;
      expect(await problemOf(json)).toMatchObject([{ line: 1 }]);
      expect(await problemOf(`openapi: 3.1.0\nx: ${"[".repeat(deep)}${"]".repeat(deep)}\n`)).toBeArray();
    },
    largeMs,
  );

  test(
    "a chain of ten thousand schemas is followed to its end",
    async () => {
      const link = (at: number, last: string): string =>
        at === 10_000
          ? `S${at}: {type: ${last}}`
          : `S${at}: {type: object, properties: {n: {$ref: "#/components/schemas/S${at + 1}"}}}`;
      const chain = (last: string): string => {
        const links = Array.from({ length: 10_001 }, (_, at) => `    ${link(at, last)}`).join("\n");
        return answering('{$ref: "#/components/schemas/S0"}', `components:\n  schemas:\n${links}\n`);
      };
      expect(verdict(await compare(chain("string"), chain("integer")))).toBe("breaking");
    },
    largeMs,
  );

  test(
    "a specification of 5 MB is compared",
    async () => {
      const document = (last: string): string => {
        const paths: Record<string, unknown> = {};
        const schemas: Record<string, unknown> = {};
        for (let at = 0; at < 12_000; at++) {
          const schema = { $ref: `#/components/schemas/S${at}` };
          paths[`/a${at}`] = {
            get: { responses: { "200": { description: "ok", content: { "application/json": { schema } } } } },
          };
          schemas[`S${at}`] = {
            type: "object",
            description: "x".repeat(200),
            properties: { a: { type: at === 11_999 ? last : "string" } },
          };
        }
        return JSON.stringify({ openapi: "3.0.3", info: { title: "x", version: "1" }, paths, components: { schemas } });
      };
      const [before, after] = [document("string"), document("integer")];
      expect(before.length).toBeGreaterThan(5_000_000);
      const compared = await compare(before, after);
      if (compared.kind !== "compared") throw new Error("unreadable");
      expect(compared.changes.map(({ path }) => path)).toEqual(["GET /a11999 response 200 body.a"]);
    },
    largeMs,
  );

  test(
    "one change in a schema that everything uses is not listed ten thousand times, and says so",
    async () => {
      const document = (type: string): string => {
        const schema = { $ref: "#/components/schemas/S" };
        const get = { responses: { "200": { description: "ok", content: { "application/json": { schema } } } } };
        const paths = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`/a${at}`, { get }]));
        return JSON.stringify({
          openapi: "3.0.3",
          paths,
          components: { schemas: { S: { type: "object", properties: { a: { type } } } } },
        });
      };
      const compared = await compare(document("string"), document("integer"));
      expect(compared).toMatchObject({ kind: "compared", complete: true });
      if (compared.kind !== "compared") return;
      expect(compared.changes.length).toBe(20);
      expect(compared.notes).toEqual([
        "changes of a schema that many places share are listed for the first 20 of them",
      ]);
    },
    largeMs,
  );

  test("several unions in one schema do not multiply without end", async () => {
    const branch = (at: number): string => `{type: object, properties: {p${at}: {type: string}}}`;
    const union = `{oneOf: [${Array.from({ length: 20 }, (_, at) => branch(at)).join(", ")}]}`;
    const schema = `{allOf: [${Array.from({ length: 8 }, () => union).join(", ")}]}`;
    const compared = await compare(answering(schema), answering(schema.replace("p19", "q19")));
    expect(compared).toMatchObject({ kind: "compared", complete: true });
    expect(compared.kind === "compared" ? verdictOf(compared.changes) : "").toBe("breaking");
  });
});

describe("references", () => {
  test("a specification split over 40 files is put together", async () => {
    const split = (type: string): Record<string, string> => {
      const all: Record<string, string> = { "api/openapi.yaml": answering('{$ref: "schemas/s0.yaml"}') };
      for (let at = 0; at < 39; at++) {
        all[`api/schemas/s${at}.yaml`] =
          at === 38 ? `type: ${type}\n` : `type: object\nproperties:\n  next: {$ref: "./s${at + 1}.yaml"}\n`;
      }
      return all;
    };
    const [before, after] = [files(split("string"), "api/openapi.yaml"), files(split("integer"), "api/openapi.yaml")];
    const compared = await openApi.compare(before, after);
    expect(verdict(compared)).toBe("breaking");
    expect(compared).toMatchObject({ complete: true, notes: [] });
    expect(before.asked.length).toBe(40);
  });

  test("pointers lead through references, as in files that only list others", async () => {
    const all = {
      "openapi.yaml": answering(
        '{$ref: "#/components/schemas/Order"}',
        'components:\n  schemas: {$ref: "schemas/all.yaml"}\n',
      ),
      "schemas/all.yaml": "Order: {$ref: order.yaml}\n",
      "schemas/order.yaml": "type: object\nproperties: {total: {type: integer}}\n",
    };
    const changed = { ...all, "schemas/order.yaml": "type: object\nproperties: {amount: {type: integer}}\n" };
    const compared = await openApi.compare(files(all), files(changed));
    expect(compared).toMatchObject({ complete: true, notes: [] });
    expect(verdict(compared)).toBe("breaking");
  });

  test("circular references between files end", async () => {
    const all = {
      "openapi.yaml": answering('{$ref: "a.yaml"}'),
      "a.yaml": "type: object\nproperties: {b: {$ref: b.yaml}, x: {type: string}}\n",
      "b.yaml": 'type: object\nproperties: {a: {$ref: a.yaml}, root: {$ref: "openapi.yaml#/paths"}}\n',
    };
    const compared = await openApi.compare(
      files(all),
      files({ ...all, "a.yaml": "type: object\nproperties: {b: {$ref: b.yaml}}\n" }),
    );
    expect(verdict(compared)).toBe("breaking");
  });

  test("references that lead only to each other end", async () => {
    const rest =
      'components:\n  schemas:\n    A: {$ref: "#/components/schemas/B"}\n    B: {$ref: "#/components/schemas/A"}\n    C: {allOf: [{$ref: "#/components/schemas/C"}, {type: string}]}\n';
    const both = answering('{oneOf: [{$ref: "#/components/schemas/A"}, {$ref: "#/components/schemas/C"}]}', rest);
    expect((await compare(both, both)).kind).toBe("compared");
    const knot = answering(
      '{$ref: "#/components/schemas/x"}',
      'components:\n  schemas: {$ref: "#/components/schemas/y"}\n',
    );
    expect(await compare(knot, knot)).toMatchObject({ kind: "compared", complete: false });
  });

  test("a remote reference is named and never asked for", async () => {
    const remote = (name: string): string => answering(`{$ref: "https://example.test/${name}.json#/A"}`);
    const [before, after] = [files({ "openapi.yaml": remote("a") }), files({ "openapi.yaml": remote("a") })];
    expect(await openApi.compare(before, after)).toEqual({
      kind: "compared",
      changes: [],
      notes: [
        "openapi.yaml:11 refers to https://example.test/a.json#/A, which is not in this snapshot and is never fetched; what it describes was not compared",
      ],
      complete: false,
    });
    expect([...before.asked, ...after.asked]).toEqual(["openapi.yaml", "openapi.yaml"]);
    expect(await compare(remote("a"), remote("b"))).toMatchObject({
      complete: false,
      changes: [{ rule: "response-reference-not-judged", verdict: "dangerous" }],
    });
  });

  test("a reference out of the snapshot is refused, however it is written", async () => {
    for (const place of [
      "../../etc/passwd",
      "/etc/passwd",
      "file:///etc/passwd",
      "a/../../x.yaml",
      "%2e%2e/x.yaml",
      "//host/x.yaml",
    ]) {
      const source = files(
        { "api/openapi.yaml": answering(`{$ref: "${place}"}`).replace("../../", "../../../") },
        "api/openapi.yaml",
      );
      const loaded = await loadContract(source, "before");
      if (loaded.kind !== "loaded") throw new Error("unreadable");
      expect(loaded.contract.notes.length).toBe(1);
      expect(source.asked.every((path) => !path.startsWith("..") && !path.startsWith("/"))).toBe(true);
    }
  });

  test("a reference to nothing is named, and is no silence", async () => {
    const compared = await compare(
      answering('{$ref: "#/components/schemas/A"}', "components: {schemas: {A: {type: string}}}\n"),
      answering('{$ref: "#/components/schemas/A"}', "components: {schemas: {}}\n"),
    );
    expect(compared).toMatchObject({ complete: false, changes: [{ verdict: "dangerous" }] });
    if (compared.kind === "compared") expect(compared.notes[0]).toContain("which does not exist");
  });

  test("a file beside the specification that is broken is told by its own name and line", async () => {
    const all = { "openapi.yaml": answering('{$ref: "a.yaml"}'), "a.yaml": "type: string\ntype: integer\n" };
    expect(await openApi.compare(files(all), files(all))).toMatchObject({
      kind: "unreadable",
      problems: [
        { side: "before", path: "a.yaml", line: 2 },
        { side: "after", path: "a.yaml", line: 2 },
      ],
    });
  });

  test("what looks like a reference in an example is none", async () => {
    const schema = '{type: object, example: {$ref: "https://example.test/x"}, default: {$ref: nowhere.yaml}}';
    expect(await compare(answering(schema), answering(schema))).toMatchObject({ notes: [], complete: true });
  });

  test("properties that are called like keywords or like the language's own are ordinary", async () => {
    const names = ["constructor", "__proto__", "toString", "default", "example", "enum", "then"];
    const properties = names.map((name) => `${name}: {type: string}`).join(", ");
    const before = answering(`{type: object, properties: {${properties}}}`);
    expect(verdict(await compare(before, before))).toBe("compatible");
    for (const name of names) {
      expect(
        verdict(await compare(before, before.replace(`${name}: {type: string}`, `${name}: {type: integer}`))),
      ).toBe("breaking");
      expect(
        verdict(
          await compare(
            answering("{type: object}"),
            answering(`{type: object, properties: {${name}: {type: string}}}`),
          ),
        ),
      ).toBe("compatible");
    }
  });
});

test("an aborted comparison stops", async () => {
  const source = files({ "openapi.yaml": answering("{}") });
  expect(await throwing(openApi.compare(source, source, AbortSignal.abort(new Error("enough"))))).toThrow("enough");
});

test("references are followed from wherever they stand: operations, responses, contents, properties", async () => {
  const all = {
    "openapi.yaml": "openapi: 3.0.3\npaths: {$ref: paths.yaml}\n",
    "paths.yaml": "/a:\n  get: {$ref: get.yaml}\n",
    "get.yaml":
      'operationId: a\nparameters: {$ref: parameters.yaml}\nresponses: {$ref: "responses.yaml#/all"}\nrequestBody: {$ref: body.yaml}\n',
    "parameters.yaml": "- {name: q, in: query, schema: {type: string}}\n",
    "responses.yaml": 'all: {"200": {$ref: "#/ok"}}\nok: {description: ok, content: {$ref: content.yaml}}\n',
    "content.yaml": "application/json: {$ref: media.yaml}\n",
    "media.yaml": "schema: {type: object, properties: {$ref: properties.yaml}}\n",
    "properties.yaml": "total: {type: integer}\n",
    "body.yaml": "content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}\n",
  };
  const breaks: Record<string, string> = {
    "parameters.yaml": "- {name: q, in: query, required: true, schema: {type: string}}\n",
    "properties.yaml": "amount: {type: integer}\n",
    "content.yaml": "text/plain: {$ref: media.yaml}\n",
    "responses.yaml": "all: {}\n",
    "body.yaml":
      "required: true\ncontent: {application/json: {schema: {type: object, properties: {a: {type: integer}}}}}\n",
  };
  expect(await openApi.compare(files(all), files(all))).toMatchObject({ changes: [], notes: [], complete: true });
  for (const [path, text] of Object.entries(breaks)) {
    const compared = await openApi.compare(files(all), files({ ...all, [path]: text }));
    expect([path, verdict(compared)]).toEqual([path, "breaking"]);
  }
});

describe("what is large or odd in one place", () => {
  const withText = (text: string): string =>
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "x", version: "1" },
      paths: { "/a": { get: { responses: { "200": { description: text } } } } },
    });

  test("an enum of 100,000 values is compared, and only what differs is told", async () => {
    const values = (extra: string[]): string =>
      answering(`{enum: [${[...Array.from({ length: 100_000 }, (_, at) => `v${at}`), ...extra].join(", ")}]}`);
    const compared = await compare(values([]), values(["new"]));
    expect(verdict(compared)).toBe("dangerous");
    if (compared.kind === "compared") expect(JSON.stringify(compared.changes).length).toBeLessThan(2_000);
  });

  test("a text of 2 MB is passed over, and never printed whole", async () => {
    const compared = await compare(withText("x".repeat(2_000_000)), withText("y".repeat(2_000_000)));
    expect(compared).toMatchObject({ kind: "compared", complete: true });
    expect(JSON.stringify(compared).length).toBeLessThan(10_000);
  });

  test("a path of 2 MB is told in short", async () => {
    const long = (name: string): string =>
      JSON.stringify({
        openapi: "3.1.0",
        info: {},
        paths: { [`/${name.repeat(2_000_000)}`]: { get: { responses: {} } } },
      });
    const compared = await compare(long("a"), long("b"));
    expect(verdict(compared)).toBe("breaking");
    expect(JSON.stringify(compared).length).toBeLessThan(20_000);
  });

  test("NUL bytes are data in JSON and refused in YAML", async () => {
    expect(verdict(await compare(withText("a\0b"), withText("c\0d")))).toBe("compatible");
    expect(await problemOf(`openapi: 3.1.0\npaths: {"/a\0b": {}}\nx: \0\n`)).toBeArray();
  });
});
