// What an outside agent may see: its own requests. Who asks is known before anything is looked up, and another's request is answered as one
// that never was.

import { Refusal } from "../../protocol/errors.ts";
import type { ParsedInputOf, OutputOf } from "../../protocol/operation.ts";
import type { followA2a, listA2a } from "../../protocol/operations/a2a.ts";
import type { A2aState, A2aTask } from "../../protocol/a2a.ts";
import { isOver } from "../../protocol/a2a.ts";
import type { Context } from "../context.ts";
import { changesAfter, countOwn, ownRequests } from "./a2a.sql.ts";
import { ownRequest } from "./request.ts";
import { shown, shownAll, shownChange } from "./shown.ts";

export async function showOwn(context: Context, { id }: { readonly id: string }): Promise<A2aTask> {
  const { db } = context.store;
  return shown(db, await ownRequest(db, context, id));
}

export async function listOwn(
  context: Context,
  input: ParsedInputOf<typeof listA2a>,
): Promise<OutputOf<typeof listA2a>> {
  const { store, constellation, actor: sender } = context;
  const { context: of, state, since_ms, limit } = input;
  const filter = { constellation, sender, context: of, state, since_ms };
  const after = input.page === undefined || input.page === "" ? undefined : readMark(input.page);
  const rows = await ownRequests(store.db, filter, { limit: limit + 1, after });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    total: await countOwn(store.db, filter),
    next: rows.length > limit && last !== undefined ? markOf(last.updated_ms, last.id) : null,
    tasks: await shownAll(store.db, page),
  };
}

const markOf = (atMs: number, id: string): string => Buffer.from(JSON.stringify([atMs, id])).toString("base64url");

function readMark(mark: string): { atMs: number; id: string } {
  try {
    const [atMs, id] = JSON.parse(Buffer.from(mark, "base64url").toString()) as unknown[];
    if (typeof atMs === "number" && Number.isSafeInteger(atMs) && typeof id === "string") return { atMs, id };
  } catch {
    // said below
  }
  throw new Refusal("a2a.page", "the page token is not one that was given out here");
}

/** Waits for the next change where there is none yet, until the time is over or whoever asked has left. */
export async function followOwn(
  context: Context,
  { id, after, for_ms: forMs }: ParsedInputOf<typeof followA2a>,
): Promise<OutputOf<typeof followA2a>> {
  const { store, clock, constellation } = context;
  const changed = new AbortController();
  const subject = `a2a:${id}`;
  const forget = store.onCommit((events) => {
    if (events.some((event) => event.subject === subject)) changed.abort();
  });
  try {
    const now = async () => {
      const row = await ownRequest(store.db, context, id);
      const changes = await changesAfter(store.db, { constellation, request: id, after });
      return { state: row.state as A2aState, context: row.context, changes: changes.map(shownChange) };
    };
    const first = await now();
    if (first.changes.length > 0 || forMs === 0 || isOver(first.state)) return first;
    const gone = context.untilGone?.();
    await clock.sleep(forMs, gone === undefined ? changed.signal : AbortSignal.any([changed.signal, gone]));
    return await now();
  } finally {
    forget();
  }
}
