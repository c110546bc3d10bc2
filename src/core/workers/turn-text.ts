// The words of a turn: who the worker is, what woke it, and what becomes of its answer.

import type { WorkersTable } from "../../store/tables/workers.ts";
import { forModel } from "../../protocol/safe-text.ts";
import { isQuestion } from "./rules.ts";
import type { TakenMessage } from "./worker-machine.ts";

export interface TurnWords {
  readonly worker: Pick<WorkersTable, "agent" | "name" | "about">;
  readonly id: string;
  readonly taken: readonly TakenMessage[];
  readonly urgent: readonly string[];
}

export function turnText({ worker, id, taken, urgent }: TurnWords): string {
  const about = worker.about === "" ? [] : ["The owner says what you are for:", ...forModel(worker.about), ""];
  const notices =
    urgent.length === 0 ? [] : ["Urgent for you (`constel notices` says more):", ...urgent.flatMap(forModel), ""];
  return [
    `[constel:${id}]`,
    `You are ${worker.agent}, a worker: you have this turn, and nobody is at your terminal.`,
    ...about,
    "",
    ...notices,
    ...taken.map(({ text }) => text),
    whereItGoes(taken, worker.agent),
  ].join("\n");
}

function whereItGoes(taken: readonly TakenMessage[], agent: string): string {
  const senders = new Set(taken.filter(({ cause }) => isQuestion(cause, agent)).map(({ cause }) => cause.from));
  return senders.size === 0
    ? "What you say at the end of this turn is sent to nobody; it is kept in your log."
    : `What you say at the end of this turn is sent to ${[...senders].join(", ")} as your answer.`;
}
