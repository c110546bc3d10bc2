// Every marker by which the watchdog leaves an agent alone. An operator's restart clears them all at once: one that was
// forgotten here would keep the watchdog idle after the cause is gone.

import { rootAgent } from "../../protocol/agent-id.ts";
import { clearAgentInitEscalation, clearAgentInitFailures } from "./agent-init.ts";
import { clearCrashloop } from "./crashloop.ts";
import { clearHang } from "./hang.ts";
import { clearInboxState } from "./inbox-state.ts";
import { clearPaged } from "./paged.ts";
import { clearPaneHash } from "./pane-hash.ts";
import { clearRestartAttempts } from "./restart-attempts.ts";
import { clearStartFailures } from "./start-failures.ts";

/** Answers the names of what was there. */
export function clearGiveUp(home: string, agent: string): string[] {
  const cleared: readonly (readonly [string, boolean])[] = [
    ["crashloop", clearCrashloop(home, agent)],
    ["restart-attempts", clearRestartAttempts(home, agent)],
    ["start-failures", clearStartFailures(home, agent)],
    ["paged", clearPaged(home, agent)],
    ["hang", clearHang(home, agent)],
    ["pane-hash", clearPaneHash(home, agent)],
    ["inbox-state", clearInboxState(home, agent)],
    ...(agent === rootAgent
      ? ([
          ["agentinit-failures", clearAgentInitFailures(home)],
          ["agentinit-escalation", clearAgentInitEscalation(home)],
        ] as const)
      : []),
  ];
  return cleared.filter(([, was]) => was).map(([name]) => name);
}
