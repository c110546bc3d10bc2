// Puts a restore on the record before it happens: a signed line among the anchored heads, which core/audit/restored.ts judges. A
// backup that is damaged, or of another constel, is refused first.

import { basename } from "node:path";
import { hashOf, readAnchors } from "../core/audit/anchors.ts";
import { restoredLine } from "../core/audit/restored.ts";
import { auditMachine } from "../host/keys/audit-machine.ts";
import { childEnvironment } from "../host/process/child-environment.ts";
import { systemProcesses } from "../host/process/run.ts";
import { constellationHolder } from "../ports/keys.ts";
import { messageOf } from "../protocol/errors.ts";
import { readEnv } from "../settings/env.ts";
import type { Settings } from "../settings/settings.ts";
import { checkedBackup } from "../store/backup.ts";
import { type DatabaseHead, headOf } from "../store/database-head.ts";
import { foreignHistory } from "../store/migrate.ts";
import { allMigrations } from "../store/migrations/all.ts";
import { historyOf } from "../store/sqlite-file.ts";
import { openForReading } from "../store/sqlite-connection.ts";
import { genesisHash } from "../store/timeline.ts";
import { storeOptions } from "./store-options.ts";

export interface RestoreWish {
  readonly backup: string;
  /** The head of the chain in the backup, where that is no file of SQLite. */
  readonly head?: DatabaseHead;
  readonly asOwner: ((bytes: Uint8Array) => Promise<string>) | undefined;
}

/** Answers why the line could not be told outside; null when it was. */
export async function recordRestore(
  settings: Settings,
  { backup, asOwner, head: known }: RestoreWish,
): Promise<string | null> {
  const options = storeOptions(settings);
  const { constellation, clock } = options;
  const head = known ?? headOfBackup(backup, constellation);
  const audit = auditMachine(settings.home, {
    clock,
    processes: systemProcesses,
    command: settings.config["audit.anchor_command"],
    env: childEnvironment(readEnv()),
  });
  const lines = (audit.anchors() ?? "").split("\n").filter((line) => line !== "");
  const acknowledged = options.head?.read();
  const anchored = readAnchors(lines.join("\n"), audit.verify).anchors.filter(
    (one) => one.constellation === constellation,
  );
  const said = {
    kind: "restored",
    constellation,
    at_ms: clock.nowMs(),
    seq: head.seq,
    hash: head.seq === 0 ? genesisHash : head.hash,
    ring: audit.ringHashes().at(-1) ?? genesisHash,
    backup: basename(backup),
    dropped: Math.max(
      head.seq,
      typeof acknowledged === "object" ? acknowledged.seq : 0,
      ...anchored.map(({ seq }) => seq),
    ),
  } as const;
  const sign = asOwner ?? ((bytes: Uint8Array): string => audit.sign(constellationHolder, bytes));
  const line = await restoredLine(said, lines.length === 0 ? genesisHash : hashOf(lines.at(-1) ?? ""), sign);
  audit.append(line);
  try {
    await audit.publish(line);
    return null;
  } catch (cause) {
    return messageOf(cause);
  }
}

function headOfBackup(path: string, constellation: string): DatabaseHead {
  checkedBackup(path);
  const database = openForReading(path);
  try {
    const refused = foreignHistory(path, allMigrations, historyOf(database));
    if (refused !== undefined) throw refused;
    return headOf(database, constellation);
  } finally {
    database.close();
  }
}
