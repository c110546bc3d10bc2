// Records of the program itself: commands, errors of sources, what was taken in, crashes, ticks, and the schema's own books.

export interface CliInvocationsTable {
  id: string;
  constellation: string;
  at_ms: number;
  duration_ms: number;
  /** A JSON array of the arguments, secrets masked. */
  argv: string;
  cwd: string;
  agent: string | null;
  exit_code: number;
  version: string;
}

/** A line of a floor file that could not be taken in. */
export interface SourceErrorsTable {
  id: string;
  constellation: string;
  at_ms: number;
  source: string;
  line: number | null;
  problem: string;
}

/**
 * The position up to which each floor file has been taken in, by the constellation it belongs to. (`offset` alone is a reserved word in
 * Postgres.)
 */
export interface IntakePositionsTable {
  constellation: string;
  file: string;
  inode: number;
  offset_bytes: number;
  updated_ms: number;
}

export interface CrashesTable {
  id: string;
  constellation: string;
  at_ms: number;
  agent: string | null;
  what: string;
  /** The program's last words. */
  detail: string;
  runtime: string | null;
  /** The launch that came to its end. */
  launched_ms: number | null;
  exit_status: number | null;
  exit_signal: number | null;
}

export interface WatchdogEventsTable {
  id: string;
  constellation: string;
  at_ms: number;
  event: string;
  agent: string | null;
  says: string;
  data: string;
}

export interface TicksTable {
  id: string;
  constellation: string;
  at_ms: number;
  duration_ms: number;
  outcome: string;
  data: string;
}

export interface MetaTable {
  key: string;
  value: string;
}

export interface SchemaMigrationsTable {
  version: number;
  name: string;
  applied_ms: number;
}
