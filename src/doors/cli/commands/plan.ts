// The plan of landing, on the command line.

import type { Caller } from "../../../client/caller.ts";
import { exitFor } from "../../../protocol/exit-codes.ts";
import type { RunCommand } from "../input/command.ts";
import { sayIfNobodyLooks, whyNothing } from "../input/observed.ts";
import { pathText } from "../present/hunks.ts";
import { fewerNames, namesOf, renamed } from "../present/names.ts";
import { openLines, unaskedLines } from "../present/open-parts.ts";

export const plan: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await caller.call("plan.landing", input.asked("plan.landing"));
  const hint = answer.repositories.length === 0 ? await whyNothing(context, caller) : undefined;
  if (hint === undefined) await sayIfNobodyLooks(context);
  const isExplained = input.has("explain");
  const tests = isExplained ? await testsOf(caller, answer.repositories) : new Map<string, Affected>();
  const { paint, columns } = context.output;
  const text = (): string => {
    if (hint !== undefined) return hint;
    const labels = answer.repositories.flatMap(({ steps }) => steps.map(({ label }) => label));
    const name = namesOf(labels);
    const names = labels.map(name);
    const widest = Math.max(
      0,
      ...answer.repositories.flatMap(({ steps }) => steps.map(({ verdict }) => verdict.length)),
    );
    return answer.repositories
      .flatMap(({ name: repository, default_branch, steps, open, notes }) => [
        paint.bold(`${repository}${default_branch === null ? "" : ` → ${default_branch}`}`),
        ...steps.flatMap((step) => {
          const verdict = { land: paint.green, hold: paint.yellow, nothing: paint.dim }[step.verdict](step.verdict);
          const space = " ".repeat(widest - step.verdict.length);
          const said = (text: string): string => pathText(renamed(text, labels, name));
          const shown = isExplained ? [...new Set([name(step.label), step.label])].join("  ") : name(step.label);
          // No number praises what has nothing to land.
          const score = step.verdict === "nothing" ? "" : `  ${step.score}/100`;
          const head = `${String(step.order).padStart(3)}. ${verdict}${space}  ${pathText(shown)}${score}`;
          const fitting = (text: string): string => (isExplained ? text : fewerNames(text, names, columns - 5));
          const why = step.why.map((one) => paint.dim(`     ${fitting(said(one))}`));
          if (!isExplained) return [head, ...why];
          const readiness = step.reasons.map((one) => paint.dim(`     readiness: ${said(one)}`));
          return [head, ...why, ...readiness, ...testLines(tests.get(step.worktree)).map((line) => paint.dim(line))];
        }),
        ...openLines(open, context.output),
        ...unaskedLines(notes, context.output),
      ])
      .join("\n");
  };
  const json = isExplained ? { ...answer, tests: Object.fromEntries(tests) } : answer;
  // As `conflicts` and `status` answer: what is open beside something that collides does not hide that it collides.
  const found = answer.repositories.reduce((sum, { open_findings: open }) => sum + open, 0);
  const unseen = answer.repositories.reduce((sum, { open }) => sum + open.length, 0);
  return { json, text, exit: exitFor(found, unseen) };
};

interface Affected {
  readonly tests: readonly string[];
  readonly complete: boolean;
}

async function testsOf(
  caller: Caller,
  repositories: readonly { steps: readonly { worktree: string; verdict: string }[] }[],
): Promise<Map<string, Affected>> {
  const found = new Map<string, Affected>();
  for (const { worktree, verdict } of repositories.flatMap(({ steps }) => steps)) {
    if (verdict !== "nothing") found.set(worktree, await caller.call("worktree.tests", { path: worktree }));
  }
  return found;
}

function testLines(affected: Affected | undefined): string[] {
  if (affected === undefined) return [];
  const { tests, complete } = affected;
  const more = tests.length > 8 ? ` and ${tests.length - 8} more` : "";
  const list = tests.length === 0 ? "none found" : tests.slice(0, 8).map(pathText).join(", ") + more;
  return [`     tests likely affected: ${list}${complete ? "" : " (not everything was checked)"}`];
}
