// Declares how an agent is driven that has no terminal of its program's own. Shapes only, no I/O.

/** Wishes that not every program can be held to: to read only, to use these tools, to answer from a copy of its conversation. */
export type DriveLimit = "readOnly" | "tools" | "fork";

/** Kept in the launch of an agent that is driven over a pipe. It is restated at every start and every turn. */
export interface Drive {
  /** A worker: its program is started for a turn and ended after it. */
  readonly worker?: true;
  /** A turn that takes longer is ended. */
  readonly turnMs?: number;
  /** Nothing may be changed: no edit, no command that its sandbox would not let write, no permission to do so. */
  readonly readOnly?: true;
  /** The tools it may use, as its program calls them. Absent: all. */
  readonly tools?: readonly string[];
  /** Where a turn of a worker begins: in its conversation, in a copy of it, or, after so many turns, in a new one. */
  readonly context?: "resume" | "fork" | { readonly freshEvery: number };
}
