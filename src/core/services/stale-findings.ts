// From generated code that is older than its contract to a finding of the repository it lies in, and whether the code has followed a
// change already. Pure. Our side is the worktree with the generated files; theirs the provider's.

import { createHash } from "node:crypto";
import type { Evidence, FindingDraft, PairSide } from "../../protocol/findings.ts";
import type { ContractChange } from "../contracts/format.ts";
import { hunk, sideIdentity } from "../findings/pair-finding.ts";

export interface StaleGenerated {
  readonly provider: string;
  readonly contract: string;
  /** The files generated from it, in the worktree. */
  readonly files: readonly string[];
  readonly changes: readonly ContractChange[];
  readonly sides: { readonly ours: PairSide; readonly theirs: PairSide };
  /** It is on the branch that work lands on; otherwise somebody is still at it. */
  readonly isLanded: boolean;
}

const mostEvidence = 50;
const mostFiles = 20;
const mostNamed = 3;

export function staleFinding(repository: string, stale: StaleGenerated): FindingDraft {
  const { provider, contract, files, changes, sides, isLanded } = stale;
  const identities = [sideIdentity(sides.ours), sideIdentity(sides.theirs)].sort();
  const evidence = changes.slice(0, mostEvidence).map((change) => evidenceOf(stale, change));
  const isHarmless = changes.every(({ verdict }) => verdict === "compatible");
  return {
    kind: "stale-types-elsewhere",
    // Work that has not landed may still change, and there is nothing to generate from yet.
    severity: isLanded && !isHarmless ? "medium" : "low",
    fingerprint: createHash("sha256")
      .update(JSON.stringify([repository, ...identities, "stale-types-elsewhere", provider, contract]))
      .digest("hex")
      .slice(0, 32),
    title: title(stale),
    action: isLanded
      ? `Generate ${shown(files)} again from ${contract} of ${provider}.`
      : `When that lands, generate ${shown(files)} again.`,
    files: files.slice(0, mostFiles),
    symbols: [`${provider} ${contract}`],
    evidence,
    evidenceKind: [...new Set(evidence.map((one) => `${one.rule} ${one.path}`))].sort().join("\n"),
  };
}

function title({ provider, contract, files, changes, sides, isLanded }: StaleGenerated): string {
  const named = changes.slice(0, mostNamed).map(({ path }) => path);
  const more = changes.length > named.length ? ` and ${changes.length - named.length} more` : "";
  const what = `${named.join(", ")}${more}`;
  if (isLanded) {
    const be = files.length === 1 ? "is" : "are";
    return `${shown(files)} ${be} older than ${contract} of ${provider} on ${sides.theirs.label}: ${what}`;
  }
  return `${sides.theirs.label} changes ${contract} of ${provider}, from which ${shown(files)} ${files.length === 1 ? "was" : "were"} generated: ${what}`;
}

function shown(files: readonly string[]): string {
  const [first = "", ...others] = files;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function evidenceOf(
  { contract, files }: StaleGenerated,
  { rule, path, text, before, after }: ContractChange,
): Evidence {
  const [first] = files;
  const values = before === null && after === null ? "" : ` (was ${before ?? "nothing"}, is ${after ?? "nothing"})`;
  return {
    rule,
    path: contract,
    symbol: path,
    ours: first === undefined ? [] : [hunk(first, 1, "")],
    theirs: [],
    message: `${path}: ${text}${values}`,
  };
}

/** The names that tell whether generated code has followed: what came must be there, or where nothing came, what went must not. */
export function tellingNames(changes: readonly ContractChange[]): string[] {
  return [...new Set(telling(changes).flatMap(({ names }) => names))].sort();
}

function telling(changes: readonly ContractChange[]): readonly ContractChange[] {
  const named = changes.filter(({ names }) => names.length > 0);
  const came = named.filter(({ before, after }) => before === null && after !== null);
  return came.length > 0 ? came : named.filter(({ before, after }) => after === null && before !== null);
}

/**
 * Tells whether the generated code shows the changes already, as when it was made from a branch before that landed. `isEdited`: the files
 * are being worked on, so one change that they show is enough, and if no name could tell, the edit itself is.
 */
export function hasFollowed(
  changes: readonly ContractChange[],
  held: readonly string[],
  { isEdited }: { readonly isEdited: boolean },
): boolean {
  const decisive = telling(changes);
  if (decisive.length === 0) return isEdited;
  const isShown = ({ before, names }: ContractChange): boolean =>
    before === null ? names.every((name) => held.includes(name)) : names.every((name) => !held.includes(name));
  return isEdited ? decisive.some(isShown) : decisive.every(isShown);
}
