// Sees the sessions that people started themselves: there while their process is, and doing what their hooks say. They are listed
// with the agents and nothing is wanted of them; one whose process has ended is let go of, and nothing else is done about it.

import type { AgentSighting, Seen } from "../../core/agents/agent.ts";
import { guestRole, guestsLeave, knownGuests } from "../../core/agents/leave.ts";
import { seeAgents } from "../../core/agents/see.ts";
import { type Guest, removeGuest } from "../../floor/guests/guest-files.ts";
import { presentGuests } from "../../floor/guests/present-guests.ts";
import { readHooks } from "../../host/runtime/hook-records.ts";
import type { Clock, Liveness } from "../../ports/machine.ts";
import type { LastWords, Runtime } from "../../ports/runtime.ts";
import type { Store } from "../../store/open.ts";

export interface GuestParts {
  readonly home: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly liveness: Liveness;
  readonly runtimeNamed: (name: string) => Runtime | undefined;
  /** The store for the last words of idle ones. */
  readonly words?: Map<string, LastWords>;
}

export class SeenGuests {
  readonly #parts: GuestParts;
  /** As they were last written. */
  readonly #written = new Map<string, string>();
  #listed: Set<string> | undefined;

  constructor(parts: GuestParts) {
    this.#parts = parts;
  }

  /** One look; answers who is there. */
  async look(): Promise<readonly Guest[]> {
    const { home, store, liveness } = this.#parts;
    const { here, gone } = presentGuests(home, liveness);
    for (const { agent } of gone) removeGuest(home, agent);
    this.#listed ??= new Set(await knownGuests(store));
    const living = new Set(here.map(({ agent }) => agent));
    const left = [...this.#listed].filter((agent) => !living.has(agent));
    if (left.length > 0) await guestsLeave(store, left);
    for (const agent of left) this.#written.delete(agent);
    await this.#write(here);
    this.#listed = living;
    return here;
  }

  async #write(here: readonly Guest[]): Promise<void> {
    const changed = here
      .map((guest) => this.#sighting(guest))
      .filter((sighting) => this.#written.get(sighting.agent) !== keyOf(sighting));
    if (changed.length === 0) return;
    await seeAgents(this.#parts.store, changed);
    for (const sighting of changed) this.#written.set(sighting.agent, keyOf(sighting));
  }

  #sighting(guest: Guest): AgentSighting {
    return {
      agent: guest.agent,
      role: guestRole,
      runtime: guest.runtime,
      wanted: "nothing",
      seen: this.#seen(guest),
      launchedMs: guest.startedAt,
      because: "a person started it",
      sessionId: guest.session,
      cwd: guest.cwd,
      mailHeld: "told at its next prompt, edit or stop",
    };
  }

  #seen(guest: Guest): Seen {
    // Asked as the messages ask, so that the file is read once for both.
    const hooks = readHooks(this.#parts.home, guest.agent, 0).filter(({ at }) => at >= guest.startedAt);
    const nowMs = this.#parts.clock.nowMs();
    const status = this.#parts
      .runtimeNamed(guest.runtime)
      ?.status({ nowMs, sinceMs: guest.startedAt, process: "alive", hooks, rows: [] });
    // Its process is there, whatever its last hook said of an end; and no screen of it is ours to read.
    if (status?.words === undefined) this.#parts.words?.delete(guest.agent);
    else this.#parts.words?.set(guest.agent, status.words);
    const isTelling = status !== undefined && !["starting", "unknown", "dead"].includes(status.state);
    if (!isTelling) return { state: "idle", on: "process", says: "its process is there; no turn is under way" };
    return {
      state: status.state,
      untilMs: status.untilMs,
      on: status.rests.on,
      says: status.rests.says,
      atMs: status.rests.atMs,
    };
  }
}

/** Its words change with every tool; only another state is worth a write. */
const keyOf = ({ seen, cwd, launchedMs }: AgentSighting): string =>
  JSON.stringify([seen.state, seen.untilMs ?? null, cwd, launchedMs]);
