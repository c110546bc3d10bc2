// The file of the socket that we listen on, as `device:inode`, for callers to compare. That it is ours and not one that was put in its place
// meanwhile is asked of the kernel, by connecting to it.

import { closeSync, fstatSync, lstatSync, openSync } from "node:fs";
import { peerOf } from "../../host/process/socket-peer.ts";
import { Outage } from "../../protocol/errors.ts";

/** O_PATH of Linux: holds the file without opening it. */
const pathOnly = 0o10000000;

export async function ownDoor(path: string): Promise<string> {
  if (process.platform !== "linux") return fileOf(lstatSync(path, { bigint: true }));
  const fd = openSync(path, pathOnly);
  try {
    const pid = await listenerAt(`/proc/self/fd/${fd}`);
    if (pid !== process.pid) throw new Outage("listen on", path, "another process put its own socket in this place");
    return fileOf(fstatSync(fd, { bigint: true }));
  } finally {
    closeSync(fd);
  }
}

async function listenerAt(unix: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const socket = await Bun.connect({
    unix,
    socket: {
      open(opened) {
        const peer = peerOf((opened as unknown as { readonly fd: number }).fd);
        resolve(peer === "ended" ? undefined : peer?.pid);
      },
      data() {},
      close: () => resolve(undefined),
      error: () => resolve(undefined),
    },
  });
  const pid = await promise;
  socket.end();
  return pid;
}

const fileOf = ({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string => `${dev}:${ino}`;
