// Decides who may do what with a decision. Pure.
//
//   draft ──accept──▶ active        draft, active ──reject──▶ rejected        draft, active ──replaced──▶ superseded
//
// What the owner recorded or accepted is the owner's: no agent replaces, rejects or accepts it in the owner's place. A clone settles its own
// decisions; the root and the watchdog settle every agent's.

import type { Asker } from "../../protocol/authority.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { DecisionsTable } from "../../store/tables/told.ts";

export type DecisionMove = "accept" | "reject" | "supersede";

type Standing = Pick<DecisionsTable, "id" | "state" | "recorded_by" | "owner_verified">;

/** The refusal, or undefined when they may. */
export function refuseMove(asker: Asker, decision: Standing, move: DecisionMove): Refusal | undefined {
  const facts = { id: decision.id, state: decision.state, recorded_by: decision.recorded_by };
  const isLive = decision.state === "draft" || decision.state === "active";
  if (!isLive)
    return new Refusal(
      "decision.not-allowed",
      `${decision.id} is ${decision.state}, so it can no longer be changed`,
      facts,
    );
  if (asker.role === "owner") return undefined;
  const isOwners = decision.owner_verified === 1 || decision.recorded_by === "owner";
  if (isOwners)
    return new Refusal("decision.owners", `${decision.id} is the owner's: ${asker.name} may not ${move} it`, facts);
  // Replacing says who did it and why, and both stay; settling another's decision is for those who run the constellation.
  if (move === "supersede" || asker.role !== "clone" || asker.name === decision.recorded_by) return undefined;
  return new Refusal(
    "decision.not-allowed",
    `only ${decision.recorded_by}, the root or the owner may ${move} it`,
    facts,
  );
}
