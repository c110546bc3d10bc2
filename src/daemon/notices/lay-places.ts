// Lays beside what each agent is to hear next what the rules have to know of it (protocol/agent-place.ts), so that its hooks judge
// without the daemon. Written only when it differs.

import { statSync } from "node:fs";
import { join } from "node:path";
import { agentOfFile } from "../../protocol/agent-id.ts";
import { commonRules } from "../../app/judge-by-rules.ts";
import { allWork } from "../../core/permissions/place.ts";
import { readPlace, writePlace } from "../../floor/hear/place-file.ts";
import { listTrusted } from "../../files/trusted-files.ts";
import { sealedHome } from "../../host/keys/seal-for-constel.ts";
import type { SealedHome } from "../../ports/keys.ts";
import { constelTomlName } from "../../protocol/constel-toml.ts";
import { Refusal } from "../../protocol/errors.ts";
import { type AgentPlace, lastRules } from "../../protocol/agent-place.ts";
import { inHome } from "../../settings/paths.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Store } from "../../store/open.ts";

export class AgentPlaces {
  readonly #settings: Pick<Settings, "home" | "root">;
  readonly #sealed: SealedHome;
  /** The content that lies there, by agent. */
  readonly #lies = new Map<string, string>();

  #stamp = "";

  constructor(settings: Pick<Settings, "home" | "root">) {
    this.#settings = settings;
    this.#sealed = sealedHome(settings.home);
  }

  /** For every agent that constel starts: sessions of people are asked by their own programs. */
  async lay(store: Pick<Store, "db" | "constellation">): Promise<void> {
    const { home, root } = this.#settings;
    const agents = listTrusted(home, inHome.agents).flatMap((name) => agentOfFile(name, ".json") ?? []);
    if (agents.length === 0) return;
    const work = await allWork(store);
    this.#stamp = this.#stampNow();
    const rules = this.#rules();
    for (const agent of agents) {
      const { task, workspaces } = work.get(agent) ?? { task: null, workspaces: [] };
      const before = typeof rules === "string" ? lastRules(readPlace(this.#sealed, agent)) : undefined;
      const place: AgentPlace = {
        version: 1,
        root,
        task: task === null ? null : String(task),
        workspaces,
        rules,
        ...(before === undefined ? {} : { before }),
      };
      // Under another key, what lies there is nobody's.
      const text = this.#sealed.seal(JSON.stringify(place));
      if (this.#lies.get(agent) === text) continue;
      writePlace(this.#sealed, agent, place);
      this.#lies.set(agent, text);
    }
  }

  /** Tells whether a file with rules has changed since they were last read. */
  rulesChanged(): boolean {
    return this.#stamp !== this.#stampNow();
  }

  #stampNow(): string {
    const { home, root } = this.#settings;
    const stats = [join(home, inHome.config), join(root, constelTomlName)].map((path) =>
      statSync(path, { throwIfNoEntry: false }),
    );
    return stats.map((one) => (one === undefined ? "" : `${one.ino} ${one.size} ${one.ctimeMs}`)).join("|");
  }

  #rules(): AgentPlace["rules"] {
    try {
      return commonRules(this.#settings.home, this.#settings.root);
    } catch (cause) {
      if (cause instanceof Refusal) return cause.message;
      throw cause;
    }
  }
}
