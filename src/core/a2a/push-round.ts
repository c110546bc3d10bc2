// Sends the changes of requests to the addresses that their senders named, each at least once and in order. One that does not answer is
// asked ever more rarely, and given up after a day.

import type { PushSender } from "../../ports/a2a.ts";
import type { A2aPushesTable } from "../../store/tables/a2a.ts";
import type { Context } from "../context.ts";
import { changesAfter, duePushes, findRequest, nextPushMs, updatePush } from "./a2a.sql.ts";
import { shownChange } from "./shown.ts";
import { streamResponse } from "../../protocol/a2a-wire.ts";

const patienceMs = [2_000, 10_000, 60_000, 300_000, 1_800_000];
/** Sixty tries are a day and some. */
const mostTries = 60;

/** Answers in how many milliseconds something is left to be sent; undefined where nothing is. */
export async function pushRound(
  context: Pick<Context, "store" | "clock" | "constellation">,
  sender: PushSender,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { store, clock, constellation } = context;
  const due = await duePushes(store.db, constellation, clock.nowMs());
  // Side by side: one that is slow keeps nobody else waiting.
  await Promise.all(due.map((row) => (signal.aborted ? undefined : sendTo(context, sender, row, signal))));
  const next = await nextPushMs(store.db, constellation);
  return next === null ? undefined : Math.max(500, next - clock.nowMs());
}

async function sendTo(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  sender: PushSender,
  row: A2aPushesTable,
  signal: AbortSignal,
): Promise<void> {
  const { request, url, token, scheme, credentials } = row;
  const about = await findRequest(store.db, constellation, request);
  if (about === undefined) return;
  const note = (change: Partial<A2aPushesTable>): Promise<void> =>
    store.write((tx) => updatePush(tx, { constellation, request, id: row.id }, change));
  for (const stored of await changesAfter(store.db, { constellation, request, after: row.sent_seq })) {
    if (signal.aborted) return;
    const body = streamResponse(about, shownChange(stored));
    const outcome = await sender.send({ url, token, scheme, credentials }, JSON.stringify(body));
    if (outcome.kind === "taken") {
      await note({ sent_seq: stored.seq, outages: 0, retry_ms: null, problem: null });
      continue;
    }
    const outages = row.outages + 1;
    const isOver = outcome.kind === "refused" || outages >= mostTries;
    const waitMs = patienceMs[Math.min(outages, patienceMs.length) - 1] ?? 1_800_000;
    const problem = outcome.why.slice(0, 300);
    if (isOver) await note({ problem, outages, sent_seq: about.seq, retry_ms: null });
    else
      await store.write((tx) =>
        updatePush(tx, { constellation, request, id: row.id }, { problem, outages, retry_ms: tx.nowMs + waitMs }),
      );
    return;
  }
}
