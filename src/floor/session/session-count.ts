// Counts the sessions of an agent durably: `state/sessions/<agent>` holds one line for each, appended and never rewritten, and a session's
// number is the place of its line. Two that start at once append two lines and find each its own place, so no number is given twice.

import { makeId } from "../../protocol/ids.ts";
import type { Clock, Random } from "../../ports/machine.ts";
import { inHome } from "../../settings/paths.ts";
import { appendTrusted, readTrusted } from "../../files/trusted-files.ts";
import { checkAgentId } from "../../protocol/agent-id.ts";

export function countSession(home: string, agent: string, ports: { clock: Clock; random: Random }): number {
  const now = ports.clock.nowMs();
  const id = makeId("ses", now, ports.random.bytes(10));
  const file = fileOf(agent);
  // The newline in front ends a line that was torn; it still counts as a session, as it was one.
  appendTrusted(home, file, `\n${id} ${new Date(now).toISOString()}\n`, { sync: true });
  return linesOf(home, file).findIndex((line) => line.startsWith(id)) + 1;
}

/** The number of the newest session; 0 before the first. The watchdog waits for this to grow after a restart. */
export function sessionsSoFar(home: string, agent: string): number {
  return linesOf(home, fileOf(agent)).length;
}

const fileOf = (agent: string): string => `${inHome.state}/sessions/${checkAgentId(agent)}`;

function linesOf(home: string, file: string): string[] {
  const text = readTrusted(home, file)?.toString("utf8") ?? "";
  return text.split("\n").filter((line) => line.trim() !== "");
}
