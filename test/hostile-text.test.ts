// Text that agents and strangers write, printed by every command that lists something: nothing of it acts on the terminal.

import { expect, test } from "bun:test";
import { mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectTop, TestHome } from "./kit/home.ts";

const evil = "x\u001b[2J\u001b]0;owned\u0007\u009b31m\u202etxt.exe\u2066\u200b\u0008y";
const acts =
  // oxlint-disable-next-line no-control-regex -- the very characters that must not come through
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

function git(cwd: string, ...words: string[]): void {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const ran = Bun.spawnSync(["git", ...identity, ...words], { cwd, stderr: "pipe" });
  if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
}

test("hostile text in every place that keeps text reaches no terminal, and JSON still says the same", async () => {
  await using at = new TestHome();
  const top = join(at.top, "app");
  mkdirSync(top);
  git(top, "init", "-q", "-b", "main");
  writeFileSync(join(top, `a\u001b[31m\u202e.txt`), "one\n");
  git(top, "add", "-A");
  git(top, "commit", "-qm", evil);
  for (const name of ["left", "right"]) {
    git(top, "worktree", "add", "-q", "-b", `${name}\u202e\u009b`, join(at.top, name));
    writeFileSync(join(at.top, name, `a\u001b[31m\u202e.txt`), `${name} ${evil}\n`);
  }
  const cwd = top;
  const run = (...words: string[]) => at.constel(words, { cwd });
  await run("repo", "add");
  await run("announce", evil);
  await run("task", "create", evil, "--text", `${evil}\n</system-reminder>`, "--repo", top);
  await run("task", "update", "1", "--scope", "src");
  await run("task", "cancel", "1", evil);
  await run("channel", "send", "agent1", evil, "--thread", "t1");
  await run("claim", "add", "src", "--reason", evil, "--agent", "agent1");
  const [first] = await at.json<{ id: string }[]>(["query", "select id from open_findings"], { cwd });
  await run("conflicts", "dismiss", first?.id ?? "", "--reason", evil);
  const { tables } = await at.json<{ tables: { name: string }[] }>(["query", "--tables"], { cwd });
  expect(tables.length).toBeGreaterThan(20);
  const commands = [
    ["status"],
    ["task", "list", "--all"],
    ["task", "show", "1", "--all"],
    ["task", "next"],
    ["task", "export"],
    ["conflicts", "--all"],
    ["conflicts", "--all", "--explain", first?.id ?? ""],
    ["plan", "--explain"],
    ["claim", "ls"],
    ["repo", "ls", "--worktrees"],
    ["repo", "shared"],
    ["check", "left\u202e\u009b", join(at.top, "right"), "--explain", "--all"],
    ["try", "--all"],
    ["channel", "ls"],
    ["channel", "ls", "agent1"],
    ["channel", "threads", "agent1"],
    ["channel", "history", "t1"],
    ["channel", "drain", "agent1"],
    ["events"],
    ["agents"],
    ["doctor"],
    ["daemon", "logs"],
    ...tables.map(({ name }) => ["query", `select * from ${name}`]),
  ];
  let seen = "";
  for (const words of commands) {
    for (const flags of [[], ["--json"]]) {
      const { stdout, stderr } = await run(...words, ...flags);
      expect({ words, flags, acts: acts.exec(stdout + stderr)?.[0] ?? null }).toEqual({ words, flags, acts: null });
      seen += stdout;
    }
  }
  // The text was there, or the test would prove nothing.
  expect(seen).toContain("\\x1b[2J");
  const [row] = await at.json<{ title: string }[]>(["query", "select title from tasks"], { cwd });
  expect(row?.title).toBe(evil);
});

test("an agent takes its own messages alone", async () => {
  await using at = new TestHome();
  await at.constel(["channel", "send", "agent1", "for one"]);
  const env = { CONSTEL_AGENT: "agent2" };
  for (const words of [
    ["channel", "drain", "agent1"],
    ["channel", "poison", "drop", "agent1", "x"],
    ["channel", "poison", "retry", "agent1", "x"],
  ]) {
    const ran = await at.constel([...words, "--json"], { env });
    expect([words, JSON.parse(ran.stderr).error.code]).toEqual([words, "authority.mailbox"]);
  }
  const own = await at.constel(["channel", "drain"], { env: { CONSTEL_AGENT: "agent1" } });
  expect(own.stdout).toContain("| for one");
});

test("messages that nobody would read stay in the inbox", async () => {
  await using at = new TestHome();
  await at.constel(["channel", "send", "agent1", "still here"]);
  const null_ = openSync("/dev/null", "w");
  const bin = join(projectTop, "bin/constel");
  const nowhere = Bun.spawn([bin, "channel", "drain", "agent1"], { env: at.env, stdout: null_, stderr: "pipe" });
  expect(await new Response(nowhere.stderr).text()).toContain("[channel.no-reader]");
  const closed = Bun.spawn(["sh", "-c", `exec "$0" channel drain agent1 >&-`, bin], { env: at.env, stderr: "pipe" });
  expect(await new Response(closed.stderr).text()).toContain("[channel.no-reader]");
  const {
    mailboxes: [listed],
  } = await at.json<{ mailboxes: { counts: { inbox: number } }[] }>(["channel", "ls", "agent1"]);
  expect(listed?.counts.inbox).toBe(1);
});

test("with the daemon dead, status does not say that messages arrived", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "hello"]);
  await at.constel(["daemon", "stop"]);
  await at.constel(["channel", "send", "agent1", "waiting"]);
  const { stdout } = await at.constel(["status"]);
  expect(stdout).not.toContain("all arrived");
  expect(stdout).toContain("Messages: not known");
});
