// Turns a floor record into its row. Kinds without a table here stay in their files: they are for people.

import type { FloorRecord, RecordKind } from "../../floor/records.ts";
import type { TableName } from "../../store/tables.ts";

export interface IntakeRow {
  readonly table: TableName;
  readonly values: Readonly<Record<string, string | number | null>>;
}

type Common = Pick<FloorRecord, "id" | "constellation" | "at_ms">;

const makers: Partial<Record<RecordKind, (record: FloorRecord, common: Common) => IntakeRow | undefined>> = {
  "watchdog-events": (record, common) => {
    if (record["event"] === "tick.began") return undefined; // how it began is for people who look into a crash
    return record["event"] === "tick.ended" ? tickRow(record, common) : watchdogRow(record, common);
  },
  invocations: (record, common) => ({
    table: "cli_invocations",
    values: {
      ...common,
      duration_ms: numberOf(record["duration_ms"]),
      argv: JSON.stringify(record["argv"] ?? []),
      cwd: textOf(record["cwd"]),
      agent: typeof record["agent"] === "string" ? textOf(record["agent"]) : null,
      exit_code: numberOf(record["exit_code"]),
      version: textOf(record["version"]),
    },
  }),
  crashes: (record, common) => ({
    table: "crashes",
    values: {
      ...common,
      id: crashId(record, common),
      agent: typeof record["agent"] === "string" ? textOf(record["agent"]) : null,
      what: textOf(record["what"]),
      detail: textOf(record["detail"]),
      runtime: typeof record["runtime"] === "string" ? textOf(record["runtime"]) : null,
      launched_ms: numberOrNull(record["launched_ms"]),
      exit_status: numberOrNull(record["exit_status"]),
      exit_signal: numberOrNull(record["exit_signal"]),
    },
  }),
  "mcp-calls": (record, common) => ({
    table: "mcp_tool_calls",
    values: {
      ...common,
      duration_ms: numberOf(record["duration_ms"]),
      agent: typeof record["agent"] === "string" ? textOf(record["agent"]) : null,
      tool: textOf(record["tool"]),
      action: typeof record["action"] === "string" ? textOf(record["action"]) : null,
      outcome: textOf(record["outcome"]),
      code: typeof record["code"] === "string" ? textOf(record["code"]) : null,
      transport: textOf(record["transport"]),
      client: textOf(record["client"]),
      input_bytes: numberOf(record["input_bytes"]),
      output_bytes: numberOf(record["output_bytes"]),
    },
  }),
  "meta-db-errors": (record, common) => ({
    table: "source_errors",
    values: { ...common, source: textOf(record["source"]), line: null, problem: textOf(record["problem"]) },
  }),
};

/** A record that names no constellation is this machine's. */
export function intakeRows(record: FloorRecord, own: string): IntakeRow | undefined {
  const constellation = record.constellation === "" ? own : textOf(record.constellation);
  return makers[record.kind]?.(record, {
    id: textOf(record.id) as typeof record.id,
    constellation,
    at_ms: numberOf(record.at_ms),
  });
}

function tickRow(record: FloorRecord, common: Common): IntakeRow {
  const steps = Array.isArray(record["steps"]) ? (record["steps"] as { ok?: unknown }[]) : [];
  const missing = Array.isArray(record["missing"]) ? record["missing"] : [];
  const isWell = missing.length === 0 && steps.every((step) => step.ok === true) && (record["blind"] ?? null) === null;
  return {
    table: "ticks",
    values: {
      ...common,
      duration_ms: numberOf(record["duration_ms"]),
      outcome: isWell ? "well" : "problems",
      data: JSON.stringify({ missing, steps }),
    },
  };
}

function watchdogRow(record: FloorRecord, common: Common): IntakeRow {
  return {
    table: "watchdog_events",
    values: {
      ...common,
      event: textOf(record["event"]),
      agent: typeof record["agent"] === "string" ? textOf(record["agent"]) : null,
      says: textOf(record["says"]),
      data: textOf(JSON.stringify(record["data"] ?? {})),
    },
  };
}

/** A watchdog that is killed before it has noted that it saw an end sees it again: each launch ends once. */
function crashId(record: FloorRecord, { id, constellation }: Common): string {
  const launchedMs = numberOrNull(record["launched_ms"]);
  return launchedMs === null ? id : `crash_${constellation}_${textOf(record["agent"])}_${launchedMs}`;
}

const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? numberOf(value) : null);

/** Returns a number that both databases can hold: a row that one of them refuses would stand in the way of all that come after it. */
function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(Math.round(value)) ? Math.round(value) : 0;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\uFFFD") : JSON.stringify(value ?? "");
}
