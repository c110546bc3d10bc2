// The dispatcher: gives queued tasks to clones as they become free, and finishes what a daemon that was killed left half given.

import { dispatchRound } from "../core/tasks/dispatch-round.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

export function dispatchLoop(parts: LoopParts): Round {
  const { store, clock, random, taskMachine, log } = parts;
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon", machine: taskMachine };
  return {
    async round(signal) {
      await dispatchRound(context, signal, log);
      return undefined;
    },
  };
}
