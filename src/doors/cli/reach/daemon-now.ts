// Tells whether the daemon is there and answers. Asking never starts it.

import { join } from "node:path";
import { Door } from "../../../client/door.ts";
import { isOutOfReach, isSilent } from "../../../client/no-daemon.ts";
import { daemonProof } from "../../../host/keys/daemon-proof.ts";
import { inHome } from "../../../settings/paths.ts";
import { buildMet, isOtherBuild, otherBuild } from "./other-build.ts";

/**
 * Silent is one that is there and does not answer; of one that is out of reach nothing is known. One that is outdated answers, and is of this
 * installation from before its update.
 */
export type DaemonSeen = "answers" | "outdated" | "silent" | "out of reach" | "absent";

/** As long as it takes to be let in; one that let us in and then says nothing is as silent. */
export const answerMs = 5_000;

export async function daemonNow(home: string, signal?: AbortSignal): Promise<DaemonSeen> {
  const late = AbortSignal.timeout(answerMs * 2);
  try {
    const ends = signal === undefined ? late : AbortSignal.any([late, signal]);
    const door = new Door(join(home, inHome.socket), daemonProof(home), (daemon) => {
      if (buildMet(daemon) === "updated") throw otherBuild(daemon, "updated");
    });
    const { ok } = await door.request("/health", { signal: ends });
    return ok ? "answers" : "absent";
  } catch (cause) {
    if (isOtherBuild(cause)) return "outdated";
    if (isOutOfReach(cause)) return "out of reach";
    return isSilent(cause) || late.aborted ? "silent" : "absent";
  }
}
