// Tests what the three kinds of files declare, with the lines of what is wrong, and which services a contract reaches.

import { describe, expect, test } from "bun:test";
import { type DeclaringFile, readDeclarations } from "./declared-files.ts";
import { buildGraph, consumersOf, type ServiceGraph } from "./service-graph.ts";

const graphOf = (repositories: Readonly<Record<string, Readonly<Record<string, string>>>>): ServiceGraph =>
  buildGraph(
    Object.entries(repositories).map(([name, files]) => ({
      repository: `remote:example.org/team/${name}`,
      name: `example.org/team/${name}`,
      ...readDeclarations(Object.entries(files).map(([path, text]): DeclaringFile => ({ path, text }))),
    })),
  );

const reached = (graph: ServiceGraph, provider: string, contract: string): string[] =>
  consumersOf(graph, provider, contract)
    .map(({ kind, chain }) => `${kind} ${chain.join(" > ")}`)
    .sort();

const problemsOf = (path: string, text: string): string[] =>
  readDeclarations([{ path, text }]).problems.map(({ line, message }) => `${line}: ${message}`);

describe("services.yaml", () => {
  const text = `services:
  - name: orders
    provides: [{ contract: api/openapi.yaml }, api/events.yaml]
  - name: web
    repository: web
    consumes: [{ service: orders, contract: api/openapi.yaml }]
  - name: journeys
    repository: journeys
    consumes:
      - service: orders
        how: tests
      - web
  - name: mobile
    repository: app
    consumes: [web]
  - name: audit
    consumes: [{ contract: api/events.yaml }]
`;

  test("names direct consumers, tests and those that are reached through others", () => {
    const graph = graphOf({ shop: { "services.yaml": text }, web: {}, journeys: {}, app: {} });
    expect(graph.problems).toEqual([]);
    expect(reached(graph, "orders", "api/openapi.yaml")).toEqual([
      "direct orders > web",
      "indirect orders > web > mobile",
      "tests orders > journeys",
    ]);
    expect(reached(graph, "orders", "api/events.yaml")).toEqual(["direct orders > audit", "tests orders > journeys"]);
    expect(graph.services.map(({ name, repository }) => [name, repository?.split("/").at(-1) ?? null])).toEqual([
      ["audit", "shop"],
      ["journeys", "journeys"],
      ["mobile", "app"],
      ["orders", "shop"],
      ["web", "web"],
    ]);
  });

  test("a service whose repository is not watched has none, and what nobody declares is named with its line", () => {
    const graph = graphOf({
      shop: { "services.yaml": "services:\n  - name: a\n    repository: elsewhere\n    consumes:\n      - nothing\n" },
    });
    expect(graph.services).toMatchObject([{ name: "a", repository: null, repositoryName: "elsewhere" }]);
    expect(graph.problems).toMatchObject([{ line: 5, message: "a uses nothing, which nobody declares" }]);
  });

  test("circles end where they began, and the provider is never its own consumer", () => {
    const circle = `services:
  - { name: a, provides: [a.yaml], consumes: [c] }
  - { name: b, consumes: [a] }
  - { name: c, consumes: [b, c] }
`;
    expect(reached(graphOf({ x: { "services.yaml": circle } }), "a", "a.yaml")).toEqual([
      "direct a > b",
      "indirect a > b > c",
    ]);
  });

  const wrong: readonly (readonly [string, string, string])[] = [
    ["a list without the key", "- name: a\n", "1: must hold `services:` with a list"],
    ["a service without a name", "services:\n  - provides: []\n", "2: a service needs a `name`: one word"],
    [
      "a word that is not known",
      "services:\n  - name: a\n    provide: []\n",
      '3: "provide" is not known here: name, repository, provides, consumes',
    ],
    [
      "another way of using",
      "services:\n  - name: a\n    consumes:\n      - service: b\n        how: mocks\n",
      '5: `how` is direct or tests, not "mocks"',
    ],
    [
      "a path that leads out",
      "services:\n  - name: a\n    provides:\n      - contract: ../x.yaml\n",
      "4: `contract` is a path from the top of the service's repository",
    ],
    [
      "a use of nothing",
      "services:\n  - name: a\n    consumes:\n      - how: tests\n",
      "4: each entry of `consumes` names a `service` or a `contract`",
    ],
    ["a name that stands twice", "services:\n  - name: a\n  - name: a\n", "3: a is declared twice"],
  ];
  for (const [what, file, complaint] of wrong) {
    test(`complains of ${what}, with its line`, () => expect(problemsOf("services.yaml", file)).toEqual([complaint]));
  }

  test("what is not YAML, or unfolds without end, is named and nothing else is lost", () => {
    expect(problemsOf("services.yaml", "services:\n  - name: [\n")[0]).toMatch(/^\d+: is not YAML/);
    const laughs = `a: &a [x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [${`*${n === 0 ? "a" : `b${n - 1}`},`.repeat(50)}]`).join("\n")}\n`;
    expect(problemsOf("services.yaml", laughs)).toHaveLength(1);
    expect(readDeclarations([{ path: "services.yaml", text: undefined }]).problems).toHaveLength(1);
  });
});

test("a Backstage catalogue gives components, their APIs' files, and what they use", () => {
  const graph = graphOf({
    shop: {
      "orders/catalog-info.yaml": `kind: Component
metadata: { name: orders }
spec: { type: service, providesApis: [orders-api] }
---
kind: API
metadata: { name: orders-api }
spec: { type: openapi, definition: { $text: ./openapi.yaml } }
---
kind: Location
spec: {}
`,
    },
    web: {
      "catalog-info.yaml":
        "kind: Component\nmetadata: { name: web }\nspec: { consumesApis: ['api:default/orders-api'] }\n",
    },
    checks: {
      "catalog-info.yaml":
        "kind: Component\nmetadata: { name: checks }\nspec: { type: e2e-tests, dependsOn: ['component:orders'] }\n",
    },
  });
  expect(graph.problems).toEqual([]);
  expect(reached(graph, "orders", "orders/openapi.yaml")).toEqual(["direct orders > web", "tests orders > checks"]);
});

test("compose adds who depends on whom, in both ways of writing it, and says nothing of where a service lives if another file does", () => {
  const graph = graphOf({
    deploy: {
      "docker-compose.yml": `services:
  web: { depends_on: [orders] }
  checks: { profiles: [test], depends_on: { orders: { condition: service_started } } }
  orders: { image: orders }
`,
    },
    shop: { "services.yaml": "services:\n  - name: orders\n    provides: [openapi.yaml]\n" },
  });
  expect(graph.problems).toEqual([]);
  expect(reached(graph, "orders", "openapi.yaml")).toEqual(["direct orders > web", "tests orders > checks"]);
  expect(graph.services.find(({ name }) => name === "orders")?.repository).toBe("remote:example.org/team/shop");
});

test("two repositories that each claim a service are named, and the first one counts", () => {
  const one = "services:\n  - name: orders\n";
  const graph = graphOf({ a: { "services.yaml": one }, b: { "services.yaml": one } });
  expect(graph.services).toMatchObject([{ repository: "remote:example.org/team/a" }]);
  expect(graph.problems).toMatchObject([{ repository: "example.org/team/b", line: 2 }]);
});
