// Calls the daemon over its unix socket.

import { closeSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Outage, systemCode } from "../protocol/errors.ts";
import { fromWire } from "../protocol/wire.ts";
import { type Caller, callerOver } from "./caller.ts";

/** Nobody listens there: the daemon is not running. */
export class NoDaemon extends Outage {
  constructor(path: string, cause: unknown) {
    super("connect to", path, cause, { mayRetry: true });
    this.name = "NoDaemon";
  }
}

export function socketCaller(path: string, actor: string): Caller {
  return callerOver(async (name, input) => {
    const response = await request(path, `/op/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-constel-actor": actor },
      body: JSON.stringify(input),
      // Making a workspace may take as long as the repository's own set-up; Bun would give up after five minutes.
      timeout: false,
    });
    const body: unknown = await response.json();
    if (!response.ok) throw fromWire(body);
    return body;
  });
}

export async function request(path: string, route: string, init: BunFetchRequestInit = {}): Promise<Response> {
  try {
    return await withShortPath(path, (unix) => fetch(`http://constel${route}`, { ...init, unix }));
  } catch (cause) {
    if (isAbsent(cause)) throw new NoDaemon(path, cause);
    throw new Outage("call the daemon at", path, cause, { mayRetry: true });
  }
}

/**
 * The kernel takes socket paths of at most 107 bytes (103 on macOS). A longer one is reached through an open directory,
 * as /proc/self/fd/<n>/name; where there is no /proc, the call fails with the kernel's own error.
 */
export async function withShortPath<T>(path: string, use: (shortPath: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= 100) return use(path);
  const fd = openSync(dirname(path), "r");
  try {
    return await use(`/proc/self/fd/${fd}/${basename(path)}`);
  } finally {
    closeSync(fd);
  }
}

function isAbsent(cause: unknown): boolean {
  const code = systemCode(cause);
  return code === "ECONNREFUSED" || code === "ENOENT" || code === "FailedToOpenSocket" || code === "ConnectionRefused";
}
