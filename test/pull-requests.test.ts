// A day by pull request on the real program: from dispatch to landed on a protected main, with the forge client's own token. The
// token is looked for everywhere while it is used: in files, the database, logs, processes and what an agent can see.

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ForgeDouble } from "./kit/forge/double.ts";
import { projectTop, until } from "./kit/home.ts";
import { ObedientHome } from "./kit/obedient-home.ts";

let at: ObedientHome;
let double: ForgeDouble;
let secret: string;
let root: string;
let token: string;

beforeAll(async () => {
  at = new ObedientHome();
  secret = realpathSync(mkdtempSync(join(tmpdir(), "constel-forge-client-")));
  double = new ForgeDouble(join(at.top, "forge"));
  token = `gho_${crypto.randomUUID().replaceAll("-", "")}`;
  double.token = token;
  writeFileSync(join(secret, "token"), token, { mode: 0o600 });
  // As GitHub's client does: the token comes on standard output, for one host.
  writeFileSync(
    join(secret, "gh"),
    `#!/bin/sh\n[ "$*" = "auth token --hostname ${double.host}" ] && cat "${secret}/token"\n`,
  );
  chmodSync(join(secret, "gh"), 0o755);
  root = join(at.top, "root");
  writeFileSync(
    join(at.top, ".gitconfig"),
    "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n",
  );
  mkdirSync(root);
  git(root, "init", "-q");
  writeFileSync(
    join(root, "constel.toml"),
    '[gate]\ncommand = "test ! -e broken"\n[land]\nby = "pull-request"\nmethod = "squash"\n',
  );
  writeFileSync(join(root, ".gitignore"), "workspaces/\n");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "base");
  git(root, "push", "-q", double.model.bare, "main");
  git(root, "remote", "add", "origin", double.origin);
  double.model.protect();
  mkdirSync(at.home, { recursive: true });
  const agent = JSON.stringify([join(projectTop, "test/kit/obedient-agent.sh")]);
  writeFileSync(
    join(at.home, "config.toml"),
    `[agents]\nscript_command = ${agent}\n[[forge.hosts]]\nhost = "${double.host}"\nkind = "github"\napi = "${double.api("github")}"\n`,
  );
  Object.defineProperty(at, "env", {
    value: { ...at.env, PATH: `${secret}:${at.env["PATH"]}`, CONSTEL_ROOT: root },
  });
  mkdirSync(join(at.top, "orders"));
  const up = await at.constel(["up", "1", "--type", "script"], { cwd: root });
  expect({ code: up.code, said: up.stderr }).toEqual({ code: 0, said: expect.any(String) });
  await until("agent1 listens", () => existsSync(join(at.top, "orders/agent1")), Boolean);
}, 120_000);
afterAll(async () => {
  await at[Symbol.asyncDispose]();
  await double.close();
  rmSync(secret, { recursive: true, force: true });
}, 60_000);

function git(directory: string, ...args: string[]): void {
  const run = Bun.spawnSync(["git", ...args], { cwd: directory, env: at.env });
  if (run.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${run.stderr.toString()}`);
}

/** Every file below the test's directory and every process of this machine that has it. */
function placesOfToken(): string[] {
  const found: string[] = [];
  const look = (directory: string): void => {
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      try {
        const stat = statSync(path, { throwIfNoEntry: false });
        if (stat?.isDirectory() === true) look(path);
        else if (stat?.isFile() === true && readFileSync(path).includes(token)) found.push(path);
      } catch {
        // it is gone meanwhile
      }
    }
  };
  look(at.top);
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    for (const file of ["environ", "cmdline"]) {
      try {
        if (readFileSync(join("/proc", pid, file)).includes(token)) found.push(`${file} of ${pid}`);
      } catch {
        // it has ended, or is another account's
      }
    }
  return found;
}

const state = async (): Promise<string> => await at.stateOfTask(1);

test("a protected main: opened, red, mended by its agent, green, merged, landed; and the token is nowhere", async () => {
  // The search finds what there is to find.
  writeFileSync(join(at.top, "control"), `x${token}x`);
  expect(placesOfToken()).toEqual([join(at.top, "control")]);
  rmSync(join(at.top, "control"));
  const seen: string[] = [];
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      seen.push(...placesOfToken());
      await Bun.sleep(200);
    }
  })();
  await at.json(["task", "create", "Say hello", "--repo", root], { cwd: root });
  const given = await at.json<{ workspace: string | null }>(["task", "dispatch", "1", "--to-workspace"], { cwd: root });
  const workspace = given.workspace ?? "";
  writeFileSync(join(workspace, "hello.txt"), "hullo\n");
  git(workspace, "add", "-A");
  git(workspace, "commit", "-qm", "Say hello");
  await at.json(["task", "ready", "1"], { cwd: root });
  const harvest = await at.constel(["task", "harvest", "1"], { cwd: root });
  expect({ code: harvest.code, err: harvest.stderr }).toEqual({ code: 0, err: "" });
  expect(harvest.stdout).toContain("Task 1 lands by pull request; it is not landed yet: constel pull list");
  const pull = await until(
    "the pull request is open",
    () => double.model.pull(1),
    (one) => one !== undefined,
  );
  if (pull === undefined) throw new Error("there is none");
  double.model.check(double.model.headOf(pull), "build", "red", "expected hello, got hullo");
  await until("it came back", state, (now) => now === "needs_review");
  const [row] = await at
    .json<{ task: number; state: string; rounds: number }[]>(["pull", "list"])
    .then((answer) => (answer as unknown as { pulls: { task: number; state: string; rounds: number }[] }).pulls);
  expect(row).toMatchObject({ task: 1, state: "open", rounds: 1 });
  writeFileSync(join(workspace, "hello.txt"), "hello\n");
  git(workspace, "commit", "-qam", "Spell it");
  const before = double.model.headOf(pull);
  await at.json(["task", "ready", "1"], { cwd: root });
  await until(
    "the mended work is there",
    () => double.model.headOf(pull),
    (head) => head !== before,
  );
  double.model.check(double.model.headOf(pull), "build", "green");
  await until("it landed", state, (now) => now === "closed");
  expect(double.model.onMain("hello.txt")).toBe("hello\n");
  expect(double.model.pulls.length).toBe(1);
  const { stdout } = await at.constel(["query", "select state, checks from pulls", "--csv"]);
  expect(stdout).toContain("landed,green");
  // What the agent sees of its own accord.
  const agent = await at.ordered('env; tr "\\0" "\\n" < /proc/$PPID/environ; ps axww -o args 2>/dev/null || true');
  expect(agent).not.toContain(token);
  await at.constel(["audit", "export", join(at.top, "audit.jsonl")]);
  over.abort();
  await watching;
  expect([...new Set([...seen, ...placesOfToken()])]).toEqual([]);
}, 240_000);
