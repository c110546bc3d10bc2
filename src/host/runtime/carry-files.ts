// Copies files of a conversation from one account's directory to another's: below a place that the owner named, and never through a link in it.

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { makeTrustedDirectory, writeTrusted } from "../../files/trusted-files.ts";
import { bytesFrom } from "./json-lines.ts";

export interface Carried {
  /** Where it lies now. */
  readonly from: string;
  /** Below `place`. */
  readonly name: string;
}

/** `place` is a directory of the other account's, such as `projects`. Two accounts may share it by a link: then all is there already. */
export function carryFiles(directory: string, place: string, files: readonly Carried[]): void {
  const root = realPath(join(directory, place)) ?? made(directory, place);
  for (const { from, name } of files)
    if (realPath(from) !== realPath(join(root, name))) writeTrusted(root, name, bytesFrom(from, 0));
}

function made(directory: string, place: string): string {
  const root = realpathSync(directory);
  makeTrustedDirectory(root, place);
  return join(root, place);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // it is not there
  }
}
