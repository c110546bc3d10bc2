// What has landed counts, also where nobody has pulled it: the default branch as the origin has it is a side of all open work.

import { expect, test } from "bun:test";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readHear } from "./kit/hear.ts";
import { exitCodes } from "../src/protocol/exit-codes.ts";
import { type Ran, until } from "./kit/home.ts";
import { TaskHome } from "./kit/task-home.ts";
import { WorkingAgents } from "./kit/working-agents.ts";

/** All that was said, whatever lines it was broken into. */
const says = (ran: Ran): string => `${ran.stdout}${ran.stderr}`.replaceAll(/\s+/g, " ");

test("a task lands: another clone's open work collides with main at once, and a rebase ends it", async () => {
  await using at = new WorkingAgents();
  await at.clone(1);
  await at.clone(2);
  // Nobody's time comes within this story: the harvest alone says that the origin moved.
  await at.daemon("start", { env: { CONSTEL_REPO_FETCH_SECONDS: "86400" } });
  await at.seen("agent1", "idle");
  await at.seen("agent2", "idle");
  const first = await at.create("First", "write a.txt: one/first/three");
  const second = await at.create("Second", "write a.txt: one/second/three\nnever ready");
  await at.ask("task", "dispatch", String(first));
  await at.becomes(first, "ready");
  await at.ask("task", "dispatch", String(second));
  const work = join(at.root, "workspaces", String(second), "repo");
  await until(
    "the two collide",
    async () => says(await at.run("conflicts")),
    (said) => said.includes("change the same lines of a.txt"),
  );
  const pulled = at.git(at.root, "rev-parse", "origin/main");
  expect((await at.run("task", "harvest", String(first))).code).toBe(0);
  const tip = at.git(at.origin, "rev-parse", "main");
  const title = `task ${second} and main at the origin (${tip.slice(0, 7)}) change the`;
  // The work that has landed is no longer a side beside the branch that has it.
  await until(
    "main at the origin is said to collide, and nothing else",
    async () => says(await at.run("conflicts")),
    (said) => said.includes(title) && said.includes("1 open: 1 high."),
  );
  expect(says(await at.run("plan"))).toContain("it conflicts with the default branch: merge that in first");
  expect(says(await at.run("status"))).toContain(title);
  expect(at.git(at.root, "rev-parse", "origin/main")).toBe(pulled);
  // It lies ready for the clone whose work it is, and for nobody else.
  const ready = (agent: string): boolean =>
    JSON.stringify(readHear(at.home, agent) ?? "").includes("main at the origin");
  await until("it lies ready for agent2", () => ready("agent2"), Boolean);
  expect(ready("agent1")).toBe(false);
  // Its own evidence: each side's line is that side's.
  const [{ id = "" } = {}] = await at.ask<{ id: string }[]>("query", "select id from open_findings");
  const shown = await at.ask<{ evidence: { ours: { text: string }[]; theirs: { text: string }[] }[] }>(
    "conflicts",
    "--explain",
    id,
  );
  expect(shown.evidence.map((one) => [one.ours[0]?.text, one.theirs[0]?.text])).toEqual([["second", "first"]]);
  // Resolved as anybody would.
  at.git(work, "fetch", "-q", "origin");
  Bun.spawnSync(["git", "rebase", "-q", "origin/main"], { cwd: work, env: at.env });
  writeFileSync(join(work, "a.txt"), "one\nfirst and second\nthree\n");
  at.git(work, "add", "-A");
  at.git(work, "-c", "core.editor=true", "rebase", "--continue");
  await until(
    "nothing collides",
    async () => says(await at.run("conflicts")),
    (said) => said.includes("Nothing collides."),
  );
  expect(says(await at.run("plan"))).toContain("collides with nothing");
}, 120_000);

test("work that was pushed by somebody else is a side within repo.fetch_seconds, and of check and try at once", async () => {
  await using at = new TaskHome();
  const { number } = await at.ask<{ number: number }>("task", "create", "Mine");
  const { workspace } = await at.ask<{ workspace: string }>("task", "dispatch", String(number), "--to-workspace");
  at.commit(workspace, { "a.txt": "one\nmine\nthree\n" }, "mine");
  const config = readFileSync(join(at.root, ".git/config"), "utf8");
  await at.pushed({ "a.txt": "one\ntheirs\nthree\n" }, "theirs");
  const tip = at.git(at.origin, "rev-parse", "main").slice(0, 7);
  const title = `task ${number} and main at the origin (${tip}) change the`;
  for (const words of [["check"], ["check", "main"]]) {
    const ran = await at.constel(words, { cwd: workspace });
    expect([words, ran.code, says(ran).includes(title)]).toEqual([words, 1, true]);
  }
  const tried = await at.constel(["try"], { cwd: workspace });
  expect([tried.code, tried.stdout.includes(`main at the origin (${tip})`)]).toEqual([1, true]);
  expect((await at.run("check", workspace, "origin/main")).stdout).toContain(title);
  // In a worktree `main` is the branch of that name that is there.
  at.git(at.root, "worktree", "add", "-q", "-b", "linked", join(at.top, "linked"));
  const linked = await at.constel(["check", "main"], { cwd: join(at.top, "linked") });
  expect(linked.stdout).toContain("linked and main: nothing collides.");
  // The daemon asked when it began; now it asks because its time has come.
  await at.run("daemon", "stop");
  await at.constel(["daemon", "start"], { env: { CONSTEL_REPO_FETCH_SECONDS: "1" } });
  await until(
    "the daemon says the same",
    async () => says(await at.run("conflicts")),
    (said) => said.includes(title),
  );
  await at.pushed({ "a.txt": "one\ntwo\nthree\n" }, "undone");
  await until(
    "it is over when they undo it",
    async () => (await at.run("conflicts")).stdout,
    (said) => said.includes("Nothing collides."),
  );
  expect(at.git(at.root, "log", "--format=%s", "origin/main")).toBe("base");
  expect(readFileSync(join(at.root, ".git/config"), "utf8")).toBe(config);
}, 120_000);

test("an origin that cannot be asked is part of what is open, with the time it was last heard of; off is said too", async () => {
  await using at = new TaskHome();
  const { number } = await at.ask<{ number: number }>("task", "create", "Mine");
  const { workspace } = await at.ask<{ workspace: string }>("task", "dispatch", String(number), "--to-workspace");
  at.commit(workspace, { "b.txt": "mine\n" }, "mine");
  await at.run("daemon", "stop");
  renameSync(at.origin, `${at.origin}.away`);
  const checked = await at.constel(["check", "origin/main"], { cwd: workspace });
  expect(checked.stdout).toContain("no collision seen.");
  expect(checked.stdout).toMatch(/main at the origin is as of .* ago: it could not be asked/);
  expect(checked.code).toBe(exitCodes.incomplete);
  const tried = await at.constel(["try"], { cwd: workspace });
  expect([tried.code, tried.stdout]).toEqual([exitCodes.incomplete, expect.stringContaining("it could not be asked")]);
  const off = { CONSTEL_REPO_FETCH_SECONDS: "0" };
  const quiet = await at.constel(["check", "origin/main"], { cwd: workspace, env: off });
  expect([quiet.code, quiet.stdout]).toEqual([0, expect.stringMatching(/as of .* ago: repo.fetch_seconds is 0/)]);
  await at.run("daemon", "start");
  for (const words of [["conflicts"], ["status"], ["plan"]]) {
    const said = await until(
      "the daemon says what it does not know",
      async () => await at.run(...words),
      ({ stdout }) => /main at the origin is as of [0-9-]+ [0-9:]+ UTC/.test(stdout),
    );
    expect(said.stdout).not.toContain("Nothing collides");
    expect(said.stdout).not.toContain("collides with nothing");
  }
  renameSync(`${at.origin}.away`, at.origin);
  // Somebody who does not want it asked is told how old what was compared is.
  await at.run("daemon", "stop");
  await at.constel(["daemon", "start"], { env: off });
  for (const words of [["try"], ["conflicts"], ["status"], ["plan"]]) {
    const said = await until(
      "what was not asked is said",
      async () => await at.constel(words, { cwd: workspace, env: off }),
      ({ stdout }) => /main at the origin is as of .*: repo.fetch_seconds is 0, so it was not asked/.test(stdout),
    );
    expect([words, said.code]).toEqual([words, 0]);
  }
}, 120_000);
