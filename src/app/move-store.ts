// Moves a constellation to another database, and verifies there what makes it more than rows: the chain, the signatures of its events, the heads
// that were anchored outside, and the rows that are signed.

import { type AuditVerdict, verifyAudit } from "../core/audit/verify.ts";
import { auditEvidence } from "../host/keys/audit-machine.ts";
import { Refusal } from "../protocol/errors.ts";
import type { MovedStore } from "../protocol/store-keeping.ts";
import type { Settings } from "../settings/settings.ts";
import { headOf } from "../store/database-head.ts";
import { cancelMove, moveConstellation, type MoveStep } from "../store/moving/move.ts";
import { openSnapshot } from "../store/snapshot.ts";
import { openForReading } from "../store/sqlite-connection.ts";
import { sqlitePath } from "../store/store-address.ts";
import { keptHead } from "./head-file.ts";
import { holderName } from "./holder-name.ts";
import { storeOptions } from "./store-options.ts";

export async function moveStore(
  settings: Settings,
  { url, version, tell }: { readonly url: string; readonly version: string; readonly tell: (words: string) => void },
): Promise<MovedStore> {
  const { head: _, ...options } = storeOptions(settings);
  const { constellation, clock, random } = options;
  let verdict: AuditVerdict | undefined;
  const moved = await moveConstellation({
    constellation,
    from: options.url,
    target: { ...options, url, version },
    holder: holderName(settings.home),
    clock,
    random,
    step: (step) => tellStep(step, tell),
    async verify(target) {
      verdict = await audited(settings, target);
      // Before the settings name it: a head of an earlier database at the same place would say that writes are missing.
      keepHead(settings, target);
    },
  });
  return { constellation, ...moved, events: verdict?.count ?? 0, head: verdict?.head ?? null };
}

export function giveUpMove(settings: Settings, url: string): Promise<{ readonly to: string }> {
  const { head: _, ...options } = storeOptions(settings);
  return cancelMove({ constellation: options.constellation, from: options.url, target: { ...options, url } });
}

async function audited(settings: Settings, url: string): Promise<AuditVerdict> {
  const { constellation, clock, backupDirectory, head } = storeOptions(settings);
  const acknowledged = head?.read();
  const snapshot = await openSnapshot({ url, backupDirectory, clock });
  try {
    const { db, dialect } = snapshot;
    const evidence = auditEvidence(settings.home);
    const audit = { ...evidence, acknowledged: acknowledged === "unreadable" ? undefined : acknowledged };
    const verdict = await verifyAudit({ store: { db, constellation, dialect }, clock, audit });
    if (verdict.ok) return verdict;
    throw new Refusal("store.move-differs", `the chain does not verify where it arrived: ${verdict.problem}`, {
      seq: verdict.broken_at,
    });
  } finally {
    await snapshot.close();
  }
}

function keepHead({ home, config }: Settings, url: string): void {
  const path = sqlitePath(url);
  const head = keptHead({ home, databaseUrl: url });
  if (path === undefined || head === undefined) return;
  const database = openForReading(path);
  try {
    head.write(headOf(database, config["constellation.name"]));
  } finally {
    head.close();
    database.close();
  }
}

/** Tells of a table again only when so many more rows are there. */
const toldEveryRows = 100_000;

function tellStep({ name, table, rows = 0 }: MoveStep, tell: (words: string) => void): void {
  if (name === "copy" && rows > 0 && Math.floor(rows / toldEveryRows) > Math.floor((rows - 2_000) / toldEveryRows))
    tell(`${table}: ${rows} rows copied`);
  if (name === "compare" && table === "events") tell("comparing both databases, row by row");
  if (name === "verify") tell("verifying the chain, its signatures and the anchored heads");
}
