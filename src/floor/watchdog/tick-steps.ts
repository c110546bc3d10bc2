// The steps a tick takes today.

import type { Bus } from "../bus/bus.ts";
import { agentsWithMailbox } from "../bus/list.ts";
import { finishToMany } from "../bus/send-to-many.ts";
import { sweep } from "../bus/sweep.ts";
import type { TickStep } from "./tick.ts";

export interface DaemonPorts {
  daemonAnswers(signal: AbortSignal): Promise<boolean>;
  startDaemon(): Promise<unknown>;
}

/** The daemon is there, or is started. */
export function daemonStep(ports: DaemonPorts): TickStep {
  return {
    name: "daemon",
    deadlineMs: 30_000,
    async take(_, signal) {
      if (await ports.daemonAnswers(signal)) return "answers";
      await ports.startDaemon();
      return "was not there; started";
    },
  };
}

/** What time has made useless in the mailboxes goes. */
export function mailboxStep(bus: Bus): TickStep {
  return {
    name: "mailboxes",
    deadlineMs: 10_000,
    async take() {
      finishToMany(bus);
      let removed = 0;
      for (const agent of agentsWithMailbox(bus)) {
        const { temporaries, done, seen } = sweep(bus, agent);
        removed += temporaries + done + seen;
      }
      return removed === 0 ? "nothing to sweep" : `${removed} old files removed`;
    },
  };
}
