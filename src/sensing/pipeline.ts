// Everything there is to say about two lines of work: the pair's snapshots and git's verdict on their merge go in, a verdict
// comes out. `check`, `try` and the watcher all drive this one pipeline. They differ in what they give it: whether the
// compiler and the gate are asked at once or later, and whether there are claims. Nothing is remembered but through the
// parts; opening and closing findings and telling people are left to others.

import { type FindingDraft, type OpenPart, type PairSide, type PairVerdict, severities } from "../protocol/findings.ts";
import { messageOf } from "../protocol/errors.ts";
import { inTurn, OverBudget, type Subject } from "../ports/budget.ts";
import { mayPass, type MergeOutcome, type RepositoryObserver } from "../ports/git.ts";
import { repositoryConfigOrNotes } from "../core/findings/repository-config.ts";
import type { OwnPatterns } from "../core/findings/exclusions.ts";
import { named, type PairFinding, type Reviewed, toDraft } from "../core/findings/pair-finding.ts";
import { reviewClaimed } from "../core/findings/kinds.ts";
import type { MergedOutcome } from "../core/findings/scene.ts";
import { type AskCompilers, PairTypes } from "./ask-compilers.ts";
import { type ClaimParts, claimScene } from "./claim-scene.ts";
import { type GateParts, PairGate } from "./ask-gate.ts";
import { hasOthersWork, type MergedPair, type ReviewedSide } from "./merged-pair.ts";
import type { OwnSettings, RepositoryMemory } from "./repository-memory.ts";
import { ownFaults } from "./own-faults.ts";
import { reviewMerge } from "./review-merge.ts";
import { openClaims, openFiles, openOperations, openSides } from "./open-parts.ts";

export interface PipelineParts {
  readonly observer: RepositoryObserver;
  readonly memory: RepositoryMemory;
  /** Decides when the languages' compilers are asked. */
  readonly compilers: AskCompilers;
  readonly claims?: ClaimParts;
  /** Runs the repository's own code, so only where the owner asked for it. */
  readonly gate?: GateParts;
  /** Instead of what the repository's constel.toml says where both sides began. */
  readonly patterns?: OwnPatterns;
  /** A pair that takes longer is answered as far as it got. */
  readonly deadlineMs: number;
  readonly log: (line: string) => void;
}

/** Part of every key: raise it when a reviewer would answer differently, so that old answers are not used again. */
const engineVersion = 7;

export class PairPipeline {
  readonly #parts: PipelineParts;
  readonly #types: PairTypes;
  readonly #gate: PairGate | undefined;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#types = new PairTypes(parts, parts.compilers);
    this.#gate = parts.gate === undefined ? undefined : new PairGate(parts, parts.gate);
  }

  /** Never fails: what could not be worked out is open. */
  async judge(
    ours: ReviewedSide,
    theirs: ReviewedSide,
    merge: MergeOutcome,
    signal?: AbortSignal,
  ): Promise<PairVerdict> {
    const silent = (open: readonly OpenPart[], notes: readonly string[] = []): PairVerdict =>
      verdictOf(ours.side, theirs.side, [], open, notes);
    if (merge.kind === "skipped") {
      // Histories that share nothing never meet. A side without a first commit has none yet, and anything else may be different the next time.
      const hasHistory = [ours, theirs].every(({ snapshot }) => snapshot.parents.length > 0);
      if (merge.reason === "unrelated" && hasHistory) return silent([], [`not compared: ${merge.detail}`]);
      const passing = mayPass(merge.reason) ? { mayPass: true } : {};
      return silent([{ what: "comparison", why: `not compared: ${merge.detail}`, ...passing }]);
    }
    // What was seen of them is the same; what could not be looked at may not be.
    if (ours.snapshot.tree === theirs.snapshot.tree) return silent(unseenOf(ours, theirs), ["the two are the same"]);
    try {
      return await inTurn(this.#subject(ours, theirs, merge), () => this.#judge(ours, theirs, merge, signal));
    } catch (cause) {
      if (cause instanceof OverBudget) return silent([{ what: "comparison", why: `not compared: ${cause.message}` }]);
      if (signal?.aborted === true) throw cause;
      this.#parts.log(`bug in the review of ${ours.side.label} and ${theirs.side.label}: ${stackOf(cause)}`);
      return silent([{ what: "comparison", why: `not compared: ${messageOf(cause)}`, mayPass: true }]);
    }
  }

  async #judge(
    ours: ReviewedSide,
    theirs: ReviewedSide,
    merge: MergedOutcome,
    signal: AbortSignal | undefined,
  ): Promise<PairVerdict> {
    const { observer, claims } = this.#parts;
    const limits = [AbortSignal.timeout(this.#parts.deadlineMs), ...(signal === undefined ? [] : [signal])];
    const own = await this.#settings(merge);
    const pair = { ours, theirs, merge, patterns: own.patterns, signal: AbortSignal.any(limits) };
    const review = await this.#types.add(await this.#remembered(pair), pair, signal);
    const claimed = claims === undefined ? undefined : await claimScene(this.#parts, claims, pair);
    const found: PairFinding[] = [...review.findings, ...(claimed === undefined ? [] : await reviewClaimed(claimed))];
    // What others wrote on other machines is read here and never run.
    const gate = hasOthersWork(pair) ? undefined : await this.#gate?.ask(found, pair, signal);
    const open = [
      ...own.open,
      ...review.open,
      ...(gate?.open ?? []),
      ...(await ownFaults(observer, this.#parts.memory, pair)),
      ...openClaims(claims?.unknown),
      ...unseenOf(ours, theirs),
    ];
    const drafts = [...found, ...(gate?.findings ?? [])].map((one) =>
      toDraft(one, observer.identity, { ours: ours.side, theirs: theirs.side }),
    );
    const unasked = [review, ours, theirs].flatMap((one) => one.notes ?? []);
    const verdict = verdictOf(ours.side, theirs.side, drafts, open, unasked);
    return { ...verdict, complete: verdict.complete && unasked.length === 0 };
  }

  #subject(ours: ReviewedSide, theirs: ReviewedSide, { bases }: MergedOutcome): Subject {
    const parts = [ours.snapshot.tree, theirs.snapshot.tree];
    const name = `${ours.side.label} and ${theirs.side.label}`;
    return {
      kind: "pair",
      repository: this.#parts.observer.identity,
      name,
      key: [...parts, ...bases].join(" "),
      parts,
    };
  }

  /** What follows from the trees alone is worked out once for them, whoever has them. */
  async #remembered(pair: MergedPair): Promise<Reviewed> {
    const { observer, memory } = this.#parts;
    const { ours, theirs, merge, patterns } = pair;
    const kind = merge.kind === "clean" ? "clean" : merge.tree;
    const trees = [ours.snapshot.tree, theirs.snapshot.tree];
    const key = JSON.stringify([engineVersion, ...trees, merge.bases, kind, patterns]);
    const known = memory.reviews.get(key);
    if (known !== undefined) return known;
    const fresh = await reviewMerge(observer, memory, pair);
    // What was cut short by a deadline is tried again the next time.
    if (!pair.signal.aborted && fresh.isForNow !== true) memory.reviews.set(key, fresh);
    return fresh;
  }

  /** The repository's own word on which files count, from the work that both sides share. */
  async #settings({ bases: [base] }: MergedOutcome): Promise<OwnSettings> {
    const { observer, memory, patterns } = this.#parts;
    if (patterns !== undefined || base === undefined) return { patterns: patterns ?? noPatterns, open: [] };
    const known = memory.settings.get(base);
    if (known !== undefined) return known;
    const { config, notes } = await repositoryConfigOrNotes(observer, base);
    const own: OwnSettings = {
      patterns: config?.findings ?? noPatterns,
      open: notes.map((why) => ({ what: "settings", why })),
    };
    memory.settings.set(base, own);
    return own;
  }
}

/** Returns what was not looked at in the sides themselves, whatever follows from the rest. */
function unseenOf(ours: ReviewedSide, theirs: ReviewedSide): OpenPart[] {
  return [...openOperations(ours, theirs), ...openFiles(ours, theirs), ...openSides(ours, theirs)];
}

const noPatterns: OwnPatterns = { exclude: [], include: [] };

function verdictOf(
  ours: PairSide,
  theirs: PairSide,
  findings: readonly FindingDraft[],
  open: readonly OpenPart[],
  notes: readonly string[],
): PairVerdict {
  const say = (text: string): string => named(text, { ours, theirs });
  return {
    ours,
    theirs,
    findings: findings.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)),
    complete: open.length === 0,
    open: once(open).map((part) => ({ ...part, why: say(part.why) })),
    notes: notes.map(say),
  };
}

/** A file that is lacking is missed by whoever is asked about the pair, its compiler too. */
function once(open: readonly OpenPart[]): OpenPart[] {
  return [...new Map(open.map((part) => [`${part.what} ${part.why}`, part])).values()];
}

function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
