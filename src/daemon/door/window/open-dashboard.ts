// Answers `constel dashboard`: a link with a one-time code. Who may ask is said with the operation: the owner's own processes, as the kernel tells.

import { Refusal } from "../../../protocol/errors.ts";
import type { openDashboard as operation } from "../../../protocol/operations/dashboard.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { WindowRole } from "../../../protocol/window.ts";
import { hasPage } from "./page.ts";
import type { WindowSessions } from "./sessions.ts";

export interface WindowOpening {
  readonly sessions: WindowSessions;
  /** Null while the daemon listens on no port. */
  readonly address: () => string | null;
}

export async function openDashboard(
  { sessions, address }: WindowOpening,
  role: WindowRole,
): Promise<OutputOf<typeof operation>> {
  const at = address();
  if (at === null) throw new Refusal("http.off", "the daemon does not listen on loopback HTTP");
  const { fragment, expires_ms } = sessions.makeCode(role);
  return { url: `${at}/#${fragment}`, role, expires_ms, has_page: hasPage() };
}
