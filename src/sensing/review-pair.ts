// Everything there is to say about two lines of work: the pair's snapshots and git's verdict on their merge go in, findings
// come out. Nothing is remembered but through the ports; opening, closing and telling people are left to others.

import type { LiveClaim } from "../protocol/claims.ts";
import type { FindingDraft, PairSide, PairVerdict } from "../protocol/findings.ts";
import type { MergeOutcome, RepositoryObserver, Snapshot } from "../ports/git.ts";
import type { OwnPatterns } from "../core/findings/exclusions.ts";
import { type GateOptions, reviewGate } from "../core/findings/gate.ts";
import { reviewClaims } from "../core/findings/reviewers/claim.ts";
import { reviewDependencyDrift } from "../core/findings/reviewers/dependency-drift.ts";
import { reviewDuplicateWork } from "./duplicate-work.ts";
import { reviewMigrationOrder } from "../core/findings/reviewers/migration-order.ts";
import { reviewOverlap } from "../core/findings/reviewers/overlap.ts";
import { toDraft, joined, named, type PairFinding, type Reviewed } from "../core/findings/pair-finding.ts";
import { type MergedOutcome, overlaid, type PairScene, readText, type ReviewMemory } from "../core/findings/scene.ts";
import { type LanguagePorts, reviewSemantic } from "./semantic.ts";
import { reviewStaleTypes } from "../core/findings/reviewers/stale-types.ts";
import { reviewTextual } from "../core/findings/reviewers/textual.ts";

export interface ReviewPorts extends LanguagePorts {
  readonly cache: ReviewCache;
  readonly memory: ReviewMemory;
}

/** Keeps reviews by key; the value is plain JSON. Losing an entry costs a review, nothing else. */
export interface ReviewCache {
  get(key: string): Promise<Reviewed | undefined> | Reviewed | undefined;
  set(key: string, review: Reviewed): unknown;
}

export interface ReviewedSide {
  readonly side: PairSide;
  readonly snapshot: Snapshot;
}

export interface ReviewOptions {
  readonly patterns?: OwnPatterns;
  /** Live claims of whoever works on each side. */
  readonly claims?: { readonly ours: readonly LiveClaim[]; readonly theirs: readonly LiveClaim[] };
  /** Runs the repository's own code, so only when the owner asked for it. */
  readonly gate?: GateOptions;
  /** Stops the work: what was found so far is answered, and `complete` is false. */
  readonly signal?: AbortSignal;
}

/** Part of every key: raise it when a reviewer would answer differently, so that old answers are not used again. */
export const engineVersion = 3;

const noPatterns: OwnPatterns = { exclude: [], include: [] };
/** A pair with more than this has one problem, not a thousand. */
const maxFindings = 200;

export async function reviewPair(
  ports: ReviewPorts,
  observer: RepositoryObserver,
  ours: ReviewedSide,
  theirs: ReviewedSide,
  merge: MergeOutcome,
  options: ReviewOptions = {},
): Promise<PairVerdict> {
  const sides = { ours: ours.side, theirs: theirs.side };
  if (merge.kind === "skipped") {
    return { ...sides, findings: [], complete: false, notes: [`not compared: ${merge.detail}`] };
  }
  const review = await remembered(ports, ours.snapshot, theirs.snapshot, merge, options, () =>
    reviewAll(ports, observer, ours.snapshot, theirs.snapshot, merge, options),
  );
  // These two do not follow from the trees alone, so they are never remembered with them.
  const claimed = await claimsOn(ports, observer, ours.snapshot, theirs.snapshot, merge, options);
  const gate = await gateOn(observer, ours.snapshot, theirs.snapshot, merge, options);
  const flags = [...flagNotes(ours), ...flagNotes(theirs)];
  const findings = [...review.findings, ...claimed, ...gate.findings];
  const draft = (finding: PairFinding): FindingDraft => toDraft(finding, observer.identity, sides);
  return {
    ...sides,
    findings: findings.map(draft).sort(bySeverity),
    complete: review.complete && gate.complete && flags.length === 0,
    notes: [...review.notes, ...gate.notes.map((note) => named(note, sides)), ...flags],
  };
}

async function claimsOn(
  ports: ReviewPorts,
  observer: RepositoryObserver,
  ours: Snapshot,
  theirs: Snapshot,
  merge: MergedOutcome,
  { claims }: ReviewOptions,
): Promise<PairFinding[]> {
  const [base] = merge.bases;
  if (base === undefined || claims === undefined || claims.ours.length + claims.theirs.length === 0) return [];
  const [our, their] = [
    await ports.memory.changes(observer, base, ours),
    await ports.memory.changes(observer, base, theirs),
  ];
  return reviewClaims(claims, { ours: our, theirs: their });
}

async function gateOn(
  observer: RepositoryObserver,
  ours: Snapshot,
  theirs: Snapshot,
  merge: MergedOutcome,
  { gate, signal }: ReviewOptions,
): Promise<Reviewed> {
  // A merge that git cannot make cannot be run either, and a side that brings nothing breaks nothing.
  const isIdle = merge.tree === ours.tree || merge.tree === theirs.tree;
  if (gate === undefined || merge.kind !== "clean" || isIdle) return { findings: [], complete: true, notes: [] };
  const [worked] = merge.tree === undefined ? await observer.merge([{ ours, theirs }], { trees: true }) : [merge];
  if (worked?.kind !== "clean" || worked.tree === undefined) {
    return { findings: [], complete: false, notes: ["the gate was not run: there is no merged tree"] };
  }
  return await reviewGate({ ours: ours.tree, theirs: theirs.tree, merged: worked.tree }, gate, signal);
}

async function remembered(
  ports: ReviewPorts,
  ours: Snapshot,
  theirs: Snapshot,
  merge: MergedOutcome,
  options: ReviewOptions,
  review: () => Promise<Reviewed>,
): Promise<Reviewed> {
  const kind = merge.kind === "clean" ? "clean" : merge.tree;
  const patterns = options.patterns ?? noPatterns;
  const key = JSON.stringify([engineVersion, ours.tree, theirs.tree, merge.bases, kind, patterns]);
  const known = await ports.cache.get(key);
  if (known !== undefined) return known;
  const fresh = await review();
  // What was cut short by a deadline is tried again next time.
  if (fresh.complete) await ports.cache.set(key, fresh);
  return fresh;
}

async function reviewAll(
  ports: ReviewPorts,
  observer: RepositoryObserver,
  ours: Snapshot,
  theirs: Snapshot,
  merge: MergedOutcome,
  options: ReviewOptions,
): Promise<Reviewed> {
  const scene = await sceneOf(ports.memory, observer, ours, theirs, merge, options);
  if (scene === undefined) return { findings: [], complete: true, notes: [] };
  const semantic = await reviewSemantic(scene, ports);
  const findings: PairFinding[] = joined([
    ...reviewTextual(scene.conflicts, scene.excluded),
    ...semantic.findings,
    ...(await reviewMigrationOrder(scene)),
    ...(await reviewDependencyDrift(scene)),
    ...(await reviewDuplicateWork(scene, ports.languages)),
    ...(await reviewStaleTypes(scene)),
    ...reviewOverlap(scene),
  ]);
  const left = findings.length - maxFindings;
  return {
    findings: findings.slice(0, maxFindings),
    complete: semantic.complete && left <= 0,
    notes: left > 0 ? [...semantic.notes, `${left} more findings are not shown`] : semantic.notes,
  };
}

/** undefined when one side changed nothing: then there is nothing to collide with. */
async function sceneOf(
  memory: ReviewMemory,
  observer: RepositoryObserver,
  ours: Snapshot,
  theirs: Snapshot,
  merge: MergedOutcome,
  options: ReviewOptions,
): Promise<PairScene | undefined> {
  // With several bases git merges them first; the first one is near enough to say what a side is working on, and a
  // reference must hold on both sides and break in the true merge whatever the base was.
  const [base] = merge.bases;
  if (base === undefined) return undefined;
  const [ourChanges, theirChanges] = await Promise.all([
    memory.changes(observer, base, ours),
    memory.changes(observer, base, theirs),
  ]);
  if (ourChanges.files.length === 0 || theirChanges.files.length === 0) return undefined;
  const read = readText(observer);
  const ourTree = await memory.sideView(observer, base, ours);
  const tree: PairScene["tree"] = async (which) => {
    if (which === "base") return await memory.view(observer, base);
    if (which === "ours") return ourTree;
    if (which === "theirs") return await memory.sideView(observer, base, theirs);
    if (merge.tree === undefined) return overlaid(ourTree, theirChanges);
    // What the merge brings to our side is little, and cheaper to ask for than the whole tree.
    return await memory.sideView(observer, ours.tree, { ...ours, tree: merge.tree });
  };
  const conflicts = merge.kind === "conflicted" ? merge.conflicts : [];
  return {
    ours: ourChanges,
    theirs: theirChanges,
    conflicts,
    conflicted: new Set(conflicts.flatMap(({ path, otherPaths }) => [path, ...otherPaths])),
    excluded: await memory.exclusions(ourTree, read, options.patterns ?? noPatterns),
    read,
    tree,
    signal: options.signal,
  };
}

function flagNotes({ side, snapshot }: ReviewedSide): string[] {
  const notes = snapshot.flags.slice(0, 10).map(({ path, reason }) => `${side.label}: ${path}: ${reason}`);
  if (snapshot.flags.length > 10) notes.push(`${side.label}: … and ${snapshot.flags.length - 10} more files`);
  return notes;
}

const severities = ["high", "medium", "low", "context"];

function bySeverity(a: FindingDraft, b: FindingDraft): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity);
}
