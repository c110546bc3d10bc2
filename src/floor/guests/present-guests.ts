// Finds the guests that are there: by their process, not by a sign of life. A process that went on to another session (`/clear`) is there
// for the latest one.

import type { Liveness } from "../../ports/machine.ts";
import { isGuestId } from "../../protocol/agent-id.ts";
import { type Guest, readGuests } from "./guest-files.ts";

export interface Presence {
  readonly here: readonly Guest[];
  /** Their process has ended, or has another session by now. */
  readonly gone: readonly Guest[];
}

export const isGuestHere = (home: string, liveness: Liveness, agent: string): boolean =>
  isGuestId(agent) && presentGuests(home, liveness).here.some((guest) => guest.agent === agent);

export function presentGuests(home: string, liveness: Liveness): Presence {
  const guests = readGuests(home);
  const latest = new Map(guests.map((guest) => [`${guest.process.pid} ${guest.process.token}`, guest]));
  const here = [...latest.values()].filter(({ process }) => !liveness.isProvenDead(process));
  return { here, gone: guests.filter((guest) => !here.includes(guest)) };
}
