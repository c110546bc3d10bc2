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
  const inside = checkouts.map(real).filter((one) => one !== undefined);
  for (const directory of trustedPath(path, checkouts)) {
    const named = join(directory, name);
    const there = isProgram(named) ? real(named) : undefined;
    if (there !== undefined && !isBelowAny(there, inside)) return { named, real: there };
  }
  return undefined;
}

function isBelowAny(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => path === directory || path.startsWith(`${directory}/`));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not to be run
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // not there
  }
}
