// Where a workspace stands below the root directory. No link between the two is followed: an agent could have planted it.

import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Outage, Refusal, systemCode } from "../../protocol/errors.ts";

/** The path of a place whose directories above it are real ones, made when missing. */
export function makePlace(root: string, place: string): string {
  const path = placeOf(root, place);
  let at = root;
  for (const part of dirname(place).split("/")) {
    if (part === ".") continue;
    at = join(at, part);
    try {
      mkdirSync(at, { mode: 0o700 });
    } catch (cause) {
      if (systemCode(cause) !== "EEXIST") throw new Outage("make directory", at, cause);
    }
  }
  placeOf(root, place); // once more: what was missing before is there now
  return path;
}

/** The path of a place; refused when it leads out of the root or over a link. */
export function placeOf(root: string, place: string): string {
  let at = root;
  for (const part of place.split("/")) {
    if (part === "" || part === "." || part === "..") {
      throw new Refusal("path.outside-root", `${place} is not a place below the root directory`, { place });
    }
    at = join(at, part);
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() === true) throw new Refusal("path.symlink", `${at} is a symbolic link`, { path: at });
  }
  return at;
}
