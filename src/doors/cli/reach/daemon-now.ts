// Whether the daemon is there and answers. Asking never starts it.

import { join } from "node:path";
import { Door } from "../../../client/door.ts";
import { isOutOfReach, isSilent } from "../../../client/no-daemon.ts";
import { daemonProof } from "../../../host/keys/daemon-proof.ts";
import { inHome } from "../../../settings/paths.ts";

/** Silent is one that is there and does not answer; of one that is out of reach nothing is known. */
export type DaemonSeen = "answers" | "silent" | "out of reach" | "absent";

/** As long as it takes to be let in; one that let us in and then says nothing is as silent. */
export const answerMs = 5_000;

export async function daemonNow(home: string, signal?: AbortSignal): Promise<DaemonSeen> {
  const late = AbortSignal.timeout(answerMs * 2);
  try {
    const ends = signal === undefined ? late : AbortSignal.any([late, signal]);
    const { ok } = await new Door(join(home, inHome.socket), daemonProof(home)).request("/health", { signal: ends });
    return ok ? "answers" : "absent";
  } catch (cause) {
    if (isOutOfReach(cause)) return "out of reach";
    return isSilent(cause) || late.aborted ? "silent" : "absent";
  }
}
