// The launch files as they are now, read again only when one changed.

import { statSync } from "node:fs";
import { join } from "node:path";
import { agentOfFile } from "../../protocol/agent-id.ts";
import { readLaunch } from "../../floor/agents/launch-files.ts";
import type { AgentLaunch } from "../../ports/agent-launch.ts";
import { inHome } from "../../settings/paths.ts";
import { listTrusted } from "../../files/trusted-files.ts";

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
    for (const name of listTrusted(this.#home, inHome.agents)) {
      const agent = agentOfFile(name, ".json");
      if (agent === undefined) continue;
      const stat = statSync(join(this.#home, inHome.agents, name), { throwIfNoEntry: false });
      if (stat === undefined) continue;
      const stamp = `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
      const before = this.#known.get(agent);
      known.set(agent, before?.stamp === stamp ? before : { stamp, launch: readLaunch(this.#home, agent) });
    }
    this.#known = known;
    return [...known.values()].flatMap(({ launch }) => launch ?? []);
  }
}
