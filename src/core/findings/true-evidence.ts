// The lines that findings show, put where each side has them in its own file, with what that side changed there.

import type { Side } from "../../ports/semantic.ts";
import type { EvidenceHunk } from "../../protocol/findings.ts";
import type { PairFinding } from "./pair-finding.ts";
import { withChanges } from "./side-changes.ts";
import { SideTexts, type Trees } from "./side-texts.ts";

/**
 * The findings with every shown line put where its side has it, and with what the side changed there; what its side does not have is not
 * shown.
 */
export async function withTrueEvidence(
  findings: readonly PairFinding[],
  scene: Trees,
): Promise<readonly PairFinding[]> {
  const texts = new SideTexts(scene);
  const kept = async (side: Side, hunks: readonly EvidenceHunk[]): Promise<EvidenceHunk[]> => {
    const found: EvidenceHunk[] = [];
    for (const hunk of hunks) {
      // A piece without lines only names the file.
      if (hunk.text === "") {
        if ((await texts.lines(side, hunk.path)) !== undefined) found.push(hunk);
        continue;
      }
      const place = await texts.find(side, hunk);
      if (place !== undefined) found.push(place);
    }
    return found;
  };
  return await Promise.all(
    findings.map(async (finding) => {
      const evidence = await Promise.all(
        finding.evidence.map(async (one) => ({
          ...one,
          ours: await kept("ours", one.ours),
          theirs: await kept("theirs", one.theirs),
        })),
      );
      return await withChanges({ ...finding, evidence }, texts);
    }),
  );
}
