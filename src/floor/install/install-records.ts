// Records what `constel install` did to each file: how it was before, byte for byte, and how it was left. Undoing a file that nobody has
// touched since puts the bytes of before back; one that was changed is edited instead.

import { createHash } from "node:crypto";
import { inHome } from "../../settings/paths.ts";
import { listTrusted, readTrusted, removeTrusted, writeTrusted } from "../../files/trusted-files.ts";

export interface InstallRecord {
  readonly path: string;
  readonly runtime: string;
  readonly atMs: number;
  /** Null when there was no file. */
  readonly before: Buffer | null;
  readonly afterHash: string;
  /** The texts that were added, as they stand there. Absent from records of before. */
  readonly added?: readonly string[];
  /** The program reads comments in it. */
  readonly comments?: boolean;
  /** False if the program does not read a file that begins with a byte order mark. */
  readonly mark?: boolean;
  /** Directories that were made for it, the outermost first. */
  readonly made: readonly string[];
}

export const hashOf = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export function writeInstallRecord(home: string, record: InstallRecord): void {
  const { before, ...rest } = record;
  const text = JSON.stringify({ ...rest, before: before === null ? null : before.toString("base64") }, null, 1);
  writeTrusted(home, fileOf(record.path), `${text}\n`);
}

export function removeInstallRecord(home: string, path: string): void {
  removeTrusted(home, fileOf(path));
}

export function readInstallRecord(home: string, path: string): InstallRecord | undefined {
  return recordIn(readTrusted(home, fileOf(path)));
}

export function readInstallRecords(home: string): readonly InstallRecord[] {
  return listTrusted(home, inHome.installed).flatMap(
    (name) => recordIn(readTrusted(home, `${inHome.installed}/${name}`)) ?? [],
  );
}

function recordIn(bytes: Buffer | undefined): InstallRecord | undefined {
  if (bytes === undefined) return undefined;
  try {
    const { before, ...rest } = JSON.parse(bytes.toString("utf8")) as Omit<InstallRecord, "before"> & {
      readonly before: string | null;
    };
    const { added } = rest;
    if (added !== undefined && !(Array.isArray(added) && added.every((one) => typeof one === "string")))
      return undefined;
    if (typeof rest.path !== "string" || typeof rest.afterHash !== "string" || !Array.isArray(rest.made))
      return undefined;
    return { ...rest, before: before === null ? null : Buffer.from(before, "base64") };
  } catch {
    return undefined; // damaged: what stands in the file itself decides
  }
}

const fileOf = (path: string): string => `${inHome.installed}/${hashOf(path).slice(0, 32)}.json`;
