// SQL on the command line. Rows are streamed: JSON and CSV print as they come; a table is laid out page by page, its
// widths taken from the first page.

import { counted } from "../../../protocol/counted.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { QueryReader } from "../../../protocol/query.ts";
import type { CommandInput, CommandResult, RunCommand } from "../input/command.ts";
import { type CliContext, refuseServer } from "../context.ts";
import { jsonLine } from "../present/json-answer.ts";
import { csvLine } from "../present/csv.ts";
import type { Output } from "../present/output.ts";
import { blocks, isCramped, table } from "../present/table.ts";
import { redrawUntilKilled } from "../present/redraw.ts";
import { closest } from "../input/closest.ts";
import { savedNames, savedQueries, savedQuery, saveQuery } from "../../../floor/saved-queries.ts";

/** Rows laid out together. A result larger than this is printed in pages, each fitted to the terminal by itself. */
const pageRows = 500;

export const query: RunCommand = async (context, input) => {
  const { home } = context.places;
  if (context.server !== undefined && input.flag("engine") === "duckdb")
    refuseServer(context, "constel query --engine duckdb");
  if (input.has("list-saved")) return listSaved(home, context.output);
  const name = input.flag("save");
  if (name !== undefined) return save(home, name, requiredSql(input));
  const reader =
    context.server === undefined
      ? await context.backstage.openReader(await context.settings())
      : (await import("../reach/remote-reader.ts")).remoteReader(await context.caller(), context.output.say);
  try {
    if (input.has("tables")) return await listTables(context, reader);
    const sql = sqlFrom(context, input);
    if (input.flag("engine") === "duckdb") {
      const { withDuckDb } = await import("../duckdb.ts");
      return await withDuckDb(context, reader.onlyReading(sql));
    }
    const seconds = input.flag("watch");
    if (seconds === undefined) await printRows(context.output, input, reader, sql);
    else await watch(context, input, reader, sql, seconds);
    return undefined;
  } finally {
    await reader.close();
  }
};

export const explain: RunCommand = async (context, input) => {
  const reader = await context.backstage.openReader(await context.settings());
  try {
    const answer = await reader.explain(input.argument("sql"));
    const index = answer.index === undefined ? [] : [`An index that would help: ${answer.index}`];
    return {
      json: { verdict: answer.verdict, index: answer.index ?? null, plan: answer.plan },
      text: [answer.verdict, ...index, "", "Plan", ...answer.plan.map((line) => `  ${line}`)].join("\n"),
    };
  } finally {
    await reader.close();
  }
};

function sqlFrom(context: CliContext, input: CommandInput): string {
  const saved = input.flag("saved");
  return saved === undefined ? requiredSql(input) : savedNamed(context.places.home, saved);
}

function savedNamed(home: string, name: string): string {
  const text = savedQuery(home, name);
  if (text !== undefined) return text;
  const guess = closest(name, savedNames(home));
  throw new Refusal(
    "query.unknown-saved",
    `no query is saved as ${name}`,
    { name },
    guess === undefined ? undefined : `Did you mean ${guess}?`,
  );
}

function save(home: string, name: string, sql: string): CommandResult {
  const saved = saveQuery(home, name, sql);
  return { json: { ...saved }, text: `Saved. Run it with \`constel query --saved ${name}\`.` };
}

function listSaved(home: string, output: Output): CommandResult {
  const queries = savedQueries(home);
  return {
    json: { queries },
    text: () =>
      queries.length === 0
        ? 'No query is saved yet: `constel query "<SQL>" --save NAME`.'
        : table(
            ["name", "sql"],
            queries.map(({ name, sql }) => [name, sql]),
            output,
          ),
  };
}

function requiredSql(input: CommandInput): string {
  const sql = input.optional("sql");
  if (sql === undefined) throw new Refusal("usage.missing-argument", "constel query needs SQL, or --saved NAME");
  return sql;
}

async function listTables(context: CliContext, reader: QueryReader) {
  const tables = await reader.tables();
  return {
    json: { tables },
    text: () =>
      table(
        ["name", "kind", "columns"],
        tables.map((one) => [one.name, one.kind, one.columns.join(", ")]),
        context.output,
      ),
  };
}

async function printRows(output: Output, input: CommandInput, reader: QueryReader, sql: string): Promise<void> {
  const { columns, rows } = await reader.run(sql);
  const csv = input.has("csv");
  // A program that reads CSV wants the bytes; a person at a terminal must not have them.
  const csvOut = output.interactive ? output.data : output.raw;
  if (csv) csvOut(csvLine(columns));
  if (output.json) output.data(`${jsonLine({}).slice(0, -1)},"rows":[`);
  let page: (readonly unknown[])[] = [];
  let count = 0;
  const flush = (): void => {
    if (page.length === 0) return;
    const cells = page.map((row) => row.map(cell));
    const layOut = isCramped(columns, cells, output.columns) ? blocks : table;
    output.data(`${layOut(columns, cells, { ...output, right: numericColumns(page) })}\n`);
    page = [];
  };
  for await (const row of rows) {
    if (csv) csvOut(csvLine(row.map((value) => (value === null ? "" : cell(value)))));
    else if (output.json)
      output.data(
        `${count === 0 ? "\n" : ",\n"}${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, jsonValue(row[at])])))}`,
      );
    else page.push(row);
    count += 1;
    if (page.length === pageRows) flush();
  }
  flush();
  if (output.json) output.data(count === 0 ? "]}\n" : "\n]}\n");
  else if (!csv) output.say(`(${counted(count, "row")})`);
}

async function watch(
  context: CliContext,
  input: CommandInput,
  reader: QueryReader,
  sql: string,
  seconds: string,
): Promise<void> {
  const every = Number(seconds);
  // A timer takes 2^31 milliseconds at most, and would run without a pause past that.
  if (!Number.isFinite(every) || every < 0.1 || every > 86_400)
    throw new Refusal("usage.bad-value", "--watch takes a number of seconds from 0.1 to 86400");
  const { output } = context;
  // Until Ctrl-C, which ends the process: a query may be in the middle of a long step.
  if (output.interactive && !output.json && !input.has("csv")) {
    await redrawUntilKilled(output, () => drawRows(context, input, reader, sql), every * 1000);
  }
  for (;;) {
    await printRows(output, input, reader, sql);
    await systemClock.sleep(every * 1000);
  }
}

/** The rows as text, laid out for the terminal as it is now. */
async function drawRows(
  { output }: CliContext,
  input: CommandInput,
  reader: QueryReader,
  sql: string,
): Promise<string> {
  let text = "";
  const add = (more: string): void => void (text += more);
  await printRows(
    { ...output, ...output.now(), data: add, say: (line) => add(output.paint.dim(line)) },
    input,
    reader,
    sql,
  );
  return text;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "∅";
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString("hex")}'`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function jsonValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return typeof value === "bigint" ? value.toString() : value;
}

function numericColumns(rows: readonly (readonly unknown[])[]): Set<number> {
  const columns = rows[0]?.length ?? 0;
  const isNumeric = (at: number): boolean =>
    rows.every((row) => row[at] === null || typeof row[at] === "number" || typeof row[at] === "bigint");
  return new Set(Array.from({ length: columns }, (_, at) => at).filter(isNumeric));
}
