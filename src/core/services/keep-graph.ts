// Keeps the service graph as rows, so that the public views `services` and `contracts` answer from it. Only a graph that was read from every
// watched repository replaces what is kept: of one that was not asked nobody knows whether its services are gone.

import type { ContractUsersTable, KnownServicesTable } from "../../store/tables/services.ts";
import type { Context } from "../context.ts";
import { type Consumer, consumersOf, type ServiceGraph } from "./service-graph.ts";
import { keptGraph, replaceGraph } from "./services.sql.ts";

export interface GraphRows {
  readonly services: readonly KnownServicesTable[];
  readonly users: readonly ContractUsersTable[];
}

export async function keepGraph(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  graph: ServiceGraph,
): Promise<void> {
  const rows = rowsOf(graph, constellation);
  if (isSame(rows, await keptGraph(store.db, constellation))) return;
  await store.write((tx) => replaceGraph(tx, constellation, rows));
}

function rowsOf(graph: ServiceGraph, constellation: string): GraphRows {
  const common = { constellation, seen_ms: 0 };
  const services = graph.services.map(({ name, repository, repositoryName, provides, declaredIn }) => ({
    ...common,
    name,
    repository,
    repository_name: repositoryName,
    provides: JSON.stringify(provides),
    declared_in: JSON.stringify(declaredIn),
  }));
  const users = graph.services.flatMap(({ name: provider, provides }) =>
    provides.flatMap((contract) => {
      const consumers = consumersOf(graph, provider, contract);
      const rows =
        consumers.length === 0 ? [{ consumer: "", how: null, chain: "[]", ...unseen }] : consumers.map(userOf);
      return rows.map((row) => ({ ...common, provider, contract, ...row }));
    }),
  );
  return { services, users };
}

const unseen = { operations: null, because: null };

const userOf = ({ service, kind, chain, operations, because }: Consumer) => ({
  consumer: service.name,
  how: kind,
  chain: JSON.stringify(chain),
  operations: operations === null ? null : JSON.stringify(operations),
  because,
});

/** Most rounds find what they found before, and write nothing. */
function isSame(now: GraphRows, kept: GraphRows): boolean {
  const plain = ({ services, users }: GraphRows): string =>
    JSON.stringify([textsOf(services, ({ name }) => name), textsOf(users, keyOf)]);
  return plain(now) === plain(kept);
}

const keyOf = ({ provider, contract, consumer }: ContractUsersTable): string =>
  JSON.stringify([provider, contract, consumer]);

/** Each row without its time, under its key: the database has its columns and rows in an order of its own. */
function textsOf<Row extends { readonly seen_ms: number }>(rows: readonly Row[], key: (row: Row) => string): string[] {
  return rows.map((row) => `${key(row)} ${JSON.stringify(Object.entries({ ...row, seen_ms: 0 }).sort())}`).sort();
}
