// Answers SQL that came over the local API. It is run by `constel query` in a process of its own, as on the command line: a slow statement must not
// stand in the daemon's way, and can be ended (docs/decisions/0005-queries-run-in-the-callers-process.md).

import { Refusal } from "../../protocol/errors.ts";
import type { listQueryTables, runQuery } from "../../protocol/operations/query.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { Settings } from "../../settings/settings.ts";
import { runOwnCommand } from "./run-own-command.ts";

const deadlineMs = 15_000;

type Rows = OutputOf<typeof runQuery>;

export async function answerQuery(
  settings: Settings,
  { sql, limit }: ParsedInputOf<typeof runQuery>,
  gone: AbortSignal | undefined,
): Promise<Rows> {
  const beganMs = performance.now();
  const { stdout, isCut } = await ask(settings, ["--", sql], gone);
  const read = rowsIn(stdout, limit);
  return { ...read, more: read.more || isCut, took_ms: Math.round(performance.now() - beganMs) };
}

export async function listTables(settings: Settings): Promise<OutputOf<typeof listQueryTables>> {
  const { stdout } = await ask(settings, ["--tables"], undefined);
  const { tables } = JSON.parse(stdout) as OutputOf<typeof listQueryTables>;
  return { tables };
}

const ask = (settings: Settings, words: readonly string[], signal: AbortSignal | undefined) =>
  runOwnCommand(settings, ["query", ...words], {
    deadlineMs,
    signal,
    tooSlow: () => new Refusal("query.too-slow", `it took longer than ${deadlineMs / 1_000} s`, { deadlineMs }),
  });

/** The rows that came whole, each a line of its own in the answer. */
export function rowsIn(answer: string, limit: number): Pick<Rows, "columns" | "rows" | "more"> {
  // After the last line break stands what was cut off, or nothing.
  const lines = answer.split("\n").slice(1, -1);
  const rows: Record<string, unknown>[] = [];
  for (const line of lines) {
    const text = line.replace(/,$/, "");
    if (!text.startsWith("{") || !text.endsWith("}")) continue;
    if (rows.length === limit) return { ...tabled(rows), more: true };
    rows.push(JSON.parse(text) as Record<string, unknown>);
  }
  return { ...tabled(rows), more: false };
}

function tabled(rows: readonly Record<string, unknown>[]): Pick<Rows, "columns" | "rows"> {
  const columns = Object.keys(rows[0] ?? {});
  return { columns, rows: rows.map((row) => columns.map((name) => cell(row[name]))) };
}

const cell = (value: unknown): string | number | boolean | null =>
  value === null || value === undefined
    ? null
    : typeof value === "object"
      ? JSON.stringify(value)
      : (value as string | number | boolean);
