// Workers: agents that are given a turn when something wakes them, and the turns they were given.

export interface WorkersTable {
  constellation: string;
  agent: string;
  name: string;
  runtime: string;
  /** The owner's words about what it is for; they open each turn. */
  about: string;
  /** The kinds of cause that wake it, each between spaces: ` message task `. */
  wakes_on: string;
  /** 0: no limit. */
  tokens_per_day: number;
  turns_per_hour: number;
  turn_ms: number;
  /** waiting, turning, parked or stopped. */
  state: string;
  /** The reason why it is parked, or why its next turn waits. */
  because: string | null;
  /** Raised in the transaction that writes a cause. */
  wake_seq: number;
  /** As far as turns have taken causes up. */
  taken_seq: number;
  /** Since when a cause waits. */
  woken_ms: number | null;
  /** The number of its newest turn. */
  turns: number;
  failures: number;
  /** After a failure: the next try is not before. */
  retry_ms: number | null;
  /** Turns in a row that did and said the same. */
  same_turns: number;
  last_print: string | null;
  /** Turns and tokens before this do not count for its guards: somebody started it anew. */
  guards_since_ms: number;
  created_ms: number;
  updated_ms: number;
}

/** One turn. The row is the journal: what was asked, what it answered, and whose messages that settles. */
export interface WorkerTurnsTable {
  constellation: string;
  agent: string;
  turn: number;
  id: string;
  /** asked, answered or closed. */
  state: string;
  attempt: number;
  /** JSON: the messages that it takes up. */
  causes: string;
  text: string;
  asked_ms: number;
  put_ms: number | null;
  /** Its program had it in its context. */
  began_ms: number | null;
  ended_ms: number | null;
  ok: number | null;
  answer: string | null;
  error: string | null;
  /** JSON: the tools it used, each with its file. */
  did: string | null;
  session_id: string | null;
}
