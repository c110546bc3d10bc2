// Queries kept by name in the home, one file each: `state/queries/<name>.sql`. Plain files, so that two writers cannot
// spoil each other's and people may edit them.

import { listTrusted, readTrusted, writeTrusted } from "../files/trusted-files.ts";
import { Refusal } from "../protocol/errors.ts";
import { inHome } from "../settings/paths.ts";

export interface SavedQuery {
  readonly name: string;
  readonly sql: string;
}

/** Undefined when nothing is saved under this name. */
export function savedQuery(home: string, name: string): string | undefined {
  const text = isName(name) ? readTrusted(home, fileOf(name))?.toString().trim() : undefined;
  return text === "" ? undefined : text;
}

export function saveQuery(home: string, name: string, sql: string): SavedQuery {
  if (!isName(name))
    throw new Refusal("usage.bad-value", "a saved query is named with letters, digits, - and _", { name });
  writeTrusted(home, fileOf(name), `${sql.trim()}\n`);
  return { name, sql };
}

export const savedNames = (home: string): string[] =>
  listTrusted(home, inHome.savedQueries).flatMap((file) => (file.endsWith(".sql") ? [file.slice(0, -4)] : []));

export const savedQueries = (home: string): SavedQuery[] =>
  savedNames(home).flatMap((name) => {
    const sql = savedQuery(home, name);
    return sql === undefined ? [] : [{ name, sql }];
  });

const fileOf = (name: string): string => `${inHome.savedQueries}/${name}.sql`;
const isName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name);
