// Rows of a query, as the demo looks for what it told.

import type { Stage } from "./stage.ts";

export async function rows<T>(stage: Stage, sql: string): Promise<T[]> {
  const { code, stdout } = await stage.run(["constel", "query", sql, "--json"]);
  return code === 0 ? (JSON.parse(stdout) as { readonly rows: T[] }).rows : [];
}
