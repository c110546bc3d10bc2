import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/database.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "db status",
    summary: "Show where the database is, its schema and its backups",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel db status"],
    load: async () => (await load()).status,
  },
  {
    name: "db backup",
    summary: "Back up the database and verify the backup",
    details:
      "SQLite: a copy of the file. Postgres: a dump by pg_dump of the whole schema, with every constellation in it. The daemon may run.",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    examples: ["constel db backup"],
    load: async () => (await load()).backup,
  },
  {
    name: "db size",
    summary: "Show what takes the room: tables, kinds of events, and how fast they come",
    details: "Over Postgres the tables are those of every constellation in the database; the events are this one's.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel db size"],
    load: async () => (await load()).sizes,
  },
  {
    name: "db backups",
    summary: "List the backups, newest first",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel db backups"],
    load: async () => (await load()).backups,
  },
  {
    name: "db restore",
    summary: "Put a backup back; what stood there is kept beside it",
    details:
      "The daemon must be stopped. Without a name, uses the newest backup that verifies. From a dump of Postgres the rows of this constellation are put back and those of others stay; the earlier rows are kept in a schema of their own.",
    tier: "floor",
    may: "operators",
    effect: "destroys",
    arguments: [{ name: "backup", summary: "A file name from `constel db backups`", optional: true }],
    examples: ["constel db restore", "constel db restore meta-v1-20260102T030405.006Z.db"],
    load: async () => (await load()).restore,
  },
  {
    name: "db move",
    summary: "Move the constellation to another database: from SQLite to Postgres, back, or between two servers",
    details:
      "The daemon must be stopped. Copies every row of this constellation, compares counts and digests of each table, verifies the chain with its signatures and anchored heads, and only then changes store.url. The old database keeps its rows and is marked: no daemon writes to it for this constellation any more. Cut off at any point, the same command goes on; --cancel removes what was copied. A target with rows of this constellation is refused; those of others stay as they are.",
    tier: "floor",
    may: "operators",
    effect: "destroys",
    flags: {
      to: { summary: "postgres://…, or a file for a SQLite database", value: "DATABASE" },
      cancel: { summary: "Give up a move that was begun" },
    },
    examples: [
      "constel db move --to postgres://constel@db.example.org/constel",
      "constel db move --to meta-2.db",
      "constel db move --to postgres://constel@db.example.org/constel --cancel",
    ],
    load: async () => (await import("../commands/database-move.ts")).move,
  },
  {
    name: "db begin",
    summary: "Begin an empty database in a home whose database is gone",
    details: "The daemon must be stopped. Refused while the file is there. Backups are left as they are.",
    tier: "floor",
    may: "operators",
    effect: "destroys",
    examples: ["constel db begin"],
    load: async () => (await load()).begin,
  },
  {
    name: "db undo",
    summary: "Undo the last schema migration, after a backup",
    details: "The daemon must be stopped. An older constel can then open the database.",
    tier: "floor",
    may: "operators",
    effect: "destroys",
    examples: ["constel db undo"],
    load: async () => (await load()).undo,
  },
];
