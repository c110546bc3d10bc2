// The service graph: which service provides which contracts, who uses them, and in which repository each lives. Pure. What the files of
// several repositories say of one service is put together; who uses a user is an indirect consumer, and circles end where they
// began.

import { posix } from "node:path";
import type { Declarations, DeclaredIn, DeclaredService, DeclaredUse, ServiceProblem, Use } from "./service.ts";

/** The declarations in the files of one repository. */
export interface RepositoryDeclarations extends Declarations {
  readonly repository: string;
  /** For people, and as `repository:` in services.yaml names it. */
  readonly name: string;
}

export interface GraphService {
  readonly name: string;
  /** null where the repository is not watched. */
  readonly repository: string | null;
  /** As it was written, or the watched repository's name. */
  readonly repositoryName: string;
  readonly provides: readonly string[];
  readonly declaredIn: readonly string[];
}

export interface GraphUse {
  readonly consumer: string;
  readonly provider: string;
  /** Only this contract of the provider; null: all of them. */
  readonly contract: string | null;
  readonly how: Use;
  readonly source: DeclaredIn;
  /** Of what is inferred: the operations or channels that code asks for; null: not known, so all. */
  readonly operations: readonly string[] | null;
  /** Of what is inferred: where code shows it, `src/cart.ts:3`. */
  readonly because: string | null;
  /** Paths of the consumer's repository that are declared to be generated from it. */
  readonly generated: readonly string[];
}

export interface ServiceGraph {
  readonly services: readonly GraphService[];
  readonly uses: readonly GraphUse[];
  /** The files that are generated from the contracts of other repositories. */
  readonly generated: readonly GeneratedFrom[];
  readonly problems: readonly (ServiceProblem & { readonly repository: string })[];
}

/** Files of one repository that a generator made from a contract of another. */
export interface GeneratedFrom {
  readonly repository: string;
  readonly paths: readonly string[];
  /** The service that provides the contract. */
  readonly provider: string;
  readonly contract: string;
}

export type ConsumerKind = "direct" | "tests" | "indirect";

export interface Consumer {
  readonly service: GraphService;
  readonly kind: ConsumerKind;
  /** From the provider to the consumer, both included. */
  readonly chain: readonly string[];
  /** The operations that a direct consumer was seen to ask for; null: all of it. */
  readonly operations: readonly string[] | null;
  readonly because: string | null;
}

export function buildGraph(repositories: readonly RepositoryDeclarations[]): ServiceGraph {
  const problems: (ServiceProblem & { repository: string })[] = repositories.flatMap((one) =>
    one.problems.map((problem) => ({ ...problem, repository: one.name })),
  );
  const apis = new Map<string, string | null>();
  for (const { apis: declared } of repositories) for (const { name, contract } of declared) apis.set(name, contract);
  const nodes = new Map<string, GraphService>();
  const said: { readonly by: DeclaredService; readonly from: RepositoryDeclarations }[] = [];
  for (const from of repositories) for (const by of from.services) said.push({ by, from });
  // Compose says least of where a service lives.
  said.sort((one, other) => Number(one.by.source === "compose") - Number(other.by.source === "compose"));
  for (const { by, from } of said) {
    const home = homeOf(by, from, repositories);
    const known = nodes.get(by.name);
    const where = `${from.name}: ${by.path}:${by.line}`;
    if (known !== undefined && by.source !== "compose" && known.repositoryName !== home.repositoryName) {
      const message = `${by.name} is declared for ${home.repositoryName}, and for ${known.repositoryName} in ${known.declaredIn[0]}; this one is not used`;
      problems.push({ path: by.path, line: by.line, message, repository: from.name });
      continue;
    }
    const provides = [...by.provides, ...by.providesApis.flatMap((api) => apis.get(api) ?? [])];
    nodes.set(by.name, {
      ...(known ?? { name: by.name, ...home }),
      provides: [...new Set([...(known?.provides ?? []), ...provides])].sort(),
      declaredIn: [...(known?.declaredIn ?? []), where],
    });
  }
  const uses = new Map<string, GraphUse>();
  for (const { by, from } of said) {
    for (const use of by.consumes) {
      const targets = targetsOf(use, nodes, said, apis);
      if (targets.length === 0) {
        const message = `${by.name} uses ${use.service ?? use.contract ?? use.api}, which nobody declares`;
        problems.push({ path: by.path, line: use.line, message, repository: from.name });
      }
      for (const { provider, contract } of targets) {
        if (provider === by.name) continue;
        const key = JSON.stringify([by.name, provider, contract]);
        const known = uses.get(key);
        const generated = [...new Set([...(known?.generated ?? []), ...(use.generated ?? [])])];
        // A more precise source than compose counts. Among the rest, a use by the code itself counts.
        const isKept = known !== undefined && (by.source === "compose" || known.how === "direct");
        const declared = { consumer: by.name, provider, contract, how: use.how, source: by.source, ...unseen };
        uses.set(key, { ...(isKept ? known : declared), generated });
      }
    }
  }
  const byName = (one: GraphService, other: GraphService): number => (one.name < other.name ? -1 : 1);
  return { services: [...nodes.values()].sort(byName), uses: [...uses.values()], generated: [], problems };
}

/** Everybody who uses a contract of a service, each once, by the closest way. The service itself is never among them. */
export function consumersOf(graph: ServiceGraph, provider: string, contract: string): Consumer[] {
  const services = new Map(graph.services.map((one) => [one.name, one]));
  const users = new Map<string, GraphUse[]>();
  for (const use of graph.uses) users.set(use.provider, [...(users.get(use.provider) ?? []), use]);
  const found = new Map<string, Consumer>();
  const add = (name: string, kind: ConsumerKind, chain: readonly string[], seen: Seen = unseen): boolean => {
    const service = services.get(name);
    if (service === undefined || name === provider) return false;
    const known = found.get(name);
    if (known !== undefined && !(known.kind === "tests" && kind === "direct")) return false;
    found.set(name, { service, kind, chain, operations: seen.operations, because: seen.because });
    return known === undefined;
  };
  for (const use of users.get(provider) ?? []) {
    if (use.contract === null || use.contract === contract) add(use.consumer, use.how, [provider, use.consumer], use);
  }
  const ahead = [...found.values()];
  for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
    for (const { consumer } of users.get(next.service.name) ?? []) {
      if (!add(consumer, "indirect", [...next.chain, consumer])) continue;
      const added = found.get(consumer);
      if (added !== undefined) ahead.push(added);
    }
  }
  return [...found.values()];
}

type Seen = Pick<GraphUse, "operations" | "because">;

/** A declaration concerns all of a contract. */
const unseen: Seen = { operations: null, because: null };

function homeOf(
  { repository }: DeclaredService,
  from: RepositoryDeclarations,
  all: readonly RepositoryDeclarations[],
): Pick<GraphService, "repository" | "repositoryName"> {
  if (repository === null) return { repository: from.repository, repositoryName: from.name };
  const known =
    all.find((one) => one.name === repository || one.repository === repository) ??
    all.find((one) => posix.basename(one.name) === repository);
  return { repository: known?.repository ?? null, repositoryName: known?.name ?? repository };
}

function targetsOf(
  use: DeclaredUse,
  services: ReadonlyMap<string, GraphService>,
  said: readonly { readonly by: DeclaredService }[],
  apis: ReadonlyMap<string, string | null>,
): { readonly provider: string; readonly contract: string | null }[] {
  const { api, service, contract = null } = use;
  if (api !== undefined) {
    const providers = said.filter(({ by }) => by.providesApis.includes(api)).map(({ by }) => by.name);
    return [...new Set(providers)].map((provider) => ({ provider, contract: apis.get(api) ?? null }));
  }
  if (service !== undefined) return services.has(service) ? [{ provider: service, contract }] : [];
  return [...services.values()]
    .filter(({ provides }) => contract !== null && provides.includes(contract))
    .map(({ name }) => ({ provider: name, contract }));
}
