// Records that commands and the floor leave in files, as taken in.

export const recordsTables = `
create table cli_invocations (
  id text not null primary key, constellation text not null, at_ms bigint not null, duration_ms bigint not null,
  argv text not null, cwd text not null, agent text, exit_code bigint not null, version text not null
);
create index cli_invocations_at on cli_invocations (at_ms, id);

create table source_errors (
  id text not null primary key, constellation text not null, at_ms bigint not null, source text not null,
  line bigint, problem text not null
);

create table intake_positions (
  constellation text not null, file text not null, inode bigint not null, offset_bytes bigint not null,
  updated_ms bigint not null, primary key (constellation, file)
);

create table crashes (
  id text not null primary key, constellation text not null, at_ms bigint not null, agent text, what text not null,
  detail text not null, runtime text, launched_ms bigint, exit_status bigint, exit_signal bigint
);
create index crashes_at on crashes (at_ms);

create table ticks (
  id text not null primary key, constellation text not null, at_ms bigint not null, duration_ms bigint not null,
  outcome text not null, data text not null
);
create index ticks_at on ticks (at_ms);

create table watchdog_events (
  id text not null primary key, constellation text not null, at_ms bigint not null, event text not null, agent text,
  says text not null, data text not null
);
create index watchdog_events_at on watchdog_events (at_ms);
`;
