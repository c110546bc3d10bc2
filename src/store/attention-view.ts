// The view `attention`: what needs the owner, in one order, for `status`, the page and the monitor alike. A cause is one row: forty agents under one
// limit, or five branches that all touch one line, are one thing to do. What waits for an answer comes first, because somebody stands still;
// then a collision with work that is about to land; then agents and tasks that do not go on; a red gate; other collisions; what is ready to
// land; and last what only time or money changes.

import type { Dialect } from "./tables.ts";

/** Each place in the order, and the kinds of need that belong there. A kind that is not named here belongs with what does not go on. */
export const attentionPlaces = {
  answer: ["permission", "question", "asked", "a2a"],
  "collision-near": [],
  stuck: [],
  gate: ["main-red", "gate"],
  collision: ["collision", "findings"],
  ready: ["ready", "to-review"],
  limit: ["limited", "budget"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const attentionOrder = Object.keys(attentionPlaces) as (keyof typeof attentionPlaces)[];

/** Where a kind of need stands in the order, from 0. */
export function placeOfKind(kind: string): number {
  const named = attentionOrder.findIndex((place) => (attentionPlaces[place] as readonly string[]).includes(kind));
  return named === -1 ? attentionOrder.indexOf("stuck") : named;
}

/** Needs that the view reads where they begin, so it need not wait until the daemon has noted them. */
const readAtTheSource = [
  "permission",
  "question",
  "dead",
  "hung",
  "logged-out",
  "unknown-state",
  "limited",
  "findings",
  "ready",
  "review",
];

/** What an agent's state needs, and how it is said. The command is the one that `status` names. */
const states: Readonly<Record<string, { readonly kind: string; readonly says: string; readonly next: string }>> = {
  "waiting-permission": {
    kind: "permission",
    says: "waits for a permission",
    next: "'constel attach ' || agents.agent",
  },
  "waiting-answer": { kind: "question", says: "waits for an answer", next: "'constel attach ' || agents.agent" },
  dead: {
    kind: "dead",
    says: "is down",
    next: "case when agents.agent = 'agentinfinity' then 'constel agentinfinity --fresh' else 'constel restart ' || agents.agent end",
  },
  hung: { kind: "hung", says: "has not moved", next: "'constel attach ' || agents.agent" },
  "logged-out": { kind: "logged-out", says: "is logged out", next: "'constel attach ' || agents.agent" },
  unknown: {
    kind: "unknown-state",
    says: "is in a state nobody can tell",
    next: "'constel agent show ' || agents.agent",
  },
};

const literals = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(", ");

const cases = (of: string, texts: readonly (readonly [word: string, sql: string])[]): string =>
  `case ${of} ${texts.map(([word, text]) => `when '${word}' then ${text}`).join(" ")} end`;

const ofState = (field: "kind" | "says"): string =>
  cases(
    "seen",
    Object.entries(states).map(([state, about]) => [state, `'${about[field]}'`] as const),
  );

const nextOfState = cases(
  "seen",
  Object.entries(states).map(([state, { next }]) => [state, next] as const),
);

/** The number of a kind's place, from 1. */
const placeOf = (kind: string): string => {
  const named = attentionOrder.flatMap((place, at) =>
    attentionPlaces[place].map((one: string): [string, string] => [one, String(at + 1)]),
  );
  return `coalesce(${cases(kind, named)}, ${attentionOrder.indexOf("stuck") + 1})`;
};

const place = (name: (typeof attentionOrder)[number]): number => attentionOrder.indexOf(name) + 1;

/** Texts of several rows as one, in order. */
const joined: Readonly<Record<Dialect, (text: string, between: string) => string>> = {
  sqlite: (text, between) => `group_concat(${text}, '${between}')`,
  postgres: (text, between) => `string_agg(${text}, '${between}')`,
};

export function attentionSql(
  dialect: Dialect,
  iso: (column: string) => string,
  { now }: { readonly now: string },
): string {
  const list = joined[dialect];
  const none = "cast(null as bigint)";
  const nothing = "cast(null as text)";
  const permissions = `select 'permission:' || id as key, ${place("answer")} as place, 'permission' as kind, 'asks: ' || asked as says, why || case when cwd = '' then '' else ' (in ' || cwd || ')' end as evidence, agent, ${none} as task, ${nothing} as finding, id as request, 1 as causes, asked_ms as since_ms, 'constel approvals allow ' || substr(id, length(id) - 5) as next, constellation from approvals where state = 'waiting'`;
  const agents = `select ${ofState("kind")} || ':' || agents.agent, ${placeOf(ofState("kind"))}, ${ofState("kind")}, ${ofState("says")}, evidence_says, agents.agent, atwork.number, ${nothing}, ${nothing}, 1, since_ms, ${nextOfState}, agents.constellation from agents left join (select constellation, agent, max(number) as number from tasks where state = 'in_progress' group by constellation, agent) atwork on atwork.constellation = agents.constellation and atwork.agent = agents.agent left join (select distinct constellation, agent from approvals where state = 'waiting') asks on asks.constellation = agents.constellation and asks.agent = agents.agent where wanted = 'up' and role <> 'ticker' and seen in (${literals(Object.keys(states))}) and not (seen = 'waiting-permission' and asks.agent is not null)`;
  const limits = `select 'limited:' || min(agent), ${place("limit")}, 'limited', case count(*) when 1 then 'is limited' else count(*) || ' agents are limited' end || coalesce(' until ' || substr(${iso("seen_until_ms")}, 12, 5) || ' UTC', ''), evidence_says || case count(*) when 1 then '' else ': ' || ${list("agent", ", ")} end, case count(*) when 1 then min(agent) end, ${none}, ${nothing}, ${nothing}, count(*), min(since_ms), 'constel agents', constellation from agents where wanted = 'up' and role <> 'ticker' and seen = 'limited' group by constellation, seen_until_ms, evidence_says`;
  const noted = `select key, ${placeOf("kind")}, kind, says, '', agent, ${none}, ${nothing}, ${nothing}, 1, since_ms, next, constellation from owner_needs where ended_ms is null and kind not in (${literals(readAtTheSource)})`;
  // Worktrees of tasks that are ready or being landed.
  const near =
    "select distinct w.constellation, w.path from workspaces w join tasks t on t.constellation = w.constellation and t.number = w.task left join harvests h on h.constellation = t.constellation and h.task = t.number and h.ended_ms is null where t.state = 'ready' or h.task is not null";
  const isNear = "(o.path is not null or t.path is not null)";
  // By repository alone SQLite would read all findings there ever were, in that order.
  const collisions = `select 'collision:' || min(f.id), min(case when ${isNear} then ${place("collision-near")} else ${place("collision")} end), 'collision', min(f.title), min(f.action) || case count(*) when 1 then '' else ' (' || count(*) || ' findings about the same thing)' end, ${nothing}, ${none}, min(f.id), ${nothing}, count(*), min(f.opened_ms), 'constel conflicts --explain ' || substr(min(f.id), length(min(f.id)) - 5), f.constellation from findings f left join (${near}) o on o.constellation = f.constellation and o.path = f.ours_worktree left join (${near}) t on t.constellation = f.constellation and t.path = f.theirs_worktree where f.state = 'open' and f.severity = 'high' group by f.constellation, f.repository || '', f.kind, f.files, f.symbols`;
  const isBeingLanded =
    "exists (select 1 from harvests h where h.constellation = tasks.constellation and h.task = tasks.number and h.ended_ms is null)";
  const reviews = `select 'review:' || number, case when reason like '%gate%' then ${place("gate")} else ${place("stuck")} end, case when reason like '%gate%' then 'gate' else 'review' end, 'task ' || number || ': ' || coalesce(reason, 'it needs review'), title, agent, number, ${nothing}, ${nothing}, 1, updated_ms, 'constel task show ' || number, constellation from tasks where state in ('needs_review', 'taken_back') and not ${isBeingLanded}`;
  const hasPull =
    "exists (select 1 from pull_requests p where p.constellation = tasks.constellation and p.task = tasks.number and p.ended_ms is null)";
  const pulls = `select 'pull:' || p.id, ${place("ready")}, 'ready', 'the pull request of task ' || t.number || ' waits for you: ' || coalesce(p.waits_for, '') || coalesce(' (' || p.url || ')', ''), t.title, t.agent, t.number, ${nothing}, ${nothing}, 1, p.asks_ms, 'constel pull list', t.constellation from pull_requests p join tasks t on t.constellation = p.constellation and t.number = p.task where p.ended_ms is null and p.asks_ms is not null and t.state = 'ready'`;
  const held = `select 'ready:' || number, ${place("stuck")}, 'ready', 'task ' || number || ' is ready, and ' || reason, title, agent, number, ${nothing}, ${nothing}, 1, updated_ms, case when reason like 'it is held for review%' then 'constel review show ' else 'constel task harvest ' end || number, constellation from tasks where state = 'ready' and reason is not null and not ${isBeingLanded} and not ${hasPull}`;
  const asked = `select 'to-review:' || r.id, ${place("ready")}, 'to-review', 'task ' || r.task || ' waits for your review', t.title, t.agent, r.task, ${nothing}, ${nothing}, 1, r.asked_ms, 'constel review show ' || r.task, r.constellation from task_reviews r join tasks t on t.constellation = r.constellation and t.number = r.task where r.state = 'asked' and r.stale_ms is null and r.reviewer = 'owner' and t.state in ('ready', 'needs_review')`;
  const ready = `select 'ready:' || min(number), ${place("ready")}, 'ready', case count(*) when 1 then 'task ' || min(number) || ' is ready to land: ' || min(title) else 'tasks ' || ${list("cast(number as text)", ", ")} || ' are ready to land' end, case count(*) when 1 then '' else ${list("title", "; ")} end, case count(*) when 1 then min(agent) end, case count(*) when 1 then min(number) end, ${nothing}, ${nothing}, count(*), min(updated_ms), 'constel task harvest ' || case count(*) when 1 then cast(min(number) as text) else '--all' end, constellation from tasks where state = 'ready' and reason is null and not ${isBeingLanded} and not ${hasPull} group by constellation`;
  const all = [permissions, agents, limits, noted, collisions, reviews, held, pulls, asked, ready].join(" union all ");
  return `select n.key, n.place, n.kind, n.says, n.evidence, n.agent, n.task, n.finding, n.request, n.causes, ${iso("n.since_ms")} as since, n.next, case when s.key is null then 0 else 1 end as snoozed, ${iso("s.until_ms")} as snoozed_until, n.constellation from (${all}) n left join snoozes s on s.constellation = n.constellation and s.key = n.key and (s.until_ms > ${now} or (s.until_ms is null and s.says = n.says))`;
}
