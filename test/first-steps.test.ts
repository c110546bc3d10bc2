// The first steps in a repository of one's own: onboarding observes it, and completion knows by name what is in it.

import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "../src/doors/cli/manifest/all.ts";
import { globalFlags } from "../src/doors/cli/input/parse.ts";
import type { SensingState } from "../src/protocol/sensing-state.ts";
import { settingKeys } from "../src/settings/declarations.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";
import { TaskHome } from "./kit/task-home.ts";

test("onboarding in a repository observes it, and completion then knows its tasks, agents, branches and findings", async () => {
  await using at = new TaskHome();
  at.git(at.root, "worktree", "add", "-q", "-b", "elsewhere", join(at.top, "elsewhere"));
  for (const [place, word] of [
    [at.root, "here"],
    [join(at.top, "elsewhere"), "there"],
  ] as const) {
    writeFileSync(join(place, "a.txt"), `one\n${word}\nthree\n`);
  }
  const first = await at.ask<{ changed: boolean; lines: string[]; repository: string }>("onboard");
  expect(first.lines.at(-1)).toBe(`watching root (${at.root})`);
  const { repositories } = await at.ask<{ repositories: { repository: string }[] }>("repo", "ls");
  expect(repositories.map(({ repository }) => repository)).toEqual([first.repository]);
  const again = await at.run("onboard");
  expect([again.code, again.stdout.split("\n")[1]]).toEqual([0, "root is already watched"]);

  await at.run("task", "create", "Line one\tand more");
  await at.run("repo", "add");
  const complete = async (...words: string[]): Promise<string[]> =>
    (await at.run("complete", "--", ...words)).stdout.split("\n").filter(Boolean);
  expect(await complete("task", "show", "")).toEqual(["1\topen: Line one and more"]);
  expect((await complete("check", "")).sort()).toEqual(["elsewhere\t", "main\t"]);
  // An agent chose these names, and bash would put them into the line as they are.
  for (const name of ["main$(id)", "main`id`", "main;id", "main|id", "mai&n", "main'x"])
    at.git(at.root, "branch", name);
  expect((await complete("check", "")).sort()).toEqual(["elsewhere\t", "main\t"]);
  const { findings } = JSON.parse((await at.run("conflicts", "--json")).stdout) as { findings: { id: string }[] };
  const [{ id = "" } = {}] = findings;
  expect(id).not.toBe("");
  for (const words of [
    ["conflicts", "dismiss", ""],
    ["conflicts", "--explain", ""],
  ]) {
    expect((await complete(...words)).map((line) => line.split("\t")[0])).toEqual([id.slice(-6)]);
  }
  expect(await complete("up", "2", "--type", "cl")).toEqual(["claude\t"]);
  expect((await complete("config", "set", "")).map((line) => line.trim()).sort()).toEqual([...settingKeys].sort());
  const programs = await complete("config", "set", "agents.runtime", "c");
  expect(programs).toEqual(expect.arrayContaining(["claude\t", "codex\t"]));
  expect(programs.filter((line) => !line.startsWith("c"))).toEqual([]);
  expect(await complete("config", "set", "http.enabled", "")).toEqual(["true\t", "false\t"]);
  expect(await complete("status", "--set", "http.p")).toEqual(["http.port=\t"]);
  expect(await complete("keys", "rotate", "")).toEqual(["constellation\t"]);
  const { token } = await at.ask<{ token: string; id: string }>("token", "create", "phone");
  expect(token).not.toBe("");
  expect((await complete("token", "revoke", "")).map((line) => line.split("\t")[1])).toEqual(["phone"]);
  await at.run("memory", "add", "the port is 80");
  expect((await complete("memory", "forget", "")).map((line) => line.split("\t")[1])).toEqual(["the port is 80"]);
  await at.run("query", "select 1", "--save", "one");
  expect(await complete("query", "--saved", "")).toEqual(["one\t"]);
  // The value of a flag is no argument.
  expect(await complete("task", "dispatch", "--agent", "agent1", "")).toEqual(["1\topen: Line one and more"]);
});

test("a day with agents leaves nothing in the user's own directory beside the home", async () => {
  await using at = new TaskHome();
  const before = readdirSync(at.top);
  // As bin/constel starts it where the quick program is not there, or older than the sources.
  const guards = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
  const program = [process.execPath, ...guards, join(projectTop, "src/main.ts")];
  const env = { BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(projectTop, "node_modules/.cache/bun") };
  const done = async (...words: string[]): Promise<void> => {
    const { code, stderr } = await at.constel(words, { cwd: at.root, program, env });
    expect({ words, code, stderr }).toMatchObject({ words, code: 0 });
  };
  await done("onboard");
  await done("up", "1", "--type", "script", "--no-attach");
  await done("tell", "1", "hello", "--wait");
  await done("cron", "add", "nightly", "0 3 * * *", "--", "task", "harvest", "--all");
  await done("cron", "run", "nightly");
  const firings = (): Promise<{ ended_at: string | null }[]> =>
    at.ask("query", "select ended_at from schedule_firings");
  await until("the verb has run", firings, ([firing]) => typeof firing?.ended_at === "string");
  await done("restart", "1");
  await done("watchdog", "tick");
  await done("down", "--all");
  await done("daemon", "stop");
  const made = readdirSync(at.top).filter((name) => !before.includes(name) && !name.startsWith("tmux-"));
  expect(made).toEqual(["home"]);
});

test("a session is begun and ended by an agent, or by the owner for one that is named", async () => {
  await using at = new TestHome();
  for (const verb of ["up", "down"]) {
    const owner = await at.constel(["session", verb]);
    expect([owner.code, owner.stdout]).toEqual([2, ""]);
    expect(owner.stderr).toContain(`constel session ${verb} --agent agent0`);
    expect(existsSync(join(at.home, "notes"))).toBe(false);
  }
  const named = await at.constel(["session", "up", "--agent", "agent1"]);
  expect(named.stdout).toContain("agent1 session 1 starting at");
  // As in an agent's terminal.
  const itself = await at.constel(["session", "down", "--did", "it"], { env: { CONSTEL_AGENT: "agent1" } });
  expect([itself.code, itself.stdout]).toEqual([0, expect.stringMatching(/notes appended to .*agent1\.md/)]);
});

test("onboarding outside a repository, or with --no-repo, starts nothing", async () => {
  await using at = new TestHome();
  expect((await at.json<{ repository: null }>(["onboard"])).repository).toBeNull();
  await using other = new TaskHome();
  expect((await other.ask<{ repository: null }>("onboard", "--no-repo")).repository).toBeNull();
  for (const home of [at, other]) expect((await home.constel(["daemon", "status"])).code).toBe(1);
});

test("every word that names something of the constellation is offered by completion", async () => {
  const named = /^(agent|agents|task|runtime|key|value|holder|token|label|AGENT|REPO|RUNTIME|BRANCH|KEY=VALUE)$/;
  // Words of one's own choice, and other programs' keys.
  const own = [
    "cron add <label>",
    "session down --loop",
    "publish --key",
    "channel send --key",
    "tell --key",
    "mesh accept <key>",
  ];
  const missing: string[] = [];
  for (const { name, arguments: words = [], flags = {}, hidden } of await allCommands()) {
    if (hidden === true) continue;
    for (const one of words) {
      if (named.test(one.name) && one.offers === undefined && one.oneOf === undefined)
        missing.push(`${name} <${one.name}>`);
    }
    for (const [flag, one] of Object.entries({ ...globalFlags, ...flags })) {
      if (named.test(one.value ?? "") && one.offers === undefined && one.oneOf === undefined)
        missing.push(`${name} --${flag}`);
    }
  }
  expect(missing.filter((one) => !own.includes(one))).toEqual([]);
});

test("adding a repository waits for all of its pairs, and takes none of its worktrees for one where somebody is at work", async () => {
  await using at = new TaskHome();
  await at.run("config", "set", "sense.watches", "0");
  const names = ["one", "two", "three", "four"];
  for (const name of names) {
    at.git(at.root, "worktree", "add", "-q", "-b", name, join(at.top, name));
    writeFileSync(join(at.top, name, "a.txt"), `one\n${name} was here\nthree\n`);
  }
  const added = await at.ask<{ open_findings: number; complete: boolean }>("repo", "add");
  expect(added).toMatchObject({ open_findings: 6, complete: true });
  const status = await until(
    "all are polled",
    () => at.ask<{ sensing: SensingState | null }>("daemon", "status"),
    ({ sensing }) => sensing?.repositories[0]?.polled === names.length + 1,
  );
  // Somebody at work would be polled every second.
  expect(status.sensing?.repositories[0]).toMatchObject({ worktrees: 5, looked: 5, pairs_waiting: 0, poll_ms: 4_000 });
});
