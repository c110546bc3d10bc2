// How a task reaches an agent: what dispatch asks of the subject of agents. Its two answers are kept apart: whether somebody
// is free, and whether what was given arrived.

export interface Delivery {
  readonly task: number;
  readonly agent: string;
  readonly workspace: string;
  readonly branch: string;
  readonly brief: string;
  /** Of the dispatch: a later giving of the same task has a larger one. */
  readonly fencingToken: number;
}

export interface Deliver {
  /** An agent that is alive, idle, not limited and within its budget; undefined when there is none. */
  free(wish: { agent?: string | undefined; runtime?: string | undefined }): Promise<string | undefined>;
  /** `unknown` is never success: the same work must not go to a second agent because of it. */
  give(delivery: Delivery): Promise<"delivered" | "unknown">;
}
