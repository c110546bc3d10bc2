// Refusals about what was typed or asked for.

import type { CatalogueEntry } from "./entry.ts";

export const usageRefusals = {
  "usage.unknown-command": {
    exit: "usage",
    means: "No command has this name.",
    hint: "Run `constel --help` for the list of commands.",
  },
  "usage.unknown-flag": {
    exit: "usage",
    means: "The command does not take this flag.",
    hint: "Run the command with `--help` for its flags.",
  },
  "usage.missing-argument": {
    exit: "usage",
    means: "A required argument is missing.",
    hint: "Run the command with `--help` for its arguments.",
  },
  "usage.extra-argument": {
    exit: "usage",
    means: "More arguments were given than the command takes.",
    hint: "Run the command with `--help` for its arguments; quote one that contains spaces.",
  },
  "usage.bad-value": {
    exit: "usage",
    means: "An argument or flag has a value that cannot be used.",
    hint: "Run the command with `--help` for what it takes.",
  },
  "input.invalid": {
    exit: "usage",
    means: "The input of an operation does not have the declared shape.",
    hint: "docs/reference/operations.md lists each operation's input.",
  },
  "operation.unknown": {
    exit: "usage",
    means: "The daemon does not know this operation; it may be older than the program that called it.",
    hint: "Run `constel daemon stop` and try again, so that the current version starts.",
  },
  "config.malformed": {
    exit: "usage",
    means: "config.toml cannot be read as TOML, or a value has the wrong type.",
    hint: "Fix the line named above; `constel config path` says where the file is.",
  },
  "config.unknown-key": {
    exit: "usage",
    means: "There is no such setting.",
    hint: "`constel config show` lists every setting.",
  },
  "config.by-hand": {
    exit: "refused",
    means:
      "config.toml holds the setting in a form that `config set` cannot change without touching the rest of the file.",
    hint: "Change that line with an editor; `constel config path` says where the file is.",
  },
  "config.busy": {
    exit: "refused",
    means: "Another process is changing config.toml right now.",
    hint: "Try again.",
  },
  "bench.no-sources": {
    exit: "refused",
    means: "Benches and evaluations run from a clone of the sources only.",
    hint: "Clone the repository and run `./bin/constel bench` or `./bin/constel eval` there.",
  },
  "query.not-read-only": {
    exit: "refused",
    means: "Queries may only read: a write, PRAGMA, ATTACH or a second statement was found.",
    hint: "Use one SELECT (or WITH … SELECT) statement.",
  },
  "query.too-slow": {
    exit: "refused",
    means:
      "The query took too long and was ended: by the Postgres server past `query.timeout_s`, or after 15 seconds when a browser asked it.",
    hint: "`constel explain` says what would make it faster; `--set query.timeout_s=600` gives it more time.",
  },
  "query.unknown-table": {
    exit: "usage",
    means: "The query names a table or view that does not exist.",
    hint: "The names that exist are listed above.",
  },
  "query.invalid": {
    exit: "usage",
    means: "The database cannot understand the query.",
    hint: "Check the SQL; `constel query --tables` lists tables and views.",
  },
  "query.no-engine": {
    exit: "refused",
    means: "The engine that was asked for is not there, or cannot read this store.",
    hint: "Install the duckdb program, or leave out --engine; docs/guides/ask-it-in-sql.md has the recipe.",
  },
  "query.unknown-saved": {
    exit: "usage",
    means: "No saved query has this name.",
    hint: "`constel query --list-saved` lists them.",
  },
  "command.interrupted": {
    exit: "refused",
    means: "The command was ended by Ctrl-C or a signal before it had an answer.",
    hint: "Nothing is left behind; run it again when you like.",
  },
} as const satisfies Record<string, CatalogueEntry>;
