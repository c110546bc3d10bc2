// A private directory in the system's temporary place, for as long as something runs. Its name says whose it is, so that what a
// killed process left behind is known for that, and removed by the next one that needs such a directory.

import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { systemLiveness } from "./liveness.ts";

export async function withTemporaryDirectory<T>(kind: string, use: (path: string) => Promise<T>): Promise<T> {
  using place = TrustedDirectory.open(realpathSync(tmpdir()));
  sweep(place, kind);
  const { pid, token } = systemLiveness.self();
  const name = `constel-${kind}-${pid}-${token}-${randomBytes(6).toString("hex")}`;
  place.child(name, { create: true }).close();
  try {
    return await use(join(place.path, name));
  } finally {
    place.removeTree(name);
  }
}

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
