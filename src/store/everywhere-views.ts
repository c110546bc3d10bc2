// The views that answer for all constellations: those that share this database, and those that told ours over the mesh how they are. Each row says
// from when it is known; for a constellation of this database that is now.

import type { Dialect } from "./tables.ts";

const field: Readonly<Record<Dialect, (name: string) => string>> = {
  sqlite: (name) => `json_extract(r.data, '$.${name}')`,
  postgres: (name) => `(r.data::jsonb ->> '${name}')`,
};
const numberOf: Readonly<Record<Dialect, (name: string) => string>> = {
  sqlite: field.sqlite,
  postgres: (name) => `cast(${field.postgres(name)} as bigint)`,
};

export interface Words {
  readonly dialect: Dialect;
  readonly iso: (column: string) => string;
  readonly now: string;
  readonly midnight: string;
}

const here = "cast(null as text)";

/** A sibling's row, with the moment from which it is known: when the peer last said that this is how things are. */
const said = (subject: string, more = ""): string =>
  `from mesh_rows r left join (select constellation, peer, max(known_ms) as known_ms from mesh_streams group by constellation, peer) s on s.constellation = r.constellation and s.peer = r.peer ${more} where r.subject = '${subject}'`;
const known = "coalesce(s.known_ms, r.heard_ms)";

export function agentsNowSql({ dialect, iso, now }: Words): string {
  const [text, number] = [field[dialect], numberOf[dialect]];
  const own = `select constellation, ${here} as heard_by, agent, role, runtime, seen as state, wanted, task, since_ms, ${now} as known_ms from agents`;
  const theirs = `select r.peer as constellation, r.constellation as heard_by, r.key as agent, ${text("role")} as role, ${text("runtime")} as runtime, ${text("seen")} as state, ${text("wanted")} as wanted, ${text("task")} as task, ${number("since_ms")} as since_ms, ${known} as known_ms ${said("agent")}`;
  return `select constellation, agent, role, runtime, state, wanted, task, ${iso("since_ms")} as since, ${iso("known_ms")} as known_at, heard_by from (${own} union all ${theirs}) a`;
}

export function tasksNowSql({ dialect, iso, now }: Words): string {
  const [text, number] = [field[dialect], numberOf[dialect]];
  const own = `select constellation, ${here} as heard_by, number as task, title, state, priority, agent, branch, landed_sha, reason, updated_ms, ${now} as known_ms from tasks`;
  const theirs = `select r.peer as constellation, r.constellation as heard_by, cast(r.key as bigint) as task, ${text("title")} as title, ${text("state")} as state, ${text("priority")} as priority, ${text("agent")} as agent, ${text("branch")} as branch, ${text("landed_sha")} as landed_sha, ${text("reason")} as reason, ${number("updated_ms")} as updated_ms, ${known} as known_ms ${said("task")}`;
  return `select constellation, task, title, state, priority, agent, branch, landed_sha, reason, ${iso("updated_ms")} as updated_at, ${iso("known_ms")} as known_at, heard_by from (${own} union all ${theirs}) t`;
}

export function costNowSql({ dialect, iso, now, midnight }: Words): string {
  const [text, number] = [field[dialect], numberOf[dialect]];
  const whole = (column: string): string => `cast(sum(${column}) as bigint)`;
  const own = `select constellation, ${here} as heard_by, agent, ${iso(midnight)} as day, ${whole("input + output + cache_read + cache_write")} as tokens, ${whole("cost_micros")} as cost_micros, ${now} as known_ms from token_usage where at_ms >= ${midnight} group by constellation, agent`;
  const theirs = `select r.peer as constellation, r.constellation as heard_by, ${text("agent")} as agent, ${text("day")} as day, ${number("tokens")} as tokens, ${number("cost_micros")} as cost_micros, ${known} as known_ms ${said("cost")}`;
  return `select constellation, agent, substr(day, 1, 10) as day, tokens, cost_micros / 1000000.0 as cost_usd, ${iso("known_ms")} as known_at, heard_by from (${own} union all ${theirs}) c`;
}

/** Everything is counted in one pass for all constellations: asked for each of them, the same rows would be read again and again. */
export function constellationsNowSql({ dialect, iso, now, midnight }: Words): string {
  const [text, number] = [field[dialect], numberOf[dialect]];
  const count = (condition: string): string => `cast(sum(case when ${condition} then 1 else 0 end) as bigint)`;
  const group = (columns: string, from: string): string =>
    `(select constellation, ${columns} from ${from} group by constellation)`;
  const isAtWork = "('busy', 'waiting-permission')";
  const isOver = "('closed', 'cancelled')";
  const today =
    dialect === "sqlite" ? "strftime('%Y-%m-%d', 'now')" : "to_char(now() at time zone 'UTC', 'YYYY-MM-DD')";
  const agents = group(`${count("wanted <> 'down'")} as agents, ${count(`seen in ${isAtWork}`)} as working`, "agents");
  const tasks = group(`${count(`state not in ${isOver}`)} as open_tasks`, "tasks");
  const findings = group("count(*) as findings", "findings where state = 'open'");
  const needs = group("count(*) as waits", "owner_needs where ended_ms is null");
  const costs = group("sum(cost_micros) / 1000000.0 as cost", `token_usage where at_ms >= ${midnight}`);
  const of = (subject: string, condition: string): string => count(`r.subject = '${subject}' and ${condition}`);
  const told = `(select r.constellation, r.peer, ${of("agent", `${text("wanted")} <> 'down'`)} as agents, ${of("agent", `${text("seen")} in ${isAtWork}`)} as working, ${of("task", `${text("state")} not in ${isOver}`)} as open_tasks, sum(case when r.subject = 'cost' and ${text("day")} = ${today} then ${number("cost_micros")} end) / 1000000.0 as cost from mesh_rows r group by r.constellation, r.peer)`;
  const beside = (what: string, as: string): string =>
    `left join ${what} ${as} on ${as}.constellation = h.constellation`;
  const own = `select h.constellation, ${here} as heard_by, coalesce(a.agents, 0) as agents, coalesce(a.working, 0) as working, coalesce(t.open_tasks, 0) as open_tasks, coalesce(f.findings, 0) as findings, coalesce(n.waits, 0) as waits, c.cost as cost_today_usd, ${here} as version, ${now} as known_ms from chain_heads h ${beside(agents, "a")} ${beside(tasks, "t")} ${beside(findings, "f")} ${beside(needs, "n")} ${beside(costs, "c")}`;
  const sibling = `select r.peer as constellation, r.constellation as heard_by, o.agents, o.working, o.open_tasks, ${number("findings")} as findings, ${number("waits")} as waits, o.cost as cost_today_usd, ${text("version")} as version, ${known} as known_ms ${said("constellation", `left join ${told} o on o.constellation = r.constellation and o.peer = r.peer`)}`;
  return `select constellation, agents, working, open_tasks, findings, waits, cost_today_usd, version, ${iso("known_ms")} as known_at, (${now} - known_ms) / 1000 as known_seconds_ago, heard_by from (${own} union all ${sibling}) c`;
}
