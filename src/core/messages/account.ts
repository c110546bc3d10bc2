// Keeps the account of messages: what is known of each envelope's copy, one row. States only move forward: a message that
// was delivered is never called unknown again by an older report, and the same report twice changes nothing.

import type { Tx } from "../../store/group-commit.ts";
import type { MessagesTable } from "../../store/tables/messages.ts";
import { wakeForMessages } from "../workers/wake.ts";
import { knownMessages, messageKey, updateMessage } from "./messages.sql.ts";

export type MessageState = "sent" | "unknown" | "duplicate" | "delivered" | "poisoned" | "acked";

export interface MessageSighting {
  readonly name: string;
  readonly receiver: string;
  readonly sender: string;
  readonly state: MessageState;
  readonly atMs: number;
  readonly because?: string | undefined;
  /** The evidence for the state: a line sealed by someone who may say so, or only the place of a file. */
  readonly evidence: "bound" | "weak";
  /** The holder of the key or seal that proves the sender. Undefined if nothing does, or if nobody looked. */
  readonly verifiedBy?: string | undefined;
  /** Undefined when only the file's name is known. */
  readonly content?:
    | Pick<MessagesTable, "message_id" | "kind" | "thread" | "in_reply_to" | "task" | "text" | "text_bytes">
    | undefined;
}

const rank: Readonly<Record<MessageState, number>> = {
  sent: 0,
  unknown: 1,
  duplicate: 2,
  delivered: 3,
  poisoned: 4,
  acked: 5,
};

/** A message to many is one line of the journal and as many rows: asking for each by itself took longer than writing it. */
const askedAtOnce = 100;

/** Answers the messages whose words became known just now. */
export async function accountFor(
  tx: Tx,
  constellation: string,
  sightings: readonly MessageSighting[],
): Promise<MessagesTable[]> {
  const told: MessagesTable[] = [];
  for (let from = 0; from < sightings.length; from += askedAtOnce) {
    const some = sightings.slice(from, from + askedAtOnce);
    const known = await knownMessages(tx.db, constellation, some);
    for (const sighting of some) {
      const key = { constellation, receiver: sighting.receiver, name: sighting.name };
      const before = known.get(messageKey(key));
      const after = nextRow(before, constellation, sighting);
      known.set(messageKey(key), after);
      if (before === undefined) await tx.insert("messages", after);
      else if (!sameRow(before, after)) await updateMessage(tx.db, key, after);
      if ((before === undefined || before.text === null) && after.text !== null) told.push(after);
    }
  }
  await wakeForMessages(tx, constellation, told);
  return told;
}

/** The row after one more sighting. Pure. */
export function nextRow(
  before: MessagesTable | undefined,
  constellation: string,
  seen: MessageSighting,
): MessagesTable {
  const row: MessagesTable = before ?? {
    name: seen.name,
    receiver: seen.receiver,
    constellation,
    sender: seen.sender,
    message_id: null,
    kind: null,
    thread: null,
    in_reply_to: null,
    task: null,
    text: null,
    text_bytes: null,
    state: "sent",
    because: null,
    evidence: null,
    verified_by: null,
    sent_ms: null,
    delivered_ms: null,
    acked_ms: null,
    unknown_ms: null,
    poisoned_ms: null,
  };
  const isNews = before === undefined || rank[seen.state] > rank[row.state as MessageState];
  const first = (known: number | null, state: MessageState): number | null =>
    known ?? (seen.state === state ? seen.atMs : null);
  return {
    ...row,
    ...(row.text === null && seen.content !== undefined ? seen.content : {}),
    state: isNews ? seen.state : row.state,
    because: isNews ? (seen.because ?? null) : row.because,
    // A sealed line makes a state sure that was only seen before.
    evidence: isNews || seen.state === row.state ? strongest(row, seen, isNews) : row.evidence,
    verified_by: row.verified_by ?? seen.verifiedBy ?? null,
    sent_ms: first(row.sent_ms, "sent"),
    delivered_ms: first(row.delivered_ms, "delivered"),
    acked_ms: first(row.acked_ms, "acked"),
    unknown_ms: first(row.unknown_ms, "unknown"),
    poisoned_ms: first(row.poisoned_ms, "poisoned"),
  };
}

function strongest(row: MessagesTable, seen: MessageSighting, isNews: boolean): string {
  return !isNews && row.evidence === "bound" ? "bound" : seen.evidence;
}

function sameRow(a: MessagesTable, b: MessagesTable): boolean {
  return (Object.keys(b) as (keyof MessagesTable)[]).every((key) => a[key] === b[key]);
}
