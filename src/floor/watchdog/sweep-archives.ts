// Removes what time has made useless: archived handoffs and restarts past their age, and all beyond the number worth keeping. Restarts that
// have ended move into the archive after a day, so that the directory that every tick reads stays short.

import type { Liveness } from "../../ports/machine.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { listTrusted } from "../../files/trusted-files.ts";
import { inHome } from "../../settings/paths.ts";
import { restartStatuses } from "../restart/restart-status.ts";

export interface SweepOptions {
  readonly nowMs: number;
  readonly keepMs: number;
  readonly liveness: Liveness;
}

const shownMs = 86_400_000;
/** However young: the newest of an archive tell enough. */
const mostKept = 1000;

/** Returns how many files moved or went. */
export function sweepArchives(home: string, options: SweepOptions): number {
  const moved = setAside(home, options);
  return [inHome.handoffArchive, inHome.restartArchive].reduce(
    (sum, directory) => sum + removeOld(home, directory, options),
    moved,
  );
}

function setAside(home: string, { nowMs, liveness }: SweepOptions): number {
  const past = restartStatuses(home).filter(
    ({ started_ms: startedMs, ended_ms: endedMs, by }) =>
      Math.abs(nowMs - startedMs) > shownMs && (endedMs !== null || liveness.isProvenDead(by)),
  );
  if (past.length === 0) return 0;
  using from = TrustedDirectory.open(home, inHome.restartStatus);
  using to = TrustedDirectory.open(home, inHome.restartArchive, { create: true });
  for (const { id } of past) from.moveTo(`${id}.json`, to);
  return past.length;
}

function removeOld(home: string, directory: string, { nowMs, keepMs }: SweepOptions): number {
  if (listTrusted(home, directory).length === 0) return 0;
  using place = TrustedDirectory.open(home, directory);
  const files = place
    .list()
    .filter((name) => /\.(md|json)$/.test(name))
    .map((name) => ({ name, atMs: place.stat(name)?.mtimeMs ?? 0 }))
    .sort((a, b) => b.atMs - a.atMs);
  const old = files.filter(({ atMs }, index) => nowMs - atMs > keepMs || index >= mostKept);
  for (const { name } of old) place.remove(name);
  return old.length;
}
