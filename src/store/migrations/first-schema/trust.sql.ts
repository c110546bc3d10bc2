// The owner's signed directives, and tokens for the TCP surface.

export const trustTables = `
create table signed_directives (
  id text not null primary key, constellation text not null, at_ms bigint not null, text text not null,
  sig text not null, key text not null, owner_verified bigint not null
);
create index signed_directives_at on signed_directives (at_ms);

create table tokens (
  id text not null primary key, constellation text not null, name text not null, role text not null,
  scope text not null, hash text not null unique, created_ms bigint not null, expires_ms bigint, revoked_ms bigint,
  used_ms bigint, signature text
);
`;
