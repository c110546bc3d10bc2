import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/query.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "query",
    elsewhere: true,
    summary: "Query everything in SQL, read-only",
    details: "Views are stable; tables may change. `constel query --tables` lists both.",
    tier: "read",
    arguments: [{ name: "sql", summary: "One SELECT statement", optional: true }],
    flags: {
      csv: { summary: "Print CSV" },
      tables: { summary: "List the tables and views with their columns" },
      saved: { summary: "Run a saved query", value: "NAME", offers: "saved-queries" },
      save: { summary: "Save the SQL under a name instead of running it", value: "NAME" },
      "list-saved": { summary: "List the saved queries" },
      watch: { summary: "Run it again every N seconds until Ctrl-C", value: "SECONDS" },
      engine: {
        summary: "sqlite or postgres as configured, or duckdb for heavy analysis",
        value: "ENGINE",
        oneOf: ["store", "duckdb"],
      },
    },
    examples: [
      'constel query "select at, type, subject from timeline order by seq desc limit 5"',
      'constel query "select * from cli_recent" --csv',
      'constel query "select type, count(*) as n from timeline group by type" --save event-types',
    ],
    load: async () => (await load()).query,
  },
  {
    name: "explain",
    summary: "Explain why a query is slow and which index would help",
    tier: "read",
    arguments: [{ name: "sql", summary: "One SELECT statement" }],
    examples: ["constel explain \"select * from timeline where type = 'owner.announced'\""],
    load: async () => (await load()).explain,
  },
];
