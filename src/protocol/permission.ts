// What an agent asks permission for, and what the rules answer.

export interface AskedPermission {
  readonly agent: string;
  /** As the agent's program calls it. */
  readonly tool: string;
  readonly input: unknown;
  /** Where the program stands; absolute. */
  readonly cwd: string;
}

export interface JudgedPermission {
  readonly decision: "allow" | "ask" | "deny";
  /** The rule that decided: where it stands, or which default. */
  readonly rule: string;
  /** The part of the request that was decisive. */
  readonly part: string;
  readonly why: string;
  /** The task that the agent has in hand. */
  readonly task: string | null;
}
