// Reads what a database address says. Loads nothing, because `constel query` reads it at every start.

import { Refusal } from "../protocol/errors.ts";

/** The absolute path of `sqlite:/…`; undefined for a Postgres address. */
export function sqlitePath(url: string): string | undefined {
  if (url.startsWith("sqlite:/")) return url.slice("sqlite:".length);
  if (/^postgres(ql)?:\/\//.test(url)) return undefined;
  throw new Refusal("config.malformed", "a database address is sqlite:<absolute path> or postgres://…", {});
}
