// `logs/restarts.log`: what the detached processes that make restarts had to say. Mostly nothing: how far one came stands in state/restart-status.
// Only one that could not even begin speaks here, and whoever waits for it is told.

import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { readTail } from "../../files/trusted-files.ts";
import { inHome } from "../../settings/paths.ts";

const mostBytes = 256 * 1024;
const shownBytes = 4096;

/** The words of the last restart; empty when it said nothing. */
export function lastRestartWords(home: string): string {
  const { text } = readTail(home, inHome.restartLog, shownBytes);
  const lines = text.split("\n");
  return lines
    .slice(lines.findLastIndex((line) => heading.test(line)) + 1)
    .join("\n")
    .trim();
}

const heading = /^-- \d{4}-\d\d-\d\dT[\d:.]+Z restart-run /;

/** Begins the log anew when it has grown; the one before is kept. */
export function turnRestartLog(home: string): void {
  using logs = TrustedDirectory.open(home, inHome.logs, { create: true });
  if ((logs.stat("restarts.log")?.size ?? 0) <= mostBytes) return;
  logs.moveTo("restarts.log", logs, "restarts.1.log");
}
