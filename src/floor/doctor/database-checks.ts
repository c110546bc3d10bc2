// The database: sound, of a schema we know, its timeline unbroken, and the floor's records taken in.

import { counted } from "../../protocol/counted.ts";
import type { DatabaseHealth } from "../../protocol/store-keeping.ts";
import type { Check, CheckResult } from "./check.ts";

/** A daemon that is down for a while leaves some megabytes; more means that intake is stuck. */
const largeBacklog = 50 * 1024 * 1024;

export const databaseChecks: readonly Check[] = [
  {
    code: "database",
    async look({ clock, database, full }) {
      const health = await database(full);
      if (health.problem !== null) {
        return [
          {
            code: "database",
            state: "broken",
            saw: health.problem,
            means: "Commands that use the database fail; messaging and doctor still work.",
            mend: health.hint ?? "Restore a backup: `constel db backups`, then `constel db restore`.",
          },
        ];
      }
      if (!health.exists)
        return [{ code: "database", state: "well", saw: "none yet; it is made with the first change" }];
      return [sound(health), chain(health), ...missing(health, clock.nowMs()), backlog(health)];
    },
  },
];

function sound(health: DatabaseHealth): CheckResult {
  const size = health.bytes === null ? "" : `, ${(health.bytes / 1024 ** 2).toFixed(1)} MiB`;
  const soundness = health.checkedWhole
    ? "sound"
    : "opens (its pages are checked at the daemon's start and by `--full`)";
  const saw = `${health.kind}, ${soundness}, schema ${health.schema}${size}`;
  const newer = health.isFromNewer ? health.writtenBy : null;
  if (newer !== null && health.schema !== null && health.schema <= health.newestSchema) {
    return {
      code: "database",
      state: "broken",
      saw: `${saw}, last written by constel ${newer}, which is newer than this one`,
      means: "The daemon refuses to start: it cannot know what the newer version keeps there. Reading works.",
      mend: "Update constel; to go back for good, `constel downgrade --accept`.",
    };
  }
  if (health.schema === health.newestSchema) return { code: "database", state: "well", saw };
  if (health.schema !== null && health.schema > health.newestSchema) {
    return {
      code: "database",
      state: "broken",
      saw: `${saw}, of a newer constel${health.writtenBy === null ? "" : `, ${health.writtenBy}`} (this one knows up to ${health.newestSchema})`,
      means: "The daemon refuses to start: it cannot know what the newer schema promises.",
      mend: "Update constel, or restore a backup of the older schema with `constel db restore`.",
    };
  }
  return {
    code: "database",
    state: "note",
    saw: `${saw} (this constel has ${health.newestSchema})`,
    means: "The schema is brought up to date, after a backup, when the daemon next starts.",
    mend: "Nothing to do.",
  };
}

function chain(health: DatabaseHealth): CheckResult {
  const code = "audit.chain";
  if (health.chain === null)
    return { code, state: "warning", saw: "the timeline could not be read", mend: "Run `constel audit verify`." };
  if (health.chain.ok) return { code, state: "well", saw: unbroken(health.chain) };
  return {
    code,
    state: "broken",
    saw: health.chain.problem ?? "broken",
    means: "Somebody changed, removed or cut off rows of the timeline behind constel's back.",
    mend: "Compare with a backup (`constel db backups`); what came before the break still verifies.",
  };
}

function unbroken({ count, checked, pruned, restored }: NonNullable<DatabaseHealth["chain"]>): string {
  const back = restored === null ? "" : `; ${restored}`;
  const older = (pruned === 0 ? "" : `; ${counted(pruned, "older one")} let go of (retention.events_days)`) + back;
  if (checked === count) return `${counted(count, "event")}, unbroken${older}`;
  return `${counted(count, "event")}, the newest ${checked} unbroken (\`constel doctor --full\` reads all)${older}`;
}

/** A loss is told until somebody restores a backup; this long after it was seen it is history. */
const tellLossMs = 30 * 24 * 60 * 60 * 1000;

function missing({ missing: now, seenMissing }: DatabaseHealth, nowMs: number): CheckResult[] {
  const code = "database.missing";
  const means = "The disk lost what it had confirmed, or somebody cut or replaced the database behind constel's back.";
  const mend = "Compare with a backup (`constel db backups`); `constel db restore` puts one back.";
  if (now !== null) return [{ code, state: "broken", saw: now, means, mend }];
  if (seenMissing === null || nowMs - seenMissing.at_ms > tellLossMs) return [];
  const when = new Date(seenMissing.at_ms).toISOString();
  return [{ code, state: "warning", saw: `seen ${when}: ${seenMissing.what}`, means, mend }];
}

function backlog(health: DatabaseHealth): CheckResult {
  const bytes = health.backlogBytes ?? 0;
  const saw =
    bytes === 0
      ? "all records are taken in"
      : `${counted(bytes, "byte")} of records ${bytes === 1 ? "waits" : "wait"} to be taken in`;
  if (bytes < largeBacklog) return { code: "records.backlog", state: "well", saw };
  return {
    code: "records.backlog",
    state: "warning",
    saw,
    means: "The daemon has not taken in what the floor wrote.",
    mend: "Start it with `constel daemon start` and look at `constel daemon status`.",
  };
}
