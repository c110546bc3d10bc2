// The text of the function that tells which constellation a login for queries sees (query-roles.ts). The audit holds what stands in the database against it.

/** `*` is no constellation's name. Whoever has such a login and no row sees nothing. */
export const seesBody = `select case when session_user not like 'constel\\_query\\_%' then '*'
  else coalesce((select coalesce(constellation, '*') from query_roles where role = session_user), '') end`;
