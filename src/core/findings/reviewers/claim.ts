// An edit by one side inside what the other has claimed for itself. Claims come with tasks; here they are only read.

import type { LiveClaim } from "../../../protocol/claims.ts";
import { claimMatcher } from "../../claims/claim-paths.ts";
import { hunk, ours, type PairFinding, theirs } from "../pair-finding.ts";
import type { SideChanges } from "../scene.ts";

/** `claims` hold for a side when its holder works there; the caller says which those are. */
export function reviewClaims(
  claims: { readonly ours: readonly LiveClaim[]; readonly theirs: readonly LiveClaim[] },
  changes: { readonly ours: SideChanges; readonly theirs: SideChanges },
): PairFinding[] {
  return [
    ...claims.theirs.flatMap((claim) => trespass(claim, changes.ours, true)),
    ...claims.ours.flatMap((claim) => trespass(claim, changes.theirs, false)),
  ];
}

function trespass(claim: LiveClaim, changes: SideChanges, isOurs: boolean): PairFinding[] {
  const isClaimed = claimMatcher(claim.patterns);
  // Moving a file out is a change inside.
  const inside = changes.files.filter(({ path, from }) => isClaimed(path) || (from !== undefined && isClaimed(from)));
  const [first] = inside;
  if (first === undefined) return [];
  const [editor, holder] = isOurs ? [ours, theirs] : [theirs, ours];
  const why = claim.reason === "" ? "" : `: ${claim.reason}`;
  const what = inside.length === 1 ? first.path : `${inside.length} files, ${first.path} among them,`;
  return [
    {
      kind: "claim",
      severity: claim.severity,
      subject: claim.id,
      title: `${editor} changes ${what} inside what ${claim.holder} (${holder}) has claimed${why}`,
      action: `Ask ${claim.holder} first, or wait until the claim ends.`,
      symbols: [],
      evidence: inside.map(({ path }) => ({
        rule: "claimed",
        path,
        symbol: null,
        ours: isOurs ? [hunk(path, 1, "")] : [],
        theirs: isOurs ? [] : [hunk(path, 1, "")],
        message: `${path} is claimed by ${claim.holder}.`,
      })),
    },
  ];
}
