// Every refusal a user can meet: its exit code, what it means, and what to do about it. Doors map codes, never wording.
// docs/reference/errors.md is generated from this table.

/** Exit codes of the program. 1 is a plain negative answer (a finding, a red doctor), not an error. */
export const exitCodes = {
  ok: 0,
  negative: 1,
  usage: 2,
  refused: 3,
  outage: 4,
  bug: 70,
} as const;

interface Entry {
  exit: keyof typeof exitCodes;
  means: string;
  hint: string;
}

const entries = {
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
    hint: "Quote an argument that contains spaces.",
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
    hint: "Mend the line named above; `constel config path` says where the file is.",
  },
  "config.unknown-key": {
    exit: "usage",
    means: "There is no such setting.",
    hint: "`constel config show` lists every setting.",
  },
  "path.symlink": {
    exit: "refused",
    means: "A symbolic link stands between a trusted directory and the file to be written.",
    hint: "Replace the link by a real directory or file, then try again.",
  },
  "path.outside-root": {
    exit: "refused",
    means: "The path leads out of the directory it must stay in.",
    hint: "Give a path inside the root directory.",
  },
  "root.outside": {
    exit: "refused",
    means: "The verb changes the constellation and was run outside its root directory.",
    hint: "Run it inside the root directory, or set CONSTEL_ROOT.",
  },
  "store.newer-schema": {
    exit: "refused",
    means: "The database was written by a newer constel.",
    hint: "Update constel, or restore a backup of the older schema with `constel db restore`.",
  },
  "store.corrupt": {
    exit: "outage",
    means: "The database file is damaged. Nothing was overwritten; floor verbs still work.",
    hint: "Restore the newest backup with `constel db restore <file>`.",
  },
  "store.not-written": {
    exit: "outage",
    means: "A change that was asked for could not be made durable, so it did not happen.",
    hint: "Look at `constel doctor`; when the cause is gone, try again.",
  },
  "store.nothing-to-undo": {
    exit: "refused",
    means: "The schema is at its first version, or the migration says it cannot be undone.",
    hint: "Restore a backup instead: `constel db restore`.",
  },
  "store.backup-missing": {
    exit: "usage",
    means: "There is no backup with this name.",
    hint: "`constel db backups` lists them.",
  },
  "daemon.unreachable": {
    exit: "outage",
    means: "The daemon does not answer and could not be started.",
    hint: "Look at `constel daemon logs` and `constel doctor`.",
  },
  "daemon.running": {
    exit: "refused",
    means: "The verb needs the daemon stopped.",
    hint: "Run `constel daemon stop` first.",
  },
  "query.not-read-only": {
    exit: "refused",
    means: "Queries may only read: a write, PRAGMA, ATTACH or a second statement was found.",
    hint: "Use one SELECT (or WITH … SELECT) statement.",
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
  "query.unknown-saved": {
    exit: "usage",
    means: "No saved query has this name.",
    hint: "`constel query --list-saved` lists them.",
  },
  "http.unauthorised": {
    exit: "refused",
    means: "The TCP surface needs the token.",
    hint: "Send `Authorization: Bearer <token>`; `constel daemon token` prints it.",
  },
  "http.foreign-host": {
    exit: "refused",
    means: "The Host header does not name this machine's loopback address.",
    hint: "Use the address that `constel daemon status` prints.",
  },
  "http.foreign-origin": {
    exit: "refused",
    means: "The request comes from a web page of another origin.",
    hint: "Open the dashboard from the address that `constel daemon status` prints.",
  },
  "http.too-large": {
    exit: "refused",
    means: "The request body is over the limit.",
    hint: "Send less in one request.",
  },
  "http.too-many": {
    exit: "refused",
    means: "Too many requests in a short time.",
    hint: "Wait for the time in the Retry-After header.",
  },
  "runtime.unknown": {
    exit: "usage",
    means: "No runtime has this name.",
    hint: "`constel runtime list` names them.",
  },
  "runtime.not-installed": {
    exit: "refused",
    means: "The program of this runtime is not on the PATH.",
    hint: "Install it, or choose another runtime with --type; `constel runtime list` says which are there.",
  },
} as const satisfies Record<string, Entry>;

export type RefusalCode = keyof typeof entries;
export const catalogue: Readonly<Record<RefusalCode, Entry>> = entries;
