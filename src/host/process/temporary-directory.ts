// A private directory in the system's temporary place, for as long as something runs. Its name says whose it is, so that what a
// killed process left behind is known for that, and removed by the next one that needs such a directory.

import { randomBytes } from "node:crypto";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, Outage, systemCode } from "../../protocol/errors.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { systemLiveness } from "./liveness.ts";

export async function withTemporaryDirectory<T>(kind: string, use: (path: string) => Promise<T>): Promise<T> {
  const { pid, token } = systemLiveness.self();
  const name = `constel-${kind}-${pid}-${token}-${randomBytes(6).toString("hex")}`;
  using place = openTemporary((opened) => {
    sweep(opened, kind);
    opened.make(name);
  });
  try {
    return await use(join(place.path, name));
  } finally {
    place.removeTree(name);
  }
}

/** Removes what processes of ours left that have ended. */
export function sweepTemporary(kinds: readonly string[]): void {
  using place = openTemporary(() => undefined);
  for (const kind of kinds) sweep(place, kind);
}

/** The system's temporary place, after the first thing that needs it: only trying tells whether this account may write there. */
export function openTemporary(begin: (place: TrustedDirectory) => void): TrustedDirectory {
  const path = tmpdir();
  let place: TrustedDirectory | undefined;
  try {
    place = TrustedDirectory.open(realpathSync(path));
    begin(place);
    return place;
  } catch (cause) {
    place?.close();
    throw temporaryOutage(path, cause);
  }
}

/** For what its user removes again. */
export function makeTemporaryDirectory(prefix: string, place = tmpdir()): string {
  try {
    return realpathSync(mkdtempSync(join(place, prefix)));
  } catch (cause) {
    throw temporaryOutage(place, cause);
  }
}

/** Says what is wrong with the temporary place, and what to set. */
export function temporaryOutage(path: string, cause: unknown): Outage {
  const code = systemCode(cause) ?? systemCode(cause instanceof Outage ? cause.cause : undefined);
  const why = reasons[code ?? ""] ?? messageOf(cause);
  return new Outage("use temporary directory", path, `${why}. Set TMPDIR to a directory that you may write to`);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "it is not a directory",
  EACCES: "this account may not write there",
  EPERM: "this account may not write there",
  EROFS: "its file system is read-only",
};

/** Only what is ours by name and by owner, and whose process has certainly ended. */
function sweep(place: TrustedDirectory, kind: string): void {
  const owned = new RegExp(`^constel-${kind}-(\\d+)-([0-9]+-[0-9a-z]+)-[0-9a-f]{12}$`);
  for (const name of place.list()) {
    const [, pid, token = ""] = owned.exec(name) ?? [];
    if (pid === undefined || !systemLiveness.isProvenDead({ pid: Number(pid), token })) continue;
    const stat = place.stat(name);
    if (stat?.isDirectory() !== true || stat.uid !== process.getuid?.()) continue;
    try {
      place.removeTree(name);
    } catch {
      // another one is sweeping too, or something in it is not ours: it stays for the next time
    }
  }
}
