// Carries out what an answered turn says: its answers go out, its messages are settled, and only then it is closed. Each step may be done
// again. The last of a sender's messages in a thread is the one that is answered.

import { createHash } from "node:crypto";
import type { WorkersTable, WorkerTurnsTable } from "../../store/tables/workers.ts";
import { guard, isQuestion, sameTurns } from "./rules.ts";
import { type Cause, park } from "./worker.ts";
import type { Answer, WorkerContext } from "./worker-machine.ts";
import { updateTurn, updateWorker, workerRow } from "./workers.sql.ts";

export async function closeTurn(context: WorkerContext, worker: WorkersTable, turn: WorkerTurnsTable): Promise<void> {
  const { store, machine } = context;
  const causes = JSON.parse(turn.causes) as Cause[];
  for (const answer of answersOf(turn, causes)) machine.answer(answer);
  machine.step("worker.replied");
  machine.settle(worker.agent, causes, "acked", `turn ${turn.turn}`);
  machine.step("worker.acked");
  await store.write(async (tx) => {
    const now = (await workerRow(tx.db, worker)) ?? worker;
    await updateTurn(tx.db, turn, { state: "closed" });
    const print = printOf(turn);
    const same_turns = sameTurns(now, print);
    const isOut = now.state === "parked" || now.state === "stopped";
    const state = isOut ? now.state : "waiting";
    const after = { ...now, same_turns, last_print: print, state, failures: 0 };
    await updateWorker(tx.db, now, { same_turns, last_print: print, state, updated_ms: tx.nowMs });
    const data = { turn: turn.turn, answers: answersOf(turn, causes).length };
    await tx.record({ type: "worker.turn-ended", subject: `agent:${worker.agent}`, actor: "daemon", data });
    const because = isOut ? undefined : guard(after, { turnsThisHour: -1, tokensToday: -1 });
    if (because !== undefined) await park(tx, after, because);
  });
}

/** What it was told, did and said: turns that are alike in this are no progress. */
const printOf = ({ answer, did, causes }: WorkerTurnsTable): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
        answer?.replaceAll(/\s+/g, " ").trim(),
        did,
        (JSON.parse(causes) as Cause[]).map(({ from }) => from),
      ]),
    )
    .digest("hex");

/** Nothing to say is no answer. */
export function answersOf(turn: WorkerTurnsTable, causes: readonly Cause[]): Answer[] {
  const text = (turn.answer ?? "").trim();
  if (text === "") return [];
  const asked = causes.filter((cause) => isQuestion(cause, turn.agent));
  const last = new Map(asked.map((cause) => [`${cause.from} ${cause.thread ?? ""}`, cause]));
  return [...last.values()].map(({ from, message, thread, task }, at) => ({
    id: `${turn.id}-${at + 1}`,
    from: turn.agent,
    to: from,
    text,
    inReplyTo: message,
    thread,
    task,
  }));
}
