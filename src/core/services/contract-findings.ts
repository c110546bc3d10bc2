// From what became of contracts to findings: who uses a contract that a worktree breaks, and works on something now, has one. Pure. Our
// side is the consumer's worktree, theirs the provider's; the finding belongs to the consumer's repository.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { listed } from "../../protocol/listed.ts";
import type { ContractChange } from "../contracts/format.ts";
import { hunk, sideIdentity } from "../findings/pair-finding.ts";
import type { Evidence, FindingDraft, OpenPart, PairSide, PairVerdict, Severity } from "../../protocol/findings.ts";
import type { ContractOutcome } from "./contract-outcome.ts";
import type { UseLine } from "./find-uses.ts";
import { contractTitle, routesDirectory } from "./repository-interfaces.ts";
import type { ConsumerKind } from "./service-graph.ts";

export interface BrokenContract {
  /** The service that provides it. */
  readonly provider: string;
  readonly outcome: ContractOutcome;
  /** The service of the consumer's repository, and how it uses the contract. */
  readonly consumer: string;
  readonly kind: ConsumerKind;
  readonly chain: readonly string[];
  readonly sides: { readonly ours: PairSide; readonly theirs: PairSide };
  /** The name people give the work that it is merged with. */
  readonly mergedLabel?: string | undefined;
  /** The consumer's own lines that hold a name of what changed. */
  readonly uses: readonly UseLine[];
  /** It is on the branch that work lands on, so that nobody can take it back in review. */
  readonly isLanded: boolean;
}

const severityOf: Readonly<Record<ConsumerKind, Severity>> = { direct: "high", tests: "medium", indirect: "medium" };
/** Routes that are only inferred may be misread. */
const lowered: Readonly<Record<ConsumerKind, Severity>> = { direct: "medium", tests: "low", indirect: "low" };
const mostEvidence = 50;
const mostNamed = 3;

export function contractFinding(repository: string, broken: BrokenContract): FindingDraft {
  const { outcome, provider, sides, kind } = broken;
  const isUnread = outcome.result.kind === "unreadable";
  const evidence = outcome.result.kind === "unreadable" ? unread(outcome) : changed(broken, outcome.result.breaking);
  const identities = [sideIdentity(sides.ours), sideIdentity(sides.theirs)].sort();
  const { mergedWith } = outcome;
  const merged = mergedWith === null ? [] : [`merged with ${mergedWith}`];
  const subject = [isUnread ? "unreadable" : "breaking", provider, outcome.contract, ...merged];
  return {
    kind: "contract",
    // While somebody is typing a specification often cannot be read: whoever asks is shown it, nobody is told. Two that can be read and
    // together cannot are another matter.
    severity: isUnread && mergedWith === null ? "context" : (isInferred(outcome) ? lowered : severityOf)[kind],
    fingerprint: createHash("sha256")
      .update(JSON.stringify([repository, ...identities, "contract", ...subject]))
      .digest("hex")
      .slice(0, 32),
    title: isUnread ? unreadTitle(broken) : title(broken, outcome.result.breaking),
    action: action(broken, isUnread),
    files: [...new Set(broken.uses.map(({ path }) => path))].sort(),
    symbols: [`${provider} ${outcome.contract}`],
    evidence: evidence.slice(0, mostEvidence),
    evidenceKind: [...new Set(evidence.map((one) => `${one.rule} ${one.path}`))].sort().join("\n"),
  };
}

/** Returns the verdict on a pair: its findings, and the parts of the contracts that could not be looked at. */
export function contractVerdict(
  sides: { readonly ours: PairSide; readonly theirs: PairSide },
  broken: readonly BrokenContract[],
  more: { readonly findings: readonly FindingDraft[]; readonly open: readonly OpenPart[] },
): PairVerdict {
  // An unreadable part of a merge says nothing of either side alone.
  const alone = broken.filter(({ outcome }) => outcome.mergedWith === null);
  const unread = alone.flatMap(({ outcome: { result, contract } }): OpenPart[] => {
    if (result.kind === "unreadable") return [{ what: "syntax", why: `${contract} was not compared` }];
    return result.complete ? [] : [{ what: "bound", why: result.notes[0] ?? `${contract} was not compared in full` }];
  });
  const open = [...unread, ...more.open];
  return { ...sides, findings: more.findings, open, complete: open.length === 0, notes: [] };
}

function title(broken: BrokenContract, changes: readonly ContractChange[]): string {
  const { provider, outcome, sides, consumer, isLanded } = broken;
  const named = changes.slice(0, mostNamed).map(({ path }) => path);
  const more = changes.length > named.length ? ` and ${changes.length - named.length} more` : "";
  const what = `${contractTitle(outcome.contract)} of ${provider}${isInferred(outcome) ? " (inferred)" : ""}`;
  if (isLanded) return `${what} broke on ${sides.theirs.label} since ${consumer} began: ${named.join(", ")}${more}`;
  return `${whoOf(broken)} changes ${what} so that ${consumer} breaks: ${named.join(", ")}${more}`;
}

const isInferred = ({ contract }: Pick<ContractOutcome, "contract">): boolean =>
  routesDirectory(contract) !== undefined;

function unreadTitle(broken: BrokenContract): string {
  const { provider, outcome, consumer } = broken;
  return `${contractTitle(outcome.contract)} of ${provider} cannot be read on ${whoOf(broken)}: whether it breaks ${consumer} is not known`;
}

function whoOf({ outcome, sides, mergedLabel }: Pick<BrokenContract, "outcome" | "sides" | "mergedLabel">): string {
  const { label } = sides.theirs;
  return outcome.mergedWith === null ? label : `${label} merged with ${mergedLabel ?? basename(outcome.mergedWith)}`;
}

function action({ kind, chain, provider, uses, sides, isLanded }: BrokenContract, isUnread: boolean): string {
  if (isUnread) return `Nothing to do yet; when ${sides.theirs.label} can be read again it is compared.`;
  const where = uses.length === 0 ? "" : ` Look at ${places(uses)}.`;
  const how = {
    direct: isLanded
      ? `Follow the change, or ask ${provider} to take it back.`
      : `Agree with ${provider} on a compatible change, or be ready for this one.`,
    tests: `These are tests of ${provider}: change them together with it.`,
    indirect: `It reaches you through ${listed(chain.slice(1, -1))}: see whether what you use there changes too.`,
  };
  return `${how[kind]}${where}`;
}

function places(uses: readonly UseLine[]): string {
  const shown = uses.slice(0, mostNamed).map(({ path, line }) => `${path}:${line}`);
  return uses.length > shown.length ? `${shown.join(", ")} and ${uses.length - shown.length} more` : shown.join(", ");
}

function changed({ outcome, uses }: BrokenContract, changes: readonly ContractChange[]): Evidence[] {
  return changes.map(({ rule, path, text, names, before, after }) => ({
    rule,
    path: outcome.contract,
    symbol: path,
    ours: uses.filter(({ name }) => names.includes(name)).map((use) => hunk(use.path, use.line, use.text)),
    theirs: [],
    message: `${path}: ${text}${wasAndIs(before, after)}`,
  }));
}

function wasAndIs(before: string | null, after: string | null): string {
  return before === null && after === null ? "" : ` (was ${before ?? "nothing"}, is ${after ?? "nothing"})`;
}

function unread({ contract, result }: ContractOutcome): Evidence[] {
  if (result.kind !== "unreadable") return [];
  return result.problems.map(({ path, line, message }) => ({
    rule: "unreadable",
    path: contract,
    symbol: null,
    ours: [],
    theirs: line === null ? [] : [hunk(path, line, "")],
    message: `${path}${line === null ? "" : `:${line}`} ${message}`,
  }));
}
