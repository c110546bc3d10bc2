// Calls the daemon over its unix socket.

import { closeSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Outage, systemCode } from "../protocol/errors.ts";
import { fromWire } from "../protocol/wire.ts";
import { type Caller, callerOver, type OperationName } from "./caller.ts";

/** Nobody listens there: the daemon is not running. */
export class NoDaemon extends Outage {
  constructor(path: string, cause: unknown) {
    super("connect to", path, cause, { mayRetry: true });
    this.name = "NoDaemon";
  }
}

export interface SocketCallerOptions {
  /** Told with each answer which version of constel the daemon is. */
  readonly answeredBy?: (version: string | null) => void;
  readonly deadlineMs?: number;
}

/** A daemon that hangs must not make its callers hang; the longest honest answer takes a few seconds. */
const defaultDeadlineMs = 60_000;
/** What makes a workspace runs the repository's own set-up, and what ends one saves all that is in it. */
const patience: Partial<Record<OperationName, number>> = {
  "task.dispatch": 3_600_000,
  "workspace.clone": 3_600_000,
  "workspace.remove": 3_600_000,
  "workspace.restore": 3_600_000,
};

export function socketCaller(path: string, actor: string, options: SocketCallerOptions = {}): Caller {
  return callerOver(async (name, input) => {
    const response = await request(path, `/op/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-constel-actor": actor },
      body: JSON.stringify(input),
      // Bun would give up by itself after five minutes.
      timeout: false,
      signal: AbortSignal.timeout(options.deadlineMs ?? patience[name] ?? defaultDeadlineMs),
    });
    options.answeredBy?.(response.headers.get("x-constel-version"));
    const body = await bodyOf(response, path);
    if (!response.ok) throw fromWire(body);
    return body;
  });
}

/** Bun's own refusals (a body past all limits) and daemons killed in mid-sentence answer something else than JSON. */
async function bodyOf(response: Response, path: string): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Outage("call the daemon at", path, `it answered ${response.status} and no JSON`);
  }
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
