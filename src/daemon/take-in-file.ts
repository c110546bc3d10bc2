// Reads a file of JSON lines from where it was left, slice by slice. How far it was read is stored in the same transaction
// as what came of it, so a line is taken in once, whatever dies when.

import { killPoint } from "../settings/kill-at.ts";
import type { Tx } from "../store/group-commit.ts";
import type { Store } from "../store/open.ts";

/** Where a daemon may die while it takes something in; fault tests end it at each in turn. */
export const takeInSteps = ["take-in.read", "take-in.written", "take-in.committed"] as const;

export interface Slice {
  readonly nextOffset: number;
  readonly write: (tx: Tx) => Promise<void>;
}

export async function takeInFile(
  store: Store,
  file: string,
  inode: number,
  read: (offset: number) => Slice,
): Promise<void> {
  for (;;) {
    const position = await store.db
      .selectFrom("intake_positions")
      .selectAll()
      .where("file", "=", file)
      .executeTakeFirst();
    const from = position !== undefined && position.inode === inode ? position.offset_bytes : 0;
    const slice = read(from);
    if (slice.nextOffset === from) return;
    step("take-in.read");
    await store.write(async (tx) => {
      await slice.write(tx);
      const next = { inode, offset_bytes: slice.nextOffset, updated_ms: tx.nowMs };
      await tx.db
        .insertInto("intake_positions")
        .values({ file, ...next })
        .onConflict((conflict) => conflict.column("file").doUpdateSet(next))
        .execute();
      step("take-in.written");
    });
    step("take-in.committed");
  }
}

const step = (name: (typeof takeInSteps)[number]): void => killPoint(name);
