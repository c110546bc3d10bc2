// Puts a dump of a Postgres database back, for one constellation: loaded beside what is in use, put on the signed record, then put in its place.

import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { heldMeanwhile } from "../store/postgres-lease.ts";
import { allMigrations } from "../store/migrations/all.ts";
import { whyMoved } from "../store/moving/marks.ts";
import type { Untyped } from "../store/migrations/migration.ts";
import { compactUtc } from "../store/backup.ts";
import { dropSchema, headInSchema, putRowsBack } from "../store/restore-rows.ts";
import { openSnapshot } from "../store/snapshot.ts";
import { makeTables } from "../store/open.ts";
import { holderName } from "./holder-name.ts";
import { loadDump, wholeDump } from "./postgres-backups.ts";
import { recordRestore } from "./record-restore.ts";
import { storeOptions } from "./store-options.ts";

export async function restoreDump(
  settings: Settings,
  { file, asOwner }: { readonly file: string; readonly asOwner: ((bytes: Uint8Array) => Promise<string>) | undefined },
): Promise<{ readonly kept: string; readonly notPublished: string | null }> {
  const options = storeOptions(settings);
  const { url, constellation, clock, backupDirectory: directory } = options;
  const path = join(directory, file);
  await wholeDump(path);
  await makeTables(options); // on a server that lost everything
  await refuseMoved(options);
  const mark = Bun.CryptoHasher.hash("sha256", constellation, "hex").slice(0, 12);
  const schema = `constel_restoring_${mark}`;
  const keep = `constel_kept_${mark}_${compactUtc(clock.nowMs()).toLowerCase().replace(".", "_")}`;
  return heldMeanwhile({ url, constellation, clock, holder: holderName(settings.home) }, async () => {
    try {
      await loadDump(url, { path, directory, schema });
      const head = await headInSchema(url, { schema, constellation, known: allMigrations.length, backup: file });
      // The word comes first: cut off in between, a timeline that was not taken back still verifies.
      const notPublished = await recordRestore(settings, { backup: path, head, asOwner });
      await putRowsBack(url, { from: schema, keep, constellation });
      return { kept: `the schema ${keep}`, notPublished };
    } finally {
      await dropSchema(url, schema);
    }
  });
}

async function refuseMoved(options: ReturnType<typeof storeOptions>): Promise<void> {
  const snapshot = await openSnapshot(options);
  try {
    const moved = await whyMoved(snapshot.db as unknown as Untyped, options.constellation);
    if (moved !== undefined) throw moved;
  } finally {
    await snapshot.close();
  }
}
