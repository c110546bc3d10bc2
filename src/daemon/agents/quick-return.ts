// Has an agent that died brought back at once. The ticker comes once a minute; a living daemon sees a death within a second or two and calls the
// watchdog then, which does what it does in every tick. The first two deaths of an agent within ten minutes are answered so. One that goes on dying
// waits for the ticks, which space its restarts out: an outage of a minute must not use up all of them.

import type { Clock } from "../../ports/machine.ts";
import { restartWindowMs } from "../../floor/watchdog/policy.ts";
import type { FollowedAgent } from "./followed-agent.ts";

type Member = Pick<FollowedAgent, "agent" | "launch" | "seen" | "isAlive" | "isQuarantined">;

export interface QuickReturnParts {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Calls the watchdog once, in a process of its own. */
  readonly tick: () => void;
}

const mostDeaths = 2;
/** A call that came while another tick was under way did nothing: it is made again, so often and after so long. */
const mostCalls = 4;
const againMs = 3_000;

interface Death {
  readonly sinceMs: number;
  readonly seenMs: number;
  calls: number;
  calledMs: number;
}

export class QuickReturn {
  readonly #parts: QuickReturnParts;
  readonly #deaths = new Map<string, Death[]>();

  constructor(parts: QuickReturnParts) {
    this.#parts = parts;
  }

  round(members: readonly Member[]): void {
    // Without a ticker that is wanted, nobody asked for agents to be brought back.
    if (!members.some(({ launch }) => launch.role === "ticker" && launch.wanted === "up")) return;
    const due = members.filter(isGone).filter((member) => this.#isDue(member));
    if (due.length > 0) this.#parts.tick();
  }

  /** While this is so, the next round is to come soon. */
  awaitsReturn(members: readonly Member[]): boolean {
    return members.filter(isGone).some((member) => {
      const death = this.#deaths.get(member.agent)?.at(-1);
      return death?.sinceMs === member.launch.sinceMs && death.calls < mostCalls;
    });
  }

  #isDue({ agent, launch: { sinceMs } }: Member): boolean {
    const nowMs = this.#parts.clock.monotonicMs();
    const known = (this.#deaths.get(agent) ?? []).filter(({ seenMs }) => nowMs - seenMs < restartWindowMs);
    this.#deaths.set(agent, known);
    let death = known.find((one) => one.sinceMs === sinceMs);
    if (death === undefined) {
      if (known.length >= mostDeaths) return false;
      death = { sinceMs, seenMs: nowMs, calls: 0, calledMs: -Infinity };
      known.push(death);
    }
    if (death.calls >= mostCalls || nowMs - death.calledMs < againMs) return false;
    death.calls += 1;
    death.calledMs = nowMs;
    return true;
  }
}

const isGone = ({ launch, seen, isAlive, isQuarantined }: Member): boolean =>
  seen.state === "dead" &&
  launch.wanted === "up" &&
  launch.role !== "ticker" &&
  launch.restart !== "never" &&
  !isAlive &&
  !isQuarantined;
