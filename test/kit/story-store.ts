// Stories run over SQLite, or over Postgres where `CONSTEL_TEST_STORE` names a server: each home then has a database of its own there.
// `test/stories-on-postgres.ts` starts one and runs them.

import { randomUUID } from "node:crypto";

/** The address for `store.url` of a new home; undefined for its own file. */
export function storeForHome(): string | undefined {
  const server = process.env["CONSTEL_TEST_STORE"];
  if (server === undefined || server === "") return undefined;
  const name = `story_${randomUUID().replaceAll("-", "")}`;
  const made = Bun.spawnSync([
    "psql",
    "--no-psqlrc",
    "--quiet",
    `--dbname=${server}`,
    `--command=create database ${name}`,
  ]);
  if (made.exitCode !== 0) throw new Error(`no database for a home: ${made.stderr.toString()}`);
  const address = new URL(server);
  address.pathname = `/${name}`;
  return address.toString();
}
