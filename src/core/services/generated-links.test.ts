// Tests which contract generated code belongs to: as services.yaml says it, as its first lines do, and as its name and generator leave it.

import { expect, test } from "bun:test";
import { readDeclarations } from "./declared-files.ts";
import { inferGraph } from "./infer-graph.ts";
import type { SeenRepository } from "./seen-repository.ts";
import type { GeneratedFile, OfferedContract } from "./repository-interfaces.ts";
import { buildGraph } from "./service-graph.ts";

const offers = (path: string, format: string): OfferedContract => ({
  path,
  format,
  operations: [],
  base: "",
  channels: [],
});

function seen(
  name: string,
  contracts: readonly OfferedContract[],
  generated: readonly GeneratedFile[] = [],
): SeenRepository {
  const interfaces = { contracts, requests: [], events: [], imports: [], generated };
  return { repository: `remote:${name}`, name: `team/${name}`, interfaces };
}

const orders = seen("shop", [offers("api/openapi.yaml", "openapi")]);
const stock = seen("warehouse", [offers("api/openapi.yaml", "openapi")]);
const events = seen("events", [offers("proto/v1/order.proto", "protobuf"), offers("proto/v1/stock.proto", "protobuf")]);

/** Returns the files that web generates, as `<file> < <provider> <contract>`, and the uses that follow from them. */
function links(generated: readonly GeneratedFile[], services = "", repositories = [orders, stock, events]): string[] {
  const web = seen("web", [], generated);
  const declared = {
    repository: web.repository,
    name: web.name,
    ...readDeclarations(services === "" ? [] : [{ path: "services.yaml", text: services }]),
  };
  const others = repositories.map(({ repository, name }) => ({
    repository,
    name,
    services: [],
    apis: [],
    problems: [],
  }));
  const graph = inferGraph(buildGraph([declared, ...others]), [web, ...repositories]);
  return graph.generated.flatMap(({ paths, provider, contract }) =>
    paths.map((path) => `${path} < ${provider} ${contract}`),
  );
}

const file = (path: string, more: Partial<GeneratedFile> = {}): GeneratedFile => ({
  file: path,
  from: [],
  format: null,
  ...more,
});
const provided = `services:
  - { name: shop, repository: shop, provides: [api/openapi.yaml] }
  - { name: warehouse, repository: warehouse, provides: [api/openapi.yaml] }
  - { name: events, repository: events, provides: [proto/v1/order.proto, proto/v1/stock.proto] }
`;
const uses = (...providers: readonly string[]): string =>
  `${provided}  - name: web
    consumes: [${providers.join(", ")}]
`;

const cases: readonly (readonly [string, GeneratedFile, string, string[]])[] = [
  [
    "the whole path in its first line, with the repository",
    file("a.ts", { from: ["../shop/api/openapi.yaml"] }),
    "",
    ["a.ts < shop api/openapi.yaml"],
  ],
  [
    "an address",
    file("a.ts", { from: ["https://example.org/team/warehouse/main/api/openapi.yaml"] }),
    "",
    ["a.ts < warehouse api/openapi.yaml"],
  ],
  ["a name that two provide", file("a.ts", { from: ["openapi.yaml"] }), "", []],
  [
    "a name that two provide, of which one is used",
    file("a.ts", { from: ["openapi.yaml"] }),
    uses("shop"),
    ["a.ts < shop api/openapi.yaml"],
  ],
  [
    "a name that two provide, of which the file's own path says one",
    file("gen/shop/a.ts", { from: ["openapi.yaml"] }),
    "",
    ["gen/shop/a.ts < shop api/openapi.yaml"],
  ],
  [
    "a name that only one provides",
    file("a.ts", { from: ["v1/order.proto"] }),
    "",
    ["a.ts < events proto/v1/order.proto"],
  ],
  ["a file that nobody provides", file("gen/shop/a.ts", { from: ["users.yaml"], format: "openapi" }), uses("shop"), []],
  [
    "a protobuf name, where it is used",
    file("order_pb2.py"),
    uses("events"),
    ["order_pb2.py < events proto/v1/order.proto"],
  ],
  ["a protobuf name, where nobody says that it is used", file("order_pb2.py"), "", []],
  [
    "the generator, where one contract that is used fits",
    file("schema.d.ts", { format: "openapi" }),
    uses("shop", "events"),
    ["schema.d.ts < shop api/openapi.yaml"],
  ],
  ["the generator, where two fit", file("schema.d.ts", { format: "openapi" }), uses("shop", "warehouse"), []],
  [
    "the generator and the path, where two fit",
    file("gen/warehouse.ts", { format: "openapi" }),
    uses("shop", "warehouse"),
    ["gen/warehouse.ts < warehouse api/openapi.yaml"],
  ],
  ["neither a name nor a generator", file("gen/shop.ts"), uses("shop"), []],
];

for (const [name, generated, services, expected] of cases)
  test(`generated code belongs to a contract by ${name}: ${expected.length === 0 ? "no" : "yes"}`, () => {
    expect(links([generated], services)).toEqual(expected);
  });

test("what services.yaml says counts before everything else, for directories too, and code that names a contract makes its repository a consumer", () => {
  const services = `${provided}  - name: web\n    consumes:\n      - { service: shop, generated: src/sdk }\n      - { service: events, contract: proto/v1/order.proto, generated: [pb] }\n`;
  const made = [file("src/sdk/a.ts", { from: ["../warehouse/api/openapi.yaml"] })];
  expect(links(made, services)).toEqual(["src/sdk < shop api/openapi.yaml", "pb < events proto/v1/order.proto"]);
  const web = seen("web", [], [file("a.ts", { from: ["../shop/api/openapi.yaml"] })]);
  const nothing = { services: [], apis: [], problems: [] };
  const both = [web, orders].map(({ repository, name }) => ({ repository, name, ...nothing }));
  expect(inferGraph(buildGraph(both), [web, orders]).uses).toMatchObject([
    { consumer: "web", provider: "shop", how: "direct", operations: null, because: "a.ts:1" },
  ]);
  const wrong = readDeclarations([
    { path: "services.yaml", text: "services:\n  - name: web\n    consumes: [{ service: shop, generated: ../x }]\n" },
  ]);
  expect(wrong.problems).toMatchObject([{ line: 3, message: expect.stringContaining("`generated` is a path") }]);
});
