// A fleet under random kills: who was killed, what the machine holds meanwhile, and what the records say afterwards. It decides
// nothing about right and wrong; test/soak.test.ts does.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AgentLaunch } from "../../src/ports/agent-launch.ts";
import type { TestHome } from "./home.ts";
import { processesNaming } from "./processes.ts";

export interface Death {
  readonly agent: string;
  /** The time when the one that died had been launched: a crash record names the same. */
  readonly launchedMs: number;
}

/** The things that the machine holds of this home at one moment. */
export interface Holding {
  readonly minute: number;
  readonly processes: number;
  readonly daemonDescriptors: number;
  readonly daemonKib: number;
  readonly homeKib: number;
}

export class Soak {
  readonly deaths: Death[] = [];
  readonly holdings: Holding[] = [];
  readonly #at: TestHome;
  readonly #startedMs = performance.now();

  constructor(at: TestHome) {
    this.#at = at;
  }

  /** Agents that run at this moment, by their launch files; whoever was killed a moment ago is none of them. */
  alive(): AgentLaunch[] {
    const directory = join(this.#at.home, "state/agents");
    return readdirSync(directory)
      .filter((name) => /^agent\d+\.json$/.test(name))
      .map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")) as AgentLaunch)
      .filter(({ leader }) => leader !== undefined && lives(leader.pid))
      .filter(({ agent, sinceMs }) => !this.deaths.some((one) => one.agent === agent && one.launchedMs === sinceMs));
  }

  /** As the kernel would end it. */
  kill({ agent, leader, sinceMs }: AgentLaunch): void {
    if (leader === undefined || !tryKill(leader.pid)) return;
    this.deaths.push({ agent, launchedMs: sinceMs });
  }

  look(): Holding {
    const { daemonPid, home } = this.#at;
    const holding = {
      minute: Math.round((performance.now() - this.#startedMs) / 600) / 100,
      processes: processesNaming(home).length,
      daemonDescriptors: daemonPid === undefined ? 0 : countOf(`/proc/${daemonPid}/fd`),
      daemonKib: daemonPid === undefined ? 0 : residentKib(daemonPid),
      homeKib: Math.round(bytesBelow(home) / 1024),
    };
    this.holdings.push(holding);
    return holding;
  }
}

/** Those of the second that the first does not have, each as often as it is there too often. */
export function missingFrom(known: readonly string[], wanted: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const one of known) left.set(one, (left.get(one) ?? 0) + 1);
  return wanted.filter((one) => {
    const count = left.get(one) ?? 0;
    if (count > 0) left.set(one, count - 1);
    return count === 0;
  });
}

export function tryKill(pid: number): boolean {
  if (!lives(pid)) return false;
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false; // it ended by itself just now
  }
}

/** Neither gone nor waiting for its parent to notice. */
function lives(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

const residentKib = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

function countOf(directory: string): number {
  try {
    return readdirSync(directory).length;
  } catch {
    return 0;
  }
}

function bytesBelow(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
