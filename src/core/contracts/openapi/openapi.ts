// OpenAPI 3.0, 3.1 and 3.2, and Swagger 2.0 by conversion.

import type { Budget } from "../budget.ts";
import { compareSources } from "../compare-sources.ts";
import type { ContractComparison, ContractFormat, ContractSource } from "../format.ts";
import type { LoadedContract } from "../load-contract.ts";
import { SchemaComparer } from "../schema/compare-schemas.ts";
import { Shapes } from "../schema/shapes.ts";
import { compareDocuments } from "./compare-documents.ts";
import type { OpenApiSide } from "./comparing.ts";
import { fromSwagger } from "./from-swagger.ts";

export const openApi: ContractFormat = {
  name: "openapi",
  recognises: (path, text) =>
    /\.(json|ya?ml)$/i.test(path) &&
    /(^[ \t]*|[{,]\s*)["']?(openapi|swagger)["']?\s*:\s*["']?[23]\b/m.test(text.slice(0, 20_000)),
  compare: compareOpenApi,
};

function compareOpenApi(
  before: ContractSource,
  after: ContractSource,
  signal?: AbortSignal,
  today?: string,
  budget?: Budget,
): Promise<ContractComparison> {
  return compareSources({
    before,
    after,
    signal,
    budget,
    refusal,
    judge: (was, is, changes, same, steps) => {
      const [one, other] = [sideOf(was, steps), sideOf(is, steps)];
      const schemas = new SchemaComparer(one.shapes, other.shapes, changes, same);
      compareDocuments({ before: one, after: other, schemas, changes, same, today });
      return { schemas, notes: [] };
    },
  });
}

function versionOf(root: Readonly<Record<string, unknown>>): string {
  return String(root["openapi"] ?? root["swagger"] ?? "");
}

function refusal(root: Readonly<Record<string, unknown>>): string | undefined {
  const version = versionOf(root);
  if (version === "") return "is no OpenAPI document: it has neither the field openapi nor swagger";
  return /^(2|3)(\.|$)/.test(version) ? undefined : `has the version ${version}, which is not known: 2.0 and 3.x are`;
}

function sideOf(contract: LoadedContract, budget: Budget): OpenApiSide {
  const version = versionOf(contract.root);
  const isOld = /^(2|3\.0|3$)/.test(version);
  const dialect = { besideReferences: !isOld, impliedTypes: true, nullableCounts: isOld };
  const shapes = new Shapes(contract, dialect, budget);
  return { root: version.startsWith("2") ? fromSwagger(contract.root, shapes) : contract.root, shapes };
}
