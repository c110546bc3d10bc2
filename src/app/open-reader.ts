// The reader behind `constel query` and `constel explain`, in the caller's own process: a user's slow query must not stand
// in the daemon's way.

import { join } from "node:path";
import { explainPlan } from "../core/query/explain.ts";
import type { QueryReader } from "../protocol/query.ts";
import { inHome } from "../settings/paths.ts";
import type { Settings } from "../settings/settings.ts";
import { oneSelect } from "../store/one-select.ts";
import { keptHead } from "./head-file.ts";
import { openReader } from "../store/read-only.ts";
import type { Reader } from "../store/reader.ts";

export async function openQueryReader(settings: Settings): Promise<QueryReader> {
  const { config } = settings;
  const queryUrl = config["store.query_url"];
  const reader = await openReader(queryUrl === "" ? settings.databaseUrl : queryUrl, {
    timeoutMs: config["query.timeout_s"] * 1000,
    backupDirectory: join(settings.home, inHome.backups),
    head: keptHead(settings),
  });
  return {
    onlyReading: oneSelect,
    run: (sql) => reader.rows(sql),
    tables: () => reader.tables(),
    async explain(sql) {
      const plan = await reader.explain(sql);
      const tables = await reader.tables();
      const rows = new Map<string, number>();
      for (const table of tables) {
        if (table.kind === "table" && plan.some((line) => line.includes(table.name)))
          rows.set(table.name, await countOf(reader, table.name));
      }
      return explainPlan({ sql, plan, tables, rowsOf: (table) => rows.get(table) ?? 0 });
    },
    close: () => reader.close(),
  };
}

async function countOf(reader: Reader, table: string): Promise<number> {
  const { rows } = await reader.rows(`select count(*) from "${table}"`);
  for await (const [count] of rows) return Number(count);
  return 0;
}
