// Every refusal a user can meet: its exit code, what it means, and what to do about it. Doors map codes, never wording.
// docs/reference/errors.md is generated from this table.

import type { exitCodes } from "./exit-codes.ts";

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
  "config.busy": {
    exit: "refused",
    means: "Another process is changing config.toml at this moment.",
    hint: "Try again.",
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
  "path.not-a-file": {
    exit: "refused",
    means: "A directory, pipe, socket or device stands where a plain file should be.",
    hint: "Move it away, then try again.",
  },
  "path.too-large": {
    exit: "refused",
    means: "The file is larger than anything that belongs there.",
    hint: "Move it away, then try again.",
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
  "store.not-sqlite": {
    exit: "refused",
    means: "The verb works on a SQLite file, and this store is a Postgres database.",
    hint: "Use the tools of the Postgres server (pg_dump, pg_restore).",
  },
  "bench.no-sources": {
    exit: "refused",
    means: "Benches and evaluations run from a clone of the sources only.",
    hint: "Clone the repository and run `./bin/constel bench` or `./bin/constel eval` there.",
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
  "agent.bad-id": {
    exit: "usage",
    means: "This cannot be an agent's id.",
    hint: "An id is `agent` and a number, such as agent3.",
  },
  "authority.clone": {
    exit: "refused",
    means: "A clone asked for something only the root or the owner may do.",
    hint: "Send the request to the root: `constel channel send agent0 <text>`.",
  },
  "prompt.placeholder-left": {
    exit: "refused",
    means: "A prompt still holds a placeholder that nothing fills.",
    hint: "Correct the name in the prompt file, or write \\{{ for two plain braces.",
  },
  "quiet.too-long": {
    exit: "usage",
    means: "Quiet was asked for a longer time than the watchdog may be kept silent.",
    hint: "Ask for 30 days at most.",
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
    hint: "Start it again with `constel restart`.",
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
  "git.not-a-repository": {
    exit: "refused",
    means: "The path is in no git repository that can be read.",
    hint: "Give a path inside a worktree of a git repository.",
  },
  "bus.bad-agent-id": {
    exit: "usage",
    means: "An agent id breaks the rule: `agent` and then lowercase letters or digits.",
    hint: "Use an id such as agent0, agent12 or agentcron; `constel agents` lists those that exist.",
  },
  "bus.too-large": {
    exit: "refused",
    means: "The body of a message is over 1 MiB.",
    hint: "Put the content into a file and send its path.",
  },
  "bus.wrapper-token": {
    exit: "refused",
    means: "The body contains a tag with which agent programs or constel mark machine-written context.",
    hint: "Describe the tag in words, or put the text into a file and send its path.",
  },
  "bus.bad-json": {
    exit: "refused",
    means: "The message is not a JSON object with `from`, `text` and `ts`, or one of its fields cannot be used.",
    hint: 'The shortest message is {"from":"agent1","text":"…","ts":"2026-01-02T03:04:05Z"}.',
  },
  "bus.bad-signature": {
    exit: "refused",
    means: "The signature of a message does not verify, or is needed and missing.",
    hint: "Send the message again from the agent whose key signs it.",
  },
  "bus.bad-name": {
    exit: "refused",
    means: "A file in an inbox is not named or made as an envelope is, or its name and content disagree on the sender.",
    hint: "Send with `constel channel send`; `constel channel poison retry` names it anew when the content is sound.",
  },
  "bus.misaddressed": {
    exit: "refused",
    means: "A message lies in the inbox of an agent it is not addressed to.",
    hint: "Send it again to the agent it names.",
  },
  "bus.too-many-attempts": {
    exit: "refused",
    means: "A message was handed out many times and its receiver never said that it arrived.",
    hint: "Look at the receiver, then `constel channel poison retry`.",
  },
  "bus.not-sent": {
    exit: "outage",
    means: "The message could not be made durable in the inbox, so it was not sent. Nothing was left behind.",
    hint: "Free space on the disk or mend the permissions of the inbox, then send again.",
  },
  "bus.unknown-message": {
    exit: "usage",
    means: "There is no such message in this place.",
    hint: "`constel channel list` and `constel channel poison ls` show what is there.",
  },
  "git.unknown-revision": {
    exit: "usage",
    means: "The name is neither a worktree's path nor a branch, tag or commit.",
    hint: "`git branch --all` lists branches, `git worktree list` worktrees.",
  },
  "git.different-repositories": {
    exit: "usage",
    means: "The two sides belong to different repositories, so that there is nothing to merge.",
    hint: "Give two worktrees or revisions of one repository.",
  },
  "git.not-observable": {
    exit: "refused",
    means: "The worktree cannot be looked at now: it is gone, damaged or takes too long.",
    hint: "The reason is named above; `git status` in that worktree says more.",
  },
  "check.unknown-side": {
    exit: "usage",
    means: "A side to compare is neither a revision of the repository nor a worktree that can be looked at.",
    hint: "Give a branch, tag or commit, or the path of a worktree (`./path` when a branch has the same name).",
  },
  "check.no-counterpart": {
    exit: "usage",
    means: "The worktree has no upstream, and the repository no default branch to compare with.",
    hint: "Name what to compare with: `constel check <revision or worktree>`.",
  },
  "check.not-comparable": {
    exit: "refused",
    means: "git cannot merge the two at all: they share no commit, or objects are missing.",
    hint: "Fetch what is missing, or compare two lines of work of one repository.",
  },
  "repository.unknown": {
    exit: "usage",
    means: "No observed repository has this name, identity or path, or more than one has.",
    hint: "`constel repo ls` lists what is observed; `constel repo add <path>` adds one.",
  },
  "finding.unknown": {
    exit: "usage",
    means: "There is no finding with this id, or its end fits more than one.",
    hint: "`constel conflicts --all` lists them with their ids.",
  },
  "check.no-gate": {
    exit: "usage",
    means: "The gate was asked for, and the repository does not say how to run it.",
    hint: 'Put `[gate] command = "…"` into the repository\'s constel.toml, or give --gate-command.',
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
  "agents.busy": {
    exit: "refused",
    means: "Another constel is starting or ending agents of this home and did not finish in time.",
    hint: "Wait for it and run the command again.",
  },
  "agents.too-many": {
    exit: "usage",
    means: "More clones were asked for than one machine is meant to hold.",
    hint: "Ask for at most 999.",
  },
  "agents.not-ended": {
    exit: "outage",
    means: "Processes of an agent are still there after they were killed: stuck in the kernel, or not ours to end.",
    hint: "Look at the processes named above, then run `constel down` again.",
  },
  "agent.unknown": {
    exit: "refused",
    means: "No agent of this name was ever seen by the daemon.",
    hint: "`constel agents` lists those there are; `constel up` starts some.",
  },
  "workspace.exists": {
    exit: "refused",
    means: "A workspace stands at this place already.",
    hint: "`constel workspace ls` lists them; remove it first, or give the new one another name.",
  },
  "workspace.unknown": {
    exit: "usage",
    means: "There is no such workspace.",
    hint: "`constel workspace ls --all` lists them, removed ones too.",
  },
  "workspace.no-target": {
    exit: "refused",
    means: "The origin has no branch of this name to start from.",
    hint: "Name one that exists with --target, and fetch in the source repository.",
  },
  "workspace.busy": {
    exit: "refused",
    means: "The workspace is being made, removed or restored at this moment.",
    hint: "Wait for its end: `constel workspace ls`.",
  },
  "workspace.in-use": {
    exit: "refused",
    means: "A process lives in the workspace: it is its current directory, or a file below it is open.",
    hint: "End the processes named, or leave the directory, then try again.",
  },
  "workspace.changing": {
    exit: "refused",
    means: "Files in the workspace kept changing while they were being saved, so it was not removed.",
    hint: "Find out what writes there, then try again.",
  },
  "workspace.no-rescue": {
    exit: "refused",
    means: "What was saved of this workspace cannot be found any more.",
    hint: "Look for refs/constel/rescue/* in the source repository, or for a bundle in state/rescues of the home.",
  },
  "task.unknown": {
    exit: "usage",
    means: "There is no task with this number.",
    hint: "`constel task list` lists them.",
  },
  "task.not-allowed": {
    exit: "refused",
    means: "The task's state does not allow this.",
    hint: "`constel task show <number>` says where it stands.",
  },
  "task.waits-for-itself": {
    exit: "refused",
    means: "With this dependency a task would wait for itself.",
    hint: "`constel task show <number>` says what it waits for.",
  },
  "task.waits": {
    exit: "refused",
    means: "The task waits for others that have not landed.",
    hint: "`constel task next` says what can be done now.",
  },
  "task.landing": {
    exit: "refused",
    means: "The task is being harvested at this moment.",
    hint: "Wait for its end: `constel task show <number>`.",
  },
  "task.nothing-to-land": {
    exit: "refused",
    means: "The task has no commits of its own, or nothing is ready to land.",
    hint: "Commit the work on the task's branch in its workspace, then `constel task ready <number>`.",
  },
  "task.no-workspace": {
    exit: "refused",
    means: "The task has no workspace and no branch that is known.",
    hint: "`constel task dispatch <number> --to-workspace` makes one; or name a branch of the origin with --branch.",
  },
  "task.no-agents": {
    exit: "refused",
    means: "No agents can be given work here.",
    hint: "Work by hand with `constel task dispatch <number> --to-workspace`.",
  },
  "task.leased": {
    exit: "refused",
    means: "The task is with an agent, as far as is known, and is not given to a second one.",
    hint: "`constel task update <number> --release` takes it back.",
  },
  "task.not-yours": {
    exit: "refused",
    means: "Another agent has the task, or nobody; only who has it can say that it is done.",
    hint: "`constel task show <number>` says who has it.",
  },
  "task.lease-lost": {
    exit: "refused",
    means: "Another harvester took over while this one was slow.",
    hint: "Nothing is lost; the other one finishes the work.",
  },
  "brief.missing": {
    exit: "usage",
    means: "The brief is not there.",
    hint: "Give the path of a file that exists, inside the root directory.",
  },
  "import.no-program": {
    exit: "refused",
    means: "The program that reads the source (gh) is not installed or not logged in.",
    hint: "Install GitHub's gh and run `gh auth login`, or import from a markdown list.",
  },
  "command.interrupted": {
    exit: "refused",
    means: "The command was ended by Ctrl-C or a signal before it had an answer.",
    hint: "Nothing is left behind; run it again when you like.",
  },
} as const satisfies Record<string, Entry>;

export type RefusalCode = keyof typeof entries;
export const catalogue: Readonly<Record<RefusalCode, Entry>> = entries;
