// The public views: what people who write SQL are promised. Tables may change between versions; a view keeps its columns.
// Each is declared once; the migration runner creates them after the tables and again whenever a declaration changes. One long table,
// because whoever asks in SQL looks for what there is in one place.

import { attentionSql } from "./attention-view.ts";
import { agentsNowSql, constellationsNowSql, costNowSql, tasksNowSql, type Words } from "./everywhere-views.ts";
import { readinessSql } from "./readiness-view.ts";
import type { Dialect } from "./tables.ts";
import { taskPhasesSql } from "./task-phases-view.ts";

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

/** Milliseconds since 1970, at the moment of asking. */
interface Moments {
  readonly now: string;
  /** The last midnight, UTC. */
  readonly midnight: string;
}

const moments: Readonly<Record<Dialect, Moments>> = {
  sqlite: {
    now: "cast((julianday('now') - 2440587.5) * 86400000 as integer)",
    midnight: "cast(strftime('%s', 'now', 'start of day') as integer) * 1000",
  },
  postgres: {
    now: "cast(extract(epoch from now()) * 1000 as bigint)",
    midnight: "extract(epoch from date_trunc('day', now() at time zone 'UTC') at time zone 'UTC') * 1000",
  },
};

const perDialect = (make: (iso: (column: string) => string, at: Moments) => string): Record<Dialect, string> => ({
  sqlite: make(isoText.sqlite, moments.sqlite),
  postgres: make(isoText.postgres, moments.postgres),
});

const everywhere = (make: (words: Words) => string): Record<Dialect, string> => ({
  sqlite: make({ dialect: "sqlite", iso: isoText.sqlite, ...moments.sqlite }),
  postgres: make({ dialect: "postgres", iso: isoText.postgres, ...moments.postgres }),
});

/** The columns that all views over several constellations end with. */
const fromWhen = {
  name: "known_at",
  meaning: "the time from which this is known, as ISO 8601 text in UTC; now, for this database's own",
};
const heardBy = {
  name: "heard_by",
  meaning: "the constellation that heard it over the mesh; null for this database's own",
};
const fromAll = [fromWhen, heardBy];
const whose = { name: "constellation", meaning: "the machine it is on; of a sibling, our name for it" };

/** The parts that all views of tasks share. */
const ofTasks = {
  number: { name: "task", meaning: "the task's number" },
  machine: { name: "constellation", meaning: "the machine it belongs to" },
  doer: { name: "agent", meaning: "who did it; null for a person" },
  actual: "actual_ms / 60000.0 as actual_minutes",
  /** Its last dispatch failed, and nobody has given it out since. */
  isNotGivenOut:
    "(state in ('open', 'queued') and 'failed' = (select d.state from dispatches d where d.constellation = tasks.constellation and d.task = tasks.number order by d.fencing_token desc limit 1))",
  /** The way its agent stopped without finishing it, as the owner is told. */
  stopped:
    "(select max(n.says) from owner_needs n where n.constellation = tasks.constellation and n.agent = tasks.agent and n.kind in ('stopped', 'unattended') and n.ended_ms is null)",
  /** Given out, and nobody knows whether the brief arrived. Asked by the task: all that are given out are too many to be gone through for each. */
  isInDoubt:
    "exists (select 1 from dispatches d where d.constellation = tasks.constellation and d.task = tasks.number and d.state = 'unknown' and coalesce(d.ended_ms, 0) = 0)",
} as const;

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
    name: "workers_now",
    summary: "Workers: what wakes each, its state and its guards.",
    columns: [
      { name: "name", meaning: "the worker" },
      { name: "agent", meaning: "its id as an agent" },
      { name: "runtime", meaning: "the agent program" },
      { name: "state", meaning: "waiting, turning, parked or stopped" },
      { name: "because", meaning: "why it is parked, or why its next turn waits" },
      { name: "woken_at", meaning: "since when something waits for its next turn; null when nothing does" },
      { name: "turns", meaning: "how many turns it has had" },
      { name: "failures", meaning: "how many tries in a row failed" },
      { name: "wakes_on", meaning: "the kinds of cause that wake it" },
      { name: "turns_per_hour", meaning: "how many turns it may have in an hour" },
      { name: "tokens_per_day", meaning: "how many tokens it may use in a UTC day; 0 is any number" },
      { name: "constellation", meaning: "the machine it belongs to" },
    ],
    example: "select name, because from workers_now where state = 'parked'",
    sql: perDialect(
      (iso) =>
        `select name, agent, runtime, state, because, ${iso("woken_ms")} as woken_at, turns, failures, trim(wakes_on) as wakes_on, turns_per_hour, tokens_per_day, constellation from workers`,
    ),
  },
  {
    name: "worker_log",
    summary: "The turns of workers: what woke each, how it ended and what it answered.",
    columns: [
      { name: "agent", meaning: "the worker's id as an agent" },
      { name: "turn", meaning: "its number, from 1" },
      { name: "state", meaning: "asked, answered or closed" },
      { name: "attempt", meaning: "the number of tries" },
      { name: "causes", meaning: "the messages and notices that it took up, as JSON" },
      { name: "asked_at", meaning: "when it was written down, as ISO 8601 text in UTC" },
      { name: "began_at", meaning: "when the model began to answer; null when that was not seen" },
      { name: "ended_at", meaning: "when it ended; null while it runs" },
      { name: "ok", meaning: "1 when it was answered, 0 when the last try failed" },
      { name: "answer", meaning: "what it said at the end" },
      { name: "error", meaning: "why the last try failed" },
      { name: "session_id", meaning: "the conversation" },
      { name: "constellation", meaning: "the machine it belongs to" },
    ],
    example: "select agent, turn, answer from worker_log order by asked_at desc limit 20",
    sql: perDialect(
      (iso) =>
        `select agent, turn, state, attempt, causes, ${iso("asked_ms")} as asked_at, ${iso("began_ms")} as began_at, ${iso("ended_ms")} as ended_at, ok, answer, error, session_id, constellation from worker_turns`,
    ),
  },
  {
    name: "task_handovers",
    summary: "Tasks that went from one agent to another, and what the other was told.",
    columns: [
      { name: "task", meaning: "the task's number" },
      { name: "from_agent", meaning: "who had it; null for a person" },
      { name: "to_agent", meaning: "who goes on with it" },
      { name: "because", meaning: "why" },
      { name: "capsule", meaning: "what the next agent was told" },
      { name: "kept", meaning: "the refs under which all that the workspaces held was saved, as JSON" },
      { name: "asked_by", meaning: "who handed it over" },
      { name: "at", meaning: "when, as ISO 8601 text in UTC" },
      { name: "constellation", meaning: "the machine it happened on" },
    ],
    example: "select at, task, from_agent, to_agent, because from task_handovers order by at desc",
    sql: perDialect(
      (iso) =>
        `select task, from_agent, to_agent, because, capsule, kept, asked_by, ${iso("at_ms")} as at, constellation from handovers`,
    ),
  },
  {
    name: "notices",
    summary:
      "What was addressed to agents: findings, claims and events, where each stands, and what proves that it was told.",
    columns: [
      { name: "id", meaning: "the notice" },
      { name: "agent", meaning: "whom it is addressed to" },
      { name: "about", meaning: "finding, claim or event" },
      { name: "kind", meaning: "the finding's kind, claim, or the event's type" },
      { name: "severity", meaning: "high, medium or low" },
      { name: "state", meaning: "waiting, told, handled or withdrawn" },
      { name: "title", meaning: "what it says, in one sentence" },
      { name: "reasons", meaning: "why it is for this agent, as a JSON array of rules and facts" },
      { name: "due_at", meaning: "since when there is, or was, something to tell, as ISO 8601 text in UTC" },
      { name: "told_at", meaning: "when it was last told; null when it was not" },
      { name: "told_by", meaning: "what proves it: the hook's event, or the message" },
      { name: "handled_at", meaning: "when it was dealt with; null when nothing says so" },
      { name: "handled_by", meaning: "who said that it is done, or the fact that says so" },
      { name: "ended_at", meaning: "when nothing could follow any more; null while it may" },
      { name: "ended_because", meaning: "why it was withdrawn" },
      { name: "repository", meaning: "the identity of the repository; null when it is about none" },
      { name: "constellation", meaning: "the machine it belongs to" },
    ],
    example: "select agent, severity, state, title from notices where ended_at is null",
    sql: perDialect(
      (iso) =>
        `select id, agent, about, kind, severity, state, title, reasons, ${iso("due_ms")} as due_at, ${iso("told_ms")} as told_at, told_by, ${iso("handled_ms")} as handled_at, handled_by, ${iso("ended_ms")} as ended_at, ended_because, repository, constellation from agent_notices`,
    ),
  },
  {
    name: "told_latency",
    summary: "How long it took from something being known to its agent being told, for each telling.",
    columns: [
      { name: "telling", meaning: "what was said at once; it may cover several notices" },
      { name: "agent", meaning: "who was told" },
      { name: "way", meaning: "hook or message" },
      { name: "offered_at", meaning: "when it lay ready, as ISO 8601 text in UTC" },
      { name: "told_at", meaning: "when it was told" },
      { name: "told_after_ms", meaning: "from lying ready to being told: how long the agent had no safe moment" },
      { name: "told_by", meaning: "what proves it" },
      { name: "told_to", meaning: "the conversation of the agent that heard it; null where nobody can tell" },
      { name: "covers", meaning: "the notices and parts it told, as a JSON array" },
      { name: "constellation", meaning: "the machine it belongs to" },
    ],
    example: "select agent, told_after_ms, told_by from told_latency order by told_at desc limit 20",
    sql: perDialect(
      (iso) =>
        `select id as telling, agent, way, ${iso("offered_ms")} as offered_at, ${iso("told_ms")} as told_at, told_ms - offered_ms as told_after_ms, told_by, told_to, covers, constellation from tellings where told_ms is not null`,
    ),
  },
  {
    name: "open_findings",
    summary: "What will collide, as far as is known now; what is only context is left out.",
    columns: [
      { name: "id", meaning: "the finding" },
      { name: "kind", meaning: "textual, semantic, contract, migration-order…" },
      { name: "severity", meaning: "high, medium or low" },
      { name: "repository", meaning: "its name" },
      { name: "ours", meaning: "one side, for people" },
      { name: "theirs", meaning: "the other side" },
      { name: "ours_worktree", meaning: "the path of one side; null for a plain branch" },
      { name: "theirs_worktree", meaning: "the path of the other" },
      { name: "title", meaning: "what collides, in one sentence" },
      { name: "action", meaning: "what to do about it" },
      { name: "files", meaning: "the files, as a JSON array" },
      { name: "symbols", meaning: "the symbols, as a JSON array" },
      { name: "opened_at", meaning: "since when, as ISO 8601 text in UTC" },
      { name: "updated_at", meaning: "when the evidence last changed" },
      { name: "constellation", meaning: "the machine it was seen on" },
    ],
    example: "select severity, kind, title from open_findings order by opened_at",
    sql: perDialect(
      (iso) =>
        `select f.id, f.kind, f.severity, r.name as repository, f.ours_label as ours, f.theirs_label as theirs, f.ours_worktree, f.theirs_worktree, f.title, f.action, f.files, f.symbols, ${iso("f.opened_ms")} as opened_at, ${iso("f.updated_ms")} as updated_at, f.constellation from findings f join repositories r on r.constellation = f.constellation and r.identity = f.repository where f.state = 'open' and f.severity <> 'context'`,
    ),
  },
  {
    name: "merge_readiness",
    summary: "How ready each worktree's work is to land: 0 to 100, and why not more.",
    columns: [
      { name: "repository", meaning: "its name" },
      { name: "branch", meaning: "the branch; null when HEAD is detached" },
      { name: "worktree", meaning: "its path" },
      { name: "agent", meaning: "who works there, when that is known" },
      {
        name: "score",
        meaning:
          "100 when nothing stands in the way and everything was asked; at most 20 with a file that does not parse or has conflict markers, a red gate or a broken contract",
      },
      { name: "reasons", meaning: "what took points away, separated by semicolons; empty at 100" },
      { name: "high", meaning: "open findings of severity high" },
      { name: "medium", meaning: "open findings of severity medium" },
      { name: "low", meaning: "open findings of severity low" },
      { name: "conflicts_with_default", meaning: "open textual findings against the default branch" },
      {
        name: "open_pairs",
        meaning: "pairs with others of which something was not looked at, or is still being asked",
      },
      { name: "ahead", meaning: "commits that the default branch lacks; null when not known" },
      { name: "behind", meaning: "commits of the default branch that it lacks; null when not known" },
      { name: "uncommitted", meaning: "1 when there is work that is not committed" },
      { name: "operation", meaning: "merge, rebase… when git is in the middle of one" },
      { name: "observed_at", meaning: "when it last changed, as ISO 8601 text in UTC" },
      { name: "repository_id", meaning: "the repository's identity" },
      { name: "constellation", meaning: "the machine it is on" },
    ],
    example: "select branch, score, reasons from merge_readiness order by score desc",
    sql: { sqlite: readinessSql("sqlite", isoText.sqlite), postgres: readinessSql("postgres", isoText.postgres) },
  },
  {
    name: "clones_now",
    summary: "Every agent of each constellation as it is now, and what that rests on.",
    columns: [
      { name: "agent", meaning: "agent0 is the root" },
      { name: "role", meaning: "root, clone, watchdog or ticker; guest for a session that a person started" },
      { name: "runtime", meaning: "the program it runs on" },
      { name: "wanted", meaning: "what was asked for: up, down or paused; nothing of a guest" },
      {
        name: "state",
        meaning:
          "what is so: starting, busy, waiting-permission, waiting-answer, idle, limited, logged-out, hung, paused, dead or unknown",
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
      { name: "account", meaning: "which of your further accounts it is on; null for the program's own" },
      { name: "constellation", meaning: "the machine it runs on" },
    ],
    example: "select agent, state, since, evidence from clones_now where state <> 'idle'",
    sql: perDialect(
      (iso) =>
        `select agent, role, runtime, wanted, seen as state, ${iso("since_ms")} as since, ${iso("seen_until_ms")} as until, task, evidence_on, evidence_says as evidence, mail_held, session_id, cwd, account, constellation from agents`,
    ),
  },
  {
    name: "account_limits_seen",
    summary: "Accounts of agent programs that met a usage limit, and when it lifts.",
    columns: [
      { name: "runtime", meaning: "the program" },
      { name: "account", meaning: "which of your accounts: `usual` for the program's own" },
      { name: "until", meaning: "when the limit lifts, as ISO 8601 text in UTC" },
      { name: "agent", meaning: "who met it" },
      { name: "seen_at", meaning: "when it was last seen, as ISO 8601 text in UTC" },
      { name: "constellation", meaning: "the machine it happened on" },
    ],
    example: "select runtime, account, until from account_limits_seen order by until desc",
    sql: perDialect(
      (iso) =>
        `select runtime, account, ${iso("until_ms")} as until, agent, ${iso("seen_ms")} as seen_at, constellation from account_limits`,
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
      { name: "account", meaning: "which of your further accounts paid; null for the program's own" },
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
        `select substr(${iso("at_ms")}, 1, 10) as day, agent, model, task, account, count(*) as answers, ${whole("input")} as input_tokens, ${whole("output")} as output_tokens, ${whole("cache_read")} as cache_read_tokens, ${whole("cache_write")} as cache_write_tokens, ${whole("coalesce(cost_micros, 0)")} as cost_micros, count(*) - count(cost_micros) as unpriced_answers, constellation from token_usage group by 1, agent, model, task, account, constellation`,
    ),
  },
  {
    name: "landed_today",
    summary: "The tasks that landed since midnight, UTC, and are still on their target.",
    columns: [
      { name: "landed_at", meaning: "when, as ISO 8601 text in UTC" },
      ofTasks.number,
      { name: "title", meaning: "what it was" },
      ofTasks.doer,
      { name: "landed_sha", meaning: "the commit on the target branch that completed it" },
      { name: "target", meaning: "the branch it landed on" },
      { name: "actual_minutes", meaning: "from the start of work to landing" },
      ofTasks.machine,
      {
        name: "evidence",
        meaning: "the line that shows it is done, as whoever called it ready gave it; null when none",
      },
    ],
    example: "select task, title, landed_sha from landed_today order by landed_at",
    sql: perDialect(
      (iso, { midnight }) =>
        `select ${iso("closed_ms")} as landed_at, number as task, title, agent, landed_sha, target, ${ofTasks.actual}, constellation, evidence from tasks where state = 'closed' and landed_sha is not null and closed_ms >= ${midnight}`,
    ),
  },
  {
    name: "pulls",
    summary: "The pull request of each task that lands by one: where it stands, and what it waits for.",
    columns: [
      ofTasks.number,
      { name: "number", meaning: "its number at the forge; null before it is open" },
      { name: "url", meaning: "where it can be seen" },
      { name: "state", meaning: "wanted, pushing, opening, open, merging; or how it ended: landed, closed, cancelled" },
      { name: "branch", meaning: "the branch that has the work" },
      { name: "base", meaning: "the branch into which it is to be merged now" },
      { name: "target", meaning: "the branch on which it is to land in the end" },
      { name: "head", meaning: "the commit that the branch has, as far as constel knows" },
      { name: "checks", meaning: "none, pending, green or red, as the forge said last" },
      { name: "review", meaning: "none, required, approved or changes-requested" },
      { name: "rounds", meaning: "how often it went back to its agent" },
      { name: "waits_for", meaning: "what it waits for, in words" },
      { name: "opened_at", meaning: "when it was opened, as ISO 8601 text in UTC" },
      { name: "ended_at", meaning: "when it ended; null while it has not" },
      ofTasks.machine,
    ],
    example: "select task, url, waits_for from pulls where ended_at is null",
    sql: perDialect(
      (iso) =>
        `select task, number, url, coalesce(outcome, phase) as state, branch, base, target, head_sha as head, checks, review, rounds, waits_for, ${iso("opened_ms")} as opened_at, ${iso("ended_ms")} as ended_at, constellation from pull_requests`,
    ),
  },
  {
    name: "issues",
    summary: "The issues of a forge that became tasks, while their label was followed.",
    columns: [
      { name: "origin", meaning: "the repository's address" },
      { name: "label", meaning: "the label that is followed" },
      { name: "issue", meaning: "the issue's number" },
      { name: "url", meaning: "where it can be seen" },
      ofTasks.number,
      { name: "state", meaning: "open, closing (closed there while its work lands), closed, gone (it lost its label)" },
      { name: "problem", meaning: "why its comment could not be written; null when it could" },
      { name: "created_at", meaning: "when the task was made, as ISO 8601 text in UTC" },
      ofTasks.machine,
    ],
    example: "select issue, task, url from issues where state = 'open'",
    sql: perDialect(
      (iso) =>
        `select f.origin, f.label, i.issue, i.url, i.task, i.state, i.problem, ${iso("i.created_ms")} as created_at, i.constellation from issue_tasks i join issue_follows f on f.id = i.follow`,
    ),
  },
  {
    name: "ci",
    summary: "What the checks of the forge say of each pushed branch, and of main after a landing by pull request.",
    columns: [
      { name: "origin", meaning: "the repository's address" },
      { name: "branch", meaning: "the branch" },
      { name: "commit_sha", meaning: "the commit that was checked" },
      { name: "state", meaning: "none, pending, green or red" },
      { name: "red", meaning: "the red checks with the ends of their logs, as JSON" },
      {
        name: "task",
        meaning: "the task whose branch it is, or whose landing made the commit; null where nobody knows",
      },
      { name: "since", meaning: "since when it says so, as ISO 8601 text in UTC" },
      { name: "seen_at", meaning: "when the forge was last asked" },
      ofTasks.machine,
    ],
    example: "select branch, task from ci where state = 'red'",
    sql: perDialect(
      (iso) =>
        `select origin, branch, commit_sha, state, red, task, ${iso("since_ms")} as since, ${iso("seen_ms")} as seen_at, constellation from branch_checks`,
    ),
  },
  {
    name: "task_acceptance",
    summary: "What each task must show before it counts as done, and what was seen of it.",
    columns: [
      ofTasks.number,
      { name: "criterion", meaning: "its number in the task, from 1" },
      { name: "kind", meaning: "command: run with the gate on the merged tree; sentence: shown to somebody" },
      { name: "text", meaning: "the command or the sentence" },
      { name: "state", meaning: "not-shown, passed or failed" },
      { name: "commit_sha", meaning: "the merged commit on which a command passed; null when it has not" },
      { name: "detail", meaning: "the end of what a command printed when it failed" },
      { name: "judged_by", meaning: "gate, or who said so; null while it is not shown" },
      { name: "judged_at", meaning: "when, as ISO 8601 text in UTC" },
      ofTasks.machine,
    ],
    example: "select task, text from task_acceptance where state <> 'passed'",
    sql: perDialect(
      (iso) =>
        `select task, place as criterion, kind, text, state, commit_sha, detail, judged_by, ${iso("judged_ms")} as judged_at, constellation from task_criteria`,
    ),
  },
  {
    name: "reviews",
    summary: "Who was asked to review which commits of a task, and what they answered.",
    columns: [
      { name: "id", meaning: "the review's id" },
      ofTasks.number,
      { name: "reviewer", meaning: "who was asked" },
      { name: "state", meaning: "asked, approved, changes or withdrawn" },
      { name: "stale", meaning: "1 when other commits were called ready since, else 0" },
      { name: "head", meaning: "names the commits it is about: the commit itself where there is one" },
      { name: "asked_by", meaning: "who asked for it" },
      { name: "asked_at", meaning: "when, as ISO 8601 text in UTC" },
      { name: "answered_at", meaning: "when it was answered, as ISO 8601 text in UTC; null while it is not" },
      { name: "text", meaning: "what the reviewer said; null when nothing" },
      { name: "comments", meaning: "what was said of single lines, as JSON" },
      ofTasks.machine,
    ],
    example: "select task, reviewer, state from reviews where stale = 0",
    sql: perDialect(
      (iso) =>
        `select id, task, reviewer, state, case when stale_ms is null then 0 else 1 end as stale, head, asked_by, ${iso("asked_ms")} as asked_at, ${iso("answered_ms")} as answered_at, text, comments, constellation from task_reviews`,
    ),
  },
  {
    name: "task_artefacts",
    summary: "The files that tasks hand over besides their branches. `constel task artefact get` saves one.",
    columns: [
      ofTasks.number,
      { name: "name", meaning: "its name within the task" },
      { name: "sha256", meaning: "the hash of its content" },
      { name: "bytes", meaning: "how long it is" },
      { name: "added_by", meaning: "who handed it over" },
      { name: "added_at", meaning: "when, as ISO 8601 text in UTC" },
      ofTasks.machine,
    ],
    example: "select task, name, bytes from task_artefacts order by added_at desc",
    sql: perDialect(
      (iso) =>
        `select task, name, sha256, bytes, added_by, ${iso("added_ms")} as added_at, constellation from artefacts`,
    ),
  },
  {
    name: "stuck",
    summary:
      "What needs somebody: tasks to land, for review, taken back, that could not be given out, given out without proof of arrival, with an agent that stopped without finishing them, or without a sign of life for an hour; and agents, permission requests and schedules that need the owner.",
    columns: [
      { name: "task", meaning: "the task's number; null for what is no task" },
      { name: "title", meaning: "what it is" },
      { name: "state", meaning: "where a task stands; else what kind of need it is" },
      { name: "agent", meaning: "who has it; null for a person" },
      { name: "why", meaning: "what it waits for" },
      { name: "since", meaning: "its last change, as ISO 8601 text in UTC" },
      { name: "idle_minutes", meaning: "how long ago that is" },
      ofTasks.machine,
    ],
    example: "select task, why, idle_minutes from stuck order by idle_minutes desc",
    sql: perDialect(
      (iso, { now }) =>
        `select number as task, title, state, agent, case when state in ('needs_review', 'taken_back') then coalesce(reason, 'it needs review') when state = 'ready' then 'it is ready and was not harvested' when ${ofTasks.isNotGivenOut} then 'it could not be given out' when state = 'queued' then 'no agent took it' when ${ofTasks.isInDoubt} and ${ofTasks.stopped} is null then 'whether its brief reached ' || coalesce(agent, 'anybody') || ' is not known' else coalesce(${ofTasks.stopped}, 'nothing was heard of it') end as why, ${iso("updated_ms")} as since, (${now} - updated_ms) / 60000 as idle_minutes, constellation from tasks where state in ('needs_review', 'taken_back', 'ready') or ${ofTasks.isInDoubt} or ${ofTasks.isNotGivenOut} or (state = 'in_progress' and ${ofTasks.stopped} is not null) or (state in ('in_progress', 'queued') and ${now} - updated_ms > 3600000) union all select null as task, says as title, kind as state, agent, next as why, ${iso("since_ms")} as since, (${now} - since_ms) / 60000 as idle_minutes, constellation from owner_needs where ended_ms is null and kind not in ('ready', 'review', 'dispatch-failed', 'findings', 'stopped', 'unattended')`,
    ),
  },
  {
    name: "attention",
    summary:
      "What needs the owner, in one order: what waits for an answer; collisions with work about to land; what does not go on; a red gate; other collisions; what is ready to land; limits and budgets. One cause is one row.",
    columns: [
      { name: "key", meaning: "the same for as long as it is the same thing; `attention snooze` takes it" },
      {
        name: "place",
        meaning:
          "1 an answer, 2 a collision about to land, 3 stuck, 4 a red gate, 5 another collision, 6 ready to land, 7 a limit",
      },
      { name: "kind", meaning: "permission, question, collision, dead, hung, stopped, gate, review, ready, limited…" },
      { name: "says", meaning: "what it is, in one sentence" },
      { name: "evidence", meaning: "what that rests on; empty when the sentence says it all" },
      { name: "agent", meaning: "whom it concerns; null for nobody or several" },
      { name: "task", meaning: "the task's number; null when none, or several" },
      { name: "finding", meaning: "of a collision: the finding" },
      { name: "request", meaning: "of a permission: the request" },
      { name: "causes", meaning: "how many things of the same cause this row stands for" },
      { name: "since", meaning: "when it began, as ISO 8601 text in UTC" },
      { name: "next", meaning: "the command that helps" },
      { name: "snoozed", meaning: "1 while it is put aside" },
      { name: "snoozed_until", meaning: "until when; null when until it changes, or not at all" },
      { name: "constellation", meaning: "the machine it is on" },
    ],
    example: "select says, next from attention where snoozed = 0 order by place, since",
    sql: {
      sqlite: attentionSql("sqlite", isoText.sqlite, moments.sqlite),
      postgres: attentionSql("postgres", isoText.postgres, moments.postgres),
    },
  },
  {
    name: "permission_requests",
    summary: "What agents asked permission for that no rule answered, and what became of it.",
    columns: [
      { name: "asked_at", meaning: "when, as ISO 8601 text in UTC" },
      { name: "agent", meaning: "who asked" },
      { name: "task", meaning: "the task it had in hand; null when none" },
      { name: "tool", meaning: "as the agent's program calls it" },
      { name: "asked", meaning: "the exact command, or the tool with what it is given" },
      { name: "why", meaning: "why no rule answered" },
      { name: "state", meaning: "waiting, allowed, denied, timed_out or withdrawn" },
      { name: "answered_at", meaning: "when it was over; null while it waits" },
      { name: "answered_by", meaning: "who answered; null when nobody did" },
      { name: "id", meaning: "the request, for constel approvals allow and deny" },
      { name: "constellation", meaning: "the machine it was asked on" },
    ],
    example: "select agent, asked from permission_requests where state = 'waiting'",
    sql: perDialect(
      (iso) =>
        `select ${iso("asked_ms")} as asked_at, agent, task, tool, asked, why, state, ${iso("answered_ms")} as answered_at, answered_by, id, constellation from approvals`,
    ),
  },
  {
    name: "schedules_now",
    summary: "Crons and loops, and when each fires next.",
    columns: [
      { name: "kind", meaning: "cron or loop" },
      { name: "label", meaning: "its name" },
      { name: "timing", meaning: "the five fields and the zone, or the interval" },
      {
        name: "action",
        meaning:
          "what it does, as JSON: agent and prompt, or verb; of a loop also its commands until and on_change, most (firings) and task (it ends with)",
      },
      { name: "paused", meaning: "1 when it is paused" },
      { name: "next_at", meaning: "when it fires next, as ISO 8601 text in UTC; null when it does not" },
      { name: "fired_at", meaning: "when it fired last; null when never" },
      { name: "behind_minutes", meaning: "how far the clock is behind what was seen: nothing fires for so long" },
      { name: "ended_why", meaning: "why a loop ended; null while it goes on" },
      { name: "constellation", meaning: "the machine it is on" },
    ],
    example: "select kind, label, next_at from schedules_now order by next_at",
    sql: perDialect(
      (iso) =>
        `select kind, label, timing, action, paused, ${iso("next_ms")} as next_at, ${iso("fired_ms")} as fired_at, behind_ms / 60000 as behind_minutes, ended_why, constellation from schedules`,
    ),
  },
  {
    name: "schedule_firings",
    summary: "Every time a schedule came due, and what was done.",
    columns: [
      { name: "due_at", meaning: "by the schedule, as ISO 8601 text in UTC" },
      { name: "fired_at", meaning: "when it was seen to be due" },
      { name: "kind", meaning: "cron or loop" },
      { name: "label", meaning: "the schedule" },
      { name: "state", meaning: "waiting, running, done, failed, skipped, joined or replaced" },
      { name: "catch_up", meaning: "1 when it came late or stands for others that were missed" },
      { name: "missed", meaning: "how many earlier ones it stands for" },
      { name: "ended_at", meaning: "when it was over; null while it is not" },
      { name: "detail", meaning: "what it said; null when nothing" },
      { name: "key", meaning: "names the firing" },
      { name: "constellation", meaning: "the machine it happened on" },
    ],
    example: "select due_at, label, state, detail from schedule_firings order by fired_at desc limit 20",
    sql: perDialect(
      (iso) =>
        `select ${iso("due_ms")} as due_at, ${iso("at_ms")} as fired_at, kind, label, state, catch_up, missed, ${iso("ended_ms")} as ended_at, detail, key, constellation from firings`,
    ),
  },
  {
    name: "crash_log",
    summary: "Every time an agent went down without being taken down.",
    columns: [
      { name: "at", meaning: "when it was noticed, as ISO 8601 text in UTC" },
      { name: "agent", meaning: "who went down" },
      { name: "runtime", meaning: "the program it ran on; null when not known" },
      { name: "what", meaning: "how it ended: a status, a signal, or a terminal that is gone" },
      { name: "detail", meaning: "the program's last words" },
      { name: "launched_at", meaning: "when that one had been started; null when not known" },
      { name: "exit_status", meaning: "what it ended with; null after a signal" },
      { name: "exit_signal", meaning: "the signal that ended it; null when none, or not known" },
      { name: "constellation", meaning: "the machine it ran on" },
    ],
    example: "select agent, count(*) from crash_log group by agent order by 2 desc",
    sql: perDialect(
      (iso) =>
        `select ${iso("at_ms")} as at, agent, runtime, what, detail, ${iso("launched_ms")} as launched_at, exit_status, exit_signal, constellation from crashes`,
    ),
  },
  {
    name: "watchdog_log",
    summary: "What the watchdog saw and did: crashes, restarts, hangs, quarantines, releases.",
    columns: [
      { name: "at", meaning: "when, as ISO 8601 text in UTC" },
      { name: "event", meaning: "what happened: agent.crashed, agent.restarting, agent.quarantined, agent.hung…" },
      { name: "agent", meaning: "whom it is about; null when nobody in particular" },
      { name: "says", meaning: "the same in words" },
      { name: "data", meaning: "details, as JSON text" },
      { name: "constellation", meaning: "the machine it happened on" },
    ],
    example: "select at, event, agent, says from watchdog_log order by at desc limit 20",
    sql: perDialect(
      (iso) => `select ${iso("at_ms")} as at, event, agent, says, data, constellation from watchdog_events`,
    ),
  },
  {
    name: "tick_log",
    summary: "Every round of the watchdog.",
    columns: [
      { name: "at", meaning: "when it ended, as ISO 8601 text in UTC" },
      { name: "duration_ms", meaning: "how long it took" },
      { name: "outcome", meaning: "well, or problems" },
      { name: "data", meaning: "who was missing and what each step said, as JSON text; empty lists when all was well" },
      { name: "constellation", meaning: "the machine it ran on" },
    ],
    example: "select at, outcome, duration_ms from tick_log where outcome <> 'well' order by at desc limit 20",
    sql: perDialect((iso) => `select ${iso("at_ms")} as at, duration_ms, outcome, data, constellation from ticks`),
  },
  {
    name: "task_phases",
    summary: "Where the time of each task went, phase by phase. What is not over lasts until now.",
    columns: [
      ofTasks.number,
      { name: "title", meaning: "what it is" },
      { name: "state", meaning: "where it stands" },
      ofTasks.doer,
      { name: "clone_minutes", meaning: "waiting in the queue for a clone" },
      { name: "start_minutes", meaning: "from being given out to the proof that the agent's first turn began" },
      { name: "work_minutes", meaning: "being worked on, without what the owner was waited for" },
      { name: "owner_minutes", meaning: "waiting for the owner's answer in that time" },
      { name: "land_minutes", meaning: "from being called ready to landing, or to going back to its agent" },
      { name: "all_minutes", meaning: "all phases together" },
      { name: "last_at", meaning: "its last change, as ISO 8601 text in UTC" },
      ofTasks.machine,
    ],
    example: "select task, clone_minutes, work_minutes, owner_minutes from task_phases order by all_minutes desc",
    sql: perDialect(
      (iso, at) =>
        `select task, title, state, agent, clone_minutes, start_minutes, work_minutes, owner_minutes, land_minutes, all_minutes, ${iso("updated_ms")} as last_at, constellation from (${taskPhasesSql(at)}) p`,
    ),
  },
  {
    name: "estimate_drift",
    summary: "How long tasks took against what was estimated, and how much of it was work.",
    columns: [
      ofTasks.number,
      { name: "title", meaning: "what it was" },
      ofTasks.doer,
      { name: "estimate_minutes", meaning: "what was estimated" },
      { name: "actual_minutes", meaning: "from the start of work to its end, at least 1" },
      { name: "drift", meaning: "actual divided by estimate: above 1 it took longer" },
      ofTasks.machine,
      { name: "work_minutes", meaning: "how much of it was work; null for a task that was never given out" },
      { name: "owner_minutes", meaning: "how much of it was waiting for the owner" },
      { name: "work_drift", meaning: "work divided by estimate: what is left when nothing is waited for" },
    ],
    example: "select agent, avg(drift), avg(work_drift) from estimate_drift group by agent",
    sql: perDialect(
      (_, at) =>
        `select t.number as task, t.title, t.agent, t.estimate_ms / 60000.0 as estimate_minutes, t.actual_ms / 60000.0 as actual_minutes, t.actual_ms * 1.0 / t.estimate_ms as drift, t.constellation, p.work_minutes, p.owner_minutes, p.work_minutes * 60000.0 / t.estimate_ms as work_drift from tasks t left join (${taskPhasesSql(at)}) p on p.constellation = t.constellation and p.task = t.number and p.all_minutes > 0 where t.state = 'closed' and t.estimate_ms > 0 and t.actual_ms is not null`,
    ),
  },
  {
    name: "event_deliveries",
    summary: "Published events and how far each copy got: for agents that are named, and for those it was routed to.",
    columns: [
      { name: "at", meaning: "when it was published, as ISO 8601 text in UTC" },
      { name: "type", meaning: "blocked, test-failed, branch-ready…" },
      { name: "severity", meaning: "high, medium, low or info" },
      { name: "published_by", meaning: "owner, or the agent" },
      { name: "text", meaning: "what it says" },
      { name: "recipient", meaning: "the agent that is named, or that it concerns; null when there is none" },
      {
        name: "state",
        meaning:
          "of a message: waiting, sent, delivered, acked, unknown or failed; of a notice: waiting, told or handled; of an event that waits for the owner: held, and refused when the owner did not allow it; null when there is no recipient",
      },
      { name: "notice", meaning: "the notice that carries it; null when it goes as a message" },
      { name: "delivered_after_ms", meaning: "from publishing to proof of arrival; null when there is none" },
      { name: "task", meaning: "the task it concerns; null when none" },
      { name: "paths", meaning: "the paths it concerns, as a JSON array" },
      { name: "topics", meaning: "its topics, as a JSON array" },
      { name: "services", meaning: "the services it concerns, as a JSON array" },
      { name: "capability", meaning: "what a recipient must be able to do; null when nothing" },
      { name: "event", meaning: "the event's id" },
      { name: "constellation", meaning: "the machine it was published on" },
    ],
    example: "select at, type, recipient, state from event_deliveries order by at desc limit 20",
    sql: perDialect(
      (iso) =>
        `select ${iso("p.at_ms")} as at, p.type, p.severity, p.actor as published_by, p.text, d.recipient, case when p.held in ('waiting', 'denied', 'refused') then case p.held when 'waiting' then 'held' else 'refused' end when d.state = 'sent' then coalesce(m.state, d.state) when d.state = 'noticed' then coalesce(n.state, d.state) else d.state end as state, d.notice, coalesce(m.delivered_ms, n.told_ms) - p.at_ms as delivered_after_ms, p.task, p.paths, p.topics, p.services, p.capability, p.id as event, p.constellation from published p left join deliveries d on d.event = p.id left join messages m on m.constellation = d.constellation and m.receiver = d.recipient and m.message_id = d.message_id left join agent_notices n on n.id = d.notice`,
    ),
  },
  {
    name: "services",
    summary: "The services that watched repositories declare or show in code.",
    columns: [
      { name: "service", meaning: "its name" },
      { name: "repository", meaning: "where its code is, as it was written or as the watched repository is called" },
      { name: "repository_id", meaning: "the repository's identity; null where it is not watched" },
      { name: "provides", meaning: "its contracts, as a JSON array" },
      { name: "declared_in", meaning: "where that is said, as a JSON array" },
      { name: "seen_at", meaning: "since when it is so, as ISO 8601 text in UTC" },
      { name: "constellation", meaning: "the machine it was seen on" },
    ],
    example: "select service, repository, provides from services order by service",
    sql: perDialect(
      (iso) =>
        `select name as service, repository_name as repository, repository as repository_id, provides, declared_in, ${iso("seen_ms")} as seen_at, constellation from known_services`,
    ),
  },
  {
    name: "contracts",
    summary: "Contracts with their consumers, one row for each: whom a change of the contract would concern.",
    columns: [
      { name: "provider", meaning: "the service that provides it" },
      { name: "contract", meaning: "its path in the provider's repository" },
      { name: "consumer", meaning: "the service that uses it; null where nobody is known to" },
      { name: "how", meaning: "direct, tests or indirect; null where nobody is known to use it" },
      { name: "chain", meaning: "from the provider to the consumer, as a JSON array" },
      {
        name: "operations",
        meaning: "what the consumer was seen to ask for, as a JSON array; null: all, or not known",
      },
      { name: "because", meaning: "where code shows it; null where it is declared" },
      {
        name: "provider_repository",
        meaning: "the identity of the provider's repository; null where it is not watched",
      },
      {
        name: "consumer_repository",
        meaning: "the identity of the consumer's repository; null where it is not watched",
      },
      { name: "seen_at", meaning: "since when it is so, as ISO 8601 text in UTC" },
      { name: "constellation", meaning: "the machine it was seen on" },
    ],
    example: "select consumer, how, chain from contracts where provider = 'shop' and contract = 'openapi.yaml'",
    sql: perDialect(
      (iso) =>
        `select u.provider, u.contract, nullif(u.consumer, '') as consumer, u.how, u.chain, u.operations, u.because, p.repository as provider_repository, c.repository as consumer_repository, ${iso("u.seen_ms")} as seen_at, u.constellation from contract_users u left join known_services p on p.constellation = u.constellation and p.name = u.provider left join known_services c on c.constellation = u.constellation and c.name = u.consumer`,
    ),
  },
  {
    name: "contract_changes",
    summary: "What breaks whom: changes of a provider's contract that break consumers, as far as they are known now.",
    columns: [
      { name: "finding", meaning: "the finding, for `constel conflicts --explain`" },
      { name: "severity", meaning: "high, medium or low" },
      { name: "kind", meaning: "the finding's kind" },
      { name: "repository", meaning: "where the consumer is: the repository's identity" },
      { name: "provider", meaning: "whose change it is, for people" },
      { name: "provider_worktree", meaning: "where the change was made; null for a plain branch" },
      { name: "consumer", meaning: "whose work it breaks, for people" },
      { name: "consumer_worktree", meaning: "where that work is; null for a plain branch" },
      { name: "title", meaning: "what breaks, in one sentence" },
      { name: "files", meaning: "the files, as a JSON array" },
      { name: "symbols", meaning: "operations, fields or messages of the contract, as a JSON array" },
      { name: "state", meaning: "open, closed or dismissed" },
      { name: "opened_at", meaning: "since when, as ISO 8601 text in UTC" },
      { name: "closed_at", meaning: "until when; null while it is open" },
      { name: "constellation", meaning: "the machine it was seen on" },
    ],
    example: "select provider, consumer, title from contract_changes where state = 'open' order by opened_at",
    sql: perDialect(
      (iso) =>
        `select id as finding, severity, kind, repository, theirs_label as provider, theirs_worktree as provider_worktree, ours_label as consumer, ours_worktree as consumer_worktree, title, files, symbols, state, ${iso("opened_ms")} as opened_at, ${iso("closed_ms")} as closed_at, constellation from findings where kind like 'contract%'`,
    ),
  },
  {
    name: "audit",
    summary:
      "The hash chain behind the timeline: each event with its hash and the one before it. `audit verify` judges it.",
    columns: [
      { name: "seq", meaning: "its place in the constellation's chain, from 1" },
      { name: "at", meaning: "when, as ISO 8601 text in UTC" },
      { name: "type", meaning: "what happened" },
      { name: "subject", meaning: "what it is about; null when nothing in particular" },
      { name: "actor", meaning: "who did it" },
      { name: "prev_hash", meaning: "the hash of the event before it" },
      { name: "hash", meaning: "over this event and the hash before it" },
      { name: "head", meaning: "1 for the newest of its chain" },
      { name: "constellation", meaning: "whose chain it is" },
    ],
    example: "select seq, at, type, actor, hash from audit order by seq desc limit 20",
    sql: perDialect(
      (iso) =>
        `select e.seq, ${iso("e.at_ms")} as at, e.type, e.subject, e.actor, e.prev_hash, e.hash, case when h.seq = e.seq then 1 else 0 end as head, e.constellation from events e left join chain_heads h on h.constellation = e.constellation`,
    ),
  },
  {
    name: "decisions_now",
    summary: "Decisions that hold: active ones and drafts.",
    columns: [
      { name: "decision", meaning: "its id" },
      { name: "state", meaning: "active or draft" },
      { name: "title", meaning: "what was decided" },
      { name: "text", meaning: "why, and what follows" },
      { name: "recorded_by", meaning: "owner, or the agent" },
      { name: "owner_verified", meaning: "1 when the owner recorded or accepted it" },
      { name: "files", meaning: "the files it is about, as a JSON array" },
      { name: "repository", meaning: "the repository's identity; null for all" },
      { name: "service", meaning: "the service; null when none" },
      { name: "task", meaning: "the task; null when none" },
      { name: "recorded_at", meaning: "when, as ISO 8601 text in UTC" },
      { name: "constellation", meaning: "the machine it was recorded on" },
    ],
    example: "select title, recorded_by, owner_verified from decisions_now order by recorded_at desc",
    sql: perDialect(
      (iso) =>
        `select id as decision, state, title, text, recorded_by, owner_verified, files, repository, service, task, ${iso("recorded_ms")} as recorded_at, constellation from decisions where state in ('active', 'draft')`,
    ),
  },
  {
    name: "memory_now",
    summary: "What is remembered.",
    columns: [
      { name: "memory", meaning: "its id" },
      { name: "text", meaning: "what is remembered" },
      { name: "remembered_by", meaning: "owner, or the agent" },
      { name: "audience", meaning: "everybody, or the one it is for" },
      { name: "pinned", meaning: "1 when it is shown at the start of sessions" },
      { name: "repository", meaning: "the repository's identity; null for all" },
      { name: "task", meaning: "the task; null when none" },
      { name: "updated_at", meaning: "when it was last remembered, as ISO 8601 text in UTC" },
      { name: "constellation", meaning: "the machine it is kept on" },
    ],
    example: "select remembered_by, text from memory_now where pinned = 1",
    sql: perDialect(
      (iso) =>
        `select id as memory, text, actor as remembered_by, audience, pinned, repository, task, ${iso("updated_ms")} as updated_at, constellation from memories`,
    ),
  },
  {
    name: "mcp_calls",
    summary: "The calls that agents made over MCP.",
    columns: [
      { name: "at", meaning: "when, as ISO 8601 text in UTC" },
      { name: "agent", meaning: "who called; null for a person" },
      { name: "tool", meaning: "the tool" },
      { name: "action", meaning: "what was asked of it; null when it has one action only" },
      { name: "outcome", meaning: "ok, refused, outage or bug" },
      { name: "code", meaning: "the refusal's code; null when it was none" },
      { name: "duration_ms", meaning: "how long it took" },
      { name: "transport", meaning: "stdio or http" },
      { name: "client", meaning: "the client's own name and version, as it says" },
      { name: "input_bytes", meaning: "how long the arguments were" },
      { name: "output_bytes", meaning: "how long the answer was" },
      { name: "constellation", meaning: "the machine it was made on" },
    ],
    example: "select tool, outcome, count(*) from mcp_calls group by tool, outcome",
    sql: perDialect(
      (iso) =>
        `select ${iso("at_ms")} as at, agent, tool, action, outcome, code, duration_ms, transport, client, input_bytes, output_bytes, constellation from mcp_tool_calls`,
    ),
  },
  {
    name: "constellations_now",
    summary: "Every constellation of this database, and every sibling that tells ours over the mesh how it is.",
    columns: [
      whose,
      { name: "agents", meaning: "how many agents are wanted there" },
      { name: "working", meaning: "how many of them are at work or ask for a permission" },
      { name: "open_tasks", meaning: "how many tasks are not over" },
      { name: "findings", meaning: "how many findings are open" },
      { name: "waits", meaning: "how many things wait for the owner there" },
      { name: "cost_today_usd", meaning: "what its agents used since midnight, UTC; null when nothing is known" },
      { name: "version", meaning: "of its constel; null for this database's own" },
      fromWhen,
      { name: "known_seconds_ago", meaning: "how long ago that was" },
      heardBy,
    ],
    example: "select constellation, agents, working, known_seconds_ago from constellations_now",
    sql: everywhere(constellationsNowSql),
  },
  {
    name: "agents_now",
    summary: "The agents of all constellations that are known here.",
    columns: [
      whose,
      { name: "agent", meaning: "the agent's id there" },
      { name: "role", meaning: "root, clone, worker or watchdog" },
      { name: "runtime", meaning: "the agent program" },
      { name: "state", meaning: "how it was last seen" },
      { name: "wanted", meaning: "up or down" },
      { name: "task", meaning: "the number of the task in hand; null when none" },
      { name: "since", meaning: "since when it is so, as ISO 8601 text in UTC" },
      ...fromAll,
    ],
    example: "select constellation, agent, state from agents_now where state = 'idle'",
    sql: everywhere(agentsNowSql),
  },
  {
    name: "tasks_now",
    summary:
      "The tasks of all constellations that are known here; of siblings those that are open or ended within a week.",
    columns: [
      whose,
      { name: "task", meaning: "the task's number there" },
      { name: "title", meaning: "what it is" },
      { name: "state", meaning: "where it is" },
      { name: "priority", meaning: "how urgent it is" },
      { name: "agent", meaning: "who has it; null when nobody" },
      { name: "branch", meaning: "the branch that has the work" },
      { name: "landed_sha", meaning: "the commit on the target branch that completed it; null when it has not landed" },
      { name: "reason", meaning: "why it is where it is, when that needs saying" },
      { name: "updated_at", meaning: "when it changed last, as ISO 8601 text in UTC" },
      ...fromAll,
    ],
    example: "select constellation, task, title, state from tasks_now where state <> 'closed'",
    sql: everywhere(tasksNowSql),
  },
  {
    name: "cost_now",
    summary:
      "What the agents of all constellations used today, UTC; of siblings also the days before, as they were told.",
    columns: [
      whose,
      { name: "agent", meaning: "the agent's id there" },
      { name: "day", meaning: "the day, UTC" },
      { name: "tokens", meaning: "all tokens, those from the cache too" },
      { name: "cost_usd", meaning: "what they cost; null when nobody knows the price" },
      ...fromAll,
    ],
    example: "select constellation, sum(cost_usd) from cost_now group by constellation",
    sql: everywhere(costNowSql),
  },
];

export function viewSql(view: PublicView, dialect: Dialect): string {
  return typeof view.sql === "string" ? view.sql : view.sql[dialect];
}
