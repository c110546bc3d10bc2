// Agents as wanted and as seen, their sessions, and what they used.

export const agentsTables = `
create table agents (
  constellation text not null, agent text not null, role text not null, runtime text not null, wanted text not null,
  seen text not null, seen_until_ms bigint, evidence_on text not null, evidence_says text not null,
  evidence_at_ms bigint, since_ms bigint not null, launched_ms bigint not null, session_id text, task text,
  cwd text not null, model text, mail_held text, resume_due_ms bigint, updated_ms bigint not null,
  primary key (constellation, agent)
);

create table sessions (
  constellation text not null, agent text not null, started_ms bigint not null, runtime text not null,
  session_id text, because text not null, cwd text not null, ended_ms bigint, exit_status bigint,
  exit_signal bigint, primary key (constellation, agent, started_ms)
);

create table token_usage (
  constellation text not null, agent text not null, id text not null, session_id text, model text not null,
  input bigint not null, output bigint not null, cache_read bigint not null, cache_write bigint not null,
  cost_micros bigint, at_ms bigint not null, task text, primary key (constellation, agent, id)
);
create index token_usage_at on token_usage (at_ms);
create index token_usage_task on token_usage (task);
create index token_usage_age on token_usage (constellation, at_ms);

create table budgets_reached (
  constellation text not null, agent text not null, day text not null, kind text not null, used bigint not null,
  allowed bigint not null, at_ms bigint not null, primary key (constellation, agent, day, kind)
);
`;
