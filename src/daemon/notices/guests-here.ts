// The sessions that people started themselves and that are there now, each with where it really stands.

import type { Guest } from "../../core/notices/scene.ts";
import { presentGuests } from "../../floor/guests/present-guests.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { realPathOf } from "./real-path.ts";

export function guestsHere(home: string): Guest[] {
  return presentGuests(home, systemLiveness).here.map(({ agent, runtime, cwd, isUngreeted, session, startedAt }) => ({
    agent,
    runtime,
    cwd: realPathOf(cwd),
    ...(isUngreeted === true ? { ungreeted: { session, sinceMs: startedAt } } : {}),
  }));
}
