// A column that SQLite is not to choose an index by. It chooses without knowing how many rows there are, and would rather read all messages of a
// constellation in the order that was asked for than the few of one task, and sort them.

import { type RawBuilder, sql } from "kysely";

/** Of a column with text in it. */
export const notByIndex = (column: string): RawBuilder<string> => sql<string>`${sql.ref(column)} || ''`;
