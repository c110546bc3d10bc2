// Tasks, their workspaces, who they were given to, and how they landed.

// Importing the same thing twice gives one task (tasks_source), also when two do it at once.
export const tasksTables = `
create table tasks (
  constellation text not null, number bigint not null, title text not null, directive text not null,
  state text not null, priority text not null, brief text, agent text, root text not null, repository text,
  target text, branch text, scope text not null, estimate_ms bigint, actual_ms bigint, landed_sha text, reason text,
  source_key text, created_by text not null, created_ms bigint not null, updated_ms bigint not null,
  started_ms bigint, ready_ms bigint, closed_ms bigint, repositories text not null default '[]', ready_sha text,
  primary key (constellation, number)
);
create index tasks_state on tasks (constellation, state);
create unique index tasks_source on tasks (constellation, source_key);

create table task_after (
  constellation text not null, task bigint not null, after bigint not null, primary key (constellation, task, after)
);

create table task_events (
  id text not null primary key, constellation text not null, task bigint not null, seq bigint not null,
  at_ms bigint not null, type text not null, actor text not null, data text not null
);
create index task_events_task on task_events (constellation, task, seq);

create table workspaces (
  id text not null primary key, constellation text not null, task bigint not null, name text not null,
  state text not null, holder text, root text not null, place text not null, path text not null,
  source text not null, origin text not null, target text not null, branch text not null, base_sha text not null,
  port_first bigint not null, port_count bigint not null, rescue text, problem text, created_ms bigint not null,
  removing_ms bigint, removed_ms bigint, kept_ms bigint, ready_sha text
);
create index workspaces_task on workspaces (constellation, task);

create table rescues (
  id text not null primary key, constellation text not null, task bigint not null, workspace text not null,
  name text not null, source text not null, kept_as text not null, saved_ms bigint not null, restored_ms bigint,
  announced_ms bigint, pruned_ms bigint
);
create index rescues_workspace on rescues (workspace);

create table dispatches (
  id text not null primary key, constellation text not null, task bigint not null, agent text, workspace text,
  state text not null, fencing_token bigint not null, asked_ms bigint not null, delivered_ms bigint,
  ended_ms bigint, problem text, about text, said_ready_ms bigint, told_ms bigint, left_ms bigint,
  "fetch" bigint not null default 1, notes text not null default '[]', brief text
);
create index dispatches_task on dispatches (constellation, task);
create index dispatches_open on dispatches (constellation, ended_ms);

create table task_queue (
  constellation text not null, task bigint not null, agent text, runtime text, hold bigint not null,
  queued_ms bigint not null, primary key (constellation, task)
);

create table harvests (
  id text not null primary key, constellation text not null, train text not null, task bigint not null,
  place_in_train bigint not null, workspace text, origin text not null, phase text not null, outcome text,
  reason text, report text not null, target text, expected_old text, new_tip text, landed_sha text,
  gate_commit text, gate_outcome text, gate_tail text, gate_ms bigint, attempts bigint not null,
  fencing_token bigint not null, asked_by text not null, asked_ms bigint not null, started_ms bigint,
  ended_ms bigint, ready_sha text, outages bigint not null default 0, retry_ms bigint
);
create index harvests_train on harvests (train);
create index harvests_task on harvests (constellation, task);
create index harvests_open on harvests (ended_ms);

create table git_operations (
  id text not null primary key, constellation text not null, at_ms bigint not null, duration_ms bigint not null,
  operation text not null, repository text not null, task bigint, outcome text not null, detail text not null
);
create index git_operations_at on git_operations (at_ms);

create table landed_commits (
  constellation text not null, origin text not null, target text not null, task bigint not null,
  from_sha text not null, to_sha text not null, at_ms bigint not null,
  primary key (constellation, origin, target, from_sha, to_sha)
);
create index landed_commits_from on landed_commits (from_sha);

create table task_leases (
  name text not null primary key, holder text not null, token bigint not null, until_ms bigint not null
);
`;
