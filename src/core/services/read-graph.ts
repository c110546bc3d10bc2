// The service graph of all watched repositories as it is now, from what each declares on the branch that work lands on.

import type { Context } from "../context.ts";
import type { LookedContracts } from "./contract-outcome.ts";
import { type DeclaringFile, readDeclarations } from "./declared-files.ts";
import type { UseLine } from "./find-uses.ts";
import { buildGraph, type ServiceGraph } from "./service-graph.ts";
import { watchedRepositories } from "./services.sql.ts";

/** `isWhole`: every watched repository was asked. */
export async function readGraph(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  sight: Pick<ContractSight, "serviceFiles">,
): Promise<{ readonly graph: ServiceGraph; readonly isWhole: boolean }> {
  const repositories = await watchedRepositories(store.db, constellation);
  const read = await Promise.all(
    repositories.map(async ({ identity, name, default_branch }) => {
      const files = await sight.serviceFiles(identity);
      // Where there is no branch that work lands on, nothing is declared.
      const isRead = files !== undefined || default_branch === null;
      return { repository: identity, name, isRead, ...readDeclarations(files ?? []) };
    }),
  );
  return { graph: buildGraph(read), isWhole: read.every(({ isRead }) => isRead) };
}

/** As whoever asks is answered. */
export function asServiceGraph({ services, uses, problems }: ServiceGraph, complete: boolean) {
  return {
    services: services.map(({ name, repository, repositoryName, provides, declaredIn }) => ({
      name,
      repository,
      repository_name: repositoryName,
      provides: [...provides],
      declared_in: [...declaredIn],
    })),
    uses: [...uses],
    problems: [...problems],
    complete,
  };
}

/** What is asked of whoever looks at the repositories; undefined where a repository is not looked at now. */
export interface ContractSight {
  serviceFiles(repository: string): Promise<readonly DeclaringFile[] | undefined>;
  contractChanges(
    repository: string,
    contracts: readonly string[],
    today: string,
  ): Promise<LookedContracts | undefined>;
  usesOf(repository: string, worktree: string, names: readonly string[]): Promise<readonly UseLine[]>;
}
