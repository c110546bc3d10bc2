import { expect, test } from "bun:test";
import type { DoctorContext } from "./check.ts";
import { daemonChecks } from "./daemon-checks.ts";

async function saw(problems: readonly { loop: string; problem: string }[]): Promise<[string, string, string][]> {
  const context = { daemonAnswers: async () => true, daemonProblems: async () => problems } as unknown as DoctorContext;
  const results = await Promise.all(daemonChecks.map(({ look }) => look(context)));
  return results.flat().map(({ state, saw: what, means }) => [state, what, means ?? ""]);
}

test("a daemon that answers and cannot look at repositories is not well", async () => {
  expect(await saw([])).toEqual([["well", "it answers", ""]]);
  expect(await saw([{ loop: "observe", problem: "no parser" }])).toEqual([
    [
      "broken",
      "it answers, but its loop observe fails: no parser",
      "Repositories are not looked at: no collision is foreseen.",
    ],
  ]);
});
