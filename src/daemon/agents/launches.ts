// The launch files as they are now, read again only when one changed.

import { statSync } from "node:fs";
import { join } from "node:path";
import { type AgentLaunch, launchFile } from "../../protocol/agent-launch.ts";
import { listTrusted, readTrusted } from "../../settings/trusted-files.ts";

export const launchDirectory = "state/agents";

interface Known {
  readonly stamp: string;
  /** Undefined when the file cannot be read. */
  readonly launch: AgentLaunch | undefined;
}

export class Launches {
  readonly #home: string;
  #known: ReadonlyMap<string, Known> = new Map();

  constructor(home: string) {
    this.#home = home;
  }

  /** Of every agent whose file can be read. */
  read(): AgentLaunch[] {
    const known = new Map<string, Known>();
    for (const name of listTrusted(this.#home, launchDirectory)) {
      const agent = /^(agent[a-z0-9]{1,32})\.json$/.exec(name)?.[1];
      if (agent === undefined) continue;
      const stat = statSync(join(this.#home, launchDirectory, name), { throwIfNoEntry: false });
      if (stat === undefined) continue;
      const stamp = `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
      const before = this.#known.get(agent);
      known.set(agent, before?.stamp === stamp ? before : { stamp, launch: readLaunch(this.#home, agent) });
    }
    this.#known = known;
    return [...known.values()].flatMap(({ launch }) => launch ?? []);
  }
}

function readLaunch(home: string, agent: string): AgentLaunch | undefined {
  const text = readTrusted(home, launchFile(agent))?.toString("utf8");
  if (text === undefined) return undefined;
  let value: Partial<AgentLaunch> | null;
  try {
    value = JSON.parse(text) as Partial<AgentLaunch> | null;
  } catch {
    return undefined; // damaged: `constel doctor` tells
  }
  const isWhole =
    value?.agent === agent &&
    typeof value.runtime === "string" &&
    typeof value.wanted === "string" &&
    typeof value.tmuxSocket === "string" &&
    typeof value.sinceMs === "number" &&
    typeof value.launch?.home === "string";
  return isWhole ? (value as AgentLaunch) : undefined;
}
