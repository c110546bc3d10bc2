// Wakes an agent whose permission request ended without a yes while its hook no longer waited for the answer: else nobody would tell it, and
// it would stand still for good. A hook that waits tells its agent itself.

import type { Context } from "../context.ts";
import type { Deliver } from "../../ports/deliver.ts";
import type { ApprovalsTable } from "../../store/tables/night.ts";
import { unheardEndings } from "./approvals.sql.ts";
import { heldEvent } from "./approve.ts";

/** A hook asks at least every 30 s; one that has not for so long waits no more. */
const unheardMs = 35_000;
/** What ended longer ago was told, or is of no use any more. */
const freshMs = 3_600_000;

/** `told` holds the letters that were put already; the same letter put twice is one message. */
export async function wakeAskers(
  { store, constellation, clock }: Pick<Context, "store" | "constellation" | "clock">,
  deliver: Pick<Deliver, "put">,
  told: Set<string>,
): Promise<void> {
  const sinceMs = clock.nowMs() - freshMs;
  for (const row of await unheardEndings(store.db, constellation, { sinceMs, unheardMs })) {
    const id = `${row.id}:${row.state}`;
    if (told.has(id) || row.request.startsWith(heldEvent)) continue;
    const task = row.task !== null && /^\d{1,15}$/.test(row.task) ? Number(row.task) : null;
    deliver.put({ id, to: row.agent, kind: "approval", task, text: wordsOf(row) });
    told.add(id);
  }
}

const endings: Readonly<Record<string, string>> = {
  denied: "was denied",
  timed_out: "was not answered in time, and counts as denied",
  withdrawn: "is over, because your program stopped waiting for the answer",
};

function wordsOf({ asked, state, note }: ApprovalsTable): string {
  const said = note === null || note === "" ? "" : ` The owner says: ${note}`;
  return `Your permission request ${endings[state] ?? "is over"}: ${asked}\n${said}\nGo on without it, or ask again if the work cannot do without; say in your report what is missing.`;
}
