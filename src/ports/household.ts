// Tells whose a process is, and what must be known of a home to say so.

import type { ProcessMark } from "./machine.ts";

export interface KnownAgent {
  readonly agent: string;
  /** The process that leads its terminal. */
  readonly leader?: ProcessMark;
  /** Its file is not as constel wrote it: whatever it says gives no rights. */
  readonly isUnproven?: boolean;
  /** A process of the owner's that was let go of: what is around it says nothing. */
  readonly isLoose?: boolean;
  /** Acts for the owner: the ticker. */
  readonly isOwners: boolean;
  /** A session that a person started: what is around its process is the person's own. */
  readonly isGuest?: boolean;
}

export interface Household {
  readonly home: string;
  readonly agents: readonly KnownAgent[];
  /** The tmux sockets in use, with whose names the names of the agents' control groups begin. */
  readonly tmuxSockets: readonly string[];
  /** What the daemon starts (gates, set-up commands) is nobody's. */
  readonly daemonPid: number | undefined;
}

export type Belonging =
  | { readonly to: "owner" }
  | {
      readonly to: "agent";
      readonly agent: string;
      readonly by: "control group" | "ancestor" | "terminal" | "environment" | "key";
    }
  | { readonly to: "nobody"; readonly why: string };
