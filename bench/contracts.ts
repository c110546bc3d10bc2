// Contracts: what comparing a large specification costs beside parsing it, and finding who uses a contract among many services.

import { dump, load } from "js-yaml";
import { openApi } from "../src/core/contracts/openapi/openapi.ts";
import type { ContractSource } from "../src/core/contracts/format.ts";
import { buildGraph, consumersOf } from "../src/core/services/service-graph.ts";
import { ascending, type Entry, median, percentile, timed } from "./harness.ts";

/** Some 2 MB: operations with parameters and bodies, over schemas that share one. `oneIn`: one schema in so many is other; 0: none. */
function specification(oneIn: number): unknown {
  const paths: Record<string, unknown> = {};
  const schemas: Record<string, unknown> = { Shared: { type: "object", properties: { id: { type: "string" } } } };
  for (let at = 0; at < 4_000; at += 1) {
    const isChanged = oneIn > 0 && at % oneIn === 7 % oneIn;
    schemas[`S${at}`] = {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "string", format: "uuid" },
        count: { type: isChanged ? "string" : "integer", minimum: 0 },
        shared: { $ref: "#/components/schemas/Shared" },
      },
    };
    const content = { "application/json": { schema: { $ref: `#/components/schemas/S${at}` } } };
    paths[`/things${at}/{id}`] = {
      get: {
        operationId: `get${at}`,
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { "200": { description: "one of them", content } },
      },
    };
  }
  return { openapi: "3.1.0", info: { title: "Large", version: "1" }, paths, components: { schemas } };
}

function sourceOf(text: string): ContractSource {
  return { entry: "openapi.json", read: (path) => Promise.resolve(path === "openapi.json" ? text : undefined) };
}

interface Pair extends Pick<Entry, "name" | "what" | "floorIs" | "bar"> {
  readonly oneIn: number;
  readonly write: (value: unknown) => string;
  readonly parse: (text: string) => unknown;
}

function diff({ oneIn, write, parse, ...entry }: Pair): Entry {
  return {
    ...entry,
    better: "lower",
    lane: "full",
    async measure(rounds) {
      const texts = [write(specification(0)), write(specification(oneIn))] as const;
      const [whole, parsing]: [number[], number[]] = [[], []];
      for (let round = -2; round < Math.max(rounds, 20); round += 1) {
        const floor = await timed(() => texts.forEach((text) => void parse(text)));
        const took = await timed(() => openApi.compare(sourceOf(texts[0]), sourceOf(texts[1])));
        if (round < 0) continue;
        whole.push(took);
        parsing.push(floor);
      }
      const p99 = percentile(whole.sort(ascending), 0.99).toFixed(0);
      const size = (texts[0].length / 1e6).toFixed(1);
      return {
        value: median(whole),
        floor: median(parsing.sort(ascending)),
        unit: "ms",
        note: `${size} MB each, p99 ${p99} ms`,
      };
    },
  };
}

const json = {
  write: (value: unknown): string => JSON.stringify(value),
  parse: (text: string): unknown => JSON.parse(text),
};
const diffs = [
  diff({
    name: "contract-diff",
    what: "an OpenAPI pair of 2 MB in JSON, one schema in 200 changed, compared",
    floorIs: "JSON.parse of both",
    bar: 3,
    oneIn: 200,
    ...json,
  }),
  diff({
    name: "contract-diff-yaml",
    what: "the same pair in YAML",
    floorIs: "js-yaml's load of both",
    bar: 3,
    oneIn: 200,
    write: (value) => dump(value),
    parse: (text) => load(text),
  }),
  diff({
    name: "contract-diff-many",
    what: "the same pair in JSON, every second schema changed: 2,000 operations that break (a guard, no promise)",
    floorIs: "JSON.parse of both",
    bar: 25,
    oneIn: 2,
    ...json,
  }),
];

const consumers: Entry = {
  name: "contract-consumers",
  what: "who uses a contract, directly and through others, among 200 services in a web of 1,000 uses (bar: 5 ms)",
  floorIs: "5 ms",
  bar: 1,
  better: "lower",
  lane: "quick",
  async measure(rounds) {
    const services = Array.from({ length: 200 }, (_, at) => ({
      name: `service${at}`,
      repository: null,
      provides: ["openapi.yaml"],
      providesApis: [],
      consumes: Array.from({ length: 5 }, (_, use) => ({
        service: `service${(at * 7 + use * 31 + 1) % 200}`,
        how: use === 0 ? ("tests" as const) : ("direct" as const),
        line: 1,
      })),
      source: "services.yaml" as const,
      path: "services.yaml",
      line: at + 1,
    }));
    const graph = buildGraph([{ repository: "r", name: "r", services, apis: [], problems: [] }]);
    const took: number[] = [];
    for (let round = -5; round < Math.max(rounds, 50); round += 1) {
      const ms = await timed(() => void consumersOf(graph, `service${Math.abs(round) % 200}`, "openapi.yaml"));
      if (round >= 0) took.push(ms);
    }
    took.sort(ascending);
    return { value: median(took), floor: 5, unit: "ms", note: `p99 ${percentile(took, 0.99).toFixed(2)} ms` };
  },
};

export const contractEntries: readonly Entry[] = [...diffs, consumers];
