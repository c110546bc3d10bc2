// Every marker by which the watchdog leaves an agent alone. An operator's restart clears them all at once: one that was
// forgotten here would keep the watchdog idle after the cause is gone.

import { rootAgent } from "../../protocol/agent-id.ts";
import { removeMarker } from "./marker-files.ts";
import { markers } from "./markers.ts";
import { clearRestartAttempts } from "./restart-attempts.ts";

const { crashloop, startFailures, paged, hang, paneHash, inboxState } = markers;
const held = [crashloop, startFailures, ...Object.values(paged), hang, paneHash, inboxState];
const heldAgainstRoot = [markers.agentInitFailures, markers.agentInitEscalation];

/** Answers the names of what was there, without the agent's. */
export function clearGiveUp(home: string, agent: string): string[] {
  const cleared = held.filter((of) => removeMarker(home, of(agent))).map(({ prefix }) => prefix.slice(0, -1));
  const ofRoot = agent === rootAgent ? heldAgainstRoot.filter((name) => removeMarker(home, name)) : [];
  const attempts = clearRestartAttempts(home, agent) ? ["restart-attempts"] : [];
  return [...cleared, ...attempts, ...ofRoot];
}
