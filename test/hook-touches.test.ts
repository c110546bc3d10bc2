// What an agent's hook says makes its worktree observed and its edits findings, with nobody registering anything.

import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestHome, until } from "./kit/home.ts";

function git(cwd: string, ...words: string[]): void {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const ran = Bun.spawnSync(["git", ...identity, ...words], { cwd, stderr: "pipe" });
  if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
}

test("a worktree is observed from the agent's first word, and an edit a hook names becomes a finding with its agent", async () => {
  await using at = new TestHome();
  const top = join(at.top, "app");
  mkdirSync(top);
  git(top, "init", "-q", "-b", "main");
  writeFileSync(join(top, "a.txt"), "one\n");
  git(top, "add", "-A");
  git(top, "commit", "-qm", "one");
  for (const name of ["left", "right"]) git(top, "worktree", "add", "-q", "-b", name, join(at.top, name));
  await at.constel(["daemon", "start"]);
  mkdirSync(join(at.home, "state/hooks"), { recursive: true });
  const say = (agent: string, record: object): void =>
    appendFileSync(
      join(at.home, "state/hooks", `${agent}.jsonl`),
      `\n${JSON.stringify({ at: Date.now(), session: "s", ...record })}\n`,
    );

  say("agent1", { event: "session-started", cwd: join(at.top, "left") });
  say("agent2", { event: "session-started", cwd: join(at.top, "right") });
  await until(
    "both worktrees are observed, with their agents",
    () =>
      at.json<{ agent: string | null }[]>([
        "query",
        "select agent from worktrees where agent is not null order by agent",
      ]),
    (rows) => rows.length === 2,
  );
  for (const [agent, name] of [
    ["agent1", "left"],
    ["agent2", "right"],
  ] as const) {
    writeFileSync(join(at.top, name, "a.txt"), `${name}\n`);
    say(agent, { event: "tool-ended", cwd: join(at.top, name), tool: "Edit", file: join(at.top, name, "a.txt") });
  }
  const found = await until(
    "the finding is open",
    () => at.json<{ kind: string; title: string }[]>(["query", "select kind, title from open_findings"]),
    (rows) => rows.length > 0,
  );
  expect(found.map((row) => row.kind)).toEqual(["textual"]);
  expect(found[0]?.title).toContain("a.txt");
});
