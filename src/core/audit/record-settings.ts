// Puts on the record which settings the daemon has come to run with: anyone who can write config.toml can change what constel does, and that
// must be found afterwards. It records a mark of each value and not the value, which may hold a password.

import type { Context } from "../context.ts";
import { lastSettings } from "./audit.sql.ts";

export interface RunningSettings {
  /** A mark of each setting's value. */
  readonly marks: Readonly<Record<string, string>>;
  /** The same for values that nobody has changed. */
  readonly defaults: Readonly<Record<string, string>>;
  /** The source of each: the file, a flag, the environment. */
  readonly origins: Readonly<Record<string, string>>;
}

/** Nothing where they are as they were the last time; before the first time that is as they are without a file. */
export async function recordSettings(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  { marks, defaults, origins }: RunningSettings,
): Promise<void> {
  const before = await lastSettings(store.db, constellation);
  const keys = Object.keys(marks).filter((key) => (before?.[key] ?? defaults[key]) !== marks[key]);
  if (keys.length === 0) return;
  const from = Object.fromEntries(keys.map((key) => [key, origins[key]]));
  await store.write((tx) => tx.record({ type: "settings.changed", actor: "daemon", data: { changed: from, marks } }));
}
