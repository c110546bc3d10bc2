// A SQLite file as something to migrate. No lock file: the write lock keeps others out, and SQLite's own count of foreign
// commits (data_version) tells whether anybody wrote between the backup and the lock; then the backup is stale.

import type { Database } from "bun:sqlite";
import { makeBackup, removeBackup } from "./backup.ts";
import type { MigrationTarget } from "./migrate.ts";
import { kyselyOver } from "./one-connection.ts";
import { executorOver } from "./sqlite-connection.ts";

export function sqliteTarget(
  database: Database,
  options: { readonly path: string; readonly backupDirectory: string; readonly nowMs: () => number },
): MigrationTarget {
  return {
    dialect: "sqlite",
    db: kyselyOver<unknown>({ dialect: "sqlite", executor: executorOver(database), transactions: false }),
    name: options.path,
    async alone({ backup, expected }, work) {
      const before = dataVersion(database);
      const made = backup ? makeBackup(database, options.backupDirectory, options.nowMs()) : undefined;
      // Tables may be rebuilt by dropping and renaming; the check at the end sees to it that all references hold.
      database.run("pragma foreign_keys = off");
      database.run("begin immediate");
      try {
        const overtaken = dataVersion(database) !== before || (made !== undefined && made.version !== expected);
        if (overtaken) {
          database.run("rollback");
          if (made !== undefined) removeBackup(made);
          return "overtaken";
        }
        await work();
        expectIntegrity(database);
        database.run("commit");
      } catch (cause) {
        if (database.inTransaction) database.run("rollback");
        throw cause;
      } finally {
        database.run("pragma foreign_keys = on");
      }
      return { backup: made?.path };
    },
  };
}

function dataVersion(database: Database): number {
  // Prepared anew each time: this must not be a cached answer.
  return database.prepare<{ data_version: number }, []>("pragma data_version").get()?.data_version ?? 0;
}

function expectIntegrity(database: Database): void {
  const [first] = database.query<{ integrity_check: string }, []>("pragma integrity_check(1)").all();
  if (first?.integrity_check !== "ok") throw new Error(`integrity check: ${first?.integrity_check ?? "no answer"}`);
  const dangling = database.query<{ table: string; parent: string }, []>("pragma foreign_key_check").get();
  if (dangling !== null) throw new Error(`a row of ${dangling.table} refers to nothing in ${dangling.parent}`);
}
