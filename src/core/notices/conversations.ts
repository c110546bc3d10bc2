// Knows which conversation an agent is in. News is told to a conversation: a successor under the same name, or the same program after
// `/clear`, has heard none of it. Hooks say the conversation with every line and come first; the agent's row knows of a launch before its
// first hook. A session that a person started is named after its conversation, so there is nothing to compare.

import { isGuestId } from "../../protocol/agent-id.ts";
import type { SceneAgent } from "./scene.sql.ts";

interface Heard {
  readonly session: string;
  /** The launch of which it was; unknown until a round has looked. */
  launchedMs: number | undefined;
}

export class Conversations {
  readonly #heard = new Map<string, Heard>();
  /** As the last round found them. */
  readonly #before = new Map<string, string>();
  readonly #canResume: (runtime: string) => boolean;

  /** `canResume`: whether a program can take a conversation up again. Of others every launch is another one. */
  constructor(canResume: (runtime: string) => boolean) {
    this.#canResume = canResume;
  }

  /** A hook of the agent's own said so, in the order in which hooks ran. Answers whether that is news. */
  heard(agent: string, session: string): boolean {
    if (this.#heard.get(agent)?.session === session) return false;
    this.#heard.set(agent, { session, launchedMs: undefined });
    return true;
  }

  lastHeard(agent: string): string | undefined {
    return this.#heard.get(agent)?.session;
  }

  /** Undefined when nobody can tell: then nothing that was told is taken for another's. */
  of(row: SceneAgent | undefined): string | undefined {
    if (row?.launched_ms === undefined || isGuestId(row.agent)) return undefined;
    const launch = `launch ${row.launched_ms}`;
    if (!this.#canResume(row.runtime)) return launch;
    const heard = this.#heard.get(row.agent);
    if (heard !== undefined) heard.launchedMs ??= row.launched_ms;
    const named = row.session_id ?? undefined;
    // A launch that names its conversation knows better than a hook from before it.
    const isNewer = heard?.launchedMs !== row.launched_ms && named !== undefined;
    return isNewer ? named : (heard?.session ?? named ?? launch);
  }

  /** Returns the agents whose conversation is another than at the last round. After a start of the daemon, everybody's may be. */
  changed(rows: Iterable<SceneAgent>): string[] {
    const changed: string[] = [];
    for (const row of rows) {
      const now = this.of(row);
      if (now === undefined || this.#before.get(row.agent) === now) continue;
      this.#before.set(row.agent, now);
      changed.push(row.agent);
    }
    return changed;
  }
}
