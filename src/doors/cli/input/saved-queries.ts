// Queries kept by name in the home, one file each: `state/queries/<name>.sql`. Plain files, so that two writers cannot
// spoil each other's and people may edit them.

import { Refusal } from "../../../protocol/errors.ts";
import { inHome } from "../../../settings/paths.ts";
import { listTrusted, readTrusted, writeTrusted } from "../../../files/trusted-files.ts";
import { closest } from "./closest.ts";
import type { CommandResult } from "./command.ts";
import type { Output } from "../present/output.ts";
import { table } from "../present/table.ts";

export function savedQuery(home: string, name: string): string {
  const text = isName(name) ? readTrusted(home, fileOf(name))?.toString().trim() : undefined;
  if (text !== undefined && text !== "") return text;
  const guess = closest(name, savedNames(home));
  throw new Refusal(
    "query.unknown-saved",
    `no query is saved as ${name}`,
    { name },
    guess === undefined ? undefined : `Did you mean ${guess}?`,
  );
}

export function saveQuery(home: string, name: string, sql: string): CommandResult {
  if (!isName(name))
    throw new Refusal("usage.bad-value", "a saved query is named with letters, digits, - and _", { name });
  writeTrusted(home, fileOf(name), `${sql.trim()}\n`);
  return { json: { name, sql }, text: `Saved. Run it with \`constel query --saved ${name}\`.` };
}

export function listSaved(home: string, output: Output): CommandResult {
  const saved = savedNames(home).map((name) => ({ name, sql: savedQuery(home, name) }));
  return {
    json: { queries: saved },
    text: () =>
      saved.length === 0
        ? 'No query is saved yet: `constel query "<SQL>" --save NAME`.'
        : table(
            ["name", "sql"],
            saved.map(({ name, sql }) => [name, sql]),
            output,
          ),
  };
}

const fileOf = (name: string): string => `${inHome.savedQueries}/${name}.sql`;
const isName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name);
export const savedNames = (home: string): string[] =>
  listTrusted(home, inHome.savedQueries).flatMap((file) => (file.endsWith(".sql") ? [file.slice(0, -4)] : []));
