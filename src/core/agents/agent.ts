// What is known of an agent: what we wanted (the launch file says), and what was seen, with the evidence it rests on.

import type { z } from "zod";
import type { agentShape } from "../../protocol/operations/agents.ts";
import type { AgentState, AgentStatus } from "../../ports/runtime.ts";

/** An agent as operations answer it. */
export type AgentNow = z.output<typeof agentShape>;

/** What a runtime can tell, and what only a look from outside can: that it hangs, that we paused it. */
export type SeenState = AgentState | "hung" | "paused";

export interface Seen {
  readonly state: SeenState;
  /** limited: when it lifts. */
  readonly untilMs?: number | undefined;
  readonly on: AgentStatus["rests"]["on"];
  /** In plain words. */
  readonly says: string;
  readonly atMs?: number | undefined;
}

/** How a session ended, as the terminal tells. */
export interface SessionEnd {
  readonly exitStatus?: number | undefined;
  readonly exitSignal?: number | undefined;
}

/** One look at one agent. */
export interface AgentSighting {
  readonly agent: string;
  readonly role: string;
  readonly runtime: string;
  /** Of a guest, a session that a person started, nothing is. */
  readonly wanted: "up" | "down" | "paused" | "nothing";
  readonly seen: Seen;
  /** When it was launched; names the session together with the agent. */
  readonly launchedMs: number;
  readonly because: string;
  readonly sessionId?: string | undefined;
  readonly cwd: string;
  readonly model?: string | undefined;
  /** Set once its program has ended. */
  readonly ended?: SessionEnd | undefined;
  /** Why its messages wait; null when none do, or nothing holds them. */
  readonly mailHeld: string | null;
}

/** In an agent's day, by the UTC date. */
export interface Spent {
  readonly tokens: number;
  /** Only of answers whose price is known. */
  readonly micros: number;
}
