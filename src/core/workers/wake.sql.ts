// The predicate that decides whether a worker wakes. It is asked in the transaction that writes the cause, so no cause is lost between being
// written and being seen, and nothing else has to look: a fleet to which nothing happens asks no model.

import { sql } from "kysely";
import type { Tx } from "../../store/group-commit.ts";

/**
 * Messages that one worker may wake another by within an hour, or itself. Later ones wait, and whoever wrote them is parked: started again it
 * may write as many anew, and what waits is read.
 */
export const mostExchanges = 10;
const hourMs = 3_600_000;

/** The kind of cause that a message is, as SQL; null where it only informs. */
const causeOf = sql`case
  when m.kind like 'event.%' or m.kind in ('info', 'notice', 'handoff', 'cancelled', 'released') then null
  when m.kind in ('brief', 'resume') then 'task'
  when m.kind like 'review%' then 'review'
  when m.sender in ('agentcron', 'agentloop') then 'schedule'
  else 'message' end`;

/** Between workers a few suffice for any question: without a bound two of them would answer each other for ever. */
const isExchange = (
  nowMs: number,
) => sql`exists (select 1 from workers o where o.constellation = m.constellation and o.agent = m.sender
  and ${mostExchanges} < (select count(*) from messages e where e.constellation = m.constellation and e.receiver = m.receiver
    and e.sender = m.sender and e.sent_ms > ${nowMs - hourMs} and e.sent_ms <= ${nowMs + hourMs}
    and (e.sent_ms >= o.guards_since_ms or o.guards_since_ms > ${nowMs})))`;

/** Workers whose messages are past that bound, each with one that they do not reach any more. */
export async function endlessWriters(
  tx: Tx,
  constellation: string,
  names: readonly string[],
): Promise<{ readonly agent: string; readonly receiver: string }[]> {
  const { rows } = await sql<{
    agent: string;
    receiver: string;
  }>`select m.sender as agent, min(m.receiver) as receiver from messages m
    where m.constellation = ${constellation} and m.name in (${sql.join([...names])}) and m.receiver like 'agentw%'
      and (${causeOf}) is not null and ${isExchange(tx.nowMs)} group by m.sender`.execute(tx.db);
  return rows;
}

/** Wakes whoever has unread messages of this worker. */
export async function wakeReaders(tx: Tx, constellation: string, sender: string): Promise<void> {
  await sql`update workers ${raised(tx.nowMs)} where constellation = ${constellation} and state <> 'stopped' and agent <> ${sender}
    and exists (select 1 from messages m where m.constellation = workers.constellation and m.receiver = workers.agent
      and m.sender = ${sender} and m.state = 'sent' and workers.wakes_on like '% ' || (${causeOf}) || ' %')`.execute(
    tx.db,
  );
}

const raised = (nowMs: number) =>
  sql`set wake_seq = wake_seq + 1, woken_ms = coalesce(woken_ms, ${nowMs}), updated_ms = ${nowMs}`;

/** Answers the workers that these messages wake. */
export async function wakeByMessages(
  tx: Tx,
  constellation: string,
  messages: readonly { readonly receiver: string; readonly name: string }[],
): Promise<string[]> {
  const receivers = [...new Set(messages.map(({ receiver }) => receiver))];
  const names = [...new Set(messages.map(({ name }) => name))];
  const { rows } = await sql<{ agent: string }>`update workers ${raised(tx.nowMs)}
    where constellation = ${constellation} and state <> 'stopped' and agent in (${sql.join(receivers)})
      and exists (select 1 from messages m where m.constellation = workers.constellation and m.receiver = workers.agent
        and m.name in (${sql.join(names)}) and m.state <> 'poisoned'
        and workers.wakes_on like '% ' || (${causeOf}) || ' %' and not ${isExchange(tx.nowMs)})
    returning agent`.execute(tx.db);
  return rows.map(({ agent }) => agent);
}

/** Answers the workers that are concerned by something urgent which they were not told yet. */
export async function wakeByNotices(tx: Tx, constellation: string, notices: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ agent: string }>`update workers ${raised(tx.nowMs)}
    where constellation = ${constellation} and state <> 'stopped' and wakes_on like '% notice %'
      and exists (select 1 from agent_notices n where n.constellation = workers.constellation and n.agent = workers.agent
        and n.id in (${sql.join([...notices])}) and n.severity = 'high' and n.state = 'waiting' and n.ended_ms is null)
    returning agent`.execute(tx.db);
  return rows.map(({ agent }) => agent);
}
