// Ends what an agent's program left behind when it died by itself: background jobs, MCP servers, whatever it had started. Once
// for each launch, and only while nobody starts or ends agents (their lock is held), so that a fresh start is never taken for the
// dead one. `down` and every start do the same for themselves.

import { counted } from "../../protocol/counted.ts";
import { readLaunch } from "../../floor/agents/launch-files.ts";
import { tryLock } from "../../host/process/file-lock.ts";
import type { ProcessTrees } from "../../ports/process-trees.ts";
import type { Terminals } from "../../ports/terminal.ts";
import { inHome } from "../../settings/paths.ts";
import type { FollowedAgent } from "./followed-agent.ts";

export interface ReaperParts {
  readonly home: string;
  readonly trees: ProcessTrees;
  readonly terminalsOn: (socket: string) => Terminals;
  readonly log: (line: string) => void;
}

export class Reaper {
  readonly #parts: ReaperParts;
  /** Launches whose remains were ended. */
  readonly #done = new Set<string>();

  constructor(parts: ReaperParts) {
    this.#parts = parts;
  }

  /** Looks at those that are seen dead; one that cannot be looked at now is looked at again. */
  async round(members: readonly FollowedAgent[]): Promise<void> {
    for (const member of members) {
      const { launch, seen } = member;
      // The ticker carries no agent's mark, and what is not wanted is `down`'s to end.
      if (seen.state !== "dead" || launch.wanted === "down" || launch.role === "ticker" || member.isAlive) continue;
      const key = `${launch.agent} ${launch.sinceMs}`;
      if (!this.#done.has(key) && (await this.#reap(member))) this.#done.add(key);
    }
  }

  /** False when somebody else is at work on agents. */
  async #reap({ agent, launch: known }: FollowedAgent): Promise<boolean> {
    const { home, trees, log } = this.#parts;
    const lock = tryLock(home, inHome.agentsLock);
    if (lock === undefined) return false;
    try {
      const launch = readLaunch(home, agent);
      if (launch === undefined || launch.sinceMs !== known.sinceMs || launch.wanted === "down") return true;
      const terminals = await this.#parts.terminalsOn(launch.tmuxSocket).list();
      const living = terminals.filter(({ dead }) => !dead);
      if (living.some(({ name }) => name === agent)) return false;
      const { found, left } = await trees.end({
        ...(launch.leader === undefined ? {} : { leader: launch.leader }),
        mark: { CONSTEL_AGENT: agent, CONSTEL_HOME: launch.launch.home },
        ...(launch.cgroup === undefined ? {} : { cgroup: launch.cgroup }),
        terminalPids: living.map(({ pid }) => pid),
      });
      if (found > 0) log(`${agent} died; ended what it left: ${counted(found, "process", "processes")}`);
      if (left.length > 0) log(`${agent} died; still there after SIGKILL: ${left.join(", ")}`);
      return true;
    } finally {
      lock.release();
    }
  }
}
