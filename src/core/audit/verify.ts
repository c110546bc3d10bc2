// Judges whether the timeline is what was written: its own chain, the signatures of its events, the guards that the database keeps on it,
// and every head that was anchored outside. Each of them finds what the others cannot: a chain that was rewritten from one end to the other
// is whole in itself. Then come the rows that carry a signature of their own (signed-rows.ts).

import type { AcknowledgedHead, AuditEvidence } from "../../ports/audit.ts";
import { missingGuards, strangeTriggers } from "../../store/append-only.ts";
import { SignatureWalk } from "../../store/event-signatures.ts";
import { type ChainVerdict, genesisHash, type RowCheck, verifyChain } from "../../store/timeline.ts";
import type { ReadContext } from "../context.ts";
import { type Anchor, readAnchors } from "./anchors.ts";
import { countSignatures, isNoted, signaturesUpTo, lossTold, signedSpanMs, signingBegan } from "./audit.sql.ts";
import type { Restore } from "../../protocol/restored.ts";
import { type CountingAnchors, countingAnchors } from "./restored.ts";
import { wrongRow } from "./signed-rows.ts";

export interface AuditVerdict {
  readonly ok: boolean;
  readonly count: number;
  readonly head: string | null;
  readonly broken_at: number | null;
  readonly problem: string | null;
  /** The newest event that says that acknowledged writes were missing when the database was opened; null when none does. */
  readonly missing_at: number | null;
  /** Heads outside the database that were compared, and the last event they reach. */
  readonly anchors: number;
  readonly anchored_seq: number;
  /** Events that were signed when they were appended, and those appended before there was a key. */
  readonly signed: number;
  readonly unsigned: number;
  /** The last time that a backup was restored; null when none was. */
  readonly restored: Restore | null;
  readonly restores: number;
}

const restoreOf = (anchor: Anchor | undefined): Restore | null =>
  anchor === undefined
    ? null
    : { at_ms: anchor.at_ms, backup: anchor.backup ?? "", seq: anchor.seq, dropped: anchor.dropped ?? anchor.seq };

const longestUnanchoredMs = 24 * 3_600_000;

/** Each takes a quarter of a millisecond; the older ones are answered for by these, because each event names the one before it. */
const checkedSingly = 2_000;
/** For a look that is to be over at once. */
const checkedQuickly = 100;

export async function verifyAudit(
  context: ReadContext,
  /** `heads`: lines of anchored heads that somebody kept elsewhere. `newest`: reads only so many events from the end, and few signatures. */
  { heads: outside, newest }: { readonly heads?: string | undefined; readonly newest?: number | undefined } = {},
): Promise<AuditVerdict> {
  const { store, audit } = context;
  const { constellation } = store;
  const read = audit === undefined ? undefined : readAnchors(audit.anchors() ?? "", audit.verify);
  const kept = audit === undefined || outside === undefined ? undefined : readAnchors(outside, audit.verify, "a part");
  const counting: CountingAnchors =
    audit === undefined
      ? { anchors: [] }
      : countingAnchors({ own: read?.anchors ?? [], elsewhere: kept?.anchors ?? [], ...audit });
  const anchors = counting.anchors.filter((one) => one.constellation === constellation);
  const reached = Math.max(0, ...anchors.filter(({ kind }) => kind !== "pruned").map(({ seq }) => seq));
  const singly = newest === undefined ? checkedSingly : checkedQuickly;
  const { walk, since, before } = await signaturesBeside(context, singly);
  const acknowledged = audit?.acknowledged?.constellation === constellation ? audit.acknowledged : undefined;
  const isAnchored = fits(anchors);
  const check: RowCheck = (row) => isAnchored(row) ?? notAcknowledged(row, acknowledged) ?? walk?.check(row);
  const verdict = await verifyChain(store.db, constellation, {
    check,
    before,
    ...(newest === undefined ? {} : { newest }),
  });
  const counts = {
    missing_at: await lossTold(store.db, constellation),
    anchors: anchors.length,
    anchored_seq: reached,
    signed: walk?.signed ?? 0,
    unsigned: walk?.unsigned ?? 0,
    restored: restoreOf(counting.restored),
    restores: counting.restores ?? 0,
  };
  const wrong = (problem: string, seq: number | null = null): AuditVerdict => ({
    ok: false,
    count: 0,
    head: null,
    broken_at: seq,
    problem,
    ...counts,
  });
  const missing = await missingGuards(store.db, store.dialect);
  if (missing.length > 0) return wrong(`the database no longer guards the timeline: ${missing.join(", ")}`);
  const strange = await strangeTriggers(store.db, store.dialect);
  if (strange.length > 0) return wrong(`the database has triggers that are not constel's: ${strange.join(", ")}`);
  if (!verdict.ok) return wrong(verdict.why, verdict.seq);
  const unfinished = walk?.unfinished();
  if (unfinished !== undefined) return wrong(unfinished, verdict.head.seq);
  const pruning = prunedWrongly(verdict, anchors, audit !== undefined);
  if (pruning !== undefined) return wrong(pruning, verdict.begins.seq);
  const unsound = read?.problem ?? kept?.problem ?? counting.problem;
  if (unsound !== undefined) return wrong(unsound);
  if (reached > verdict.head.seq)
    return wrong(`cut off: event ${reached} was anchored and the timeline ends before it`, verdict.head.seq + 1);
  if ((acknowledged?.seq ?? 0) > verdict.head.seq)
    return wrong(
      `cut off: event ${acknowledged?.seq} was acknowledged and the timeline ends before it; an older database may have been put back`,
      verdict.head.seq + 1,
    );
  const moved = anchors.find((one) => one.signed_since !== undefined && one.signed_since !== since);
  if (moved !== undefined)
    return wrong(`events were signed since event ${moved.signed_since}, and the database says otherwise`);
  const cut =
    audit === undefined
      ? undefined
      : ((await outsideIsCut(context, audit, anchors)) ?? ringGoesBack(read?.anchors ?? [], audit));
  if (cut !== undefined) return wrong(cut);
  const row = audit === undefined ? undefined : await wrongRow(store, audit.verify, since);
  if (row !== undefined) return wrong(row);
  return { ok: true, count: verdict.count, head: verdict.head.hash, broken_at: null, problem: null, ...counts };
}

async function signaturesBeside(
  { store, audit }: ReadContext,
  singly: number,
): Promise<{
  readonly walk: SignatureWalk | undefined;
  readonly since: number | null;
  readonly before: (firstSeq: number, lastSeq: number) => Promise<void>;
}> {
  const { db, constellation } = store;
  const since = await signingBegan(db, constellation);
  if (audit === undefined) return { walk: undefined, since, before: async () => {} };
  const checkFrom = (await countSignatures(db, constellation)) - singly;
  const walk = new SignatureWalk({ since, checkFrom, verify: audit.verify });
  let brought = 0;
  const before = async (firstSeq: number, lastSeq: number): Promise<void> => {
    const signatures = await signaturesUpTo(db, constellation, { from: Math.max(brought + 1, firstSeq), to: lastSeq });
    walk.bring(signatures);
    brought = signatures.at(-1)?.last_seq ?? brought;
  };
  return { walk, since, before };
}

/** Each anchored head is the event that it names, unless that was let go. */
export function fits(anchors: readonly Anchor[]): RowCheck {
  const heads = new Map<number, Set<string>>();
  for (const { seq, hash } of anchors) heads.set(seq, (heads.get(seq) ?? new Set()).add(hash));
  return ({ seq, hash }) => {
    const anchored = heads.get(seq);
    const isSame = anchored === undefined || (anchored.size === 1 && anchored.has(hash));
    return isSame ? undefined : "it is not the event that was anchored: the timeline was rewritten";
  };
}

/** The database and its heads may both have been put back; what was acknowledged is noted apart from them. */
const notAcknowledged = (
  { seq, hash }: Pick<Anchor, "seq" | "hash">,
  acknowledged: AcknowledgedHead | undefined,
): string | undefined =>
  acknowledged?.seq === seq && acknowledged.hash !== hash
    ? "it is not the event that was acknowledged: the timeline was rewritten, or another was put in its place"
    : undefined;

/** Events go only after a signed line has said so. */
export function prunedWrongly(
  { begins: pruned }: Pick<Extract<ChainVerdict, { ok: true }>, "begins">,
  anchors: readonly Anchor[],
  hasAnchors: boolean,
): string | undefined {
  if (!hasAnchors || pruned.seq === 0) return undefined;
  if (anchors.some(({ kind, seq, hash }) => kind === "pruned" && seq === pruned.seq && hash === pruned.hash))
    return undefined;
  return `the mark of pruning stands at event ${pruned.seq}, and nothing signed says that events up to it were let go`;
}

/**
 * A key that fell into wrong hands can sign with any time it likes, and heads that name the ring of then. But each head names the ring as it stood, and
 * a ring only grows: one that names less than the head before it was not written when it says.
 */
function ringGoesBack(anchors: readonly Anchor[], audit: AuditEvidence): string | undefined {
  const places = new Map(audit.ringHashes().map((hash, index) => [hash, index]));
  let reached = -1;
  for (const { ring, seq } of anchors) {
    const place = places.get(ring) ?? -1;
    if (place < reached) return `the head at event ${seq} names an older ring of keys than the head before it`;
    reached = place;
  }
  return undefined;
}

async function outsideIsCut(
  { store }: ReadContext,
  audit: AuditEvidence,
  anchors: readonly Anchor[],
): Promise<string | undefined> {
  const known = new Set(audit.ringHashes());
  const lost = anchors.find(({ ring }) => ring !== genesisHash && !known.has(ring));
  if (lost !== undefined) return `the ring of keys was cut or changed: it is not what it was at event ${lost.seq}`;
  if (anchors.length > 0) return undefined;
  if (await isNoted(store.db, "anchored", store.constellation))
    return "the timeline was anchored, and the file of anchored heads is gone";
  // The note can be taken away as well. Heads are anchored within seconds, so that no timeline goes on for long without one.
  const spanMs = await signedSpanMs(store.db, store.constellation);
  return spanMs > longestUnanchoredMs
    ? "events were signed over more than a day, and there is no anchored head: their file is gone"
    : undefined;
}
