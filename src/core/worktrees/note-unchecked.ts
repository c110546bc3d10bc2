// Puts on the timeline that something in a repository ran over its budget and was not checked: once, when it happens.

import type { uncheckedPart } from "../../protocol/sensing-state.ts";
import type { Context } from "../context.ts";
import type { z } from "zod";

export async function noteUnchecked(
  { store }: Pick<Context, "store">,
  { repository, kind, name, why }: z.infer<typeof uncheckedPart>,
): Promise<void> {
  const subject = `repository:${repository ?? "unknown"}`;
  await store.write((tx) =>
    tx.record({
      type: "repository.unchecked",
      subject,
      actor: "daemon",
      data: { kind, name: name.toWellFormed(), why },
    }),
  );
}
