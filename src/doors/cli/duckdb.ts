// `query --engine duckdb`: heavy analysis by a DuckDB that the user has installed. constel does not ship one: its SQLite
// extension is not in the registry and it cannot be compiled into the binary (docs/decisions/0006-duckdb.md). We hand the
// database file over read-only and let DuckDB answer.

import { Outage, Refusal } from "../../protocol/errors.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { childEnvironment } from "../../host/process/child-environment.ts";
import type { CommandResult } from "./input/command.ts";
import type { CliContext } from "./context.ts";

export async function withDuckDb(context: CliContext, sql: string): Promise<CommandResult | undefined> {
  const settings = await context.settings();
  if (!settings.databaseUrl.startsWith("sqlite:")) {
    throw new Refusal("query.no-engine", "the DuckDB engine reads SQLite files; this store is Postgres");
  }
  const program = Bun.which("duckdb", { PATH: context.env["PATH"] ?? "" });
  if (program === null) throw new Refusal("query.no-engine", "there is no duckdb on the PATH");
  const file = settings.databaseUrl.slice("sqlite:".length).replaceAll("'", "''");
  const attach = `install sqlite; load sqlite; attach '${file}' as constel (type sqlite, read_only); use constel;`;
  const outcome = await systemProcesses.run(
    [program, context.output.json ? "-json" : "-table", ":memory:", `${attach} ${sql}`],
    {
      env: childEnvironment(context.env),
      deadlineMs: 10 * 60_000,
      signal: context.signal,
    },
  );
  if (outcome.stderr !== "") context.output.say(outcome.stderr.trimEnd());
  context.output.data(Buffer.from(outcome.stdout).toString());
  if (outcome.code !== 0) throw new Outage("run", "duckdb", `it ended with ${outcome.code ?? outcome.signal}`);
  return undefined;
}
