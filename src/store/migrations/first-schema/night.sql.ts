// Permission requests, schedules and their firings, what needs the owner, and their answers.

export const nightTables = `
create table approvals (
  id text not null primary key, constellation text not null, request text not null, agent text not null,
  runtime text not null, task text, tool text not null, asked text not null, part text not null, why text not null,
  cwd text not null, state text not null, asked_ms bigint not null, due_ms bigint not null, seen_ms bigint not null,
  answered_ms bigint, answered_by text, note text, signature text
);
create unique index approvals_request on approvals (constellation, request);
create index approvals_state on approvals (constellation, state);

create table schedules (
  constellation text not null, kind text not null, label text not null, timing text not null, action text not null,
  overlap text not null, paused bigint not null, seen_ms bigint not null, fired_ms bigint, next_ms bigint,
  behind_ms bigint not null, ended_ms bigint, ended_why text, updated_ms bigint not null,
  primary key (constellation, kind, label)
);

create table firings (
  constellation text not null, key text not null, kind text not null, label text not null, due_ms bigint not null,
  at_ms bigint not null, catch_up bigint not null, missed bigint not null, late_ms bigint not null,
  action text not null, overlap text not null, state text not null, message_id text, began_ms bigint,
  ended_ms bigint, detail text, primary key (constellation, key)
);
create index firings_state on firings (constellation, state);
create index firings_label on firings (constellation, kind, label, at_ms);

create table owner_needs (
  constellation text not null, key text not null, kind text not null, agent text, says text not null,
  next text not null, since_ms bigint not null, ended_ms bigint, paged_ms bigint, tries bigint not null,
  retry_ms bigint, primary key (constellation, key)
);

create table owner_directives (
  id text not null primary key, constellation text not null, at_ms bigint not null, channel text not null,
  sender text not null, text text not null, source_key text not null, became text not null
);
create unique index owner_directives_source on owner_directives (constellation, source_key);
`;
