// The public views: what people who write SQL are promised. Tables may change between versions; a view keeps its columns.
// Each is declared once; the migration runner creates them after the tables and again whenever a declaration changes.

import type { Dialect } from "./tables.ts";

export interface PublicView {
  readonly name: string;
  readonly summary: string;
  readonly columns: readonly { readonly name: string; readonly meaning: string }[];
  readonly example: string;
  /** The select behind the view: one text for both databases, or one for each. */
  readonly sql: string | Readonly<Record<Dialect, string>>;
}

/** A time column as ISO 8601 text in UTC, with milliseconds. */
const isoText: Readonly<Record<Dialect, (column: string) => string>> = {
  sqlite: (column) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`,
  postgres: (column) => `to_char(to_timestamp(${column} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

const perDialect = (make: (iso: (column: string) => string) => string): Record<Dialect, string> => ({
  sqlite: make(isoText.sqlite),
  postgres: make(isoText.postgres),
});

/** Milliseconds since 1970 at the moment of asking. */
const nowText: Readonly<Record<Dialect, string>> = {
  sqlite: "cast((julianday('now') - 2440587.5) * 86400000 as integer)",
  postgres: "cast(extract(epoch from now()) * 1000 as bigint)",
};

const perDialectNow = (make: (iso: (column: string) => string, now: string) => string): Record<Dialect, string> => ({
  sqlite: make(isoText.sqlite, nowText.sqlite),
  postgres: make(isoText.postgres, nowText.postgres),
});

export const publicViews: readonly PublicView[] = [
  {
    name: "timeline",
    summary: "Everything that happened, in order.",
    columns: [
      { name: "seq", meaning: "place in the constellation's chain, from 1" },
      { name: "at", meaning: "when, as ISO 8601 text in UTC" },
      { name: "type", meaning: "what happened, in the past tense: task.dispatched" },
      { name: "subject", meaning: "what it is about: task:12, agent:agent3; null when nothing in particular" },
      { name: "actor", meaning: "who did it" },
      { name: "data", meaning: "details, as JSON text" },
      { name: "constellation", meaning: "the machine it happened on" },
    ],
    example: "select at, type, subject from timeline order by seq desc limit 20",
    sql: perDialect(
      (iso) => `select seq, ${iso("at_ms")} as at, type, subject, actor, data, constellation from events`,
    ),
  },
  {
    name: "cli_recent",
    summary: "The last thousand commands that were run.",
    columns: [
      { name: "at", meaning: "when, as ISO 8601 text in UTC" },
      { name: "argv", meaning: "the arguments as a JSON array, secrets masked" },
      { name: "exit_code", meaning: "0 is success" },
      { name: "duration_ms", meaning: "how long it took" },
      { name: "agent", meaning: "the agent that ran it, null for a person" },
      { name: "cwd", meaning: "where it was run" },
      { name: "version", meaning: "of constel" },
      { name: "constellation", meaning: "the machine it ran on" },
    ],
    example: "select at, argv, exit_code from cli_recent where exit_code <> 0",
    sql: perDialect(
      (iso) =>
        `select ${iso("at_ms")} as at, argv, exit_code, duration_ms, agent, cwd, version, constellation from cli_invocations order by at_ms desc, id desc limit 1000`,
    ),
  },
  {
    name: "delivery_latency",
    summary: "How long messages take from the disk to the agent, and which have not arrived.",
    columns: [
      { name: "sent_at", meaning: "when it was on the disk, as ISO 8601 text in UTC" },
      { name: "sender", meaning: "who sent it" },
      { name: "receiver", meaning: "the agent it is for" },
      { name: "state", meaning: "sent, delivered, acked, unknown, duplicate or poisoned" },
      { name: "delivered_after_ms", meaning: "from sent to delivered; null when it has not been proven" },
      { name: "acked_after_ms", meaning: "from sent to acked; null when it was not" },
      { name: "message_id", meaning: "the message" },
      { name: "task", meaning: "the task it is about; null when none" },
      { name: "constellation", meaning: "the machine it was sent on" },
    ],
    example: "select receiver, state, delivered_after_ms from delivery_latency order by sent_at desc limit 20",
    sql: perDialect(
      (iso) =>
        `select ${iso("sent_ms")} as sent_at, sender, receiver, state, delivered_ms - sent_ms as delivered_after_ms, acked_ms - sent_ms as acked_after_ms, message_id, task, constellation from messages`,
    ),
  },
  {
    name: "landed_today",
    summary: "The tasks that landed since midnight, UTC.",
    columns: [
      { name: "landed_at", meaning: "when, as ISO 8601 text in UTC" },
      { name: "task", meaning: "the task's number" },
      { name: "title", meaning: "what it was" },
      { name: "agent", meaning: "who did it; null for a person" },
      { name: "landed_sha", meaning: "the commit on the target branch that completed it" },
      { name: "target", meaning: "the branch it landed on" },
      { name: "actual_minutes", meaning: "from the start of work to landing" },
      { name: "constellation", meaning: "the machine it belongs to" },
    ],
    example: "select task, title, landed_sha from landed_today order by landed_at",
    sql: {
      sqlite: `select ${isoText.sqlite("closed_ms")} as landed_at, number as task, title, agent, landed_sha, target, actual_ms / 60000.0 as actual_minutes, constellation from tasks where state = 'closed' and landed_sha is not null and closed_ms >= cast(strftime('%s', 'now', 'start of day') as integer) * 1000`,
      postgres: `select ${isoText.postgres("closed_ms")} as landed_at, number as task, title, agent, landed_sha, target, actual_ms / 60000.0 as actual_minutes, constellation from tasks where state = 'closed' and landed_sha is not null and closed_ms >= extract(epoch from date_trunc('day', now() at time zone 'UTC') at time zone 'UTC') * 1000`,
    },
  },
  {
    name: "stuck",
    summary: "Tasks that need somebody: for review, or without a sign of life for an hour.",
    columns: [
      { name: "task", meaning: "the task's number" },
      { name: "title", meaning: "what it is" },
      { name: "state", meaning: "where it stands" },
      { name: "agent", meaning: "who has it; null for a person" },
      { name: "why", meaning: "what it waits for" },
      { name: "since", meaning: "its last change, as ISO 8601 text in UTC" },
      { name: "idle_minutes", meaning: "how long ago that is" },
      { name: "constellation", meaning: "the machine it belongs to" },
    ],
    example: "select task, why, idle_minutes from stuck order by idle_minutes desc",
    sql: perDialectNow(
      (iso, now) =>
        `select number as task, title, state, agent, case when state = 'needs_review' then coalesce(reason, 'it needs review') when state = 'ready' then 'it is ready and was not harvested' when state = 'queued' then 'no agent took it' else 'nothing was heard of it' end as why, ${iso("updated_ms")} as since, (${now} - updated_ms) / 60000 as idle_minutes, constellation from tasks where state = 'needs_review' or (state in ('in_progress', 'ready', 'queued') and ${now} - updated_ms > 3600000)`,
    ),
  },
  {
    name: "estimate_drift",
    summary: "How long tasks took against what was estimated.",
    columns: [
      { name: "task", meaning: "the task's number" },
      { name: "title", meaning: "what it was" },
      { name: "agent", meaning: "who did it; null for a person" },
      { name: "estimate_minutes", meaning: "what was estimated" },
      { name: "actual_minutes", meaning: "from the start of work to its end, at least 1" },
      { name: "drift", meaning: "actual divided by estimate: above 1 it took longer" },
      { name: "constellation", meaning: "the machine it belongs to" },
    ],
    example: "select agent, avg(drift) from estimate_drift group by agent",
    sql: "select number as task, title, agent, estimate_ms / 60000.0 as estimate_minutes, actual_ms / 60000.0 as actual_minutes, actual_ms * 1.0 / estimate_ms as drift, constellation from tasks where state = 'closed' and estimate_ms > 0 and actual_ms is not null",
  },
];

export function viewSql(view: PublicView, dialect: Dialect): string {
  return typeof view.sql === "string" ? view.sql : view.sql[dialect];
}
