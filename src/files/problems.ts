// Holds the refusals of the trusted-file functions, and tells an absent file from a failing disk.

import { lstatSync } from "node:fs";
import { normalize, sep } from "node:path";
import { Outage, Refusal, systemCode } from "../protocol/errors.ts";

export const isAbsent = (cause: unknown): boolean => cause instanceof Outage && systemCode(cause.cause) === "ENOENT";

export function absentAsUndefined<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw cause;
  }
}

export function linkRefusal(path: string): Refusal {
  return new Refusal("path.symlink", `${path} is a symbolic link`, { path });
}

export function notAFile(path: string): Refusal {
  return new Refusal("path.not-a-file", `${path} is not a plain file`, { path });
}

/** Says what the failure to open a directory means. */
export function whyNotOpened(cause: unknown, opened: string | Buffer, shownAs: string): Refusal | Outage {
  const code = systemCode(cause);
  // With O_NOFOLLOW and O_DIRECTORY together, Linux answers ENOTDIR for a link to a directory.
  if (code === "ELOOP" || (code === "ENOTDIR" && isLink(opened))) return linkRefusal(shownAs);
  return new Outage("open directory", shownAs, cause);
}

/** The components of a path that stays below its root. */
export function componentsOf(root: string, relative: string): string[] {
  const clean = normalize(relative);
  if (clean.startsWith("/") || clean === ".." || clean.startsWith(`..${sep}`) || clean.includes("\0")) {
    throw new Refusal("path.outside-root", `${relative} leads out of ${root}`, { root, path: relative });
  }
  return clean.split(sep).filter((part) => part !== "" && part !== ".");
}

/** One component and nothing else, whoever wrote it. */
export function plainName<T extends string | Uint8Array>(name: T): T {
  const text = typeof name === "string" ? name : Buffer.from(name).toString("latin1");
  if (text === "" || text === "." || text === ".." || text.includes("/") || text.includes("\0")) {
    throw new Refusal("path.outside-root", `not a plain file name: ${JSON.stringify(text)}`, { name: text });
  }
  return name;
}

function isLink(path: string | Buffer): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // gone, or below something that is no directory
  }
}
