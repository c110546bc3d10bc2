// The service graph of all watched repositories as it is now, from what each declares on the branch that work lands on.

import type { Context } from "../context.ts";
import type { LandedContracts, LookedContracts } from "./contract-outcome.ts";
import { noDeclarations } from "./declared-files.ts";
import type { NameUses } from "./find-uses.ts";
import { inferGraph } from "./infer-graph.ts";
import type { GeneratedState, RepositoryInterfaces } from "./repository-interfaces.ts";
import { buildGraph, type GraphUse, type ServiceGraph } from "./service-graph.ts";
import type { Declarations } from "./service.ts";
import { watchedRepositories } from "./services.sql.ts";

/** `isWhole`: every watched repository was asked. */
export async function readGraph(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  sight: Pick<ContractSight, "declared" | "interfacesOf">,
): Promise<{ readonly graph: ServiceGraph; readonly isWhole: boolean }> {
  const repositories = await watchedRepositories(store.db, constellation);
  const read = await Promise.all(
    repositories.map(async ({ identity, name, default_branch }) => {
      const declared = await sight.declared(identity);
      // If there is no branch that work lands on, nothing is declared.
      const isRead = declared !== undefined || default_branch === null;
      return { repository: identity, name, isRead, ...(declared ?? noDeclarations) };
    }),
  );
  const declared = buildGraph(read);
  // Nobody else is there to ask, so nothing need be inferred.
  if (read.length < 2) return { graph: declared, isWhole: read.every(({ isRead }) => isRead) };
  const seen = await Promise.all(
    read.map(async ({ repository, name }) => ({ repository, name, interfaces: await sight.interfacesOf(repository) })),
  );
  const known = seen.flatMap(({ interfaces, ...one }) => (interfaces === undefined ? [] : [{ ...one, interfaces }]));
  return { graph: inferGraph(declared, known), isWhole: read.every(({ isRead }) => isRead) };
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
    uses: uses
      .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
      .map(({ operations, generated: _paths, ...use }) => ({
        ...use,
        operations: operations === null ? null : [...operations],
      })),
    problems: [...problems],
    complete,
  };
}

/** However the repositories were read, the answer has one order. */
const keyOf = ({ consumer, provider, contract }: GraphUse): string => JSON.stringify([consumer, provider, contract]);

/** The questions to the part that looks at the repositories. Answers are undefined if a repository is not looked at now. */
export interface ContractSight {
  declared(repository: string): Promise<Declarations | undefined>;
  contractChanges(
    repository: string,
    contracts: readonly string[],
    today: string,
  ): Promise<LookedContracts | undefined>;
  usesOf(repository: string, worktree: string, names: readonly string[]): Promise<NameUses | undefined>;
  /** Returns what a repository offers and asks for, as its landing branch shows it. */
  interfacesOf(repository: string): Promise<RepositoryInterfaces | undefined>;
  /** Returns the state of generated files in a worktree: "gone" if none of them is there. */
  generatedIn(
    repository: string,
    worktree: string,
    paths: readonly string[],
  ): Promise<GeneratedState | "gone" | undefined>;
  /** Returns those of the names that the generated files of a worktree hold. */
  namesInGenerated(
    repository: string,
    worktree: string,
    paths: readonly string[],
    names: readonly string[],
  ): Promise<readonly string[] | undefined>;
  /** Returns when the work of a worktree began: the date of the commit it stands on. */
  beganMs(repository: string, worktree: string): Promise<number | undefined>;
  /** Returns what the landing branch did to contracts since a time. */
  landedSince(
    repository: string,
    contracts: readonly string[],
    sinceMs: number,
    today: string,
  ): Promise<LandedContracts | undefined>;
}
