// Requests of outside agents as the owner reads them.

import { wordsOf, type A2aMessage, type A2aPart } from "../../protocol/a2a.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { listRequests as operation } from "../../protocol/operations/a2a.ts";
import type { Need } from "../agents/needs.ts";
import type { ReadContext } from "../context.ts";
import { standingOf } from "../signed-row.ts";
import { countRequests, dropOldRequests, messagesOf, newestRequests, openRequests } from "./a2a.sql.ts";
import { nameOf } from "./words.ts";

export async function listRequests(
  context: ReadContext,
  { all, limit }: ParsedInputOf<typeof operation>,
): Promise<OutputOf<typeof operation>> {
  const { db, constellation } = context.store;
  const rows = await newestRequests(db, constellation, { all, limit });
  const messages = await messagesOf(
    db,
    constellation,
    rows.map(({ id }) => id),
  );
  const requests = rows.map((row) => {
    const own = messages.filter(({ request, role }) => request === row.id && role === "user");
    const held = own.filter(({ state }) => state === "held");
    const shown = held.length > 0 ? held : own.slice(0, 1);
    const said = row.said === null ? null : (JSON.parse(row.said) as A2aMessage);
    return {
      id: row.id,
      sender: nameOf(row.sender),
      skill: row.skill,
      message: shown[0]?.message_id ?? "",
      title: row.title,
      state: row.state,
      decision: row.decision,
      held: row.ended_ms === null ? held.length : 0,
      task: row.task,
      says: said === null ? null : wordsOf(said.parts),
      text: shown.map(({ parts }) => wordsOf(JSON.parse(parts) as A2aPart[])).join("\n\n"),
      created_ms: row.created_ms,
      ended_ms: row.ended_ms,
      signature: standingOf(context.audit?.verify, "a2a-request", row),
    };
  });
  return { total: await countRequests(db, constellation, all), requests };
}

export const forgetOldRequests: typeof dropOldRequests = (db, old) => dropOldRequests(db, old);

/** What waits for the owner's word. */
export async function heldRequestNeeds({ store }: ReadContext): Promise<Need[]> {
  const rows = await openRequests(store.db, store.constellation);
  if (rows.length === 0) return [];
  const messages = await messagesOf(
    store.db,
    store.constellation,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((row) => {
    const held = messages.filter(({ request, state }) => request === row.id && state === "held");
    const [first] = held;
    if (first === undefined) return [];
    const what = row.decision === "held" ? `asks for a task: ${row.title}` : `writes further about task ${row.task}`;
    return [
      {
        key: `a2a:${row.id} ${held.length}`,
        kind: "a2a",
        agent: null,
        says: `the outside agent ${nameOf(row.sender)} ${what}`.slice(0, 300),
        since_ms: first.at_ms,
        next: `constel a2a accept ${row.id.slice(-6)}`,
      },
    ];
  });
}
