// Describes an agent: what we wanted (the launch file says), and what was seen, with the evidence it rests on.

import type { z } from "zod";
import type { agentShape } from "../../protocol/operations/agents.ts";
import type { AgentState, AgentStatus } from "../../ports/runtime.ts";

/** An agent as operations answer it. */
export type AgentNow = z.output<typeof agentShape>;

/** The states that a runtime can tell, and those that only a look from outside can: that it hangs, that we paused it. */
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

/** The end of a session, as the terminal tells it. */
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
  /** The time it was launched. Together with the agent, it names the session. */
  readonly launchedMs: number;
  readonly because: string;
  readonly sessionId?: string | undefined;
  readonly cwd: string;
  readonly model?: string | undefined;
  /** One of the owner's further accounts. */
  readonly account?: string | undefined;
  /** Set once its program has ended. */
  readonly ended?: SessionEnd | undefined;
  /** The reason why its messages wait. Null if none do, or if nothing holds them. */
  readonly mailHeld: string | null;
}

/** In an agent's day, by the UTC date. */
export interface Spent {
  readonly tokens: number;
  /** Only of answers whose price is known. */
  readonly micros: number;
}
