// Brings the stored findings of a repository up to what was just seen, inside the caller's transaction, and records what
// changed. Safe to run twice: the second time there is nothing to do.

import { makeId } from "../../protocol/ids.ts";
import type { RepositoryReport } from "../../ports/sensing.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { FindingsTable } from "../../store/tables/observed.ts";
import type { Context } from "../context.ts";
import {
  asSeen,
  changesAt,
  deleteDismissalOfWork,
  dismissalsOf,
  insertFinding,
  knownFindings,
  type LookedKinds,
  timesOpened,
  updateFinding,
} from "./findings.sql.ts";
import { followMoves, settle } from "./follow-moves.ts";
import { decide, type KnownFinding, type Move, type SeenPair } from "./lifecycle.ts";

type Reader = Pick<Tx, "db">;

/** The things that were looked at. Nothing is said of kinds that were not looked at: their findings stay as they are. */
type Looked = Pick<RepositoryReport, "repository" | "pairs" | "sides" | "landed"> & {
  /** Unless it says otherwise: what follows from the pairs of the repository. */
  readonly kinds?: LookedKinds;
  /** Sides whose work goes on in another directory, and where. */
  readonly moved?: ReadonlyMap<string, string>;
};

/** Returns what there is to do about findings, without doing it. */
export async function movesFor(
  { constellation }: Pick<Context, "constellation">,
  reader: Reader,
  report: Looked,
): Promise<Move[]> {
  const fingerprints = report.pairs.flatMap(({ findings }) => findings.map((one) => one.fingerprint));
  return decide({
    known: await knownFindings(reader.db, constellation, report.repository, fingerprints, report.kinds ?? "pairs"),
    dismissals: await dismissalsOf(reader.db, constellation, report.repository),
    looked: report.pairs,
    sides: new Set(report.sides),
    landed: new Set(report.landed),
    ...(report.moved === undefined ? {} : { moved: report.moved }),
    hash,
  });
}

/** The reason why a finding ended that may be as true as ever: nobody looks any more. */
export const noLongerWatched = "its repository is no longer watched";

/** `because`: why all of them end that end by this, where the report alone would say something else. */
export async function reviewIn(
  context: Pick<Context, "constellation" | "random">,
  tx: Tx,
  report: Looked,
  because?: string,
): Promise<Move[]> {
  await followMoves(tx, context.constellation, report.repository, report.moved ?? new Map());
  const moves = (await movesFor(context, tx, report)).map((move) =>
    because === undefined || move.move !== "close" ? move : { ...move, because },
  );
  for (const move of moves) {
    await carryOut(context, tx, report.repository, move);
    if ("dismissal" in move) await settle(tx, move.dismissal, move.seen.draft.fingerprint);
  }
  for (const move of moves) {
    if (move.move !== "close" || move.known.dismissal === null) continue;
    await deleteDismissalOfWork(tx, move.known.dismissal, move.known);
  }
  return moves;
}

async function carryOut(
  { constellation, random }: Pick<Context, "constellation" | "random">,
  tx: Tx,
  repository: string,
  move: Move,
): Promise<void> {
  const { nowMs } = tx;
  const undismissed = {
    dismissed_ms: null,
    dismissed_by: null,
    dismissed_reason: null,
    dismissed_scope: null,
    dismissal: null,
  };
  if (move.move === "open" || move.move === "open-dismissed") {
    const id = makeId("fnd", nowMs, random.bytes(10));
    const row: FindingsTable = {
      id,
      constellation,
      fingerprint: move.seen.draft.fingerprint,
      repository,
      ...asSeen(move.seen),
      state: "open",
      opened_ms: nowMs,
      updated_ms: nowMs,
      closed_ms: null,
      closed_because: null,
      closed_by: null,
      times_opened: 1,
      blocking: 0,
      ...undismissed,
      ...(move.move === "open-dismissed" ? dismissedBy(move.dismissal, nowMs) : {}),
    };
    await insertFinding(tx, row);
    if (move.move === "open") await tell(tx, "finding.opened", id, move.seen);
    return;
  }
  const { id } = move.known;
  if (move.move === "close") {
    await updateFinding(tx, id, {
      state: "closed",
      updated_ms: nowMs,
      closed_ms: nowMs,
      closed_because: move.because.toWellFormed(),
      closed_by: await closersOf(tx, constellation, move),
      blocking: 0,
      ...undismissed,
    });
    // Nobody heard of it when it was dismissed, so nobody hears of its end.
    if (move.known.state === "open") await tellOfKnown(tx, "finding.closed", move.known, { because: move.because });
    return;
  }
  const seen = { ...asSeen(move.seen), updated_ms: nowMs };
  if (move.move === "update") {
    await updateFinding(tx, id, seen);
    if (move.inKind && move.known.state === "open") await tell(tx, "finding.updated", id, move.seen);
    return;
  }
  if (move.move === "dismiss") {
    await updateFinding(tx, id, { ...seen, ...dismissedBy(move.dismissal, nowMs), closed_ms: null });
    return;
  }
  await updateFinding(tx, id, {
    ...seen,
    state: "open",
    opened_ms: nowMs,
    closed_ms: null,
    closed_because: null,
    closed_by: null,
    times_opened: (await timesOpened(tx.db, id)) + 1,
    ...undismissed,
  });
  await tell(tx, "finding.reopened", id, move.seen);
}

/** Finds whose change ended it: the side that has nothing left to land, or whose content changed last; both when they changed at once. */
async function closersOf(
  { db, nowMs }: Pick<Tx, "db" | "nowMs">,
  constellation: string,
  { known, hasLanded }: Extract<Move, { readonly move: "close" }>,
): Promise<string | null> {
  if (hasLanded !== undefined) return JSON.stringify([hasLanded.replace(/^worktree /, "")]);
  const { ours_worktree: ours, theirs_worktree: theirs } = known;
  const sides = await changesAt(db, constellation, [ours, theirs]);
  // Nobody notes when a branch moved: of the other side it is certain only when it changed just now.
  const sinceMs = ours === null || theirs === null ? nowMs - 1 : known.opened_ms;
  const lastMs = Math.max(...sides.map(({ changedMs }) => changedMs));
  const last = sides.filter(({ changedMs }) => changedMs === lastMs && changedMs > sinceMs);
  return last.length === 0 ? null : JSON.stringify(last.map(({ path }) => path));
}

export function dismissedBy(
  dismissal: { readonly id: string; readonly dismissed_by: string; readonly reason: string; readonly scope: string },
  nowMs: number,
) {
  return {
    state: "dismissed",
    dismissed_ms: nowMs,
    dismissed_by: dismissal.dismissed_by,
    dismissed_reason: dismissal.reason,
    dismissed_scope: dismissal.scope,
    dismissal: dismissal.id,
  };
}

/** Records it on the timeline, unless it is only context: nobody should hear of that unasked. */
async function tell(tx: Tx, type: string, id: string, { draft, sides }: SeenPair): Promise<void> {
  if (draft.severity === "context") return;
  await tx.record({
    type,
    subject: `finding:${id}`,
    actor: "daemon",
    data: {
      kind: draft.kind,
      severity: draft.severity,
      title: draft.title.toWellFormed(),
      action: draft.action.toWellFormed(),
      files: draft.files.slice(0, 20),
      worktrees: [sides.ours.worktree, sides.theirs.worktree],
    },
  });
}

async function tellOfKnown(tx: Tx, type: string, known: KnownFinding, more: object): Promise<void> {
  if (known.severity === "context") return;
  const { kind, severity, title } = known;
  const worktrees = [known.ours_worktree, known.theirs_worktree];
  const data = { kind, severity, title, worktrees, ...more };
  await tx.record({ type, subject: `finding:${known.id}`, actor: "daemon", data });
}

function hash(text: string): string {
  return Bun.CryptoHasher.hash("sha256", text, "hex").slice(0, 32);
}
