// The examiner's cases (semantic-python/examiner.ts) through the whole review of a pair, as `constel check` does it. A case that
// breaks wants exactly one alarm, semantic and high, that names the symbol and a use; a case that works wants none. Exit 1 when
// one is not so.
//   bun eval/semantic-python-examiner.ts [--only TEXT]

import { parseArgs } from "node:util";
import type { FindingDraft } from "../src/protocol/findings.ts";
import { freshReviewPorts, inRepository, review } from "./judge-scenarios.ts";
import { examinerCases } from "./semantic-python/examiner.ts";
import type { Scenario } from "./scenarios/scenario.ts";

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const cases = examinerCases().filter(({ name }) => name.includes(values.only));
const scenarios = cases.map(({ name, breaks, base, ours, theirs }): Scenario => ({
  kind: "semantic",
  name,
  base,
  ours,
  theirs,
  expect: breaks === null ? [] : ["semantic"],
}));

const wrong = await inRepository(scenarios, async (observer, planted, root) => {
  const ports = freshReviewPorts();
  let mistakes = 0;
  for (const [at, scenario] of planted.entries()) {
    const breaks = cases[at]?.breaks ?? null;
    const findings = await review(observer, ports, scenario, at, root);
    const alarms = findings.filter(({ severity }) => severity !== "context");
    const complaint = complaintAbout(alarms, breaks);
    if (complaint === undefined) continue;
    mistakes += 1;
    console.log(`${scenario.name}: ${complaint}`);
    for (const { kind, severity, title } of alarms) console.log(`    ${kind} ${severity}: ${title}`);
  }
  return mistakes;
});
const breaking = cases.filter(({ breaks }) => breaks !== null).length;
console.log(`${cases.length} cases, ${breaking} that break: ${cases.length - wrong} as they should be, ${wrong} not`);
process.exit(wrong === 0 ? 0 : 1);

function complaintAbout(alarms: readonly FindingDraft[], breaks: string | null): string | undefined {
  if (breaks === null) return alarms.length === 0 ? undefined : "alarmed though nothing breaks";
  const [alarm, ...more] = alarms;
  if (alarm === undefined) return `missed: ${breaks}`;
  if (more.length > 0) return `${alarms.length} findings instead of one about ${breaks}`;
  if (alarm.kind !== "semantic" || alarm.severity !== "high") return `not semantic and high: ${breaks}`;
  const symbols = alarm.evidence.map(({ symbol }) => symbol ?? "");
  return symbols.some((symbol) => symbol.split(/[.:/]/).includes(breaks))
    ? undefined
    : `names ${symbols.join(", ")}, not ${breaks}`;
}
