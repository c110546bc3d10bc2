// The examiner's cases (semantic-python/examiner.ts) by themselves, each mistake printed. Exit 1 when there is one.
//   bun eval/semantic-python-examiner.ts [--only TEXT]

import { parseArgs } from "node:util";
import { examine } from "./examine-python.ts";

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const { tally, mistakes } = await examine(values.only);
for (const { scenario, what } of mistakes) console.log(`${scenario}: ${what}`);
console.log(`${tally.cases} cases, ${tally.right + tally.missed} that break: ${mistakes.length} not as they should be`);
process.exit(mistakes.length === 0 ? 0 : 1);
