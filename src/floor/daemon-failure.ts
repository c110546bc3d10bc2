// Reads the reason why the last daemon could not start or go on, as it left it. A daemon that serves takes it away.

import { readTail } from "../files/trusted-files.ts";
import { fromWire } from "../protocol/wire.ts";
import { inHome } from "../settings/paths.ts";

const mostBytes = 64 * 1024;

/** Undefined when there is nothing: no daemon failed since the last one that served. */
export function lastDaemonFailure(home: string): Error | undefined {
  try {
    const { text } = readTail(home, inHome.daemonFailure, mostBytes);
    return text === "" ? undefined : fromWire(JSON.parse(text));
  } catch {
    return new Error(`it left ${inHome.daemonFailure}, which cannot be read`);
  }
}
