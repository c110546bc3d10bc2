// Finds a program on the owner's PATH. What stands in a checkout of the repository is not the owner's, wherever the PATH
// leads, and neither is anything that depends on where one stands.

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** The directories of a PATH that a program may be taken from: absolute, and in no checkout. */
export function trustedPath(path: string | undefined, checkouts: readonly string[]): string[] {
  const inside = checkouts.map(real).filter((one) => one !== undefined);
  return (path ?? "").split(":").filter((directory) => {
    const there = isAbsolute(directory) ? real(directory) : undefined;
    return there !== undefined && !isBelowAny(there, inside);
  });
}

/** As the PATH names it: some programs (rustup's) go by the name they are called. */
export function findProgram(
  name: string,
  path: string | undefined,
  checkouts: readonly string[],
): { readonly named: string; readonly real: string } | undefined {
  // Where it stands is asked of those that are there: most directories have no such program, and there may be many checkouts.
  const there = (path ?? "")
    .split(":")
    .filter((directory) => isAbsolute(directory) && isProgram(join(directory, name)));
  if (there.length === 0) return undefined;
  const inside = checkouts.map(real).filter((one) => one !== undefined);
  for (const directory of trustedPath(there.join(":"), checkouts)) {
    const named = join(directory, name);
    const target = real(named);
    if (target !== undefined && !isBelowAny(target, inside)) return { named, real: target };
  }
  return undefined;
}

function isBelowAny(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => path === directory || path.startsWith(`${directory}/`));
}

function isProgram(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not to be run, or not to be looked at
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // not there
  }
}
