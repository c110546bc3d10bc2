// Second names of the daemon's sockets, in a directory that holds nothing else. A confined agent is shown that directory: a
// socket's own file is another one after each start, and an agent that was shown the file would be left with the old.

import { basename, dirname } from "node:path";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { removeTrusted } from "../../files/trusted-files.ts";
import { inHome } from "../../settings/paths.ts";

const sockets = [inHome.socket, inHome.whoSocket] as const;

export function openDoors(home: string): void {
  using doors = TrustedDirectory.open(home, inHome.doors, { create: true });
  for (const socket of sockets) {
    using from = TrustedDirectory.open(home, dirname(socket));
    doors.remove(basename(socket));
    from.linkTo(basename(socket), doors, basename(socket));
  }
}

export function closeDoors(home: string): void {
  for (const socket of sockets) removeTrusted(home, `${inHome.doors}/${basename(socket)}`);
}
