// Marks an open finding as blocking: whoever is a side of it is kept from editing its files until it is settled. Ends with it.

import { Refusal } from "../../protocol/errors.ts";
import type { Context } from "../context.ts";
import { updateFinding } from "./findings.sql.ts";
import { findFinding } from "./queries.ts";

export async function blockFinding(
  context: Context,
  input: { readonly id: string; readonly blocking: boolean },
): Promise<{ id: string; blocking: boolean; files: string[] }> {
  const { id, state, files } = await findFinding(context, input.id);
  if (state !== "open") throw new Refusal("finding.unknown", `${id} is ${state}`, { id });
  const { blocking } = input;
  await context.store.write(async (tx) => {
    await updateFinding(tx, id, { blocking: blocking ? 1 : 0 });
    const type = blocking ? "finding.blocked" : "finding.unblocked";
    await tx.record({ type, subject: `finding:${id}`, actor: context.actor, data: {} });
  });
  return { id, blocking, files: JSON.parse(files) as string[] };
}
