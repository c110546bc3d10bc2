// Follows a task of another agent's until nothing more is to be expected of it. It is asked ever more rarely, and an outage of the other
// side, or of the network, is waited out.

import type { Clock } from "../../../ports/machine.ts";
import { Outage } from "../../../protocol/errors.ts";
import type { RemoteAgent } from "./remote-agent.ts";
import { isSettled, stateOf, type TheirTask } from "./their-task.ts";

const firstMs = 500;
const longestMs = 15_000;

export interface Following {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Past this it is answered as it stands. Absent: never. */
  readonly forMs?: number | undefined;
  /** Hears of each state, and of words that are new. */
  readonly hear?: ((task: TheirTask) => void) | undefined;
  /** Hears of an outage that is waited out. */
  readonly away?: ((cause: Outage) => void) | undefined;
}

export async function followTask(agent: RemoteAgent, begun: TheirTask, following: Following): Promise<TheirTask> {
  const { clock, signal, forMs, hear, away } = following;
  const isStopped = (): boolean => signal?.aborted === true;
  const startedMs = clock.monotonicMs();
  let task = begun;
  let told = "";
  let pauseMs = firstMs;
  for (;;) {
    const now = JSON.stringify(task.status);
    if (now !== told) {
      hear?.(task);
      told = now;
      pauseMs = firstMs;
    }
    if (isSettled(stateOf(task)) || isStopped()) return task;
    const leftMs = forMs === undefined ? longestMs : forMs - (clock.monotonicMs() - startedMs);
    if (leftMs <= 0) return task;
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
    pauseMs = Math.min(pauseMs * 1.5, longestMs);
    if (isStopped()) return task;
    try {
      task = await agent.task(task.id, signal);
    } catch (cause) {
      if (isStopped()) return task;
      if (!(cause instanceof Outage)) throw cause;
      away?.(cause);
    }
  }
}
