// Acceptance criteria: what a task must show before it counts as done. A command runs with the gate, on the merged tree and in the
// same disposable clone; a sentence is put before whoever says "ready", before the owner and into the pull request, and passes only by
// the word of the owner or the root. Nothing passes because the worker says so.

import type { Criterion } from "../../../protocol/acceptance.ts";
import type { LandingGate } from "../../../ports/harvest.ts";
import type { TaskCriteriaTable } from "../../../store/tables/tasks.ts";

export type NewCriterion = Pick<Criterion, "kind" | "text">;

/** As everybody is shown it. */
export function criterionOf(row: TaskCriteriaTable): Criterion {
  const { place, text, commit_sha: commit, detail, judged_by, judged_ms } = row;
  const kind = row.kind as Criterion["kind"];
  return { place, kind, text, state: row.state as Criterion["state"], commit, detail, judged_by, judged_ms };
}

/**
 * Reads one criterion as somebody typed it. `run:` and `say:` in front settle what it is. Without them a text is taken for a command
 * unless it reads as a sentence; whoever creates the task is told which it was taken for.
 */
export function readCriterion(typed: string): NewCriterion {
  const text = typed.trim();
  const named = /^(?:(run|say):|\$\s)\s*(\S.*)$/su.exec(text);
  if (named !== null) return { kind: named[1] === "say" ? "sentence" : "command", text: named[2] ?? "" };
  return { kind: readsAsSentence(text) ? "sentence" : "command", text };
}

/** Words that stand in nearly every English sentence and in hardly any command. */
const plainWords =
  /(?:^|\s)(?:the|is|are|was|that|this|should|must|sure|when|every|each|has|have|does|works|cannot|its|not|no|an|of|with|without|after|before|both|all)(?=$|[\s,.;:!?])/iu;
/** A flag, an operator, a variable, a substitution, a path: a shell is meant. */
const shellWords = /(?:^|\s)--?[a-z]|[|&;<>`=$]|(?:^|\s)\.{0,2}\/|(?:^|\s)\[\s/iu;

function readsAsSentence(text: string): boolean {
  if (shellWords.test(text) || !/\s/u.test(text)) return false;
  return /^\p{Lu}\p{Ll}+[\s,]/u.test(text) || /\p{L}[.!?]$/u.test(text) || plainWords.test(text);
}

/** A command of a task's, as a gate that only this task brings along. */
export interface CriterionGate extends LandingGate {
  readonly criterion: { readonly task: number; readonly place: number };
}

/** The time that a criterion's command has where no gate is declared. */
const usualDeadlineMs = 600_000;

export function criterionGates(rows: readonly TaskCriteriaTable[], gate: LandingGate | undefined): CriterionGate[] {
  return rows
    .filter(({ kind }) => kind === "command")
    .map(({ task, place, text }) => ({
      command: text,
      deadlineMs: gate?.deadlineMs ?? usualDeadlineMs,
      from: `acceptance criterion ${place} of task ${task}`,
      criterion: { task, place },
    }));
}
