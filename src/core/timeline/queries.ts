// Looking at the timeline: the newest events, and those after a point.

import { readEvents, type StoredEvent } from "../../store/timeline.ts";
import type { ReadContext } from "../context.ts";

export interface ListInput {
  readonly after_seq?: number | undefined;
  readonly limit: number;
  readonly type?: string | undefined;
  readonly subject?: string | undefined;
}

export async function listEvents(
  { store }: ReadContext,
  input: ListInput,
): Promise<{ events: StoredEvent[]; more: boolean }> {
  const { after_seq: afterSeq, limit, type, subject } = input;
  const { constellation } = store;
  const newestFirst = afterSeq === undefined;
  // One more than is shown tells whether there are more.
  const found = await readEvents(store.db, { constellation, afterSeq, limit: limit + 1, type, subject, newestFirst });
  return { events: found.slice(0, limit), more: found.length > limit };
}
