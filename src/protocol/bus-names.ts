// Names on the bus, and whose word each of them is. People's agents are `agent` and a number, and the watchdog, and
// workers (`agentw` and a name); every other name is constel's own (`agentdispatch`, `agentcron`, …), or the owner's. What comes in one of those without constel's or the
// owner's signature is an impostor.

import { isGuestId, isWorkingAgent, watchdogAgent } from "./agent-id.ts";

/** The sender of a person's message. */
export const ownerOnBus = "agentowner";

/** In a name that only constel or the owner may use. `agentg` and twelve hex digits are sessions that people started. */
export const isReserved = (from: string): boolean =>
  !isWorkingAgent(from) && !isGuestId(from) && from !== watchdogAgent;

/** The mailbox of what is for agents of other constellations; constel carries it on. */
export const meshPost = "agentmesh";

/** Kinds that only constel sends: work, and what becomes of it. */
const reservedKinds: ReadonlySet<string> = new Set(["brief", "cancelled", "released", "resume"]);

export const isReservedKind = (kind: string | undefined): boolean => kind !== undefined && reservedKinds.has(kind);

/** What came over the mesh is vouched for by the constellation that took it in, whatever name its sender has there. */
export function keyHolderFor(from: string, origin?: string): string {
  if (origin !== undefined) return "constellation";
  if (from === ownerOnBus) return "owner";
  return isReserved(from) ? "constellation" : from;
}

/** Tells whether a holder's signature proves that this message is from the sender it names. */
export function mayVouchFor(holder: string, from: string, origin?: string): boolean {
  if (origin !== undefined) return holder === "constellation";
  if (from === ownerOnBus) return holder === "owner" || holder === "constellation";
  return holder === (isReserved(from) ? "constellation" : from);
}
