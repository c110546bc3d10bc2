// Declares the tables of the service graph, as the last round that read every watched repository saw it.

export interface KnownServicesTable {
  constellation: string;
  name: string;
  /** The repository's identity. Null where it is not watched. */
  repository: string | null;
  repository_name: string;
  /** JSON: paths of contracts, or the names of what was inferred. */
  provides: string;
  /** JSON: `shop: services.yaml:3`. */
  declared_in: string;
  seen_ms: number;
}

/** A contract and one of its consumers. */
export interface ContractUsersTable {
  constellation: string;
  provider: string;
  contract: string;
  /** Empty in the one row of a contract that nobody uses. */
  consumer: string;
  /** direct, tests or indirect; null where nobody uses it. */
  how: string | null;
  /** JSON: from the provider to the consumer. */
  chain: string;
  /** JSON: the operations that the consumer was seen to ask for; null: all, or not known. */
  operations: string | null;
  /** Of what is inferred: where code shows it, `src/cart.ts:3`. */
  because: string | null;
  seen_ms: number;
}
