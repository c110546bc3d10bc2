// The dispatcher: delivers what was admitted, gives queued tasks to clones as they become free, and finishes what a daemon that
// was killed left half done. Woken by what happens to tasks and agents; otherwise it looks now and then.

import { dispatchRound } from "../core/tasks/dispatch-round.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { LoopDeclaration } from "./loops.ts";

export function dispatchLoop(parts: LoopParts): LoopDeclaration {
  const { store, clock, random, taskMachine, log } = parts;
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon", machine: taskMachine };
  const underWay = new Set<Promise<void>>();
  let wakeUp = (): void => {};
  let forget = (): void => {};
  return {
    name: "dispatch",
    everyMs: 2_000,
    begin(wake) {
      wakeUp = wake;
      forget = store.onCommit((events) => {
        if (events.some(({ type }) => type.startsWith("task.") || type === "agent.seen-changed")) wake();
      });
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
      forget();
      await Promise.all(underWay);
    },
  };
}
