// The account of every envelope on the bus: one row for each receiver's copy, named by its file.

export const messagesTables = `
create table messages (
  name text not null, receiver text not null, constellation text not null, message_id text, sender text not null,
  kind text, thread text, in_reply_to text, task text, text text, text_bytes bigint, state text not null,
  because text, sent_ms bigint, delivered_ms bigint, acked_ms bigint, unknown_ms bigint, poisoned_ms bigint,
  evidence text, verified_by text, primary key (constellation, receiver, name)
);
create index messages_sent on messages (sent_ms);
create index messages_task on messages (task, sent_ms);
create index messages_message on messages (message_id);
create index messages_state on messages (constellation, state, receiver);
create index messages_age on messages (constellation, sent_ms);
`;
