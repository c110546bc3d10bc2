// One change of versions at a time: another's would take away what this one laid down. The kernel lets go of the lock when its holder dies.

import { join } from "node:path";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { removeTrusted } from "../../files/trusted-files.ts";
import { Refusal } from "../../protocol/errors.ts";
import { tryLock } from "../process/file-lock.ts";

const name = ".changing";

/** Does the work, or refuses while another change of the program below the prefix is under way. Leaves no file. */
export async function oneChange<T>(
  { prefix, keeping }: { readonly prefix: string; readonly keeping: string },
  work: () => Promise<T>,
): Promise<T> {
  TrustedDirectory.open(prefix, keeping, { create: true, mode: 0o755 }).close();
  const path = join(keeping, name);
  const lock = tryLock(prefix, path);
  if (lock === undefined)
    throw new Refusal("release.busy", `another change of the constel in ${prefix} is under way`, { prefix });
  try {
    return await work();
  } finally {
    removeTrusted(prefix, path);
    lock.release();
  }
}
