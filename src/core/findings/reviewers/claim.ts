// An edit by one side inside what the other has claimed for itself. Claims come with tasks; here they are only read.

import type { LiveClaim } from "../../../protocol/claims.ts";
import { claimMatcher } from "../../claims/claim-paths.ts";
import { hunk, ours, type Said, theirs } from "../pair-finding.ts";
import type { SideChanges } from "../scene.ts";

/** The claims of each side, and the edits that each made by its own hand. */
export interface ClaimScene {
  readonly claims: { readonly ours: readonly LiveClaim[]; readonly theirs: readonly LiveClaim[] };
  readonly edits: { readonly ours: SideChanges; readonly theirs: SideChanges };
}

export function reviewClaims({ claims, edits }: ClaimScene): Said[] {
  return [
    ...claims.theirs.flatMap((claim) => trespass(claim, edits.ours, true)),
    ...claims.ours.flatMap((claim) => trespass(claim, edits.theirs, false)),
  ];
}

function trespass(claim: LiveClaim, changes: SideChanges, isOurs: boolean): Said[] {
  const isClaimed = claimMatcher(claim.patterns);
  // Moving a file out is a change inside.
  const inside = changes.files.filter(({ path, from }) => isClaimed(path) || (from !== undefined && isClaimed(from)));
  const [first] = inside;
  if (first === undefined) return [];
  const [editor, holder] = isOurs ? [ours, theirs] : [theirs, ours];
  const why = claim.reason === "" ? "" : `: ${claim.reason}`;
  const what = inside.length === 1 ? first.path : `${inside.length} files, ${first.path} among them`;
  return [
    {
      severity: claim.severity,
      subject: claim.id,
      title: `${editor} edits ${what}, which ${claim.holder} (${holder}) has claimed${why}`,
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
