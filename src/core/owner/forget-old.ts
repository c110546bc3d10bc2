// Lets go of permission requests, firings, needs and replies that are long over. The timeline keeps that they happened.

import type { Context } from "../context.ts";
import { forgetBefore, hasOld } from "./owner.sql.ts";

export async function forgetOld(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  beforeMs: number,
): Promise<void> {
  // Mostly there is nothing, and then nothing is written.
  if (!(await hasOld(store.db, constellation, beforeMs))) return;
  await store.write((tx) => forgetBefore(tx.db, constellation, beforeMs));
}
