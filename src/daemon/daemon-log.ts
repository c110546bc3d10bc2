// Keeps the daemon's log from growing for ever. Our standard error was opened by whoever started us and cannot be exchanged, so
// what is in the file is copied to the side and the file emptied, between two lines of ours. Dying between the two leaves the
// lines twice; nothing is lost.

import { fstatSync, ftruncateSync } from "node:fs";
import { basename } from "node:path";
import { killPoint } from "../settings/kill-at.ts";
import { inHome } from "../settings/paths.ts";
import { TrustedDirectory } from "../files/trusted-directory.ts";

/** Does nothing when standard error goes elsewhere: to a terminal, or to systemd, which looks after it itself. */
export function tidyDaemonLog(home: string, maxBytes: number, log: number = process.stderr.fd): void {
  const { dev, ino, size, nlink } = statOf(log);
  // One that somebody gave a second name is theirs to keep.
  if (size <= maxBytes || nlink > 1) return;
  using logs = TrustedDirectory.open(home, inHome.logs);
  const name = basename(inHome.daemonLog);
  const named = logs.stat(name);
  if (named?.ino !== ino || named.dev !== dev) return;
  // Of a log that grew while nobody tidied it, the newest is what people look for.
  const kept = 2 * maxBytes;
  logs.write(basename(inHome.earlierDaemonLog), logs.readFrom(name, Math.max(0, size - kept), kept));
  killPoint("logs.copied");
  ftruncateSync(log, 0);
}

/** Standard error may be closed: then there is nothing to look after. */
function statOf(fd: number): {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly nlink: number;
} {
  try {
    return fstatSync(fd);
  } catch {
    return { dev: 0, ino: 0, size: 0, nlink: 1 };
  }
}
