// The report of the morning: what landed, failed, waits, cost and is red. Rows only; no model says anything about them.

import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { morningLook } from "../../protocol/operations/morning.ts";
import { withStandstill } from "../attention/attention.ts";
import type { Need } from "../agents/needs.ts";
import type { ReadContext } from "../context.ts";
import { crashesSince, failedFiringsSince, failedSince, landedSince, spentSince } from "./morning.sql.ts";

export async function lookAtMorning(
  { store, clock }: ReadContext,
  { back_ms: backMs }: ParsedInputOf<typeof morningLook>,
  /** What the daemon knows and could not write down. */
  needs: readonly Need[] = [],
): Promise<OutputOf<typeof morningLook>> {
  const { db, constellation } = store;
  const untilMs = clock.nowMs();
  const sinceMs = untilMs - backMs;
  const landed = await landedSince(db, constellation, sinceMs);
  const failed = await failedSince(db, constellation, sinceMs);
  const { rows, total } = await withStandstill({ store, clock }, { snoozed: false, limit: 200 }, needs);
  const isRed = (kind: string): boolean => kind === "main-red" || kind === "gate";
  return {
    since_ms: sinceMs,
    until_ms: untilMs,
    landed: landed.map(({ number, landed_sha: sha, ...rest }) => ({ task: number, landed_sha: sha ?? "", ...rest })),
    failed: failed.map(({ number, reason, ...rest }) => ({ task: number, why: reason ?? "it needs review", ...rest })),
    crashes: await crashesSince(db, constellation, sinceMs),
    firings: (await failedFiringsSince(db, constellation, sinceMs)).map(({ label, detail }) => ({
      label,
      detail: detail ?? "no reason was given",
    })),
    waits: rows.map(({ place, says, agent, next }) => ({ place, says, agent, next })),
    waiting: total,
    red: rows.filter(({ kind }) => isRed(kind)).map(({ says, next }) => ({ says, next })),
    ...(await spentSince(db, constellation, sinceMs)),
  };
}
