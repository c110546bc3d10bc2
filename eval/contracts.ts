// Measures how well changes of contracts are judged: every case of the tables, and for each format how many verdicts agree. Exit 1 below the
// bars.
//   bun eval/contracts.ts [--show] [--only <part of a name>] [--held]

import { parseArgs } from "node:util";
import { asyncApiTable } from "../src/core/contracts/asyncapi/cases/all.ts";
import { asyncApi } from "../src/core/contracts/asyncapi/asyncapi.ts";
import { type ContractCase, sourceOf } from "../src/core/contracts/document-case.ts";
import { type ContractComparison, type ContractFormat, verdictOf } from "../src/core/contracts/format.ts";
import { jsonSchemaTable } from "../src/core/contracts/json-schema/cases/all.ts";
import { jsonSchema } from "../src/core/contracts/json-schema/json-schema.ts";
import { openApiTable } from "../src/core/contracts/openapi/cases/all.ts";
import { openApi } from "../src/core/contracts/openapi/openapi.ts";

const bars = { agreement: 0.95, missed: 0.01 };

const { values: options } = parseArgs({
  options: {
    show: { type: "boolean", default: false },
    held: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});

let failed = false;
for (const [format, table] of [
  [openApi, openApiTable],
  [asyncApi, asyncApiTable],
  [jsonSchema, jsonSchemaTable],
] as const) {
  failed = !(await judge(format, options.held ? table.held : table.cases)) || failed;
}
process.exitCode = failed ? 1 : 0;

async function judge(format: ContractFormat, all: readonly ContractCase[]): Promise<boolean> {
  const cases = all.filter(({ name }) => name.includes(options.only));
  const breaks = cases.filter(({ verdict }) => verdict === "breaking").length;
  const compatible = cases.filter(({ verdict }) => verdict === "compatible").length;
  let passed = 0;
  let missed = 0;
  for (const one of cases) {
    const compared = await format.compare(sourceOf(one.before, "contract.json"), sourceOf(one.after, "contract.json"));
    const verdict = compared.kind === "compared" ? verdictOf(compared.changes) : "unreadable";
    if (verdict === one.verdict) passed += 1;
    else console.log(`  ${format.name}: ${one.name}: ${verdict}, should be ${one.verdict}`);
    if (verdict === "compatible" && one.verdict === "breaking") missed += 1;
    if (options.show || verdict !== one.verdict) tell(compared);
  }
  console.log(
    `${format.name}: passed ${passed} of ${cases.length} (${breaks} break, ${compatible} compatible), breaks called compatible: ${missed}`,
  );
  return passed >= cases.length * bars.agreement && missed <= breaks * bars.missed;
}

function tell(compared: ContractComparison): void {
  if (compared.kind === "unreadable") console.log(`    ${JSON.stringify(compared.problems)}`);
  else
    for (const { rule, verdict, path, text } of compared.changes)
      console.log(`    ${verdict} ${rule} at ${path}: ${text}`);
}
