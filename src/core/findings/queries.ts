// Looking at findings: those that are open, all of a repository's, or one with its evidence.

import { type Evidence, type FindingKind, severities, type Severity } from "../../protocol/findings.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { FindingsTable } from "../../store/tables/observed.ts";
import type { ReadContext } from "../context.ts";
import { findingsNamed, type ListedFinding, listedFindings, repositoryName } from "./queries.sql.ts";
import { sidesOf } from "./sides-at-work.ts";
import { type Knot, knotsOf, pairsIn } from "./knots.ts";

export async function listFindings(
  { store }: ReadContext,
  input: { readonly repository?: string | undefined; readonly all: boolean; readonly limit: number },
) {
  const rows = await listedFindings(store.db, store.constellation, input);
  rows.sort((a, b) => rank(a) - rank(b) || a.opened_ms - b.opened_ms || (a.id < b.id ? -1 : 1));
  const all = rows.map(describe);
  const alarms = all.filter(({ state, severity }) => state === "open" && severity !== "context");
  return {
    total: all.length,
    pairs: pairsIn(alarms),
    findings: all.slice(0, input.limit),
    knots: knotsOf(all).map(asListed),
  };
}

function asListed({ first, findings, sides, title }: Knot<ReturnType<typeof describe>>) {
  const { id, kind, severity, state, dismissed_reason } = first;
  const opened_ms = Math.min(...findings.map((one) => one.opened_ms));
  const ids = findings.map((one) => one.id);
  return { id, kind, severity, state, title, sides: [...sides], findings: ids, opened_ms, dismissed_reason };
}

const rank = ({ state, severity }: { state: string; severity: string }): number =>
  (state === "open" ? 0 : 10) + (severities as readonly string[]).indexOf(severity);

function describe(row: ListedFinding) {
  return {
    id: row.id,
    kind: row.kind as FindingKind,
    severity: row.severity as Severity,
    state: row.state as "open" | "closed" | "dismissed",
    repository: row.repository,
    repository_name: row.repository_name,
    ours: { label: row.ours_label, worktree: row.ours_worktree, branch: row.ours_branch },
    theirs: { label: row.theirs_label, worktree: row.theirs_worktree, branch: row.theirs_branch },
    title: row.title,
    action: row.action,
    files: JSON.parse(row.files) as string[],
    symbols: JSON.parse(row.symbols) as string[],
    opened_ms: row.opened_ms,
    updated_ms: row.updated_ms,
    dismissed_reason: row.dismissed_reason,
    dismissed_scope: row.dismissed_scope,
  };
}

export async function showFinding(context: ReadContext, input: { readonly id: string }) {
  const row = await findFinding(context, input.id);
  const name = await repositoryName(context.store.db, row);
  return {
    ...describe({ ...row, repository_name: name ?? row.repository }),
    at_work: await sidesOf(context, row),
    evidence: JSON.parse(row.evidence) as Evidence[],
    closed_because: row.closed_because,
  };
}

/** By its id, or by enough of its end to be the only one. */
export async function findFinding({ store }: ReadContext, word: string): Promise<FindingsTable> {
  const named = /^[0-9a-z_]{4,40}$/.test(word);
  const rows = named ? await findingsNamed(store.db, store.constellation, word) : [];
  const live = rows.filter(({ state }) => state !== "closed");
  const hits = live.length > 0 ? live : rows;
  const exact = rows.find(({ id }) => id === word);
  const [hit, ...more] = exact === undefined ? hits : [exact];
  if (hit === undefined) throw new Refusal("finding.unknown", `there is no finding ${JSON.stringify(word)}`, { word });
  if (more.length > 0) {
    const ids = hits.map(({ id }) => id);
    throw new Refusal("finding.unknown", `${word} may mean ${ids.join(", ")}`, { word, ids });
  }
  return hit;
}
