// The ticker acts for the owner, so an agent may not start it again when it died, and the machine's own scheduler is not set up everywhere: the
// daemon calls the watchdog once a minute while there is no ticker, as the ticker would.

import type { Clock } from "../../ports/machine.ts";
import type { FollowedAgent } from "./followed-agent.ts";

export interface TickerKeeperParts {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Calls the watchdog once, in a process of its own. */
  readonly tick: () => void;
}

const everyMs = 60_000;

export class TickerKeeper {
  readonly #parts: TickerKeeperParts;
  /** On the monotonic clock: when it was seen dead, or the watchdog was called for it. */
  #sinceMs: number | undefined;

  constructor(parts: TickerKeeperParts) {
    this.#parts = parts;
  }

  round(members: readonly Pick<FollowedAgent, "launch" | "seen" | "isAlive">[]): void {
    const ticker = members.find(({ launch }) => launch.role === "ticker");
    const isMissing = ticker?.launch.wanted === "up" && ticker.seen.state === "dead" && !ticker.isAlive;
    if (!isMissing) {
      this.#sinceMs = undefined;
      return;
    }
    const nowMs = this.#parts.clock.monotonicMs();
    this.#sinceMs ??= nowMs;
    if (nowMs - this.#sinceMs < everyMs) return;
    this.#sinceMs = nowMs;
    this.#parts.tick();
  }
}
