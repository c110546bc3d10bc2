// Declares what an agent asks permission for, and what the rules answer.

export interface AskedPermission {
  readonly agent: string;
  /** As the agent's program calls it. */
  readonly tool: string;
  readonly input: unknown;
  /** The directory where the program stands; absolute. */
  readonly cwd: string;
}

export interface JudgedPermission {
  readonly decision: "allow" | "ask" | "deny";
  /** The rule that decided: where it stands, or which default. */
  readonly rule: string;
  /** The part of the request that was decisive. */
  readonly part: string;
  readonly why: string;
  /** Asked, because it might be what a rule of this decision is about: which command it runs does not stand in it. */
  readonly mayBe?: "ask" | "deny";
  /** The task that the agent has in hand. */
  readonly task: string | null;
}

/** A hook's question about the rules, which are files. */
export interface HookQuestion {
  readonly home: string;
  readonly asked: AskedPermission;
  /** It sees neither the owner's settings nor the root directory. */
  readonly confined: boolean;
  /** Before a tool is used only what forbids counts, and nearly every request is one that no rule forbids. */
  readonly onlyForbidding: boolean;
}

/** Undefined when nothing is known to judge by, or no rule could forbid it where only that counts. */
export type JudgeForHook = (question: HookQuestion) => Promise<JudgedPermission | undefined>;
