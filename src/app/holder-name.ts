// The name of this home among the daemons over one Postgres.

import { hostname } from "node:os";
import { readTrusted, writeTrusted } from "../files/trusted-files.ts";
import { bootId } from "../host/clock/boot-id.ts";
import { systemRandom } from "../host/clock/system-clock.ts";
import { inHome } from "../settings/paths.ts";

/**
 * The same for each daemon of this home until the machine starts again: the lock of the home lets only one of them live, so the next may go on at
 * once. A copy of the home on another machine is another daemon.
 */
export function holderName(home: string): string {
  let own = readTrusted(home, inHome.holder)?.toString("utf8").trim() ?? "";
  if (!/^[0-9a-f]{32}$/.test(own)) {
    own = Buffer.from(systemRandom.bytes(16)).toString("hex");
    writeTrusted(home, inHome.holder, `${own}\n`);
  }
  const mark = new Bun.CryptoHasher("sha256").update(`${own} ${bootId()}`).digest("hex").slice(0, 12);
  return `${hostname()}:${home} (${mark})`;
}
