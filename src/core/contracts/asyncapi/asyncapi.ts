// AsyncAPI 2 and 3, also one of each.

import type { Budget } from "../budget.ts";
import { compareSources } from "../compare-sources.ts";
import type { ContractComparison, ContractFormat, ContractSource } from "../format.ts";
import type { LoadedContract } from "../load-contract.ts";
import { SchemaComparer } from "../schema/compare-schemas.ts";
import { Shapes } from "../schema/shapes.ts";
import { compareDocuments } from "./compare-documents.ts";
import { type Model, modelOf } from "./model.ts";

export const asyncApi: ContractFormat = {
  name: "asyncapi",
  recognises: (path, text) =>
    /\.(json|ya?ml)$/i.test(path) &&
    /(^[ \t]*|[{,]\s*)["']?asyncapi["']?\s*:\s*["']?[23]\b/m.test(text.slice(0, 20_000)),
  compare: compareAsyncApi,
};

function compareAsyncApi(
  before: ContractSource,
  after: ContractSource,
  signal?: AbortSignal,
  _today?: string,
  budget?: Budget,
): Promise<ContractComparison> {
  return compareSources({
    before,
    after,
    signal,
    budget,
    refusal,
    judge: (was, is, changes, same, steps) => {
      const [one, other] = [modelFrom(was, steps), modelFrom(is, steps)];
      const schemas = new SchemaComparer(one.shapes, other.shapes, changes, same);
      compareDocuments({ before: one, after: other, schemas, changes });
      const unjudged = changes.sorted().some(({ rule }) => rule === "message-payload-not-judged");
      const note = "payloads that are not described in JSON Schema were compared only for being the same";
      return { schemas, notes: unjudged ? [note] : [] };
    },
  });
}

function refusal(root: Readonly<Record<string, unknown>>): string | undefined {
  const version = String(root["asyncapi"] ?? "");
  if (version === "") return "is no AsyncAPI document: it has no field asyncapi";
  return /^[23](\.|$)/.test(version) ? undefined : `has the version ${version}, which is not known: 2.x and 3.x are`;
}

function modelFrom(contract: LoadedContract, budget: Budget): Model {
  return modelOf(
    contract.root,
    new Shapes(contract, { besideReferences: false, impliedTypes: true, nullableCounts: false }, budget),
  );
}
