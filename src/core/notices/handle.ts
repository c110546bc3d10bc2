// An agent says that it is done with a notice; the owner and the root may say it for anybody. A finding that is open stays
// open: of another kind of evidence its agent hears again.

import { Refusal } from "../../protocol/errors.ts";
import { askerNamed } from "../../protocol/authority.ts";
import type { Context } from "../context.ts";
import { noticesById, putNotices } from "./notices.sql.ts";
import { findNotice } from "./queries.ts";
import { settled } from "./rules.ts";

export async function handleNotice(
  context: Context,
  input: { readonly id: string },
): Promise<{ id: string; agent: string; state: string }> {
  const { store, constellation, actor } = context;
  const { id, agent } = await findNotice(context, input.id);
  if (askerNamed(actor).role === "clone" && actor !== agent)
    throw new Refusal("notice.not-yours", `${id} is addressed to ${agent}`, { id, agent, actor });
  return await store.write(async (tx) => {
    const [notice] = await noticesById(tx.db, constellation, [id]);
    if (notice === undefined) throw new Refusal("notice.unknown", `there is no notice ${id}`, { id });
    // A notice that is over, or was never told, is not anybody's to handle; saying so again changes nothing.
    if (notice.state !== "told") return { id, agent, state: notice.state };
    const handled = { ...notice, state: "handled" as const, handled_ms: tx.nowMs, handled_by: actor };
    await putNotices(tx, [settled(handled, tx.nowMs, "")], () => false);
    await tx.record({ type: "notice.handled", subject: `notice:${id}`, actor, data: { agent } });
    return { id, agent, state: "handled" };
  });
}
