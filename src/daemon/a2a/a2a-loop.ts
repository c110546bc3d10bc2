// Gives out what outside agents were granted, tells them what becomes of it, and sends that to the addresses they named.

import { pushRound } from "../../core/a2a/push-round.ts";
import { a2aRound } from "../../core/a2a/round.ts";
import { makePushSender } from "../../host/a2a/push-sender.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import type { Round } from "../loops/react.ts";

export function a2aLoop(parts: LoopParts): Round {
  const { settings, store, clock, random, taskMachine: machine, log } = parts;
  const audit = parts.audit === undefined ? {} : { audit: parts.audit };
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon", machine, ...audit };
  const sender = makePushSender({ home: settings.home, clock, allowed: settings.config["a2a.push_allow"] });
  /** All that a round goes by is in the database: an idle time costs nothing. */
  let quietSince = -1;
  return {
    async round(signal) {
      const { writes } = store;
      if (writes === quietSince) return undefined;
      await a2aRound(context, log);
      const dueMs = await pushRound(context, sender, signal);
      quietSince = dueMs === undefined ? writes : -1;
      return dueMs;
    },
  };
}
