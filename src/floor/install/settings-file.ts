// A settings file of a person's, read and replaced with care. A link is followed when it leads to a plain file of the same person
// (dotfiles are often kept so), and the file it leads to is replaced; the link stays. What is read-only, somebody else's, has a second
// name, lies in a directory that is closed to us, or is no UTF-8 text is refused before anything is written.

import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Outage, Refusal, systemCode } from "../../protocol/errors.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { killPoint } from "../../settings/kill-at.ts";

export interface SettingsFile {
  /** As it is asked for. */
  readonly path: string;
  /** The real path, with links followed. */
  readonly real: string;
  /** Undefined when there is none. */
  readonly bytes: Buffer | undefined;
  readonly text: string;
  readonly mode: number;
}

const longestBytes = 8 * 1024 * 1024;
/** The mode that programs give settings that they make. */
const usualMode = 0o644;

export function readSettingsFile(path: string): SettingsFile {
  refuseNoDirectory(path);
  const named = lstatSync(path, { throwIfNoEntry: false });
  if (named === undefined) return { path, real: path, bytes: undefined, text: "", mode: usualMode };
  const real = named.isSymbolicLink() ? followed(path) : path;
  const stats = statSync(real);
  if (!stats.isFile()) throw notWritable(path, "is not a plain file");
  if (named.isSymbolicLink() && isAnothers(stats)) throw notWritable(path, anothers);
  const bytes = bytesOf(path, real);
  return { path, real, bytes, text: textOf(path, bytes), mode: stats.mode & 0o777 };
}

function bytesOf(path: string, real: string): Buffer {
  try {
    using directory = TrustedDirectory.open(dirname(real));
    return directory.read(basename(real), { maxBytes: longestBytes }) ?? Buffer.alloc(0);
  } catch (cause) {
    if (cause instanceof Outage && systemCode(cause.cause) === "EACCES")
      throw notWritable(path, "cannot be read by this account");
    throw cause;
  }
}

/** Asked of every file before the first is written, so that none is written when one cannot be. */
export function refuseUnwritable({ path, real }: Pick<SettingsFile, "path" | "real">): void {
  const stats = statSync(real, { throwIfNoEntry: false });
  const why = stats === undefined ? undefined : whyNot(stats);
  if (why !== undefined) throw notWritable(path, why);
  refuseClosedDirectory(real);
}

/** A file is made, replaced and removed in its directory, whatever its own rights. */
export function refuseClosedDirectory(path: string): void {
  const above = nearestDirectory(path);
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
  } catch {
    throw notWritable(path, `cannot be written: ${above} is closed to this account`);
  }
}

/**
 * Whole or not at all, with the mode it had. One that was not there must still not be there: what appeared meanwhile is somebody
 * else's.
 */
export function writeSettingsFile(
  file: Pick<SettingsFile, "path" | "real" | "mode" | "bytes">,
  content: string | Uint8Array,
): void {
  using directory = TrustedDirectory.open(dirname(file.real), "", { create: true });
  const name = basename(file.real);
  const temporary = temporaryOf(name);
  directory.remove(temporary);
  try {
    directory.writeNew(temporary, content);
    directory.setMode(temporary, file.mode);
    killPoint("install.laid");
    if (file.bytes === undefined) linkAsNew(directory, temporary, name, file.path);
    else directory.moveTo(temporary, directory, name);
  } finally {
    directory.remove(temporary);
  }
  directory.sync();
}

export function removeSettingsFile({ real }: Pick<SettingsFile, "real">): void {
  using directory = TrustedDirectory.open(dirname(real));
  directory.remove(basename(real));
}

/** Removes what an install that was killed left beside the file. */
export function removeLeftOver({ real }: Pick<SettingsFile, "real">): void {
  if (lstatSync(dirname(real), { throwIfNoEntry: false })?.isDirectory() !== true) return;
  using directory = TrustedDirectory.open(dirname(real));
  directory.remove(temporaryOf(basename(real)));
}

const temporaryOf = (name: string): string => `.${name}.constel.tmp`;

function linkAsNew(directory: TrustedDirectory, temporary: string, name: string, path: string): void {
  try {
    directory.link(temporary, name);
  } catch (cause) {
    if (directory.stat(name) === undefined) throw cause;
    throw new Refusal("install.changed", `${path} has changed meanwhile`, { path });
  }
}

/** On the way to it, something else may have the name of a directory. */
function refuseNoDirectory(path: string): void {
  const above = nearestDirectory(path);
  if (statSync(above, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw notWritable(path, `cannot be made: ${above} is not a directory`);
  try {
    accessSync(above, constants.X_OK);
  } catch {
    throw notWritable(path, `cannot be read: ${above} is closed to this account`);
  }
}

/** The nearest that is there and that can be looked at. */
function nearestDirectory(path: string): string {
  let above = dirname(path);
  while (above !== dirname(above) && !isThere(above)) above = dirname(above);
  return above;
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    if (systemCode(cause) === "ENOTDIR" || systemCode(cause) === "EACCES") return false;
    throw cause;
  }
}

function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw notWritable(
      path,
      systemCode(cause) === "ENOENT" ? "is a link that leads nowhere" : "is a link that cannot be followed",
    );
  }
}

const anothers = "belongs to another user";
const isAnothers = ({ uid }: Stats): boolean => process.getuid !== undefined && uid !== process.getuid();

function whyNot(stats: Stats): string | undefined {
  if (isAnothers(stats)) return anothers;
  if ((stats.mode & 0o200) === 0) return "is read-only";
  if (stats.nlink > 1) return "has another name elsewhere (a hard link), which would keep the old content";
  return undefined;
}

function notWritable(path: string, why: string): Refusal {
  return new Refusal("install.not-writable", `${path} ${why}`, { path });
}

function textOf(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const upTo = lineOfBadByte(bytes);
    throw new Refusal("install.invalid-file", `${path}:${upTo}: it is not UTF-8 text`, { path, line: upTo });
  }
}

function lineOfBadByte(bytes: Buffer): number {
  const lines = bytes.toString("latin1").split("\n");
  const bad = lines.findIndex((line) => Buffer.from(line, "latin1").toString("utf8").includes("\uFFFD"));
  return bad + 1;
}
