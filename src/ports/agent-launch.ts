// Describes what is wanted of an agent and how it was last started, as kept in `state/agents/<agent>.json`. The floor (up, down, restart)
// writes it, so that agents can be brought up, found and ended with the daemon dead. The daemon reads it and adds what it sees.

import type { ProcessMark } from "./machine.ts";
import type { Launch } from "./runtime.ts";

export type AgentRole = "root" | "clone" | "worker" | "watchdog" | "ticker";

/** The watchdog's reaction when the agent is down: bring it back, bring it back unless it ended well, leave it. */
export type RestartKind = "always" | "after-failure" | "never";
export const restartKinds: readonly RestartKind[] = ["always", "after-failure", "never"];

export interface AgentLaunch {
  readonly agent: string;
  readonly role: AgentRole;
  /** The state that we asked for. To learn the real one, look. */
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
  /** The way messages reach it: typed or pushed in by us (the default), or taken by the agent itself with `constel channel drain`. */
  readonly mail?: "inject" | "drain";
  /** The reason why it was started: `up`, `restart`, `crash`, `hang`. */
  readonly because: string;
  /** It runs where it sees only what is its own. Kept over restarts. */
  readonly confined?: true;
  /** It was taken down together with all the others: the next `up` brings it back. */
  readonly returns?: true;
  /** Absent: `always`. Kept over restarts. */
  readonly restart?: RestartKind;
}

export const launchFile = (agent: string): string => `state/agents/${agent}.json`;
