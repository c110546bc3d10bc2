// Takes a proof that something was told: the record of a hook that printed it, or of a message that arrived. The same proof
// twice changes nothing. What a hook tells is believed of its own agent's tellings only.

import type { Context } from "../context.ts";
import { noticesById, putNotices, tellingsById, updateTelling } from "./notices.sql.ts";
import { afterTelling } from "./rules.ts";

export async function takeTold(
  context: Pick<Context, "store" | "constellation">,
  input: {
    readonly agent: string;
    readonly ids: readonly string[];
    readonly by: string;
    readonly atMs: number;
    readonly to?: string | undefined;
  },
): Promise<number> {
  const { store, constellation } = context;
  const known = await tellingsById(store.db, constellation, input.agent, input.ids);
  if (!known.some(({ state }) => state !== "told")) return 0;
  return await store.write(async (tx) => {
    const tellings = (await tellingsById(tx.db, constellation, input.agent, input.ids)).filter(
      ({ state }) => state !== "told",
    );
    const covers = tellings.flatMap((one) => one.covers);
    const notices = await noticesById(tx.db, constellation, [...new Set(covers.map(({ notice }) => notice))]);
    const proof = { atMs: Math.min(input.atMs, tx.nowMs), by: input.by, to: input.to };
    const after = notices.map((notice) => afterTelling(notice, covers, proof, tx.nowMs));
    await putNotices(tx, after, () => false);
    for (const { id, denies } of tellings) {
      // A denial lies ready as long as what it denies.
      const ended = denies ? {} : { ended_ms: tx.nowMs };
      await updateTelling(tx, id, {
        state: "told",
        told_ms: proof.atMs,
        told_by: proof.by,
        told_to: input.to ?? null,
        ...ended,
      });
    }
    if (tellings.length > 0) {
      const data = { by: input.by, notices: notices.map(({ id }) => id).slice(0, 50) };
      await tx.record({ type: "notice.told", subject: `agent:${input.agent}`, actor: "daemon", data });
    }
    return tellings.length;
  });
}
