// Tests which services use each other as code shows it: by paths, hosts, settings, events and generated clients. Declarations count first.

import { describe, expect, test } from "bun:test";
import { inferGraph } from "./infer-graph.ts";
import type { SeenRepository } from "./seen-repository.ts";
import { offeredBy, type OfferedContract, type RepositoryInterfaces } from "./repository-interfaces.ts";
import { buildGraph, consumersOf, type ServiceGraph } from "./service-graph.ts";
import { readDeclarations } from "./declared-files.ts";

const nothing: RepositoryInterfaces = { contracts: [], requests: [], events: [], imports: [], generated: [] };
const place = { file: "src/a.ts", line: 3, isTest: false };
const routes = (...operations: string[]): OfferedContract => ({
  path: "routes:.",
  format: "inferred",
  operations,
  base: "",
  channels: [],
});

function seen(name: string, interfaces: Partial<RepositoryInterfaces>): SeenRepository {
  return { repository: `remote:${name}`, name: `example.org/team/${name}`, interfaces: { ...nothing, ...interfaces } };
}

function asks(
  path: string,
  more: { readonly method?: string; readonly hints?: string[]; readonly isTest?: boolean } = {},
) {
  const { method = "GET", hints = [], isTest = false } = more;
  return { requests: [{ ...place, isTest, method, path, hints }] };
}

function infer(repositories: readonly SeenRepository[], services = ""): ServiceGraph {
  const declared = readDeclarations(services === "" ? [] : [{ path: "services.yaml", text: services }]);
  const first = repositories[0];
  const files = repositories.map(({ repository, name }) =>
    name === first?.name
      ? { repository, name, ...declared }
      : { repository, name, services: [], apis: [], problems: [] },
  );
  return inferGraph(buildGraph(files), repositories);
}

const usesIn = ({ uses }: ServiceGraph): string[] =>
  uses.map(
    ({ consumer, provider, how, operations }) => `${consumer} > ${provider} ${how} ${(operations ?? ["all"]).join()}`,
  );

const shop = seen("orders", { contracts: [routes("GET /orders/{id}", "POST /orders", "GET /health")] });

describe("a request belongs to whoever serves its path", () => {
  const cases: readonly (readonly [string, SeenRepository, string[]])[] = [
    ["by the path alone", seen("web", asks("/orders/{}")), ["web > orders direct GET /orders/{id}"]],
    ["by a literal value for a parameter", seen("web", asks("/orders/17")), ["web > orders direct GET /orders/{id}"]],
    ["not by another method", seen("web", asks("/orders/{}", { method: "DELETE" })), []],
    ["not by a part of the path", seen("web", asks("/orders")), []],
    ["not by a path that everybody has", seen("web", asks("/health")), []],
    [
      "but by that path with a name",
      seen("web", asks("/health", { hints: ["ORDERS_URL"] })),
      ["web > orders direct GET /health"],
    ],
    [
      "not where a host of the outside world is asked",
      seen("web", asks("/orders/{}", { hints: ["api.stripe.com"] })),
      [],
    ],
    [
      "from tests, for tests",
      seen("e2e", asks("/orders/{}", { isTest: true })),
      ["e2e > orders tests GET /orders/{id}"],
    ],
    [
      "not by the repository itself",
      seen("orders", { ...asks("/orders/{}"), contracts: shop.interfaces.contracts }),
      [],
    ],
  ];
  for (const [what, consumer, expected] of cases) {
    test(what, () => {
      const all = consumer.name === shop.name ? [consumer] : [shop, consumer];
      expect(usesIn(infer(all))).toEqual(expected);
    });
  }

  test("of two that serve it, the one that the setting or the host names; without a name, nobody", () => {
    const other = seen("archive", { contracts: [routes("GET /orders/{id}")] });
    const with_ = (hints: string[]) => usesIn(infer([shop, other, seen("web", asks("/orders/{}", { hints }))]));
    expect(with_([])).toEqual([]);
    expect(with_(["API_URL"])).toEqual([]);
    expect(with_(["ARCHIVE_BASE_URL"])).toEqual(["web > archive direct GET /orders/{id}"]);
    expect(with_(["orders.internal:8080"])).toEqual(["web > orders direct GET /orders/{id}"]);
    expect(with_(["ordersHost"])).toEqual(["web > orders direct GET /orders/{id}"]);
  });
});

test("events by the channel's address, generated clients by their name, specifications by server and path", () => {
  const asyncApi = "asyncapi: 3.0.0\nchannels:\n  a: {address: 'orders.{region}.placed'}\n  b: {address: stock.low}\n";
  const openApi =
    "openapi: 3.1.0\nservers: [{url: 'https://x.test/v2'}]\npaths:\n  /users/{id}: {get: {}, parameters: []}\n";
  const events = seen("stock", { contracts: [offeredBy("asyncapi.yaml", "asyncapi", asyncApi)] });
  const users = seen("users", { contracts: [offeredBy("openapi.yaml", "openapi", openApi)] });
  const proto = seen("ledger", { contracts: [offeredBy("ledger/v1/entry.proto", "protobuf", "")] });
  const web = seen("web", {
    requests: [{ ...place, method: null, path: "/v2/users/{}", hints: [] }],
    events: [
      { ...place, name: "orders.eu.placed" },
      { ...place, name: "unknown" },
    ],
    imports: [
      { ...place, module: "@acme/orders-client" },
      { ...place, module: "./gen/ledger/v1/entry_pb" },
    ],
  });
  expect(usesIn(infer([shop, events, users, proto, web])).sort()).toEqual([
    "web > ledger direct all",
    "web > orders direct all",
    "web > stock direct orders.{region}.placed",
    "web > users direct GET /users/{id}",
  ]);
});

test("what is declared counts first, circles end, and who uses a user is reached through it", () => {
  const services =
    "services:\n  - {name: orders, provides: [routes.yaml]}\n  - {name: web, repository: web, consumes: [orders]}\n";
  const web = seen("web", { ...asks("/orders/{}"), contracts: [routes("GET /pages/{id}")] });
  const declared = seen("orders", {
    contracts: [{ ...routes("GET /orders/{id}"), path: "routes.yaml" }],
    ...asks("/kiosk/{}"),
  });
  const kiosk = seen("kiosk", { ...asks("/pages/{}"), contracts: [routes("GET /kiosk/{id}")] });
  const graph = infer([declared, web, kiosk], services);
  expect(usesIn(graph)).toEqual([
    "web > orders direct all",
    "orders > kiosk direct GET /kiosk/{id}",
    "kiosk > web direct GET /pages/{id}",
  ]);
  expect(consumersOf(graph, "orders", "routes.yaml").map(({ kind, chain }) => `${kind} ${chain.join(" > ")}`)).toEqual([
    "direct orders > web",
    "indirect orders > web > kiosk",
  ]);
});
