// Every setting a user may turn, declared once: config.toml, the environment, `--set`, `constel config show` and the
// reference page all come from this table. A constant that no user should turn lives beside its use instead.

import { toolchainLanguages } from "../protocol/compilers.ts";
import { a2aRule } from "../protocol/a2a.ts";
import { secretModes } from "../protocol/secret-surfaces.ts";
import { isListenPlace } from "./listen-place.ts";

interface Declaration {
  readonly type: "text" | "integer" | "boolean" | "texts" | "tables";
  readonly default: string | number | boolean | readonly string[] | readonly Readonly<Record<string, unknown>>[];
  readonly summary: string;
  /** The test for values of the type that can be used; `must` says it in words. */
  readonly accepts?: {
    readonly test: (value: never) => boolean;
    readonly must: string;
    /** All of them, where they are few. */
    readonly values?: readonly string[];
  };
  /** A program and its arguments: settings/commands.ts looks whether the program is there. */
  readonly isCommand?: true;
  /** Nobody but the daemon reads it: given for one command, it has no effect on a daemon that runs already. */
  readonly isDaemons?: true;
}

const between = (least: number, most: number) => ({
  test: (value: number): boolean => value >= least && value <= most,
  must: `lie between ${least} and ${most}`,
});

const oneOf = (...values: readonly string[]) => ({
  test: (value: string): boolean => values.includes(value),
  must: `be one of ${values.join(", ")}`,
  values,
});

const orNothing = ({ test, ...rest }: ReturnType<typeof oneOf>) => ({
  ...rest,
  test: (value: string): boolean => value === "" || test(value),
});

const absolutePaths = {
  test: (values: readonly string[]): boolean => values.every((value) => /^\/[^\0]*$/.test(value)),
  must: "be absolute paths",
};

const orEmpty = ({ test, must }: typeof absolutePaths) => ({
  test: (value: string): boolean => value === "" || test([value]),
  must: `be empty, or ${must.replace("be absolute paths", "an absolute path")}`,
});

const aCommand = {
  test: (words: readonly string[]): boolean =>
    (words[0] === undefined || /\S/.test(words[0])) && !words.some((word) => word.includes("\0")),
  must: "begin with a program: its name, or its absolute path",
};

/** Each table has only these keys, and each key that is there has its type; the first must be there. */
const tablesOf = (keys: Readonly<Record<string, "string" | "number">>) => ({
  test: (tables: readonly Readonly<Record<string, unknown>>[]): boolean =>
    tables.every(
      (table) =>
        (Object.keys(keys)[0] as string) in table &&
        Object.entries(table).every(([key, value]) => Object.hasOwn(keys, key) && typeof value === keys[key]),
    ),
  must: `be tables of ${Object.entries(keys)
    .map(([key, type]) => `${key} (${type === "string" ? "text" : "number"})`)
    .join(", ")}`,
});

const hourMs = 3_600_000;

export const declarations = {
  "constellation.name": {
    type: "text",
    default: "constel0",
    summary: "The name of this machine's constellation. `constel0` faces the owner.",
    accepts: {
      test: (value: string): boolean => /^[a-z0-9][a-z0-9._-]{0,62}$/i.test(value),
      must: "be a plain name: letters, digits, dot, dash and underscore",
    },
  },
  "store.url": {
    type: "text",
    default: "",
    summary: "`postgres://…` for a team's database. Empty: `meta.db` in the home.",
    accepts: {
      test: (value: string): boolean => value === "" || /^(postgres(ql)?:\/\/|sqlite:\/)/.test(value),
      must: "be empty, postgres://… or sqlite:<absolute path>",
    },
  },
  "store.query_url": {
    type: "text",
    default: "",
    summary:
      "The Postgres address that `query` and `explain` use: a login that may only read (scripts/postgres-query-role.sql). Empty: `store.url`.",
    accepts: {
      test: (value: string): boolean => value === "" || /^postgres(ql)?:\/\//.test(value),
      must: "be empty or postgres://…",
    },
  },
  "store.lease_seconds": {
    type: "integer",
    default: 15,
    summary:
      "With Postgres: another daemon over the same database takes over a constellation when nothing was heard for so long of the one that runs it.",
    accepts: between(5, 600),
  },
  "query.timeout_s": {
    type: "integer",
    default: 60,
    summary: "Seconds after which a Postgres server ends a `query`. 0: never.",
    accepts: between(0, 86_400),
  },
  "http.enabled": {
    isDaemons: true,
    type: "boolean",
    default: false,
    summary: "Whether the daemon also listens on loopback TCP, for the dashboard, MCP and the API over HTTP.",
  },
  "http.port": {
    isDaemons: true,
    type: "integer",
    default: 7433,
    summary:
      "The TCP port on 127.0.0.1; 0 takes any free one. If 7433 is taken and you named no port, a free one is taken instead.",
    accepts: between(0, 65_535),
  },
  "http.max_body_bytes": {
    isDaemons: true,
    type: "integer",
    default: 1_048_576,
    summary: "The largest request body taken over TCP.",
    accepts: between(1, 1_073_741_824),
  },
  "http.requests_per_minute": {
    isDaemons: true,
    type: "integer",
    default: 6_000,
    summary:
      "How many requests per minute of one holder of a token are answered over TCP before the answer is 429; strangers have an allowance of their own.",
    accepts: between(1, 1_000_000),
  },
  "serve.listen": {
    isDaemons: true,
    type: "text",
    default: "",
    summary:
      "Where the daemon serves people on other machines: `0.0.0.0:7434`, or `127.0.0.1:7434` behind a proxy. Empty: nowhere. `constel serve` sets all of these.",
    accepts: {
      test: (value: string): boolean => value === "" || isListenPlace(value),
      must: "be empty or an address and a port, such as 0.0.0.0:7434",
    },
  },
  "serve.certificate": {
    isDaemons: true,
    type: "text",
    default: "",
    summary: "The file of the TLS certificate, as PEM. Empty: plain HTTP, on loopback only.",
    accepts: orEmpty(absolutePaths),
  },
  "serve.key": {
    isDaemons: true,
    type: "text",
    default: "",
    summary: "The file of its private key, as PEM, which no other account may read.",
    accepts: orEmpty(absolutePaths),
  },
  "serve.names": {
    isDaemons: true,
    type: "texts",
    default: [],
    summary: "The names by which others reach it; requests for any other are refused. Empty: those in the certificate.",
    accepts: {
      test: (values: readonly string[]): boolean => values.every((value) => /^[A-Za-z0-9*.:_-]{1,255}$/.test(value)),
      must: "be host names or addresses, without a port",
    },
  },
  "a2a.enabled": {
    isDaemons: true,
    type: "boolean",
    default: false,
    summary:
      "Whether agents of others may ask for work over A2A, wherever the daemon listens by TCP. docs/guides/a2a.md says more.",
  },
  "a2a.accept": {
    isDaemons: true,
    type: "texts",
    default: [],
    summary:
      "Requests that need no word of yours: `SENDER SKILL`, or `SENDER SKILL /path/of/repository`. The sender is its token's name; the skill may be `*`.",
    accepts: {
      test: (values: readonly string[]): boolean =>
        values.every((value) => a2aRule.test(value) && !value.startsWith("*")),
      must: "be a sender's name and a skill, and where the work is to be done, with one blank between",
    },
  },
  "a2a.url": {
    isDaemons: true,
    type: "text",
    default: "",
    summary:
      "The address in the agent card, such as https://agents.example.org. Empty: where the daemon serves others, or else its own on loopback.",
    accepts: {
      test: (value: string): boolean => value === "" || /^https?:\/\/[^/\s?#]+$/.test(value),
      must: "be empty, or begin with https:// and end with the host",
    },
  },
  "a2a.push_allow": {
    isDaemons: true,
    type: "texts",
    default: [],
    summary:
      "Hosts that may be told of changes though they are not public, each with a port where it is not 443: `hooks.internal`, `127.0.0.1:9000`. Only of these plain http is taken.",
    accepts: {
      test: (values: readonly string[]): boolean => values.every((value) => /^[A-Za-z0-9.:[\]_-]{1,255}$/.test(value)),
      must: "be host names or addresses",
    },
  },
  "a2a.remotes": {
    type: "tables",
    default: [],
    summary:
      "Agents of others that ours may ask over A2A: tables of `name`, `url`, `token_file` (with the token that their owner made for you, chmod 600) and `keys` (words as `constel a2a card` prints them, with blanks between; their card must be signed by one). docs/guides/a2a.md says more.",
    accepts: tablesOf({ name: "string", url: "string", token_file: "string", keys: "string" }),
  },
  "authority.capabilities": {
    isDaemons: true,
    type: "tables",
    default: [],
    summary:
      "Capabilities that are permissions: tables of `capability`, `operations` (names as `constel docs` lists them, with blanks between: `task.ready`, `review.*`) and `agents` (those that have it). Other agents are refused there, and may not subscribe to the capability. docs/concepts/trust.md says more.",
    accepts: tablesOf({ capability: "string", operations: "string", agents: "string" }),
  },
  "escalate.channels": {
    type: "tables",
    default: [],
    summary: "How to notify the owner: a list of tables, each with a `type` (docs/guides/when-something-is-wrong.md).",
  },
  "page.rules": {
    type: "tables",
    default: [],
    summary:
      "What is sent to you through the channels: tables of `kind` (as `status` names it; `*`: any), `page` (false: not sent), `after_seconds` and `urgent`. They come before the built-in ones (docs/guides/schedules-and-approvals.md).",
  },
  "replies.senders": {
    isDaemons: true,
    type: "texts",
    default: [],
    summary:
      "Whose replies count as yours: `telegram:<user id>`, `webhook:<name>`. Empty: nobody's. `allow <request>` and `deny <request>` answer permission requests; anything else goes to the root.",
  },
  "session.main_ci_command": {
    type: "texts",
    default: [],
    summary:
      "Command that tells whether main is green: exit 0 green, 1 red, 2 pending. Empty: `gh run list` if gh is installed.",
    accepts: aCommand,
    isCommand: true,
  },
  "agents.runtime": {
    type: "text",
    default: "",
    summary:
      "The agent program used when `--type` is not given. Empty: the one that is installed; of several, the first by name among those constel was tested with.",
    accepts: orNothing(
      oneOf(
        "claude",
        "codex",
        "opencode",
        "script",
        "gemini",
        "remote",
        "qwen",
        "kimi",
        "copilot",
        "droid",
        "cursor",
        "agy",
      ),
    ),
  },
  "agents.root": {
    type: "boolean",
    default: true,
    summary:
      "Whether `constel up` starts agent0, the root, beside the clones. With false, `up 2` starts agent1, agent2 and the watchdog; a root that runs or is wanted already stays.",
  },
  "agents.permissions": {
    type: "text",
    default: "edits",
    summary: "What agents may do without asking: `ask` (nothing risky), `edits` (change files), `all` (everything).",
    accepts: oneOf("ask", "edits", "all"),
  },
  "permissions.rules": {
    type: "tables",
    default: [],
    summary:
      "What agents may do unasked, must ask for, or may not do: tables of `decision` (`allow`, `ask`, `deny`) and one of `tool`, `command` and `path` (docs/guides/schedules-and-approvals.md).",
  },
  "approvals.timeout_s": {
    type: "integer",
    default: 1_800,
    summary: "Seconds that a permission request waits for your answer before it is denied.",
    accepts: between(10, 86_400),
  },
  "agents.confined": {
    type: "boolean",
    default: false,
    summary:
      "Whether clones run confined: each sees only its own files, the workspaces and the daemon (docs/guides/confined-agents.md).",
  },
  "agents.confined_reads": {
    type: "texts",
    default: [],
    summary:
      "Further places that confined agents may read, as absolute paths: toolchains and caches in your own directory.",
    accepts: absolutePaths,
  },
  "agents.script_command": {
    type: "texts",
    default: [],
    summary: "The command of `script` agents. Empty: constel's own, which acknowledges messages and does nothing else.",
    accepts: aCommand,
    isCommand: true,
  },
  "audit.anchor_command": {
    isDaemons: true,
    type: "texts",
    default: [],
    summary:
      "A command that is given each signed head of the timeline on its standard input, to keep it where agents cannot reach. Empty: heads are kept in the home alone.",
    accepts: aCommand,
    isCommand: true,
  },
  "audit.kept_command": {
    type: "texts",
    default: [],
    summary:
      "A command that prints the signed heads that audit.anchor_command has kept elsewhere; `audit verify` compares the timeline with them. Empty: only with those in the home, and with `--heads`.",
    accepts: aCommand,
    isCommand: true,
  },
  "findings.keep_days": {
    isDaemons: true,
    type: "integer",
    default: 30,
    summary:
      "Days to keep closed findings, expired claims, gate results, notices and events that have ended, and permission requests, firings and replies that are over.",
    accepts: between(1, 36_500),
  },
  "gate.pairs": {
    isDaemons: true,
    type: "tables",
    default: [],
    summary:
      "Where the daemon runs the repository's gate on two lines of work merged: tables of `repository` (name, identity or path; `*`: every one), `command` (default: that of constel.toml on the default branch), `deadline_seconds` and `settle_seconds`. It runs the code of every worktree that takes part.",
    accepts: tablesOf({
      repository: "string",
      command: "string",
      deadline_seconds: "number",
      settle_seconds: "number",
    }),
  },
  "compilers.off": {
    type: "texts",
    default: [],
    summary:
      "Languages whose own compiler is not asked for a second opinion: `go`, `java`, `python`, `rust` (docs/guides/compilers.md).",
    accepts: {
      test: (values: readonly string[]): boolean => values.every((value) => toolchainLanguages.includes(value)),
      must: `be some of ${toolchainLanguages.join(", ")}`,
    },
  },
  "compilers.build_code": {
    type: "texts",
    default: [],
    summary:
      "Checkouts of repositories whose build scripts and procedural macros may run while `cargo check` looks at their worktrees, as absolute paths. It runs the code of every worktree that takes part.",
    accepts: absolutePaths,
  },
  "compilers.memory_mb": {
    type: "integer",
    default: 3_072,
    summary: "Megabytes that a compiler which gives a second opinion may take before it is ended.",
    accepts: between(256, 1_048_576),
  },
  "notices.quiet_hours": {
    isDaemons: true,
    type: "text",
    default: "",
    summary:
      "Hours in which agents hear only high notices, and are not held back from idling: `22:00-07:00`, by this machine's clock. Empty: none.",
    accepts: {
      test: (value: string): boolean => value === "" || /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/.test(value),
      must: "be empty or two times of day: 22:00-07:00",
    },
  },
  "notices.budget_per_hour": {
    isDaemons: true,
    type: "integer",
    default: 20,
    summary:
      "How many notices an agent is given one by one in an hour. Beyond that they are combined, and what is not high waits; nothing is dropped.",
    accepts: between(1, 100_000),
  },
  "repo.fetch_seconds": {
    type: "integer",
    default: 120,
    summary:
      "How often the origin of a watched repository is asked where its default branch stands; `check` and `try` ask it when they run. Nothing in your clones changes. 0: never, the network is not used.",
    accepts: between(0, 86_400),
  },
  "harvest.require_gate": {
    isDaemons: true,
    type: "boolean",
    default: false,
    summary:
      "Whether work lands only through a gate: a harvest of a repository that declares none in constel.toml is refused.",
  },
  "agents.accounts": {
    isDaemons: true,
    type: "tables",
    default: [],
    summary:
      "Your further accounts of agent programs: tables of `name`, `runtime` (claude, codex) and `directory`, the one in which the program keeps that account's login and configuration (CLAUDE_CONFIG_DIR, CODEX_HOME). Log in there once with the program itself; constel stores no secret.",
    accepts: tablesOf({ name: "string", runtime: "string", directory: "string" }),
  },
  "forge.hosts": {
    isDaemons: true,
    type: "tables",
    default: [],
    summary:
      "Forges for pull requests beside github.com, gitlab.com and codeberg.org: tables of `host`, `kind` (`github`, `gitea`, `gitlab`, `command`), `api`, `token_file`, `token_command`, `command` and `repository` (docs/guides/pull-requests.md). Without a way to a token, the forge's own client is asked (`gh`, `glab`, `tea`).",
    accepts: tablesOf({
      host: "string",
      kind: "string",
      api: "string",
      token_file: "string",
      token_command: "string",
      command: "string",
      repository: "string",
    }),
  },
  "harvest.require_review": {
    isDaemons: true,
    type: "boolean",
    default: false,
    summary:
      "Whether work lands only when somebody else has approved the very commits that land (`constel task review`). A repository says it for itself in constel.toml: [harvest] require_review = true.",
  },
  "tasks.ready_when_pushed": {
    isDaemons: true,
    type: "boolean",
    default: false,
    summary: "Treat a pushed branch plus an idle clone as `task ready`.",
  },
  "workspaces.rescue_days": {
    isDaemons: true,
    type: "integer",
    default: 90,
    summary:
      "How long what was saved of a removed workspace is kept. What was never restored is announced first and kept a week more. 0: for ever.",
    accepts: between(0, 36_500),
  },
  "tmux.socket": {
    type: "text",
    default: "",
    summary: "The name of the tmux server's socket. Empty: one of this home's own, `constel-` and 8 hex digits.",
    accepts: {
      test: (value: string): boolean => value === "" || /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(value),
      must: "be a plain name of at most 64 letters, digits, dots, dashes and underscores",
    },
  },
  "delivery.proof_ms": {
    isDaemons: true,
    type: "integer",
    default: 15_000,
    summary: "How long to wait for proof that a message reached its agent before reporting it as unknown.",
    accepts: between(0, hourMs),
  },
  "delivery.doubt_ms": {
    isDaemons: true,
    type: "integer",
    default: 10_000,
    summary: "Idle time before an unconfirmed message is sent again.",
    accepts: between(0, hourMs),
  },
  "logs.max_bytes": {
    isDaemons: true,
    type: "integer",
    default: 16_777_216,
    summary: "Size at which a log file is rotated.",
    accepts: between(65_536, 1_073_741_824),
  },
  "logs.keep_days": {
    type: "integer",
    default: 30,
    summary:
      "Days that files of records are kept once they are in the database. What is not in it yet is never removed.",
    accepts: between(1, 3_650),
  },
  "observe.max_mb": {
    isDaemons: true,
    type: "integer",
    default: 128,
    summary:
      "About how many megabytes of snapshots to keep in `state/observe` for each watched repository. Snapshots that nobody needs are removed after ten minutes, or after two when there are more.",
    accepts: between(16, 65_536),
  },
  "sense.facts_mb": {
    type: "integer",
    default: 256,
    summary:
      "How many megabytes of what was read from source files are kept in `state/facts`, so that the next command does not parse them again. 0: nothing is kept.",
    accepts: between(0, 65_536),
  },
  "sense.hold_seconds": {
    type: "integer",
    default: 20,
    summary:
      "How many seconds of processor time one question about a repository may take (reading a file, comparing two worktrees or two versions of a contract). What takes longer is ended, and named as not checked until its content changes.",
    accepts: between(1, 3_600),
  },
  "sense.memory_mb": {
    type: "integer",
    default: 1_536,
    summary:
      "How many megabytes the process that reads repositories may take, compilers aside. When it takes more it is ended and begins anew, and what it was reading is named as not checked.",
    accepts: between(128, 1_048_576),
  },
  "sense.watches": {
    type: "integer",
    default: 50_000,
    summary:
      "How many directories the daemon may watch for changes, over all repositories, and never more than a quarter of what the system allows you (`fs.inotify.max_user_watches`). Worktrees that cannot be watched in full are watched where work happens; the rest of them is polled for the times of its files, every few seconds while somebody works there and within a minute else. 0: none is watched.",
    accepts: between(0, 1_000_000),
  },
  "retention.events_days": {
    isDaemons: true,
    type: "integer",
    default: 365,
    summary: "Days to keep events of the timeline; what is left still verifies (`audit verify`). 0: for ever.",
    accepts: between(0, 36_500),
  },
  "retention.messages_days": {
    isDaemons: true,
    type: "integer",
    default: 90,
    summary: "Days to keep the account of messages that arrived or were rejected. 0: for ever.",
    accepts: between(0, 36_500),
  },
  "retention.invocations_days": {
    isDaemons: true,
    type: "integer",
    default: 90,
    summary:
      "Days to keep commands that were run, ticks, what the watchdog did, crashes and lines that could not be read. 0: for ever.",
    accepts: between(0, 36_500),
  },
  "retention.usage_days": {
    isDaemons: true,
    type: "integer",
    default: 365,
    summary: "Days to keep what each answer of a model used, and the sessions it belongs to. 0: for ever.",
    accepts: between(0, 36_500),
  },
  "retention.artefacts_days": {
    isDaemons: true,
    type: "integer",
    default: 90,
    summary: "Days to keep the files that a task handed over, from the end of the task. 0: for ever.",
    accepts: between(0, 36_500),
  },
  "workers.gather_seconds": {
    isDaemons: true,
    type: "integer",
    default: 2,
    summary:
      "Seconds that a worker's turn waits for more of what wakes it, so that causes which come together are one turn.",
    accepts: between(1, 60),
  },
  "workers.turns_per_hour": {
    isDaemons: true,
    type: "integer",
    default: 30,
    summary:
      "Turns that a worker may have within an hour, unless it was started with another number; then it is parked.",
    accepts: between(1, 3_600),
  },
  "workers.tokens_per_day": {
    isDaemons: true,
    type: "integer",
    default: 2_000_000,
    summary:
      "Tokens that a worker may use per UTC day, unless it was started with another number; then it is parked. Cache reads do not count. 0: no limit.",
    accepts: between(0, Number.MAX_SAFE_INTEGER),
  },
  "workers.turn_minutes": {
    isDaemons: true,
    type: "integer",
    default: 60,
    summary: "Minutes that one turn of a worker may take; then it is ended, and the worker is parked.",
    accepts: between(1, 1_440),
  },
  "mesh.enabled": {
    isDaemons: true,
    type: "boolean",
    default: false,
    summary: "Whether the daemon keeps lines to other constellations (`constel mesh peers`).",
  },
  "mesh.listen": {
    isDaemons: true,
    type: "text",
    default: "",
    summary:
      "Where other constellations reach this one over TLS, `host:port`. Empty: nobody; it dials others, and those who may use ssh need no port.",
    accepts: { test: (value: string): boolean => value === "" || isListenPlace(value), must: "be empty or host:port" },
  },
  "mesh.address": {
    isDaemons: true,
    type: "text",
    default: "",
    summary: "The `host:port` that a code of `constel mesh invite` names. Empty: as in `mesh.listen`.",
    accepts: { test: (value: string): boolean => value === "" || isListenPlace(value), must: "be empty or host:port" },
  },
  "mesh.ssh": {
    isDaemons: true,
    type: "texts",
    default: [],
    summary:
      'The ssh that reaches peers, with options of its own: `["/usr/bin/ssh", "-F", "/home/me/.ssh/fleet"]`. The daemon answers no questions: the key has to work without one. Empty: `ssh`.',
    accepts: aCommand,
    isCommand: true,
  },
  "mesh.page_wait_seconds": {
    isDaemons: true,
    type: "integer",
    default: 60,
    summary:
      "So many seconds a page for you waits for the root of the mesh, before this machine tells you by its own channels and says why.",
    accepts: between(0, 3_600),
  },
  "secrets.mode": {
    type: "text",
    default: "refuse",
    summary:
      "What becomes of a text that holds what looks like a secret, before others read it: `refuse`; `warn` (it passes, whoever wrote it is told, and the timeline has `secret.warned`); `off` (nothing is looked for). Published events, decisions and memory are masked all the same.",
    accepts: oneOf(...secretModes),
  },
  "secrets.messages": {
    type: "text",
    default: "",
    summary: "The same for messages, handoffs, directives, and prompts of schedules. Empty: as `secrets.mode`.",
    accepts: orNothing(oneOf(...secretModes)),
  },
  "secrets.records": {
    type: "text",
    default: "",
    summary:
      "The same for what is kept: tasks and their briefs, artefacts, events, decisions, memory, reviews, reasons. Empty: as `secrets.mode`.",
    accepts: orNothing(oneOf(...secretModes)),
  },
  "secrets.outside": {
    type: "text",
    default: "",
    summary: "The same for what goes to agents of others, or comes from them. Empty: as `secrets.mode`.",
    accepts: orNothing(oneOf(...secretModes)),
  },
  "limits.on_limit": {
    isDaemons: true,
    type: "text",
    default: "wait",
    summary:
      "What becomes of the work of an agent that stands at a usage limit for more than ten minutes: `wait`; `handover` of its task to a free clone of another program; or `other-account`: the agent goes on in its conversation with another account of yours (agents.accounts).",
    accepts: oneOf("wait", "handover", "other-account"),
  },
  "limits.resume": {
    type: "boolean",
    default: true,
    summary: "Tell an agent to continue when its usage limit lifts.",
  },
  "health.repeats": {
    isDaemons: true,
    type: "integer",
    default: 8,
    summary:
      "An agent that makes the same tool call, or fails in the same way, this often in a row is looping. 0: never.",
    accepts: between(0, 200),
  },
  "health.turns": {
    isDaemons: true,
    type: "integer",
    default: 6,
    summary:
      "An agent that ends this many turns while nothing changes in its task's workspace makes no progress. 0: never said.",
    accepts: between(0, 200),
  },
  "health.context_tokens": {
    isDaemons: true,
    type: "integer",
    default: 160_000,
    summary: "An agent whose last answer read this many tokens has nearly filled its context. 0: never said.",
    accepts: between(0, Number.MAX_SAFE_INTEGER),
  },
  "budget.agent_tokens_per_day": {
    isDaemons: true,
    type: "integer",
    default: 0,
    summary:
      "Tokens an agent may use per UTC day; after that no new turns are started. Cache reads do not count. 0: no limit.",
    accepts: between(0, Number.MAX_SAFE_INTEGER),
  },
  "budget.agent_micros_per_day": {
    isDaemons: true,
    type: "integer",
    default: 0,
    summary: "The same in millionths of a US dollar, for answers whose price is known. 0: no limit.",
    accepts: between(0, Number.MAX_SAFE_INTEGER),
  },
  "budget.all_tokens_per_day": {
    isDaemons: true,
    type: "integer",
    default: 0,
    summary:
      "Tokens that all agents together may use per UTC day; after that nobody begins a turn, and no work is given out. 0: no limit.",
    accepts: between(0, Number.MAX_SAFE_INTEGER),
  },
  "budget.all_micros_per_day": {
    isDaemons: true,
    type: "integer",
    default: 0,
    summary: "The same in millionths of a US dollar, for answers whose price is known. 0: no limit.",
    accepts: between(0, Number.MAX_SAFE_INTEGER),
  },
  "usage.prices": {
    type: "tables",
    default: [],
    summary:
      "Prices for answers whose program names none: tables of `model` (`*` at the end matches any), `input`, `output`, `cache_read`, `cache_write` in US dollars per million tokens.",
  },
} as const satisfies Record<string, Declaration>;

export type SettingKey = keyof typeof declarations;

type ValueOf<D extends Declaration> = D["type"] extends "text"
  ? string
  : D["type"] extends "integer"
    ? number
    : D["type"] extends "boolean"
      ? boolean
      : D["type"] extends "texts"
        ? readonly string[]
        : readonly Readonly<Record<string, unknown>>[];

export type Config = { readonly [Key in SettingKey]: ValueOf<(typeof declarations)[Key]> };
export type ConfigValue = Config[SettingKey] | readonly string[] | readonly Readonly<Record<string, unknown>>[];

export const settingKeys = Object.keys(declarations) as SettingKey[];

/** The values of a setting that has few; none for what is no setting. */
export function valuesOf(key: string): readonly string[] {
  const { type, accepts }: Partial<Declaration> = Object.hasOwn(declarations, key)
    ? declarations[key as SettingKey]
    : {};
  return type === "boolean" ? ["true", "false"] : (accepts?.values ?? []);
}

/** Settings that nobody but the daemon reads. */
export const daemonsKeys = settingKeys.filter((key) => (declarations[key] as Declaration).isDaemons === true);

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(declarations, key);
}

/** Says what is wrong with a value of the right type. Undefined when it can be used. */
export function complaintAbout(key: SettingKey, value: ConfigValue): string | undefined {
  const declaration: Declaration = declarations[key];
  const { accepts } = declaration;
  return accepts === undefined || accepts.test(value as never) ? undefined : accepts.must;
}

/** The variable that overrides a setting: `http.port` is CONSTEL_HTTP_PORT. */
export function variableOf(key: SettingKey): string {
  return `CONSTEL_${key.replaceAll(/[^a-z0-9]/g, "_").toUpperCase()}`;
}

/** Every setting at its default: for the floor, when the file cannot be read. */
export const defaultConfig = Object.freeze(
  Object.fromEntries(settingKeys.map((key) => [key, declarations[key].default])),
) as unknown as Config;
