// The door for `constel mesh serve --stdio`: a socket of the home, where a program that ssh started hands us its stream. It proves nothing that
// the handshake does not; that only this account can open it keeps strangers of the same machine out.

import { chmodSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { withShortPath } from "../../client/short-path.ts";
import { removeTrusted } from "../../files/trusted-files.ts";
import { wireOfSocket } from "../../host/mesh/stream-wire.ts";
import type { Listener, Wire } from "../../ports/mesh.ts";
import { inHome } from "../../settings/paths.ts";

const mostConnections = 64;

export async function openStdioDoor(home: string, meet: (wire: Wire) => void): Promise<Listener> {
  removeTrusted(home, inHome.meshSocket);
  const sockets = new Set<{ destroy(): unknown }>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    meet(wireOfSocket(socket, { transport: "ssh", at: "stdio" }));
  });
  server.maxConnections = mostConnections;
  const path = join(home, inHome.meshSocket);
  await withShortPath(
    path,
    (short) =>
      new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(short, resolve);
      }),
  );
  chmodSync(path, 0o600);
  return {
    route: { transport: "ssh", at: "stdio" },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          removeTrusted(home, inHome.meshSocket);
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}
