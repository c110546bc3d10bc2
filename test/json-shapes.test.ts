// `--json` is a promise: an object at the top, names in snake_case, the version of the format, and for every command the shape that was recorded in
// test/json-shapes.json. CONSTEL_WRITE_SHAPES=1 records anew; look at what changed, and raise the version when a field went or was renamed.

import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatVersion } from "../src/doors/cli/present/json-answer.ts";
import { allCommands } from "../src/doors/cli/manifest/all.ts";
import { until } from "./kit/home.ts";
import { text, WorktreesHome } from "./kit/worktrees-home.ts";

type Shape = string | readonly Shape[] | { readonly [name: string]: Shape };

const file = join(import.meta.dir, "json-shapes.json");

/** Names without values: what may be null or absent by chance tells nothing. A name that is data (a path, an agent) is `*`. */
function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) return value.length === 0 ? [] : [value.map(shapeOf).reduce(merged)];
  if (typeof value !== "object" || value === null) return "value";
  const fields = Object.entries(value).map(([name, one]): [string, Shape] => [
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : "*",
    // What an event holds depends on its type, and which one is the newest on the moment.
    name === "data" ? "value" : shapeOf(one),
  ]);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** These are null until something has happened: a round of sensing, a request that took long. How fast the machine is decides when. */
const notAlwaysThere = new Set(["sensing", "last_hour", "longest"]);

/** Takes the recorded shape where a field of `notAlwaysThere` is null by now, and where a list is empty. */
function withWhatIsNotYetThere(seen: Shape, recorded: Shape | undefined): Shape {
  if (Array.isArray(seen) && seen.length === 0 && Array.isArray(recorded)) return recorded;
  if (!isObject(seen) || !isObject(recorded)) return seen;
  return Object.fromEntries(
    Object.entries(seen).map(([name, one]) => {
      const known = recorded[name];
      const isMissing = one === "value" && known !== undefined && notAlwaysThere.has(name);
      return [name, isMissing ? known : withWhatIsNotYetThere(one, known)];
    }),
  );
}

const isObject = (shape: Shape | undefined): shape is Readonly<Record<string, Shape>> =>
  typeof shape === "object" && !Array.isArray(shape);

function merged(a: Shape, b: Shape): Shape {
  if (typeof a === "string") return b;
  if (typeof b === "string") return a;
  if (Array.isArray(a) || Array.isArray(b)) return [...(a as Shape[]), ...(b as Shape[])].slice(0, 1);
  return { ...a, ...b };
}

const namesIn = (shape: Shape): string[] =>
  typeof shape === "string"
    ? []
    : Array.isArray(shape)
      ? shape.flatMap(namesIn)
      : Object.entries(shape as Record<string, Shape>).flatMap(([name, one]) => [name, ...namesIn(one)]);

/** In this order; `ID` is the id that the answer before said. */
const lines: readonly (readonly string[])[] = [
  ["config", "path"],
  ["docs"],
  ["docs", "nights"],
  ["docs", "merge", "gate"],
  ["config", "show", "http.port"],
  ["config", "set", "http.port", "0"],
  ["completion", "bash"],
  ["try"],
  ["check", "a", "b"],
  ["onboard", "--no-repo"],
  ["daemon", "start"],
  ["daemon", "status"],
  ["uninstall"],
  ["repo", "add"],
  ["repo", "ls"],
  ["conflicts"],
  ["conflicts", "--explain", "FINDING"],
  ["conflicts", "block", "FINDING"],
  ["conflicts", "dismiss", "FINDING", "--reason", "agreed"],
  ["plan"],
  ["claim", "add", "x.txt"],
  ["claim", "ls"],
  ["claim", "drop", "ID"],
  ["decision", "add", "Cents", "--draft"],
  ["decision", "show", "ID"],
  ["decision", "accept", "ID"],
  ["decision", "reject", "ID"],
  ["decision", "ls", "--all"],
  ["memory", "add", "the tests need Postgres"],
  ["memory", "pin", "ID"],
  ["memory", "recall"],
  ["memory", "forget", "ID"],
  ["publish", "note", "hello", "--topic", "x"],
  ["notices"],
  ["notices", "subscribe", "--agent", "agent1", "--topic", "x"],
  ["notices", "subscriptions"],
  ["notices", "unsubscribe", "--agent", "agent1"],
  ["contract", "ls"],
  ["services", "ls"],
  ["services", "graph"],
  ["services", "scan"],
  ["channel", "send", "agent1", "hello", "--thread", "t"],
  ["tell", "agent1", "hello"],
  ["channel", "ls"],
  ["channel", "messages"],
  ["channel", "threads", "agent1"],
  ["channel", "history", "t"],
  ["channel", "poison", "ls"],
  ["channel", "drain", "agent1"],
  ["task", "create", "Do it", "--accept", "true"],
  ["task", "artefact", "add", "1", "x.txt"],
  ["task", "artefact", "ls", "1"],
  ["task", "artefact", "get", "1", "x.txt", "--out", "copy.txt"],
  ["task", "list"],
  ["task", "show", "1"],
  ["task", "next"],
  ["task", "queue"],
  ["task", "update", "1", "--priority", "P1"],
  ["task", "dispatch", "1", "--to-workspace"],
  ["workspace", "ls"],
  ["workspace", "branch", "1", "another"],
  ["workspace", "rm", "1"],
  ["workspace", "ls", "--rescued"],
  ["workspace", "restore", "1"],
  ["review", "ls"],
  ["task", "cancel", "1"],
  ["task", "export"],
  ["cron", "add", "nightly", "0 7 * * *", "--", "announce", "hi"],
  ["cron", "list"],
  ["cron", "show", "nightly"],
  ["cron", "pause", "nightly"],
  ["cron", "resume", "nightly"],
  ["cron", "tick"],
  ["cron", "remove", "nightly"],
  ["loop", "create", "--id", "again", "1h", "agent0", "go on"],
  ["loop", "list"],
  ["loop", "remove", "again"],
  ["announce", "hello"],
  ["events"],
  ["query", "select 1 as one"],
  ["query", "--tables"],
  ["explain", "select * from timeline"],
  ["cost"],
  ["cost", "--time"],
  ["morning"],
  ["audit", "verify"],
  ["keys", "ls"],
  ["keys", "rotate", "constellation"],
  ["owner", "init", "--replace"],
  ["owner", "direct", "Land nothing."],
  ["owner", "directives"],
  ["token", "create", "wall"],
  ["token", "ls"],
  ["token", "revoke", "wall"],
  ["dashboard", "--no-open"],
  ["approvals"],
  ["approvals", "check", "ls"],
  ["agents"],
  ["status"],
  ["doctor"],
  ["daemon", "logs"],
  ["db", "status"],
  ["db", "backup"],
  ["db", "backups"],
  ["handoffs", "ls"],
  ["quiet", "10m"],
  ["escalate", "hello"],
  ["runtime", "list"],
  ["runtime", "check", "script"],
  ["install", "claude"],
  ["session", "down", "--agent", "agent0"],
  ["repo", "share", "app"],
  ["repo", "shared"],
  ["repo", "unshare", "app"],
  ["repo", "forget", "app"],
  ["daemon", "stop"],
  ["clock", "status"],
  ["version"],
];

/** Commands whose shape is not recorded here, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  ...of(
    "prints what it does as it goes, and no answer",
    "demo",
    "attach",
    "watch",
    "mcp",
    "bench",
    "eval",
    "eval replay",
  ),
  ...of("prints lines for another program to keep", "audit export"),
  ...of("need a Postgres server: test/query-roles.test.ts", "db roles", "db roles add", "db roles rm"),
  ...of("starts or ends agents: test/agents.test.ts", "up", "down", "agent", "agentinfinity", "agent show", "restart"),
  ...of("ends what it names: test/drill.test.ts", "drill"),
  ...of("starts or ends a worker: test/workers.test.ts", "worker start", "worker stop"),
  ...of("needs a worker: test/workers.test.ts", "worker ls", "worker show", "worker logs"),
  ...of("belongs to an agent: src/floor/session", "session up", "handoffs show"),
  ...of("waits for somebody: test/chat.test.ts", "channel reply", "channel wait"),
  ...of("needs a message that was rejected", "channel poison retry", "channel poison drop"),
  ...of("answers as the recorded one beside it", "approvals ls", "approvals allow", "approvals deny"),
  ...of("answers as cron's", "loop add", "loop show", "loop pause", "loop resume", "loop run", "loop tick", "cron run"),
  ...of("needs a loop without an interval", "loop reschedule"),
  ...of(
    "needs an outside agent: test/a2a.test.ts",
    "a2a ls",
    "a2a accept",
    "a2a refuse",
    "a2a answer",
    "a2a card",
    "a2a ask",
  ),
  ...of(
    "needs another constellation: test/mesh.test.ts",
    "mesh invite",
    "mesh join",
    "mesh confirm",
    "mesh add",
    "mesh accept",
    "mesh serve",
    "mesh key",
    "mesh peers",
    "mesh evict",
    "mesh rename",
  ),
  ...of("needs a forge: src/core/issues", "issue list", "issue stop"),
  ...of(
    "needs something to land: test/tasks.test.ts",
    "task ready",
    "task harvest",
    "workspace clone",
    "task import",
    "task diff",
    "task handover",
    "task comment",
    "task review",
    "review show",
    "review approve",
    "review changes",
  ),
  ...of("needs a forge: test/pull-requests.test.ts", "pull list"),
  ...of("needs a task that landed: src/core/pulls/back-and-forth.test.ts", "task revert"),
  ...of("needs a notice: test/notices.test.ts", "notices done", "why"),
  ...of("compares specifications: test/contracts.test.ts", "contract diff", "contract history"),
  ...of("changes the database itself: test/damage.test.ts", "db restore", "db begin", "db undo"),
  ...of("needs two databases: test/db-move.test.ts", "db move"),
  ...of("tells bytes of this very database: test/postgres-backups.test.ts", "db size"),
  ...of("serves other machines, or asks one: test/served.test.ts", "serve", "login", "logout"),
  ...of("changes the program itself: test/upgrade.test.ts", "upgrade", "downgrade"),
  ...of("changes the machine: test/nights.test.ts", "service install", "service uninstall", "service status"),
  ...of("needs an agent's terminal: test/window.test.ts", "screen"),
  ...of("needs something that waits for the owner: src/core/attention", "attention", "attention snooze"),
  ...of("needs agents on both sides: src/daemon/door/tell-of-work.test.ts", "conflicts tell"),
  ...of("stays: src/daemon", "daemon run"),
  ...of("has no way back", "keys revoke"),
  ...of("needs a clock that jumped: test/clock-jumps.test.ts", "clock accept"),
  ...of("needs a line written by hand: test/schedules.test.ts", "cron accept"),
  ...of("is the watchdog's: src/floor/watchdog", "watchdog tick"),
  ...of("sends a page: src/floor/escalate", "notify test"),
};

function of(why: string, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, why]));
}

test("every command is recorded, or it is said why not", async () => {
  const names = (await allCommands()).filter(({ hidden }) => hidden !== true).map(({ name }) => name);
  const recorded = lines.map((line) => names.findLast((name) => line.join(" ").startsWith(name)) ?? line.join(" "));
  const missing = names.filter((name) => !recorded.includes(name) && elsewhere[name] === undefined);
  expect(missing).toEqual([]);
});

test("what each command prints with --json has the recorded shape", async () => {
  await using at = new WorktreesHome();
  for (const [side, change] of [
    [at.a, "x + 100"],
    [at.b, "x + 200"],
  ] as const) {
    at.write(side, { "x.txt": text({ 3: change }) });
    at.git(side, "commit", "-qam", change);
  }
  const shapes: Record<string, Shape> = {};
  let [id, finding] = ["", ""];
  for (const line of lines) {
    const words = line.map((word) => (word === "ID" ? id : word === "FINDING" ? finding : word));
    // The daemon takes in what was sent by itself.
    if (line.join(" ") === "channel messages")
      await until(
        "the messages are taken in",
        () => at.caller.call("message.list", {}),
        ({ messages }) => messages.length === 2,
      );
    const { stdout, stderr } = await at.constel(["--json", ...words], { cwd: at.repository });
    if (stdout === "") throw new Error(`constel ${words.join(" ")}: ${stderr}`);
    const answer = JSON.parse(stdout) as Record<string, unknown>;
    if (typeof answer["id"] === "string") id = answer["id"];
    const [first] = (answer["findings"] ?? []) as { id?: string }[];
    finding = first?.id ?? finding;
    expect([line.join(" "), answer["format_version"]]).toEqual([line.join(" "), formatVersion]);
    shapes[line.join(" ")] = shapeOf(answer);
  }
  const camel = Object.entries(shapes).flatMap(([line, shape]) =>
    namesIn(shape).flatMap((name) => (/[A-Z]/.test(name) ? [`${line}: ${name}`] : [])),
  );
  expect(camel).toEqual([]);
  if (process.env["CONSTEL_WRITE_SHAPES"] === "1") writeFileSync(file, `${JSON.stringify(shapes, null, 1)}\n`);
  const recorded = JSON.parse(readFileSync(file, "utf8")) as Record<string, Shape>;
  const seen = Object.entries(shapes).map(([line, shape]) => [line, withWhatIsNotYetThere(shape, recorded[line])]);
  expect(Object.fromEntries(seen)).toEqual(recorded);
}, 300_000);
