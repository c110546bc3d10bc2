// The version that the last upgrade or downgrade replaced: its files lie beside the program with a note on what it is. The way back needs no network.

import { join } from "node:path";
import { readTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { Refusal } from "../../protocol/errors.ts";
import { linkTree, namesOf, openAt, type ProgramFiles, removeTree } from "./program-files.ts";

export interface KeptVersion {
  readonly version: string;
  /** The newest schema of the database that it knows. */
  readonly schema: number;
  /** The digest of its program. */
  readonly program: string;
}

const note = ".version.json";

export const keptTree = ({ keeping }: ProgramFiles): string => join(keeping, "earlier");

/** In the place of the one that was kept before. */
export function keepVersion(files: ProgramFiles, { version, schema }: Omit<KeptVersion, "program">): void {
  const { prefix, keeping } = files;
  const fresh = join(keeping, ".earlier");
  removeTree(prefix, fresh);
  linkTree(prefix, "", fresh, namesOf(files));
  const kept: KeptVersion = { version, schema, program: digestOf(readTrusted(prefix, join(fresh, files.program))) };
  writeTrusted(prefix, join(fresh, note), `${JSON.stringify(kept)}\n`);
  removeTree(prefix, keptTree(files));
  using directory = openAt(prefix, keeping);
  directory.moveTo(".earlier", directory, "earlier");
  directory.sync();
}

/** Undefined where nothing was kept, and where what was kept says nothing of itself. */
export function keptVersion(files: ProgramFiles): KeptVersion | undefined {
  const text = readTrusted(files.prefix, join(keptTree(files), note))?.toString("utf8");
  if (text === undefined) return undefined;
  try {
    const { version, schema, program } = JSON.parse(text) as Partial<KeptVersion>;
    const isWhole = typeof version === "string" && typeof schema === "number" && typeof program === "string";
    return isWhole ? { version, schema, program } : undefined;
  } catch {
    return undefined;
  }
}

/** Its files by their names below the prefix, the program too. */
export function filesKept(files: ProgramFiles, { version, program }: KeptVersion): Map<string, Uint8Array> {
  const { prefix } = files;
  const found = new Map<string, Uint8Array>();
  for (const name of namesOf(files)) {
    const content = readTrusted(prefix, join(keptTree(files), name));
    if (content !== undefined) found.set(name, content);
  }
  if (digestOf(found.get(files.program)) === program) return found;
  throw new Refusal("release.damaged", `the constel ${version} that was kept is not as it was; nothing was changed`, {
    version,
  });
}

const digestOf = (bytes: Uint8Array | undefined): string =>
  new Bun.CryptoHasher("sha256").update(bytes ?? "").digest("hex");
