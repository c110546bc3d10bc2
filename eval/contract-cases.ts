// The tables of contract cases as rows of the evaluation: for each format, how many breaking and dangerous changes are called so. What is
// called worse than it deserves is wrong, what is called better is missed. contracts.ts and contracts-typed.ts tell more of one table.

import { asyncApi } from "../src/core/contracts/asyncapi/asyncapi.ts";
import { asyncApiTable } from "../src/core/contracts/asyncapi/cases/all.ts";
import { disagreements, type ContractCase as TypedCase } from "../src/core/contracts/contract-case.ts";
import { type ContractCase as DocumentCase, sourceOf } from "../src/core/contracts/document-case.ts";
import { type ContractFormat, type ContractVerdict, verdictOf } from "../src/core/contracts/format.ts";
import { graphqlCases, graphqlHeldAside } from "../src/core/contracts/graphql/cases/all.ts";
import { graphqlFormat } from "../src/core/contracts/graphql/graphql.ts";
import { jsonSchemaTable } from "../src/core/contracts/json-schema/cases/all.ts";
import { jsonSchema } from "../src/core/contracts/json-schema/json-schema.ts";
import { openApiTable } from "../src/core/contracts/openapi/cases/all.ts";
import { openApi } from "../src/core/contracts/openapi/openapi.ts";
import { protobufCases, protobufHeldAside } from "../src/core/contracts/protobuf/cases/all.ts";
import { protobufFormat } from "../src/core/contracts/protobuf/protobuf.ts";
import type { Mistake, Tally } from "./judge-scenarios.ts";

export interface ContractMeasure {
  readonly format: string;
  readonly tally: Tally;
  readonly mistakes: readonly Mistake[];
}

export async function contractCases(): Promise<ContractMeasure[]> {
  return [
    await ofDocuments(openApi, [...openApiTable.cases, ...openApiTable.held]),
    await ofDocuments(asyncApi, [...asyncApiTable.cases, ...asyncApiTable.held]),
    await ofDocuments(jsonSchema, [...jsonSchemaTable.cases, ...jsonSchemaTable.held]),
    await ofTyped(graphqlFormat, [...graphqlCases, ...graphqlHeldAside], "schema.graphql"),
    await ofTyped(protobufFormat, [...protobufCases, ...protobufHeldAside], "a.proto"),
  ];
}

async function ofDocuments(format: ContractFormat, cases: readonly DocumentCase[]): Promise<ContractMeasure> {
  const judged: Judged[] = [];
  for (const { name, before, after, verdict } of cases) {
    const compared = await format.compare(sourceOf(before, "contract.json"), sourceOf(after, "contract.json"));
    judged.push({ name, expected: verdict, found: compared.kind === "compared" ? verdictOf(compared.changes) : null });
  }
  return measure(format, judged);
}

async function ofTyped(
  format: ContractFormat,
  cases: readonly TypedCase[],
  onlyFile: string,
): Promise<ContractMeasure> {
  const differing = new Map((await disagreements(format, cases, onlyFile)).map((one) => [one.name, one.found]));
  return measure(
    format,
    cases.map(({ name, expected }) => ({
      name,
      expected,
      found: differing.has(name) ? (differing.get(name) ?? null) : expected,
    })),
  );
}

interface Judged {
  readonly name: string;
  readonly expected: string;
  /** null where it could not be read. */
  readonly found: ContractVerdict | null;
}

const order: readonly string[] = ["compatible", "dangerous", "breaking"];

function measure({ name: format }: ContractFormat, judged: readonly Judged[]): ContractMeasure {
  const tally: Tally = { cases: judged.length, right: 0, wrong: 0, missed: 0 };
  const mistakes: Mistake[] = [];
  for (const { name, expected, found } of judged) {
    if (found === expected) {
      if (expected !== "compatible") tally.right += 1;
      continue;
    }
    // What cannot be read is told to nobody as compatible, and yet the answer is missing.
    if (found === null || order.indexOf(found) < order.indexOf(expected)) tally.missed += 1;
    else tally.wrong += 1;
    mistakes.push({ scenario: `${format}: ${name}`, what: `${found ?? "unreadable"}, should be ${expected}` });
  }
  return { format, tally, mistakes };
}
