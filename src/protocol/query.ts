// Reading the database with a user's own SQL.

export interface TableInfo {
  readonly name: string;
  readonly kind: "table" | "view";
  readonly columns: readonly string[];
}

export interface QueryRows {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly unknown[]>;
}

export interface PlanAnswer {
  /** One line: why it is slow, or that it is not. */
  readonly verdict: string;
  /** The index that would help, as SQL to think about; undefined when none would. */
  readonly index: string | undefined;
  readonly plan: readonly string[];
}

/** Read-only by construction. Throws refusals `query.*`. */
export interface QueryReader {
  /** The statement as it may be handed to another engine: one, and one that reads. */
  onlyReading(sql: string): string;
  run(sql: string): Promise<QueryRows>;
  explain(sql: string): Promise<PlanAnswer>;
  tables(): Promise<readonly TableInfo[]>;
  close(): Promise<void>;
}
