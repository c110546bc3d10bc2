// Refusals about the home, the database, the daemon and its doors.

import type { CatalogueEntry } from "./entry.ts";

export const houseRefusals = {
  "path.symlink": {
    exit: "refused",
    means: "A symbolic link is in the path of a file constel has to write.",
    hint: "Replace the link by a real directory or file, then try again.",
  },
  "path.outside-root": {
    exit: "refused",
    means: "The path leads out of the directory it must stay in.",
    hint: "Give a path inside the root directory.",
  },
  "path.not-a-directory": {
    exit: "usage",
    means: "What was named as a directory is something else.",
    hint: "Name a directory, or one that does not exist yet.",
  },
  "path.not-a-file": {
    exit: "refused",
    means: "A directory, pipe, socket or device stands where a plain file should be.",
    hint: "Move it away, then try again.",
  },
  "path.exists": {
    exit: "refused",
    means: "There is a file already where a new one was to be written; it is left as it is.",
    hint: "Move it away, or name another file with --out.",
  },
  "path.too-large": {
    exit: "refused",
    means: "The file is larger than anything that belongs there.",
    hint: "Move it away, then try again.",
  },
  "home.missing": {
    exit: "usage",
    means: "`--home` names a directory that does not exist.",
    hint: "`constel onboard --home DIR` makes one there.",
  },
  "home.not-yours": {
    exit: "refused",
    means: "The home belongs to another account. Nothing was read or left there.",
    hint: "Run it as that account, or set CONSTEL_HOME to a directory of your own.",
  },
  "home.other-format": {
    exit: "refused",
    means:
      "The home was made by a constel from before the first release, or by a newer one, and its files are laid out differently. Nothing was read or left there.",
    hint: "Export what you want to keep with the program that made it, then move the home aside or set CONSTEL_HOME to another directory.",
  },
  "root.outside": {
    exit: "refused",
    means: "The verb changes the constellation and was run outside its root directory.",
    hint: "Run it inside the root directory, or set CONSTEL_ROOT.",
  },
  "store.older-schema": {
    exit: "refused",
    means:
      "The database is as an earlier constel left it, and what was asked needs what this one adds. Reading alone never changes it.",
    hint: "`constel daemon start` brings it up to date, with a backup first.",
  },
  "store.foreign-schema": {
    exit: "refused",
    means:
      "The database was not made by this line of constel: it is from before the first release, or another program's. Nothing in it was changed.",
    hint: "Export it with the program that made it (`constel audit export`), or name another database with store.url. A new home begins with an empty one.",
  },
  "store.newer-schema": {
    exit: "refused",
    means: "The database was written by a newer constel.",
    hint: "Update constel, or restore a backup of the older schema with `constel db restore`.",
  },
  "store.newer-version": {
    exit: "refused",
    means:
      "A newer constel has written to the database. This older one knows its schema and still leaves it alone: it cannot know what else the newer one keeps there.",
    hint: "Update this constel, or use the newer one. To go back for good: `constel downgrade` of the newer one, or `constel downgrade --accept` of this one.",
  },
  "store.corrupt": {
    exit: "outage",
    means:
      "The database file is damaged. Nothing was overwritten. Commands that use the database fail; messaging and doctor still work.",
    hint: "Restore the newest backup with `constel db restore <file>`.",
  },
  "store.lost": {
    exit: "outage",
    means:
      "The database file is gone or empty, and this home had one. No empty one was begun. Commands that use the database fail; messaging and doctor still work.",
    hint: "Restore a backup with `constel db restore`, or put the file back. To begin an empty one: `constel db begin`.",
  },
  "store.held": {
    exit: "refused",
    means:
      "Several daemons reach one Postgres, and one of them runs a constellation. This one stands by: it takes over when nothing was heard of the other for `store.lease_seconds`.",
    hint: "To run another constellation over the same database, give it a name of its own: `constel config set constellation.name <name>`.",
  },
  "store.foreign-keys": {
    exit: "refused",
    means:
      "Another daemon ran this constellation over the same database, and the keys of this home are not those that signed its timeline. It did not take over.",
    hint: "A second machine for one constellation needs a copy of the first one's `keys/`. For a constellation of its own: `constel config set constellation.name <name>`.",
  },
  "store.lease-lost": {
    exit: "outage",
    means:
      "This daemon was silent for so long that another one has taken over its constellation. It wrote nothing after that, and stands by.",
    hint: "`constel daemon status` says who runs the constellation now.",
  },
  "store.moved": {
    exit: "refused",
    means:
      "The constellation was moved to another database with `constel db move`. This one holds the copy that was left behind; nothing is written to it any more.",
    hint: "`constel config set store.url <address>` names the database that it was moved to. To come back, move it back.",
  },
  "store.moving": {
    exit: "refused",
    means: "The constellation is on its way between two databases. Until it has arrived whole, neither is written to.",
    hint: "The same `constel db move --to …` goes on with it; with --cancel it is given up, and the source is as it was.",
  },
  "store.target-used": {
    exit: "refused",
    means: "The database that was named has rows of this constellation already. Nothing is ever moved over them.",
    hint: "Name another database, or a file that does not exist yet.",
  },
  "store.same-place": {
    exit: "usage",
    means: "The database that was named is the one that is in use.",
    hint: "`constel db status` says where the database is.",
  },
  "store.not-there": {
    exit: "refused",
    means: "There is no database where one was to be read.",
    hint: "`constel db status` says what the settings name.",
  },
  "store.nothing-to-move": {
    exit: "refused",
    means: "The database holds nothing of the constellation.",
    hint: "`constel config show constellation.name` says which one this is. A new home needs no move: set store.url.",
  },
  "store.no-move": {
    exit: "refused",
    means: "Nothing is being moved, so there is nothing to give up.",
    hint: "`constel db status` says where the database is.",
  },
  "store.not-carried": {
    exit: "refused",
    means: "A row holds something that the other database cannot hold alike. Rows that constel wrote do not.",
    hint: "Look at the row that is named. `constel db move --to … --cancel` gives the move up.",
  },
  "store.move-differs": {
    exit: "refused",
    means: "What arrived is not what was there, so the move was not finished. The source is as it was.",
    hint: "`constel db move --to … --cancel` removes what arrived. Somebody wrote to one of the two databases behind constel's back.",
  },
  "store.not-lost": {
    exit: "refused",
    means: "An empty database is begun only where the file is gone or empty.",
    hint: "`constel db status` says what is there.",
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
  "store.role-unfit": {
    exit: "refused",
    means: "No login for queries that sees only its own constellation can be made on this store.",
    hint: "It needs Postgres 15 or newer, tables that a daemon has made, and a login in store.url that may create roles; `constel db roles` lists the logins.",
  },
  "store.not-sqlite": {
    exit: "refused",
    means: "The verb works on a SQLite file, and this store is a Postgres database.",
    hint: "A Postgres database is begun by naming it: `constel config set store.url <address>`.",
  },
  "store.no-client": {
    exit: "refused",
    means: "Backups of a Postgres database are made and put back by the server's own client, which is not on the PATH.",
    hint: "Install pg_dump, pg_restore and psql of the server's version (Debian: postgresql-client), then try again.",
  },
  "daemon.unreachable": {
    exit: "outage",
    means: "The daemon does not answer and could not be started.",
    hint: "Look at `constel daemon logs` and `constel doctor`.",
  },
  "daemon.silent": {
    exit: "outage",
    means:
      "The daemon is there and does not answer: it hangs, was stopped, or has too much to do. Nothing was sent to it.",
    hint: "Try again. If that does not help, `constel daemon stop` ends it, and the next command starts it again.",
  },
  "daemon.other-build": {
    exit: "refused",
    means:
      "The daemon that holds this home is another build of constel, from another installation. Nothing was sent to it.",
    hint: "`constel daemon stop` ends it, and the next command starts the daemon of this build; agents go on. Or use the program it was started from.",
  },
  "daemon.out-of-reach": {
    exit: "outage",
    means:
      "A sandbox, or the rights of this account, keep the command from the daemon's socket. Nothing was sent to it, and whether it runs is not known.",
    hint: "Run the command outside of the sandbox; Codex: call the tool of the MCP server `constel` instead, or run it with escalated permissions. Where there is none, `constel doctor` names what this account may not open.",
  },
  "daemon.begins-anew": {
    exit: "refused",
    means: "config.toml was changed, and the daemon was about to restart with it. Nothing was done.",
    hint: "Try again.",
  },
  "daemon.other-settings": {
    exit: "refused",
    means: "A setting was given for this run that only the daemon reads, and the running daemon has another value.",
    hint: "`constel config set KEY VALUE` changes it for the daemon too; `constel daemon stop` lets this command start one that has it.",
  },
  "daemon.impostor": {
    exit: "refused",
    means: "Something listens at the daemon's socket and is not the daemon. Nothing was sent to it.",
    hint: "`constel daemon stop` ends it, and the next command starts the daemon. An agent that puts one there again is best ended: `constel agents`.",
  },
  "daemon.not-yours": {
    exit: "refused",
    means: "The daemon is not running, and an agent asked for something that needs it. An agent may not start it.",
    hint: "The owner's next command starts it, and so does the ticker, which `constel up` starts. Messages go without it.",
  },
  "daemon.running": {
    exit: "refused",
    means: "The verb needs the daemon stopped.",
    hint: "Run `constel daemon stop` first.",
  },
  "http.unauthorised": {
    exit: "refused",
    means: "Requests over TCP need the token.",
    hint: "Send `Authorization: Bearer <token>`; the owner makes one with `constel token create`.",
  },
  "http.foreign-host": {
    exit: "refused",
    means: "The Host header names no address of this daemon.",
    hint: "Use the address that `constel daemon status` prints; further names of a served one stand in `serve.names`.",
  },
  "http.foreign-origin": {
    exit: "refused",
    means: "The request comes from a web page of another origin.",
    hint: "Open the dashboard from the address that `constel daemon status` prints.",
  },
  "serve.needs-certificate": {
    exit: "refused",
    means: "The daemon is to serve other machines without TLS.",
    hint: "Give it a certificate: constel serve --certificate FILE --key FILE. Behind a proxy, let it listen on 127.0.0.1.",
  },
  "serve.bad-certificate": {
    exit: "refused",
    means:
      "The certificate or its key cannot be read or used, they do not belong together, or other accounts can read the key.",
    hint: "docs/guides/team.md shows how to make both.",
  },
  "serve.no-names": {
    exit: "refused",
    means: "Nothing says by which names others reach the daemon: the certificate has none, and none are set.",
    hint: "Name them: constel serve --name desk.example.org",
  },
  "server.unknown": {
    exit: "usage",
    means: "No server of this name was logged in to.",
    hint: "`constel login` lists those there are; `constel login URL` adds one.",
  },
  "server.unknown-certificate": {
    exit: "refused",
    means: "The server's certificate is vouched for by nobody that this machine knows, and nobody has confirmed it.",
    hint: "Compare the fingerprint with what `constel serve` prints there, then: constel login URL --fingerprint FINGERPRINT. Or name the authority: --ca FILE.",
  },
  "server.wrong-certificate": {
    exit: "refused",
    means: "The server shows another certificate than the one that was confirmed. Nothing was sent to it.",
    hint: "If its owner has a new certificate, log in again with its fingerprint. If not, something stands between you and the server.",
  },
  "server.not-here": {
    exit: "usage",
    means: "The command works on this machine only, and a server was named.",
    hint: "Run it on the server's machine, or without --server.",
  },
  "server.not-for-agents": {
    exit: "refused",
    means: "An agent's process asked a server with its owner's token.",
    hint: "Agents ask the daemon of their own machine; only people log in to servers.",
  },
  "http.off": {
    exit: "refused",
    means: "The dashboard is served over loopback HTTP, and that is switched off.",
    hint: "Switch it on with `constel config set http.enabled true`.",
  },
  "http.no-code": {
    exit: "refused",
    means: "The code of the dashboard's link is not good: it works once, and for two minutes.",
    hint: "Get another link with `constel dashboard`.",
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
  "authority.clone": {
    exit: "refused",
    means: "A clone asked for something only the root or the owner may do.",
    hint: "Send the request to the root: `constel channel send agent0 <text>`.",
  },
  "authority.mailbox": {
    exit: "refused",
    means: "An agent asked for messages out of another agent's mailbox.",
    hint: "An agent takes its own messages; leave out the name.",
  },
  "authority.nobody": {
    exit: "refused",
    means: "A process that is neither the owner's nor an agent's asked for something that changes things.",
    hint: "Run it in a terminal of your own. An agent in a sandbox (Codex) calls the tool of the MCP server `constel` instead (`sync`, `publish`, `task`), or runs it with escalated permissions. What cron or a service manager starts cannot be told from what an agent left there.",
  },
  "identity.no-pass": {
    exit: "refused",
    means: "A request to the daemon does not say which process it is from.",
    hint: "Use `constel`, which asks for a pass at `state/who.sock` and sends it along.",
  },
  "identity.another": {
    exit: "refused",
    means: "A process of one agent asked for something in another's name.",
    hint: "An agent acts as itself: leave CONSTEL_AGENT as it was set.",
  },
  "authority.owner": {
    exit: "refused",
    means: "An agent asked for something only the owner may do.",
    hint: "Ask the owner to run it, in a terminal that no agent started.",
  },
  "terminal.bad-name": {
    exit: "usage",
    means: "The name is not one that a terminal of ours may have.",
    hint: "Agents are called `agent` followed by digits or lowercase letters.",
  },
  "terminal.name-taken": {
    exit: "refused",
    means: "A terminal of this name exists already.",
    hint: "`constel attach` shows it; `constel down` ends it.",
  },
  "terminal.unknown": {
    exit: "refused",
    means: "No terminal has this name.",
    hint: "`constel agents` lists those that are up.",
  },
  "terminal.dead": {
    exit: "refused",
    means: "The program in this terminal has ended, so nothing can be typed into it.",
    hint: "`constel agent <N> --fresh` starts it again.",
  },
  "terminal.bad-wish": {
    exit: "usage",
    means: "A terminal cannot be started this way: its command, environment, directory or size cannot be used.",
    hint: "Long text belongs in a file whose path is given; the directory must exist.",
  },
  "terminal.bad-text": {
    exit: "usage",
    means: "The text or key cannot be typed into a terminal.",
    hint: "Text is at most 1 MiB and not empty; keys are named as tmux names them.",
  },
} as const satisfies Record<string, CatalogueEntry>;
