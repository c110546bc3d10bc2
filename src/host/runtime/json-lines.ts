// Reading files of JSON lines that another process is still appending to: only whole lines count, a broken one is passed over.

import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { Outage, systemCode } from "../../protocol/errors.ts";

/** The whole lines in the last `maxBytes` of a file, oldest first; none when there is no such file. */
export function tailLines(path: string, maxBytes: number): string[] {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const from = Math.max(0, size - maxBytes);
  const lines = bytesFrom(path, from).toString("utf8").split("\n");
  lines.pop(); // what follows the last newline is still being written
  if (from > 0) lines.shift(); // and the first line was cut by our own bound
  return lines.filter((line) => line !== "");
}

/** Everything in a file from an offset on; nothing when there is no such file. */
export function bytesFrom(path: string, from: number): Buffer {
  let fd: number;
  try {
    // The file is the agent's own: a named pipe in its place would make us wait for ever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    if (systemCode(cause) === "ENOENT" || systemCode(cause) === "ENOTDIR") return Buffer.alloc(0);
    throw new Outage("open", path, cause);
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return Buffer.alloc(0);
    const buffer = Buffer.alloc(Math.max(0, stat.size - from));
    let filled = 0;
    while (filled < buffer.length) {
      const read = readSync(fd, buffer, filled, buffer.length - filled, from + filled);
      if (read === 0) break;
      filled += read;
    }
    return buffer.subarray(0, filled);
  } finally {
    closeSync(fd);
  }
}

export type Json = Readonly<Record<string, unknown>>;

/** A JSON object, or undefined for anything else. */
export function parseObject(line: string): Json | undefined {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return undefined; // not JSON: somebody else's line, or a torn write
  }
}

export function asObject(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** The objects in a list; none for anything else. */
export function objectsIn(value: unknown): Json[] {
  return (Array.isArray(value) ? value : []).map(asObject).filter((one): one is Json => one !== undefined);
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function asNumber(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

export function asTime(value: unknown): number {
  const parsed = typeof value === "string" ? Date.parse(value) : asNumber(value);
  return Number.isNaN(parsed) ? 0 : parsed;
}
