// Reads a Backstage `catalog-info.yaml`: components are services, and an API whose definition is a file beside it is a contract. A component
// whose type says test or e2e uses what it uses for its tests. Other kinds of entity say nothing here.

import { posix } from "node:path";
import { isRecord } from "../contracts/json-value.ts";
import { type LinedDocument, pathInside, readLines } from "./read-lines.ts";
import {
  type Declarations,
  type DeclaredApi,
  type DeclaredService,
  type DeclaredUse,
  isName,
  type ServiceProblem,
} from "./service.ts";

export function readBackstage(path: string, text: string): Declarations {
  const documents = readLines(path, text);
  if ("message" in documents) return { services: [], apis: [], problems: [documents] };
  const services: DeclaredService[] = [];
  const apis: DeclaredApi[] = [];
  const problems: ServiceProblem[] = [];
  for (const document of documents) {
    const { value, lineOf } = document;
    if (value === null || value === undefined) continue;
    if (!isRecord(value) || (value["kind"] !== "Component" && value["kind"] !== "API")) continue;
    const metadata = isRecord(value["metadata"]) ? value["metadata"] : {};
    const { name } = metadata;
    if (!isName(name)) {
      problems.push({ path, line: lineOf("metadata", "name"), message: "an entity needs `metadata.name`: one word" });
      continue;
    }
    const spec = isRecord(value["spec"]) ? value["spec"] : {};
    if (value["kind"] === "API") apis.push({ name, contract: definitionOf(path, spec) });
    else services.push(component(path, document, name, spec));
  }
  return { services, apis, problems };
}

function component(
  path: string,
  { lineOf }: LinedDocument,
  name: string,
  spec: Readonly<Record<string, unknown>>,
): DeclaredService {
  const how = typeof spec["type"] === "string" && /test|e2e/i.test(spec["type"]) ? "tests" : "direct";
  const used = (key: string, kind: string): { readonly name: string; readonly line: number }[] =>
    references(spec[key], kind).map(({ name: one, index }) => ({ name: one, line: lineOf("spec", key, index) }));
  const consumes: DeclaredUse[] = [
    ...used("consumesApis", "api").map(({ name: api, line }) => ({ api, how, line }) as const),
    ...used("dependsOn", "component").map(({ name: service, line }) => ({ service, how, line }) as const),
  ];
  return {
    name,
    repository: null,
    provides: [],
    providesApis: references(spec["providesApis"], "api").map(({ name: api }) => api),
    consumes,
    source: "backstage",
    path,
    line: lineOf("metadata", "name"),
  };
}

/** `[kind:][namespace/]name`, as the catalogue refers to entities. */
function references(value: unknown, kind: string): { readonly name: string; readonly index: number }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown, index) => {
    const [, written = kind, name] =
      typeof one === "string" ? (/^(?:([^:]+):)?(?:[^/]+\/)?([^/]+)$/.exec(one) ?? []) : [];
    return isName(name) && written.toLowerCase() === kind ? [{ name, index }] : [];
  });
}

function definitionOf(path: string, spec: Readonly<Record<string, unknown>>): string | null {
  const { definition } = spec;
  const written = isRecord(definition)
    ? (definition["$text"] ?? definition["$json"] ?? definition["$yaml"])
    : undefined;
  return typeof written === "string" ? (pathInside(posix.dirname(path), written) ?? null) : null;
}
