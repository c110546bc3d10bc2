// Declares the tables for what unattended nights leave behind: permission requests, schedules and their firings, what needs the owner, and
// what the owner answered from elsewhere.

/** A permission request that no rule answered. */
export interface ApprovalsTable {
  id: string;
  constellation: string;
  /** Chosen by the hook that asks: the same request twice is one row. */
  request: string;
  agent: string;
  runtime: string;
  task: string | null;
  tool: string;
  /** The request as people read it: the command, or the tool and its paths. */
  asked: string;
  /** The part of it that no rule allows. */
  part: string;
  why: string;
  cwd: string;
  /** waiting, allowed, denied, timed_out, withdrawn. */
  state: string;
  asked_ms: number;
  /** Denied when nobody has answered by then. */
  due_ms: number;
  /** The time when the hook that waits was last heard of. */
  seen_ms: number;
  answered_ms: number | null;
  answered_by: string | null;
  note: string | null;
  /** Over the row as it was asked, and again as it was answered (core/signed-row.ts); null where there was no key. */
  signature: string | null;
}

/** A cron entry or a loop, as its file had it when it was last read, and how far it has been looked at. */
export interface SchedulesTable {
  constellation: string;
  /** cron or loop. */
  kind: string;
  label: string;
  /** The five fields and the zone, or the interval; for people. */
  timing: string;
  /** As JSON. Of a loop also its commands `until` and `on_change`, its `most` firings and the `task` it ends with. */
  action: string;
  overlap: string;
  paused: number;
  /** Everything due up to here was fired or passed over. */
  seen_ms: number;
  fired_ms: number | null;
  next_ms: number | null;
  /** By how much the clock is behind what was already seen; nothing fires for so long. */
  behind_ms: number;
  ended_ms: number | null;
  ended_why: string | null;
  updated_ms: number;
}

/** One time a schedule came due. */
export interface FiringsTable {
  constellation: string;
  /** `cron:<label>@<time>`, `loop:<id>@<made>#<count>`; one row each, so that nothing fires twice. */
  key: string;
  kind: string;
  label: string;
  due_ms: number;
  at_ms: number;
  /** 1: it comes late, or stands for others that were missed. */
  catch_up: number;
  missed: number;
  late_ms: number;
  action: string;
  overlap: string;
  /** waiting, running, done, failed, skipped, joined, replaced. */
  state: string;
  /** The message that carries a prompt. */
  message_id: string | null;
  began_ms: number | null;
  ended_ms: number | null;
  detail: string | null;
}

/** Something that needs the owner, from when it was first seen until it was over; told once. */
export interface OwnerNeedsTable {
  constellation: string;
  key: string;
  kind: string;
  agent: string | null;
  says: string;
  next: string;
  since_ms: number;
  /** Null while it lasts. */
  ended_ms: number | null;
  /** The time when the owner was told. Null when they were not. */
  paged_ms: number | null;
  tries: number;
  retry_ms: number | null;
}

/** A need that the owner put aside, until a time or until it says something else. */
export interface SnoozesTable {
  constellation: string;
  key: string;
  /** Null: until it changes. */
  until_ms: number | null;
  /** The sentence as it was then. */
  says: string;
  snoozed_by: string;
  snoozed_ms: number;
}

/** The words that the owner said from elsewhere. */
export interface OwnerDirectivesTable {
  id: string;
  constellation: string;
  at_ms: number;
  /** webhook or telegram. */
  channel: string;
  sender: string;
  text: string;
  /** One row each, however often it is fetched. */
  source_key: string;
  /** The result: an answer to a request, or a message to an agent. */
  became: string;
}
