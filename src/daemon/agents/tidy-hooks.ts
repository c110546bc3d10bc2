// Keeps agents' hook files from growing for ever. A file that is too long is set aside by one rename, so that a hook that has it
// open writes into the one set aside, where it is still looked for: what an agent's state and the proof of its messages rest on
// are the last lines of both (host/runtime/hook-records.ts). Files of agents that are gone for long are removed.

import { agentOfFile } from "../../protocol/agent-id.ts";
import { readLaunch } from "../../floor/agents/launch-files.ts";
import type { TrustedDirectory } from "../../files/trusted-directory.ts";

export interface HookLimits {
  readonly home: string;
  readonly nowMs: number;
  readonly maxBytes: number;
  readonly keepDays: number;
}

/** Far more than readers look back, so that nothing they need can be replaced by the next one set aside. */
const leastBytes = 1024 * 1024;
const dayMs = 86_400_000;

/** `offsets` says how far each file was read, by name; it is kept right. */
export function tidyHooks(directory: TrustedDirectory, offsets: Map<string, number>, limits: HookLimits): void {
  for (const name of directory.list()) {
    const agent = agentOfFile(name, ".1.jsonl", ".jsonl");
    const stat = agent === undefined ? undefined : directory.stat(name);
    if (agent === undefined || stat === undefined) continue;
    const isOld = stat.mtimeMs < limits.nowMs - limits.keepDays * dayMs;
    const isLong = name === `${agent}.jsonl` && stat.size > Math.max(limits.maxBytes, leastBytes);
    // Nearly always neither, and the launch file would be read for nothing.
    if (!isOld && !isLong) continue;
    const launch = readLaunch(limits.home, agent);
    if (isOld && launch?.wanted !== "up") {
      directory.remove(name);
      offsets.delete(name);
    } else if (isLong && launch?.confined !== true) {
      // The sandbox of a confined one has this very file: under another name it would still be the one that is written.
      setAside(directory, offsets, name, `${agent}.1.jsonl`);
    }
  }
}

function setAside(directory: TrustedDirectory, offsets: Map<string, number>, name: string, aside: string): void {
  // The last late line of the one before must have been read before it is replaced. Half a line never becomes whole.
  const unread = directory.readFrom(aside, offsets.get(aside) ?? 0, leastBytes);
  if (unread.includes(0x0a)) return;
  directory.moveTo(name, directory, aside);
  offsets.set(aside, offsets.get(name) ?? 0);
  offsets.delete(name);
}
