// The dispatcher: delivers what was admitted, gives queued tasks to clones as they become free, and finishes what a daemon that
// was killed left half done.

import { dispatchRound } from "../core/tasks/dispatch-round.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

export function dispatchLoop(parts: LoopParts): Round {
  const { store, clock, random, taskMachine, log } = parts;
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon", machine: taskMachine };
  const underWay = new Set<Promise<void>>();
  let wakeUp = (): void => {};
  return {
    begin(wake) {
      wakeUp = wake;
    },
    async round(signal) {
      for (const delivery of await dispatchRound(context, signal, log)) {
        underWay.add(delivery);
        // Its place is free for the next one.
        void delivery.finally(() => {
          underWay.delete(delivery);
          wakeUp();
        });
      }
      return undefined;
    },
    async end() {
      await Promise.all(underWay);
    },
  };
}
