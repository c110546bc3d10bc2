// Published events and their copies, decisions, memory, and agents' calls over MCP.

export const toldTables = `
create table published (
  id text not null primary key, constellation text not null, at_ms bigint not null, seq bigint not null,
  type text not null, severity text not null, actor text not null, text text not null, fields text not null,
  repository text, paths text not null, topics text not null, services text not null, capability text, task bigint,
  recipients bigint not null, key text
);
create index published_age on published (constellation, at_ms);
create unique index published_key on published (constellation, actor, key);

create table deliveries (
  constellation text not null, event text not null, recipient text not null, state text not null,
  message_id text not null, sent_ms bigint, problem text, notice text, primary key (event, recipient)
);
create index deliveries_state on deliveries (constellation, state);
create index deliveries_recipient on deliveries (constellation, recipient);

create table decisions (
  id text not null primary key, constellation text not null, state text not null, title text not null,
  text text not null, recorded_by text not null, owner_verified bigint not null, files text not null,
  repository text, service text, task bigint, recorded_ms bigint not null, changed_ms bigint not null,
  changed_by text not null, reason text, supersedes text, superseded_by text, signature text
);
create index decisions_state on decisions (constellation, state, recorded_ms);

create table memories (
  id text not null primary key, constellation text not null, text text not null, words text not null,
  actor text not null, audience text not null, repository text, task bigint, pinned bigint not null,
  remembered_ms bigint not null, updated_ms bigint not null
);
create index memories_actor on memories (constellation, actor);

create table mcp_tool_calls (
  id text not null primary key, constellation text not null, at_ms bigint not null, duration_ms bigint not null,
  agent text, tool text not null, action text, outcome text not null, code text, transport text not null,
  client text not null, input_bytes bigint not null, output_bytes bigint not null
);
create index mcp_tool_calls_age on mcp_tool_calls (constellation, at_ms);
create index mcp_tool_calls_agent on mcp_tool_calls (constellation, agent);
`;
