// What is cut says so: every listing verb, with more rows than it shows by itself.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "../src/doors/cli/manifest/all.ts";
import { taskShape } from "../src/protocol/operations/tasks.ts";
import { TestHome } from "./kit/home.ts";

/** Copies of task 1, numbered on. */
function multiplyTasks(home: string, upTo: number): void {
  const database = new Database(join(home, "meta.db"));
  const columns = database.query<{ name: string }, []>("select name from pragma_table_info('tasks')").all();
  const others = columns.map(({ name }) => name).filter((name) => name !== "number" && name !== "source_key");
  database.run(`with recursive n(i) as (select 2 union all select i + 1 from n where i < ${upTo})
    insert into tasks (number, ${others.join(", ")}) select n.i, ${others.map((name) => `t.${name}`).join(", ")}
    from tasks t, n where t.number = 1`);
  database.close();
}

/** Rows without meaning: text where text is wanted, numbers elsewhere. */
function plant(
  database: Database,
  table: string,
  count: number,
  row: (at: number) => Record<string, string | number | null>,
): void {
  const columns = database
    .query<{ name: string; type: string; notnull: number }, []>(
      `select name, type, "notnull" from pragma_table_info('${table}')`,
    )
    .all();
  const insert = database.prepare(
    `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join(", ")}) values (${columns.map(() => "?").join(", ")})`,
  );
  for (let at = 0; at < count; at++) {
    const given = row(at);
    const usual = ({ type, notnull }: { type: string; notnull: number }): string | number | null =>
      notnull === 0 ? null : type === "text" ? "[]" : 0;
    insert.run(...columns.map((column) => given[column.name] ?? usual(column)));
  }
}

/** A specification that so many commits changed. */
function contractHistory(at: TestHome, commits: number): string {
  const directory = join(at.top, "contracts");
  const git = (...words: string[]): void => void Bun.spawnSync(["git", ...words], { cwd: directory, env: at.env });
  mkdirSync(directory);
  git("init", "-q");
  git("config", "user.email", "ada@example.org");
  git("config", "user.name", "Ada");
  for (let version = 1; version <= commits; version++) {
    writeFileSync(join(directory, "api.graphql"), `type Query { field${version}: String }\n`);
    git("add", "-A");
    git("commit", "-qm", `version ${version}`);
  }
  return directory;
}

test("every listing verb that shows only some says how many there are, and how to see the rest", async () => {
  await using at = new TestHome();
  await at.constel(["task", "create", "one of many"]);
  for (let index = 0; index < 25; index++) await at.constel(["announce", `word ${index}`]);
  for (let index = 0; index < 3; index++) {
    await at.constel(["decision", "add", `decided ${index}`]);
    await at.constel(["memory", "add", `remembered ${index}`]);
  }
  await at.constel(["daemon", "stop"]);
  multiplyTasks(at.home, 5_007);
  const database = new Database(join(at.home, "meta.db"));
  const ours = { constellation: "constel0", agent: "agent1", receiver: "agent1" };
  plant(database, "agents", 1, () => ({
    ...ours,
    role: "clone",
    runtime: "script",
    wanted: "up",
    seen: "idle",
    cwd: "/",
  }));
  plant(database, "sessions", 12, (n) => ({ ...ours, started_ms: n, runtime: "script", because: "up", cwd: "/" }));
  plant(database, "messages", 12, (n) => ({
    ...ours,
    name: `m${n}`,
    sender: "agent0",
    state: "delivered",
    sent_ms: n,
  }));
  plant(database, "repositories", 1, () => ({ ...ours, identity: "one", name: "one" }));
  plant(database, "findings", 1_203, (n) => ({
    // Each about another file: those about one are one knot.
    files: JSON.stringify([`file-${n}`]),
    symbols: "[]",
    ...ours,
    id: `fnd_${String(n).padStart(26, "0")}`,
    repository: "one",
    kind: "textual",
    severity: "high",
    state: "open",
    title: "both change it",
    fingerprint: String(n),
  }));
  plant(database, "agent_notices", 3, (n) => ({
    ...ours,
    id: `ntc_${n}`,
    state: "waiting",
    severity: "low",
    cause: String(n),
    about: "event",
  }));
  plant(database, "workers", 1, () => ({
    ...ours,
    agent: "agentwone",
    name: "one",
    state: "waiting",
    wakes_on: "[]",
    turns: 3,
  }));
  plant(database, "worker_turns", 3, (n) => ({
    ...ours,
    agent: "agentwone",
    turn: n + 1,
    id: `trn_${n}`,
    state: "answered",
    causes: "[]",
  }));
  plant(database, "task_reviews", 3, (n) => ({
    ...ours,
    id: `rev_${n}`,
    task: 1,
    reviewer: "owner",
    state: "asked",
    comments: "[]",
  }));
  plant(database, "pull_requests", 3, (n) => ({ ...ours, id: `pul_${n}`, task: n + 1, number: n + 1, phase: "open" }));
  plant(database, "issue_follows", 3, (n) => ({
    ...ours,
    id: `fol_${n}`,
    origin: "https://f/a/b",
    label: `l${n}`,
    root: "/r",
  }));
  plant(database, "a2a_requests", 3, (n) => ({ ...ours, id: `a2a_${n}`, sender: "outside:bot", state: "submitted" }));
  plant(database, "signed_directives", 3, (n) => ({ ...ours, id: `dir_${n}`, text: "x" }));
  database.close();
  for (let index = 0; index < 3; index++)
    await at.constel(["channel", "send", "agent1", `word ${index}`, "--thread", "long"]);
  const contracts = contractHistory(at, 3);

  const listings: [words: string[], says: RegExp, json?: RegExp][] = [
    [["task", "list"], /Shown: 1000 of 5007\. More: constel task list --limit 5007/],
    [["task", "list", "--limit", "3"], /Shown: 3 of 5007/],
    [["task", "next"], /Shown: 10 of 5007/],
    [["events"], /Only the newest 20 are shown\. More: constel events --limit 200/],
    [["channel", "history", "long", "--limit", "2"], /Shown: 2 of 3\. More: constel channel history long --limit 3/],
    [
      ["conflicts"],
      /and 1153 more: --limit 1203 shows them/,
      /Shown: 1000 of 1203\. More: constel conflicts --limit 1203/,
    ],
    [["agent", "show", "1"], /Only the newest are shown of: sessions, messages\. More: constel query/],
    [
      ["contract", "history", "api.graphql", "--limit", "2"],
      /Only the newest 2 are shown\. More: constel contract history/,
    ],
    [["daemon", "logs", "--lines", "1"], /Only the newest 1 are shown\. More: constel daemon logs --lines 10/],
    [["notices", "--limit", "2"], /Shown: 2 of 3\. More: constel notices --limit 3/],
    [["worker", "show", "one", "--limit", "2"], /Shown: 2 of 3\. More: constel worker show one --limit 3/],
    [["worker", "logs", "one", "--limit", "2"], /Shown: 2 of 3\. More: constel worker logs one --limit 3/],
    [["review", "ls", "--limit", "2"], /Shown: 2 of 3\. More: constel review ls --limit 3/],
    [["pull", "list", "--limit", "2"], /Shown: 2 of 3\. More: constel pull list --limit 3/],
    [["a2a", "ls", "--limit", "2"], /Shown: 2 of 3\. More: constel a2a ls --limit 3/],
    [["issue", "list", "--limit", "2"], /Shown: 2 of 3\. More: constel issue list --limit 3/],
    [["attention", "--limit", "2"], /Shown: 2 of \d+\. More: constel attention --limit \d+/],
    [["channel", "messages", "--limit", "2"], /Shown: 2 of \d+\. More: constel channel messages --limit \d+/],
    [["decision", "ls", "--limit", "2"], /Shown: 2 of 3\. More: constel decision ls --limit 3/],
    [["memory", "recall", "--limit", "2"], /Shown: 2 of 3\. More: constel memory recall --limit 3/],
    [
      ["owner", "directives", "--limit", "2"],
      /Only the newest 2 are shown\. More: constel owner directives --limit 20/,
    ],
    [["channel", "drain", "agent1", "--max", "1"], /there are more: drain again/, /"more":true/],
  ];
  for (const [words, says, json = says] of listings) {
    const where = words[0] === "contract" ? { cwd: contracts } : {};
    const shown = await at.constel(words, where);
    expect(`${words.join(" ")}: ${shown.stdout}${shown.stderr}`).toMatch(says);
    const data = await at.constel([...words, "--json"], where);
    expect(`${words.join(" ")}: ${data.stderr}${words[1] === "drain" ? data.stdout : ""}`).toMatch(json);
    expect(typeof JSON.parse(data.stdout)).toBe("object");
  }
  expect((await at.json<unknown[]>(["task", "list", "--limit", "100000"])).length).toBe(5_007);
  // Tables ask for what they show; JSON is a promise, and its rows are whole.
  const [task = {}] = await at.json<object[]>(["task", "list", "--limit", "1"]);
  expect(taskShape.strict().safeParse(task).error).toBeUndefined();
  const status = JSON.parse((await at.constel(["status", "--json"])).stdout) as Record<string, unknown>;
  expect(status).toMatchObject({ unfinished_tasks: 5_007, open_findings: 1_203 });
  expect((await at.constel(["events", "--limit", "1000"])).stdout).not.toContain("are shown");

  // Whoever gives a verb such a flag shows here that it says what it cut. (`eval` takes a sample, and lists nothing.)
  const limiting = (await allCommands())
    .filter(({ flags }) => ["limit", "lines", "max"].some((flag) => Object.hasOwn(flags ?? {}, flag)))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("eval"));
  const covered = listings.map(([words]) => words.join(" "));
  expect(limiting.filter((name) => !covered.some((words) => words.startsWith(name)))).toEqual([]);
}, 120_000);

test("what is piped is not cut to the width of a terminal that is not there", async () => {
  await using at = new TestHome();
  const title = `one ${"long ".repeat(60)}title`;
  await at.constel(["task", "create", title]);
  for (const words of [
    ["task", "list"],
    ["task", "show", "1"],
    ["query", "select title from tasks"],
  ])
    expect({ words, said: (await at.constel(words)).stdout.includes(title) }).toEqual({ words, said: true });
  const narrow = await at.constel(["task", "list"], { env: { COLUMNS: "60" } });
  for (const line of narrow.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
});

test("status into a pipe is cut neither in width nor in height", async () => {
  await using at = new TestHome();
  const title = `one ${"long ".repeat(60)}title`;
  await at.constel(["task", "create", title]);
  await at.constel(["daemon", "stop"]);
  multiplyTasks(at.home, 40);
  const { stdout } = await at.constel(["status"]);
  expect(stdout.split("\n").filter((line) => line.includes(title)).length).toBe(40);
  expect(stdout).not.toContain("… and");
  const small = await at.constel(["status"], { env: { LINES: "10" } });
  expect(small.stdout.split("\n").filter((line) => line.includes(title)).length).toBe(40);
});
