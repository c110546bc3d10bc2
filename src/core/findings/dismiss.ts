// Dismissing a finding, with a reason, and how far that reaches: this finding, these files, this pair, or this kind in the
// repository. What it covers now is dismissed at once; what it covers later never opens.

import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { DismissalsTable } from "../../store/tables/observed.ts";
import type { Context } from "../context.ts";
import { findingById, openFindings, updateFinding } from "./findings.sql.ts";
import { branchesOfRow, rulesOf } from "./lifecycle.ts";
import { findFinding } from "./queries.ts";
import { dismissedBy } from "./apply-findings.ts";

export type DismissalScope = "finding" | "files" | "pair" | "kind";

export async function dismissFinding(
  context: Context,
  input: { readonly id: string; readonly reason: string; readonly scope: DismissalScope },
): Promise<{ id: string; scope: DismissalScope; dismissed: number }> {
  const found = await findFinding(context, input.id);
  if (found.state === "closed") {
    throw new Refusal("finding.unknown", `${found.id} is closed: ${found.closed_because ?? "it is over"}`, {
      id: found.id,
    });
  }
  const { constellation } = context;
  return await context.store.write(async (tx) => {
    const { scope } = input;
    const row = await findingById(tx.db, found.id);
    const isOfWork = scope === "finding" || scope === "pair";
    const dismissal: DismissalsTable = {
      id: makeId("dis", tx.nowMs, context.random.bytes(10)),
      constellation,
      repository: row.repository,
      scope,
      fingerprint: scope === "finding" ? row.fingerprint : null,
      pair: scope === "pair" ? row.pair : null,
      branches: isOfWork ? branchesOfRow(row) : null,
      files: scope === "files" ? row.files : null,
      kind: scope === "kind" ? row.kind : null,
      rules: JSON.stringify(rulesOf(row.evidence_kind)),
      severity: row.severity,
      reason: input.reason.replaceAll("\0", "").toWellFormed(),
      dismissed_by: context.actor,
      at_ms: tx.nowMs,
    };
    await tx.insert("dismissals", dismissal);
    const open = await openFindings(tx.db, constellation, row.repository);
    const files = new Set(JSON.parse(row.files) as string[]);
    const reaches: Record<DismissalScope, (one: (typeof open)[number]) => boolean> = {
      finding: ({ id }) => id === row.id,
      pair: ({ pair }) => pair === row.pair,
      kind: ({ kind }) => kind === row.kind,
      files: (one) => (JSON.parse(one.files) as string[]).every((file) => files.has(file)),
    };
    const covered = open.filter(reaches[scope]);
    for (const { id } of covered) {
      await updateFinding(tx, id, { ...dismissedBy(dismissal, tx.nowMs), updated_ms: tx.nowMs });
      await tx.record({
        type: "finding.dismissed",
        subject: `finding:${id}`,
        actor: context.actor,
        data: { scope, reason: dismissal.reason },
      });
    }
    return { id: row.id, scope, dismissed: covered.length };
  });
}
