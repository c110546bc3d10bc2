// A mark of what is installed in directories, so that an answer which rests on it can be kept: whoever installs something else gives an entry another
// time or another inode.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** More packages than this are not looked over for one answer; then it is not kept. */
const mostPackages = 5_000;

/** As far as their entries tell; undefined when they are too many. */
export function installedStamp(directories: readonly string[]): string | undefined {
  const said: string[] = [];
  for (const directory of directories) {
    for (const name of namesIn(directory)) {
      const scoped = name.startsWith("@") ? namesIn(join(directory, name)).map((one) => join(name, one)) : [];
      for (const one of [name, ...scoped]) said.push(entryStamp(join(directory, one)));
      if (said.length > mostPackages) return undefined;
    }
  }
  return new Bun.CryptoHasher("sha256").update(said.join("\n")).digest("hex");
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return []; // not there, or not a directory: nothing is installed in it
  }
}

function entryStamp(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? path : `${path} ${stat.ino} ${stat.mtimeNs} ${stat.size}`;
}
