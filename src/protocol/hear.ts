// What an agent is to hear next. The daemon lays it into one small file for each agent, `state/hear/<agent>/next.json`; the agent's
// hooks read that file and print what is due at their moment, so a hook with nothing to say reads one file and is gone, with
// or without a daemon. No file, an empty one and one that cannot be read all mean: nothing to say.
//
// Told once: before it prints an item, a hook makes the file `state/hear/<agent>.told/<item id>`, which must not exist yet; of
// two hooks at the same moment only one can. After it printed, it leaves a record in the agent's hook file that names the
// items (`told`). The daemon takes that record as the evidence, and then takes the item and its mark away; a mark without
// a record is a hook that died before it printed, and the item is offered again under its next id.

/** A moment at which a hook may speak. */
export type HearMoment =
  | "start" // the session begins, goes on, or was compacted
  | "prompt" // somebody gave the agent a prompt
  | "edit" // the agent is about to change one of `files`
  | "stop"; // the agent is about to idle; held back at most once for the same items

export interface HearItem {
  /** Of this telling: a notice that is told again has another. Letters, digits, `_` and `-`. */
  readonly id: string;
  readonly at: readonly HearMoment[];
  /**
   * Absolute paths that it is about; only before an edit of one of these, or of something below one, is it told at `edit`. Empty:
   * before any edit.
   */
  readonly files: readonly string[];
  /** Framed, masked and bounded by whoever wrote it: ready to be printed. */
  readonly text: string;
  /** The edit is denied, with this text, each time that it is tried while the item is here. */
  readonly denies?: boolean;
  /** For this conversation of the agent alone: a successor, who never heard of the matter, is not told that it is over. */
  readonly to?: string;
}

export interface Hear {
  readonly version: 1;
  /** For `start`: who is here and on what, the task, what touches these files, what to do next. */
  readonly join?: string;
  readonly items: readonly HearItem[];
}
