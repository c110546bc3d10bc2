// Describes how a file looks from outside. While that stays the same, the file need not be read again.

import { lstatSync } from "node:fs";

/** Empty where there is no file. What cannot be looked at is empty too: whoever then reads it says why not. */
export function fileSign(path: string): string {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.ctimeMs}`;
  } catch {
    return "";
  }
}
