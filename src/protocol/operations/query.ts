// SQL over the local API, for who cannot open the database: a browser. On the command line `constel query` asks in its own process.

import { z } from "zod";
import { limitField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

export const runQuery = defineOperation({
  name: "query.run",
  summary: "One SELECT statement, read-only, in a process of its own that is ended when it takes too long.",
  may: "operators",
  effect: "reads",
  needsDaemon: true,
  input: z.object({
    sql: z.string().trim().min(1).max(100_000).describe("One SELECT statement"),
    limit: limitField(5_000, 500),
  }),
  output: z.object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
    /** True when there are more rows than the limit allowed. */
    more: z.boolean(),
    took_ms: z.number().int(),
  }),
  refusals: ["query.invalid", "query.not-read-only", "query.unknown-table", "query.too-slow"],
});

export const listQueryTables = defineOperation({
  name: "query.tables",
  summary: "The views and tables that SQL may ask, with their columns.",
  may: "operators",
  effect: "reads",
  needsDaemon: true,
  input: z.object({}),
  output: z.object({
    tables: z.array(z.object({ name: z.string(), kind: z.enum(["table", "view"]), columns: z.array(z.string()) })),
  }),
  refusals: [],
});

const saved = z.object({ name: z.string(), sql: z.string() });

export const listSavedQueries = defineOperation({
  name: "query.saved",
  summary: "The queries that were saved by name.",
  may: "operators",
  effect: "reads",
  needsDaemon: true,
  input: z.object({}),
  output: z.object({ queries: z.array(saved) }),
  refusals: [],
});

export const saveQuery = defineOperation({
  name: "query.save",
  summary: "Save SQL under a name; what was saved under it before is replaced.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    name: z.string().min(1).max(64).describe("Letters, digits, - and _"),
    sql: z.string().trim().min(1).max(100_000).describe("One SELECT statement"),
  }),
  output: saved,
  refusals: ["usage.bad-value"],
});
