// SQL at a server: it is run there, in a process of its own, and comes back up to a limit.

import type { Caller } from "../../../client/caller.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { QueryReader } from "../../../protocol/query.ts";

const mostRows = 5_000;

export function remoteReader(caller: Caller, say: (line: string) => void): QueryReader {
  return {
    onlyReading: (sql) => sql,
    async run(sql) {
      const { columns, rows, more } = await caller.call("query.run", { sql, limit: mostRows });
      if (more)
        say(`constel: only the first ${rows.length} rows came from the server; ask for less, or add a condition`);
      return { columns, rows: eachOf(rows) };
    },
    tables: async () => (await caller.call("query.tables", {})).tables,
    async explain() {
      throw new Refusal("server.not-here", "constel explain cannot be asked of a server");
    },
    close: async () => {},
  };
}

async function* eachOf<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}
