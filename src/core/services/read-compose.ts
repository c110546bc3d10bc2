// Reads a docker-compose file: a service that depends on another uses it. Compose knows no contracts and no repositories, so it only
// adds to what the other files say. A service of the profile `test` or `e2e` uses what it uses for its tests.

import { isRecord } from "../contracts/json-value.ts";
import { readLines } from "./read-lines.ts";
import { type Declarations, type DeclaredService, isName, type Use } from "./service.ts";

export function readCompose(path: string, text: string): Declarations {
  const documents = readLines(path, text);
  if ("message" in documents) return { services: [], apis: [], problems: [documents] };
  const services = documents.flatMap(({ value, lineOf }) => {
    const declared = isRecord(value) && isRecord(value["services"]) ? value["services"] : {};
    return Object.entries(declared).flatMap(([name, service]): DeclaredService[] => {
      if (!isName(name) || !isRecord(service)) return [];
      const profiles: readonly unknown[] = Array.isArray(service["profiles"]) ? service["profiles"] : [];
      const how: Use = profiles.some((one) => typeof one === "string" && /test|e2e/i.test(one)) ? "tests" : "direct";
      const consumes = dependencies(service["depends_on"]).map(({ name: other, key }) => ({
        service: other,
        how,
        line: lineOf("services", name, "depends_on", key),
      }));
      const line = lineOf("services", name);
      return [
        { name, repository: null, provides: [], providesApis: [], consumes, source: "compose", path, line } as const,
      ];
    });
  });
  return { services, apis: [], problems: [] };
}

function dependencies(value: unknown): { readonly name: string; readonly key: string | number }[] {
  const named = Array.isArray(value)
    ? value.map((name: unknown, key) => ({ name, key }))
    : Object.keys(isRecord(value) ? value : {}).map((name) => ({ name, key: name }));
  return named.flatMap(({ name, key }) => (isName(name) ? [{ name, key }] : []));
}
