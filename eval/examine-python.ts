// Puts the examiner's cases through the whole review of a pair, as `constel check` does it. A case that breaks wants exactly one
// alarm, semantic and high, that names the symbol; a case that works wants none.

import type { FindingDraft } from "../src/protocol/findings.ts";
import { freshMemory, inRepository, type Mistake, review, type Tally } from "./judge-scenarios.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { examinerCases } from "../src/languages/python/cases/examiner.ts";

export async function examine(only = ""): Promise<{ tally: Tally; mistakes: readonly Mistake[] }> {
  const cases = examinerCases().filter(({ name }) => name.includes(only));
  const scenarios = cases.map(({ breaks, ...rest }): Scenario => ({
    kind: "semantic",
    ...rest,
    expect: breaks === null ? [] : ["semantic"],
  }));
  return await inRepository(scenarios, async (observer, planted, root) => {
    const memory = freshMemory();
    const tally: Tally = { cases: planted.length, right: 0, wrong: 0, missed: 0 };
    const mistakes: Mistake[] = [];
    for (const [at, scenario] of planted.entries()) {
      const breaks = cases[at]?.breaks ?? null;
      const { findings } = await review(observer, memory, scenario, at, root);
      const alarms = findings.filter(({ severity }) => severity !== "context");
      const complaint = complaintAbout(alarms, breaks);
      if (complaint !== undefined) {
        const titles = alarms.map(({ kind, severity, title }) => `${kind} ${severity}: ${title}`);
        mistakes.push({ scenario: scenario.name, what: [complaint, ...titles].join("; ") });
      }
      // A finding that is not as it should be is a false one, and the one that should have been is missed.
      if (breaks !== null && complaint === undefined) tally.right += 1;
      else if (breaks !== null) tally.missed += 1;
      if (complaint !== undefined && alarms.length > 0) tally.wrong += 1;
    }
    return { tally, mistakes };
  });
}

function complaintAbout(alarms: readonly FindingDraft[], breaks: string | null): string | undefined {
  if (breaks === null) return alarms.length === 0 ? undefined : "alarmed though nothing breaks";
  const [alarm, ...more] = alarms;
  if (alarm === undefined) return `missed: ${breaks}`;
  if (more.length > 0) return `${alarms.length} findings instead of one about ${breaks}`;
  if (alarm.kind !== "semantic" || alarm.severity !== "high") return `not semantic and high: ${breaks}`;
  const symbols = alarm.evidence.map(({ symbol }) => symbol ?? "");
  const isNamed = symbols.some((symbol) => symbol.split(/[.:/]/).includes(breaks));
  return isNamed ? undefined : `names ${symbols.join(", ")}, not ${breaks}`;
}
