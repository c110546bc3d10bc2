// The restore of a backup, as `audit verify` and `doctor` tell of it in the same words: the newest one, and how many there were.

import { z } from "zod";

export const restoreShape = z.object({
  at_ms: z.number().int(),
  backup: z.string(),
  /** The last event of the backup, and the last that was known before. */
  seq: z.number().int(),
  dropped: z.number().int(),
});

export type Restore = z.infer<typeof restoreShape>;

export function restoreWords({ backup, at_ms: atMs, seq, dropped }: Restore, count: number): string {
  const at = new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
  const gone =
    dropped === seq
      ? ""
      : dropped === seq + 1
        ? `; event ${dropped} of then was dropped`
        : `; events ${seq + 1} to ${dropped} of then were dropped`;
  const earlier = count <= 1 ? "" : `; it was the last of ${count} restores`;
  return `the backup ${backup} of event ${seq} was restored ${at}${gone}${earlier}`;
}
