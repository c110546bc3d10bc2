// A headless turn that failed, from what its program said last: whether it was a limit, a login, or something else.

import type { HeadlessOutcome, Usage } from "../../ports/runtime.ts";
import { failureIn, limitFrom } from "./limits.ts";

export function failedTurn(
  said: string,
  { sessionId, usage, nowMs }: { sessionId: string | undefined; usage: readonly Usage[]; nowMs: number },
): HeadlessOutcome {
  const kind = failureIn(said);
  return {
    ok: false,
    text: "",
    sessionId,
    usage,
    denied: [],
    error: said,
    ...(kind === "limit" ? { limit: limitFrom(said, nowMs) } : kind === "login" ? { loggedOut: true } : {}),
  };
}
