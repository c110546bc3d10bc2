// state/schedules.json: which crons the owner accepted, and how the file of each loop reads now, under constel's seal. The loops' files
// carry a seal of their own; this says which of the files that constel ever sealed still counts, so that a copy of a loop that was removed,
// or of an earlier state, can be laid down again in vain.

import { createHash } from "node:crypto";
import { readTrusted, writeTrusted } from "../files/trusted-files.ts";
import { isConstels, sealForConstel } from "../host/keys/seal-for-constel.ts";
import { inHome } from "../settings/paths.ts";

export interface ScheduleRegister {
  /** The mark of each accepted line, by its label. */
  readonly crons: Readonly<Record<string, string>>;
  /** By its id, what a loop's file may read: before and after the change that was under way last. */
  readonly loops: Readonly<Record<string, readonly string[]>>;
}

export const markOfText = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Undefined when there is none that is constel's. */
export function readRegister(home: string): ScheduleRegister | undefined {
  const line = readTrusted(home, inHome.scheduleRegister)?.toString("utf8").trim();
  if (line === undefined || !isConstels(home)(line)) return undefined;
  try {
    const { crons, loops } = JSON.parse(line) as Partial<ScheduleRegister>;
    return crons === undefined || loops === undefined ? undefined : { crons, loops };
  } catch {
    return undefined;
  }
}

export function writeRegister(home: string, { crons, loops }: ScheduleRegister): void {
  writeTrusted(home, inHome.scheduleRegister, `${sealForConstel(home)(JSON.stringify({ crons, loops }))}\n`);
}
