// Looking at findings: those that are open, all of a repository's, or one with its evidence.

import { type Evidence, type FindingKind, severities, type Severity } from "../../protocol/findings.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { FindingsTable } from "../../store/tables/observed.ts";
import type { ReadContext } from "../context.ts";
import { type Knot, knotsOf, pairsIn } from "./knots.ts";

export async function listFindings(
  { store }: ReadContext,
  input: { readonly repository?: string | undefined; readonly all: boolean; readonly limit: number },
) {
  let select = store.db
    .selectFrom("findings")
    .innerJoin("repositories", (join) =>
      join
        .onRef("repositories.identity", "=", "findings.repository")
        .onRef("repositories.constellation", "=", "findings.constellation"),
    )
    .where("findings.constellation", "=", store.constellation)
    .where("state", "in", input.all ? ["open", "dismissed"] : ["open"]);
  if (!input.all) select = select.where("severity", "<>", "context");
  if (input.repository !== undefined) select = select.where("findings.repository", "=", input.repository);
  const rows = await select
    .select([
      "findings.id",
      "findings.kind",
      "findings.severity",
      "findings.repository",
      "repositories.name as repository_name",
      "findings.ours_label",
      "findings.ours_worktree",
      "findings.ours_branch",
      "findings.theirs_label",
      "findings.theirs_worktree",
      "findings.theirs_branch",
      "findings.title",
      "findings.action",
      "findings.files",
      "findings.symbols",
      "findings.state",
      "findings.opened_ms",
      "findings.updated_ms",
      "findings.dismissed_reason",
      "findings.dismissed_scope",
    ])
    .execute();
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

type Described = Pick<
  FindingsTable,
  | "id"
  | "repository"
  | "ours_label"
  | "ours_worktree"
  | "ours_branch"
  | "theirs_label"
  | "theirs_worktree"
  | "theirs_branch"
  | "title"
  | "action"
  | "opened_ms"
  | "updated_ms"
  | "dismissed_reason"
  | "dismissed_scope"
> & { kind: string; severity: string; state: string; files: string; symbols: string; repository_name: string };

function describe(row: Described) {
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
  const repository = await context.store.db
    .selectFrom("repositories")
    .select("name")
    .where("constellation", "=", row.constellation)
    .where("identity", "=", row.repository)
    .executeTakeFirst();
  return {
    ...describe({ ...row, repository_name: repository?.name ?? row.repository }),
    evidence: JSON.parse(row.evidence) as Evidence[],
    closed_because: row.closed_because,
  };
}

/** By its id, or by enough of its end to be the only one. */
export async function findFinding({ store }: ReadContext, word: string): Promise<FindingsTable> {
  const named = /^[0-9a-z_]{4,40}$/.test(word);
  const rows = !named
    ? []
    : await store.db
        .selectFrom("findings")
        .selectAll()
        .where("constellation", "=", store.constellation)
        .where((eb) => eb.or([eb("id", "=", word), eb("id", "like", `%${word.replaceAll("_", "")}`)]))
        .limit(20)
        .execute();
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
