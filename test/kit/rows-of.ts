// Rows straight from a home's database, for tests that ask often while a daemon may be killed at any moment: whoever opens the file
// next restores its log, and a reader waits for that as constel's own readers do.

import { existsSync } from "node:fs";
import { openForReading } from "../../src/store/sqlite-connection.ts";

/** None where there is no file yet. */
export function rowsOf<Row = Record<string, unknown>>(path: string, sql: string): Row[] {
  if (!existsSync(path)) return [];
  const database = openForReading(path);
  try {
    return database.query<Row, []>(sql).all();
  } finally {
    database.close();
  }
}
