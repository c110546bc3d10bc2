// The plan of landing for each observed repository, from what is stored.

import { sql } from "kysely";
import type { ReadContext } from "../context.ts";
import { type Candidate, type Clash, planLanding } from "./landing.ts";
import { findRepository } from "./register.ts";
import { silenceOf } from "./silence.ts";
import { repositoriesOf, worktreesOf } from "./worktrees.sql.ts";

interface Readiness {
  readonly worktree: string;
  readonly branch: string | null;
  readonly agent: string | null;
  readonly score: number;
  readonly reasons: string;
  readonly conflicts_with_default: number;
  readonly open_pairs: number;
}

export async function planFor(context: ReadContext, input: { readonly repository?: string | undefined }) {
  const { store } = context;
  const chosen =
    input.repository === undefined
      ? (await repositoriesOf(store.db, store.constellation)).filter(({ wanted }) => wanted === "observed")
      : [await findRepository(context, input.repository)];
  const repositories = [];
  for (const { identity, name, default_branch } of chosen) {
    const candidates = await candidatesOf(context, identity, default_branch);
    const steps = planLanding(candidates, await clashesOf(context, identity));
    repositories.push({
      repository: identity,
      name,
      default_branch,
      ...(await silenceOf(context, identity)),
      steps: steps.map(({ candidate, order, verdict, why, after }) => ({
        order,
        verdict,
        branch: candidate.branch,
        label: candidate.label,
        worktree: candidate.worktree,
        agent: candidate.agent,
        score: candidate.score,
        reasons: candidate.reasons === "" ? [] : candidate.reasons.split("; "),
        why: [...why],
        after: [...after],
      })),
    });
  }
  return { repositories };
}

async function candidatesOf(
  { store }: ReadContext,
  repository: string,
  defaultBranch: string | null,
): Promise<Candidate[]> {
  const { rows } =
    await sql<Readiness>`select worktree, branch, agent, score, reasons, conflicts_with_default, open_pairs
    from merge_readiness where constellation = ${store.constellation} and repository_id = ${repository}`.execute(
      store.db,
    );
  const ready = new Map(rows.map((row) => [row.worktree, row]));
  const worktrees = await worktreesOf(store.db, store.constellation, repository);
  return worktrees.map((one) => {
    const row = ready.get(one.path);
    const shares = worktrees.filter(({ branch }) => branch === one.branch).length > 1;
    const directory = one.path.slice(one.path.lastIndexOf("/") + 1);
    return {
      worktree: one.path,
      branch: one.branch,
      label: one.branch === null ? directory : shares ? `${one.branch} (${directory})` : one.branch,
      agent: one.agent,
      score: Number(row?.score ?? 0),
      reasons: row?.reasons ?? "",
      ahead: one.ahead,
      behind: one.behind,
      uncommitted: one.uncommitted === 1,
      conflictsWithDefault: Number(row?.conflicts_with_default ?? 0),
      openPairs: Number(row?.open_pairs ?? 0),
      operation: one.operation,
      skipped: one.skipped,
      isDefault:
        one.branch !== null &&
        [one.branch, `origin/${one.branch}`].includes(defaultBranch ?? "") &&
        !one.uncommitted &&
        one.ahead === 0,
    };
  });
}

async function clashesOf({ store }: ReadContext, repository: string): Promise<Clash[]> {
  const rows = await store.db
    .selectFrom("findings")
    .select(["ours_worktree", "theirs_worktree", "kind", "severity"])
    .where("constellation", "=", store.constellation)
    .where("repository", "=", repository)
    .where("state", "=", "open")
    .where("severity", "<>", "context")
    .execute();
  return rows.flatMap(({ ours_worktree: one, theirs_worktree: other, kind, severity }) =>
    one === null || other === null ? [] : [{ one, other, kind, severity }],
  );
}
