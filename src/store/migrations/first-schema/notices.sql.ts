// Notices: what is addressed to which agent, each telling of it, who subscribed to what, and who edits where.

export const noticesTables = `
create table agent_notices (
  id text not null primary key, constellation text not null, agent text not null, cause text not null,
  about text not null, kind text not null, repository text, severity text not null, title text not null,
  reasons text not null, parts text not null, state text not null, due_ms bigint not null, made_ms bigint not null,
  updated_ms bigint not null, told_ms bigint, told_by text, handled_ms bigint, handled_by text, ended_ms bigint,
  ended_because text
);
create index notices_live on agent_notices (ended_ms, agent);
create index notices_of_agent on agent_notices (agent, updated_ms);
create index agent_notices_told_events on agent_notices (constellation, about, state, told_ms);

create table tellings (
  id text not null primary key, constellation text not null, agent text not null, way text not null,
  state text not null, covers text not null, moments text not null, files text not null, denies bigint not null,
  text text not null, offered_ms bigint not null, told_ms bigint, told_by text, ended_ms bigint, told_to text
);
create index tellings_live on tellings (ended_ms, agent);
create index tellings_told on tellings (agent, told_ms);

create table addressed_events (
  id text not null primary key, constellation text not null, type text not null, caused_by text,
  severity text not null, text text not null, files text not null, about text not null, recipients bigint not null,
  at_ms bigint not null
);

create table subscriptions (
  constellation text not null, agent text not null, what text not null, repository text not null,
  value text not null, made_ms bigint not null, primary key (constellation, agent, what, repository, value)
);

create table workplaces (
  constellation text not null, agent text not null, worktree text not null, last_ms bigint not null,
  primary key (constellation, agent, worktree)
);
`;
