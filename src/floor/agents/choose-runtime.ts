// Chooses the program that an agent is started on.

import type { AgentRole } from "../../ports/agent-launch.ts";

export interface RuntimeQuestion {
  readonly role: AgentRole;
  /** `--type`. */
  readonly type: string | undefined;
  /** AGENT_RUNTIME. */
  readonly runtimeOfRoot: string | undefined;
  /** The program it was launched on last. */
  readonly launched: string | undefined;
  /** It is wanted and gone: it comes back as what it was. */
  readonly recovering: boolean;
  readonly configured: string;
}

/** `--type`, then AGENT_RUNTIME for root and watchdog, then what it was before, then the setting. */
export function chooseRuntime(question: RuntimeQuestion): string {
  const { role, type, runtimeOfRoot, launched, recovering, configured } = question;
  if (type !== undefined) return type;
  if (runtimeOfRoot !== undefined && (role === "root" || role === "watchdog")) return runtimeOfRoot;
  // The watchdog's program is chosen once, with `agentinfinity --type`, and kept.
  if (launched !== undefined && (recovering || role === "watchdog")) return launched;
  return configured;
}
