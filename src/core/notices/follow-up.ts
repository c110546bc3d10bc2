// Finds the evidence that an agent has dealt with an event it was told of: it took the task, settled the decision, or acknowledged or
// answered the message. Findings need none of this: the change that closes one says it (review-notices.ts). An event without evidence stays
// `told`.

import type { Context } from "../context.ts";
import { acknowledgedMessages, settledDecisions, takenTasks, toldEvents } from "./follow-up.sql.ts";
import { noticesById, putNotices } from "./notices.sql.ts";
import { settled } from "./rules.ts";

type Told = Awaited<ReturnType<typeof toldEvents>>[number];

/** An event that nobody dealt with in so long is not waited for. */
const followedMs = 7 * 24 * 3_600_000;
const mostFollowed = 1_000;

export async function followUp(
  context: Pick<Context, "store" | "constellation">,
  nowMs: number,
): Promise<{ readonly handled: number }> {
  const { store, constellation } = context;
  const told = await toldEvents(store.db, constellation, nowMs - followedMs, mostFollowed);
  const evidence = told.length === 0 ? new Map<string, string>() : await evidenceFor(context, told);
  if (evidence.size === 0) return { handled: 0 };
  return await store.write(async (tx) => {
    const notices = (await noticesById(tx.db, constellation, [...evidence.keys()])).filter(
      (one) => one.state === "told",
    );
    const after = notices.map((notice) =>
      settled(
        { ...notice, state: "handled", handled_ms: tx.nowMs, handled_by: evidence.get(notice.id) ?? "" },
        tx.nowMs,
        "",
      ),
    );
    await putNotices(tx, after, () => false);
    for (const { id, agent, handled_by: by } of after) {
      await tx.record({ type: "notice.handled", subject: `notice:${id}`, actor: "daemon", data: { agent, by } });
    }
    return { handled: after.length };
  });
}

/** By notice, what proves it. */
async function evidenceFor(
  { store: { db }, constellation }: Pick<Context, "store" | "constellation">,
  told: readonly Told[],
): Promise<Map<string, string>> {
  const tasks = told.flatMap(({ task }) => task ?? []);
  const decisions = told.flatMap(({ decision }) => decision ?? []);
  const messages = told.flatMap(({ message }) => message ?? []);
  const taken = await takenTasks(db, constellation, tasks);
  const settledBy = await settledDecisions(db, constellation, decisions);
  const answered = await acknowledgedMessages(db, constellation, messages);
  const found = new Map<string, string>();
  for (const { id, agent, atMs, task, decision, message } of told) {
    const took = taken.find((one) => one.task === task && one.agent === agent && one.atMs >= atMs);
    const decided = settledBy.find((one) => one.decision === decision && one.agent === agent && one.atMs >= atMs);
    const answer = answered.find((one) => one.message === message && one.agent === agent);
    if (took !== undefined) found.set(id, `it took task ${took.task}`);
    else if (decided !== undefined) found.set(id, `it ${decided.how} decision ${decided.decision}`);
    else if (answer !== undefined) found.set(id, `it ${answer.how} message ${answer.message}`);
  }
  return found;
}
