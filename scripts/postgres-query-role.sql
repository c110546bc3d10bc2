-- A login for `constel query` and `constel explain` that can only read. Run it once, connected to constel's database as the
-- role in `store.url` (or as a superuser after `set role`), then give the new role a password and name it in the settings:
--
--   psql "$STORE_URL" -f scripts/postgres-query-role.sql
--   psql "$STORE_URL" -c "alter role constel_query password '…'"
--   constel config set store.query_url postgres://constel_query:…@host/database
--
-- Postgres lets every role end the connections of its own role, from inside a read-only transaction too
-- (pg_terminate_backend). A login of its own is what keeps a query away from the daemon's connections.

do $$
begin
  if not exists (select from pg_roles where rolname = 'constel_query') then
    create role constel_query login nosuperuser nocreatedb nocreaterole noreplication connection limit 20;
  end if;
end
$$;

alter role constel_query set default_transaction_read_only = on;
alter role constel_query set statement_timeout = '10min';
alter role constel_query set idle_in_transaction_session_timeout = '1min';

do $$
begin
  execute format('grant connect on database %I to constel_query', current_database());
  execute format('grant usage on schema %I to constel_query', current_schema());
  execute format('grant select on all tables in schema %I to constel_query', current_schema());
  -- Tables and views of later versions too: migrations make the views anew.
  execute format('alter default privileges in schema %I grant select on tables to constel_query', current_schema());
end
$$;
