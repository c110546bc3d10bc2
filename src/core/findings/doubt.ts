// Judges whether the silence of a look says that a finding is over. It does only when the look read everything the finding rests on: not
// while somebody is in the middle of typing, not when a compiler ran out of time, not in the middle of a rebase.

import type { FindingKind, PairVerdict } from "../../protocol/findings.ts";
import { kindOf } from "./kinds.ts";

export interface Doubted {
  readonly kind: FindingKind;
  readonly files: readonly string[];
  /** Only a compiler saw it. */
  readonly byCompiler: boolean;
}

export function isInDoubt(
  { kind, files, byCompiler }: Doubted,
  { open, findings }: Pick<PairVerdict, "open" | "findings">,
): boolean {
  // Work that git cannot merge cannot be compiled.
  if (byCompiler && findings.some((one) => one.kind === "textual")) return true;
  return open.some(({ what, paths = [], isComing, isMoot }) => {
    if (isMoot === true || kindOf(kind)?.restsOn.includes(what) === false) return false;
    if (what === "file") return paths.some((path) => files.includes(path));
    // An answer that will not come says nothing about what the syntax alone shows.
    if (what === "packages" || (what === "types" && isComing !== true)) return byCompiler;
    return true;
  });
}
