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

/** Postgres adds up big integers as decimals of any length; ours fit. */
const whole = (column: string): string => `cast(sum(${column}) as bigint)`;

const perDialect = (make: (iso: (column: string) => string) => string): Record<Dialect, string> => ({
  sqlite: make(isoText.sqlite),
  postgres: make(isoText.postgres),
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
    name: "clones_now",
    summary: "Every agent of each constellation as it is now, and what that rests on.",
    columns: [
      { name: "agent", meaning: "agent0 is the root" },
      { name: "role", meaning: "root, clone, watchdog or ticker" },
      { name: "runtime", meaning: "the program it runs on" },
      { name: "wanted", meaning: "what was asked for: up, down or paused" },
      {
        name: "state",
        meaning:
          "what is so: starting, busy, waiting-permission, idle, limited, logged-out, hung, paused, dead or unknown",
      },
      { name: "since", meaning: "since when, as ISO 8601 text in UTC" },
      { name: "until", meaning: "limited: when it lifts; else null" },
      { name: "task", meaning: "the task of the last brief that reached it; null when none" },
      {
        name: "evidence_on",
        meaning: "what the state rests on: process, own, hooks, transcript, title, screen, nothing",
      },
      { name: "evidence", meaning: "the same in plain words" },
      { name: "mail_held", meaning: "why its messages wait; null when nothing holds them" },
      { name: "session_id", meaning: "the program's session; null when not known" },
      { name: "cwd", meaning: "where it works" },
      { name: "constellation", meaning: "the machine it runs on" },
    ],
    example: "select agent, state, since, evidence from clones_now where state <> 'idle'",
    sql: perDialect(
      (iso) =>
        `select agent, role, runtime, wanted, seen as state, ${iso("since_ms")} as since, ${iso("seen_until_ms")} as until, task, evidence_on, evidence_says as evidence, mail_held, session_id, cwd, constellation from agents`,
    ),
  },
  {
    name: "clone_cost",
    summary: "What each agent used, day by day and model by model.",
    columns: [
      { name: "day", meaning: "the UTC date" },
      { name: "agent", meaning: "who used it" },
      { name: "model", meaning: "the model that answered" },
      { name: "task", meaning: "the task it worked on; null when none" },
      { name: "answers", meaning: "how often the model answered" },
      { name: "input_tokens", meaning: "read afresh" },
      { name: "output_tokens", meaning: "written" },
      { name: "cache_read_tokens", meaning: "read from the cache" },
      { name: "cache_write_tokens", meaning: "written to the cache" },
      { name: "cost_micros", meaning: "millionths of a US dollar, of the answers whose price is known" },
      { name: "unpriced_answers", meaning: "answers whose price is not known" },
      { name: "constellation", meaning: "the machine it ran on" },
    ],
    example:
      "select day, agent, sum(cost_micros) / 1e6 as dollars from clone_cost group by day, agent order by day desc",
    sql: perDialect(
      (iso) =>
        `select substr(${iso("at_ms")}, 1, 10) as day, agent, model, task, count(*) as answers, ${whole("input")} as input_tokens, ${whole("output")} as output_tokens, ${whole("cache_read")} as cache_read_tokens, ${whole("cache_write")} as cache_write_tokens, ${whole("coalesce(cost_micros, 0)")} as cost_micros, count(*) - count(cost_micros) as unpriced_answers, constellation from token_usage group by 1, agent, model, task, constellation`,
    ),
  },
];

export function viewSql(view: PublicView, dialect: Dialect): string {
  return typeof view.sql === "string" ? view.sql : view.sql[dialect];
}
