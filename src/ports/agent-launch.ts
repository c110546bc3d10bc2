// What is wanted of an agent and how it was last started, as kept in `state/agents/<agent>.json`. Written by the floor (up,
// down, restart), so that agents can be brought up, found and ended with the daemon dead; read by the daemon, which adds
// what it sees.

import type { ProcessMark } from "./machine.ts";
import type { Launch } from "./runtime.ts";

export type AgentRole = "root" | "clone" | "watchdog" | "ticker";

/** What the watchdog does when it is down: bring it back, bring it back unless it ended well, leave it. */
export type RestartKind = "always" | "after-failure" | "never";
export const restartKinds: readonly RestartKind[] = ["always", "after-failure", "never"];

export interface AgentLaunch {
  readonly agent: string;
  readonly role: AgentRole;
  /** What we asked for; what is so is for whoever looks. */
  readonly wanted: "up" | "down" | "paused";
  /** The runtime's name. For the ticker, which is no agent program, `script`. */
  readonly runtime: string;
  /** As it was given to the runtime. */
  readonly launch: Launch;
  readonly sessionId?: string;
  /** tmux's socket name, and the session's name, which is the agent's. */
  readonly tmuxSocket: string;
  /** The process that leads the terminal's session; undefined while it is being started. */
  readonly leader?: ProcessMark;
  /** The control group it runs in, where the machine let us make one. */
  readonly cgroup?: string;
  /** Older hook records and transcript rows are another session's. */
  readonly sinceMs: number;
  /** How messages reach it: typed or pushed in by us (the default), or taken by itself with `constel channel drain`. */
  readonly mail?: "inject" | "drain";
  /** Why it was started: `up`, `restart`, `crash`, `hang`. */
  readonly because: string;
  /** It runs where it sees only what is its own. Kept over restarts. */
  readonly confined?: true;
  /** It was taken down together with all the others: the next `up` brings it back. */
  readonly returns?: true;
  /** Absent: `always`. Kept over restarts. */
  readonly restart?: RestartKind;
}

export const launchFile = (agent: string): string => `state/agents/${agent}.json`;
