// Defines what can be scheduled: a cron entry fires at times of the clock, a loop again and again until it has reached its end. Both give an
// agent a prompt or run one of constel's verbs. What was seen and fired is kept apart from what is wanted.

/** The work of a firing: words for an agent, or a verb of constel as its words, such as `["task", "harvest", "--all"]`. */
export type Action =
  | { readonly agent: string; readonly prompt: string; readonly verb?: undefined }
  | { readonly verb: readonly string[]; readonly agent?: undefined; readonly prompt?: undefined };

/** The treatment of a firing whose predecessor is not finished. */
export type Overlap = "queue" | "skip" | "replace";
export const overlaps: readonly Overlap[] = ["queue", "skip", "replace"];

export interface CronEntry {
  /** Unique in the file; lowercase letters, digits and dashes. */
  readonly label: string;
  /** The five fields. */
  readonly schedule: string;
  readonly zone: string;
  readonly action: Action;
  readonly overlap: Overlap;
  /** Firings are put off by up to so much, always the same for a label. 0: not at all. */
  readonly jitterMs: number;
  readonly paused: boolean;
}

/** The times up to which an entry has been looked at. Both only ever grow. */
export interface CronState {
  /** Everything due up to here was fired or passed over. When an entry is made: that moment. */
  readonly seenMs: number;
  /** The scheduled time of the last firing. */
  readonly firedMs?: number | undefined;
}

export const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** The wait of a loop without an interval of its own when nobody reschedules it. */
export const defaultLoopMs = 1_500_000;
export const shortestLoopMs = 60_000;
export const longestLoopMs = 7 * 86_400_000;

export interface Loop {
  readonly id: string;
  readonly action: Action;
  /** Undefined: a dynamic loop; who works in it says when it comes again. */
  readonly everyMs?: number | undefined;
  /** A command whose success ends the loop. */
  readonly until?: string | undefined;
  /** A command that is run when the loop is due: it fires only when what that prints is not what it printed the last time. */
  readonly onChange?: string | undefined;
  /** The directory in which these commands run. Undefined: in the agent's workspace, else in the root directory. */
  readonly directory?: string | undefined;
  /** Ends after so many firings. */
  readonly most?: number | undefined;
  readonly overlap: Overlap;
  /** Set where a clone opened it for itself. */
  readonly own?: LoopOwn | undefined;
  readonly createdMs: number;
  readonly paused: boolean;
}

/** A loop as it is asked for. */
export type LoopWish = Omit<Loop, "createdMs" | "paused">;

/** The bounds of a loop that a clone opened on its own work (own-loops.ts). */
export interface LoopOwn {
  /** It ends with this task, or when the clone no longer has it. */
  readonly task: number;
  /** It ends then at the latest. */
  readonly endsMs: number;
}

export interface LoopState {
  readonly fired: number;
  readonly nextMs: number;
  readonly firedMs?: number | undefined;
  /** Times in a row that one of its commands could not be run. */
  readonly unanswered: number;
  /** The hash of what the `on_change` command printed last; undefined before the first look. */
  readonly seen?: string | undefined;
  readonly ended?: LoopEnd | undefined;
}

export interface LoopEnd {
  readonly atMs: number;
  readonly why: "until" | "most" | "stopped" | "unanswered";
  readonly says: string;
}
