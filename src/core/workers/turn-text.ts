// The words of a turn: who the worker is, what woke it, and what becomes of its answer.

import type { WorkersTable } from "../../store/tables/workers.ts";
import { forModel } from "../../protocol/safe-text.ts";
import { isAnswer } from "./wake.sql.ts";
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
    whereItGoes(taken),
  ].join("\n");
}

function whereItGoes(taken: readonly TakenMessage[]): string {
  const senders = new Set(
    taken
      .filter(({ cause }) => (cause.kind === "message" || cause.kind === "review") && !isAnswer(cause.messageKind))
      .map(({ cause }) => cause.from),
  );
  return senders.size === 0
    ? "Nobody waits for an answer: what you say at the end of this turn is kept in your log."
    : `What you say at the end of this turn is sent to ${[...senders].join(", ")} as your answer.`;
}
