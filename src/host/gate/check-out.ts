// Writes a tree's files into an empty directory, from the objects alone: no index, no hooks, no filters, no attributes. Links
// come last, so that no file is ever written through one.

import type { TrustedDirectory } from "../../files/trusted-directory.ts";
import { TreeWriter } from "../../files/trusted-tree.ts";
import { Outage, Refusal, systemCode } from "../../protocol/errors.ts";
import type { RepositoryObserver } from "../../ports/git.ts";
import { partsOf } from "../git/objects/path-text.ts";

/** Larger files are left out, and named. */
const maxFileBytes = 512 * 1024 * 1024;

export async function checkOut(observer: RepositoryObserver, tree: string, top: TrustedDirectory): Promise<string[]> {
  using writer = new TreeWriter(top);
  const links: { path: string; blob: string }[] = [];
  const missing: string[] = [];
  for (const [path, { mode, blob }] of await observer.tree(tree)) {
    if (!isSafe(path)) {
      missing.push(path);
      continue;
    }
    if (mode === "160000") continue; // a submodule is an empty directory until somebody fills it
    if (mode === "120000") {
      links.push({ path, blob });
      continue;
    }
    const bytes = await observer.read(blob, maxFileBytes);
    if (bytes === undefined) {
      missing.push(path);
      continue;
    }
    const isWritten = attempt(() =>
      writer.inDirectoryOf(partsOf(path), (directory, name) =>
        directory.writeNew(name, bytes, { sync: false, mode: mode === "100755" ? 0o777 : 0o666 }),
      ),
    );
    if (!isWritten) missing.push(path);
  }
  for (const { path, blob } of links) {
    const target = await observer.read(blob, 64 * 1024);
    if (target === undefined) {
      missing.push(path);
      continue;
    }
    const isWritten = attempt(() => writer.makeLink(partsOf(path), target));
    if (!isWritten) missing.push(path);
  }
  return missing;
}

/** False when the tree names something that cannot be there: a file and a directory of one name, a name too long. */
function attempt(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (cause) {
    if (cause instanceof Refusal) return false; // a link stands where a directory should
    const why = cause instanceof Outage ? cause.cause : cause;
    if (["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG"].includes(systemCode(why) ?? "")) return false;
    throw new Outage("write", "a tree for the gate", cause);
  }
}

/** git refuses such names itself, but a tree is only bytes. */
export function isSafe(path: string): boolean {
  return path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && part.toLowerCase() !== ".git");
}
