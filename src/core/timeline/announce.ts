// Announce: a line of text on the timeline for everyone to see.

import type { Context } from "../context.ts";

export async function announce(context: Context, input: { text: string }): Promise<{ seq: number; id: string }> {
  const event = await context.store.write((tx) =>
    tx.record({ type: "owner.announced", actor: context.actor, data: { text: input.text } }),
  );
  return { seq: event.seq, id: event.id };
}
