// The dispatcher: delivers what was admitted, gives queued tasks to clones as they become free, and finishes what a daemon that
// was killed left half done.

import { dispatchRound } from "../../core/tasks/assigning/dispatch-round.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

/** All that a round goes by is in the database. It is asked again while nothing is written only because another process may have. */
const askAgainMs = 10_000;

export function dispatchLoop(parts: LoopParts): Round {
  const { store, clock, random, taskMachine, log } = parts;
  const audit = parts.audit === undefined ? {} : { audit: parts.audit };
  const daemon = { constellation: store.constellation, actor: "daemon", machine: taskMachine };
  const context = { store, clock, random, ...daemon, ...audit };
  const underWay = new Set<Promise<void>>();
  let wakeUp = (): void => {};
  /** The count of writes when the last round began, and when that was. */
  let last = { writes: -1, atMs: -Infinity };
  return {
    begin(wake) {
      wakeUp = wake;
    },
    async round(signal) {
      const { writes } = store;
      const nowMs = clock.monotonicMs();
      if (writes === last.writes && nowMs - last.atMs < askAgainMs) return undefined;
      last = { writes: -1, atMs: nowMs };
      for (const delivery of await dispatchRound(context, signal, log)) {
        underWay.add(delivery);
        // Its place is free for the next one.
        void delivery.finally(() => {
          underWay.delete(delivery);
          last = { writes: -1, atMs: nowMs };
          wakeUp();
        });
      }
      last = { writes, atMs: nowMs };
      return undefined;
    },
    async end() {
      await Promise.all(underWay);
    },
  };
}
