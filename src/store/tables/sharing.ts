// Declares the tables for repositories whose owner shares the work in them with other constellations.

export interface SharedRepositoriesTable {
  constellation: string;
  repository: string;
  /** Made by chance, so that names of sides say nothing of paths and nobody else makes the same. */
  mark: string;
  /** shared, or withdrawn: what was published is still being taken away. */
  wanted: string;
  shared_by: string;
  shared_ms: number;
  /** When its daemon was last at work on it, by its own clock. */
  heard_ms: number;
  /** The reason why something of it could not be sent or taken in. */
  problem: string | null;
}

/** A line of work that others may compare with theirs. */
export interface SharedSidesTable {
  constellation: string;
  repository: string;
  key: string;
  ref: string;
  commit_id: string | null;
  /** origin, bundle or nowhere. */
  route: string;
  detail: string | null;
  branch: string | null;
  agent: string | null;
  task: string | null;
  machine: string;
  at_ms: number;
}

/** Objects of a side whose origin does not take them, in base64. */
export interface SideBundlesTable {
  constellation: string;
  repository: string;
  key: string;
  content: string;
}
