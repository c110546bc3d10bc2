// The timeline, its heads and its signatures. The triggers of 0001-first-schema.ts keep events from being changed.

// The chain's own key begins with the constellation, which people who ask the views leave out; hence events_seq.
export const timelineTables = `
create table events (
  seq bigint not null, id text not null unique, constellation text not null, at_ms bigint not null,
  type text not null, subject text, actor text not null, data text not null, prev_hash text not null,
  hash text not null, primary key (constellation, seq)
);
create index events_subject on events (subject, seq);
create index events_seq on events (seq);
create index events_type on events (type, seq);

create table chain_heads (
  constellation text not null primary key, seq bigint not null, hash text not null, pruned_seq bigint not null,
  pruned_hash text not null, signed_since bigint
);

create table event_signatures (
  constellation text not null, first_seq bigint not null, last_seq bigint not null, since_seq bigint not null,
  at_ms bigint not null, sig text not null, primary key (constellation, last_seq)
);
`;
