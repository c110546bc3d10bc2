// Looks after tasks at leisure: what is kept of removed workspaces and of ready work, and, where the settings say so, clones that pushed
// their branch and stand idle.

import { letGoOfKept } from "../../core/tasks/landing/ready-refs.ts";
import { takePushed } from "../../core/tasks/assigning/pushed.ts";
import { recoverWorkspaces, sweepWorkspaces } from "../../core/tasks/workspaces/recover-workspaces.ts";
import { pruneRescues } from "../../core/tasks/workspaces/rescues.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

const hourMs = 3_600_000;
const recoverAfterMs = 10_000;

export function tidyLoops(parts: LoopParts): {
  readonly tidy: Round;
  readonly recover: Round;
  readonly pushed: Round | undefined;
} {
  const { store, clock, random, taskMachine, log } = parts;
  const { config } = parts.settings;
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon", machine: taskMachine };
  const tidy: Round = {
    async round() {
      await pruneRescues(context, { keepMs: config["workspaces.rescue_days"] * 24 * hourMs, log });
      await letGoOfKept(context);
      await sweepWorkspaces(context, log);
      return undefined;
    },
  };
  /** A workspace that cannot be recovered is tried in every round, and told once. */
  const said = new Set<string>();
  const patience = { ms: recoverAfterMs, since: new Map<string, number>() };
  const recover: Round = {
    async round() {
      const tell = (line: string): void => {
        if (!said.has(line)) log(line);
        said.add(line);
      };
      await recoverWorkspaces(context, tell, patience);
      return undefined;
    },
  };
  const pushed: Round = {
    async round() {
      await takePushed(context);
      return undefined;
    },
  };
  return { tidy, recover, pushed: config["tasks.ready_when_pushed"] ? pushed : undefined };
}
