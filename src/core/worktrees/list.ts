// Looking at what is observed.

import type { ReadContext } from "../context.ts";
import { countOpenFindings } from "./open-findings.sql.ts";
import { type Silence, silenceOf } from "./silence.ts";
import { clonesOf, repositoriesOf, repositoryBy, worktreesOf } from "./worktrees.sql.ts";

export async function listRepositories(context: ReadContext) {
  const { store } = context;
  const { constellation } = store;
  const worktrees = await worktreesOf(store.db, constellation);
  const repositories = (await repositoriesOf(store.db, constellation)).filter(({ wanted }) => wanted === "observed");
  const open = await countOpenFindings(store.db, constellation);
  const silences = new Map<string, Silence>();
  for (const { identity } of repositories) silences.set(identity, await silenceOf(context, identity));
  return {
    repositories: repositories.map((one) => ({
      repository: one.identity,
      name: one.name,
      added_ms: one.added_ms,
      default_branch: one.default_branch,
      problem: one.problem,
      open_findings: open.get(one.identity) ?? 0,
      ...(silences.get(one.identity) ?? { complete: true, open: [], notes: [] }),
      worktrees: worktrees
        .filter(({ repository }) => repository === one.identity)
        .map((tree) => ({
          path: tree.path,
          branch: tree.branch,
          head: tree.head,
          operation: tree.operation,
          skipped: tree.skipped,
          detail: tree.detail,
          ahead: tree.ahead,
          behind: tree.behind,
          uncommitted: tree.uncommitted === 1,
          agent: tree.agent,
          last_observed_ms: tree.last_observed_ms,
        })),
    })),
  };
}

/** As people know it; its identity where it is not known. */
export async function nameOfRepository({ store }: ReadContext, identity: string): Promise<string> {
  return (await repositoryBy(store.db, store.constellation, identity))?.name ?? identity;
}

/** The paths through which each repository that is to be observed was found. */
export async function observedClones({ store }: ReadContext): Promise<Map<string, string[]>> {
  const wanted = (await repositoriesOf(store.db, store.constellation)).filter(({ wanted }) => wanted === "observed");
  const paths = new Map<string, string[]>(wanted.map(({ identity }) => [identity, []]));
  for (const { repository, path } of await clonesOf(store.db, store.constellation)) paths.get(repository)?.push(path);
  return paths;
}
