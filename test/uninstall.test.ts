// What constel set up is ended and undone; what holds work is kept and named; without --yes nothing happens.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { sealForConstel } from "../src/host/keys/seal-for-constel.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";

interface Answer {
  readonly next: string | null;
  readonly done: boolean;
  readonly steps: readonly { readonly what: string; readonly left: string | null }[];
  readonly kept: readonly { readonly path: string; readonly why: string }[];
}

/** A workspace as dispatch lays it: a clone of an origin, below the root directory. */
async function workspace(at: TestHome, root: string, task: string): Promise<string> {
  const origin = join(at.top, "origin");
  const path = join(root, "workspaces", task, "repo");
  const git = (...words: string[]) => Bun.$`git ${words}`.env({ ...at.env, GIT_CONFIG_GLOBAL: "/dev/null" }).quiet();
  if (!existsSync(origin)) {
    await git("init", "-q", "-b", "main", origin);
    await git("-C", origin, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "one");
  }
  mkdirSync(join(root, "workspaces", task), { recursive: true });
  await git("clone", "-q", origin, path);
  await git("-C", path, "config", "user.name", "a");
  await git("-C", path, "config", "user.email", "a@b");
  return path;
}

test("everything that was set up is named, ended and undone, and what holds work stays", async () => {
  await using at = new TestHome();
  const root = join(at.top, "root");
  mkdirSync(root);
  writeFileSync(join(root, "constel.toml"), "");
  const env = { CONSTEL_ROOT: root };
  await at.constel(["announce", "hello"], { env });
  mkdirSync(join(at.top, ".claude"));
  writeFileSync(join(at.top, ".claude/settings.json"), '{"model":"mine"}\n');
  expect((await at.constel(["install", "claude", "--yes"], { env })).code).toBe(0);
  expect(readFileSync(join(at.top, ".claude/settings.json"), "utf8")).toContain("hook");
  const landed = await workspace(at, root, "1");
  const confined = await workspace(at, root, "agent3/7");
  for (const path of [landed, confined]) writeFileSync(join(path, "../brief.md"), "words\n");
  // The repository's own, which only has that name.
  const theirs = await workspace(at, root, "packages");
  // Agents were started in another directory, too.
  const elsewhere = join(at.top, "elsewhere");
  const launchIn = (agent: string, cwd: string): string =>
    JSON.stringify({
      agent,
      role: "clone",
      wanted: "down",
      runtime: "script",
      launch: { home: at.home, cwd },
      tmuxSocket: "none",
      sinceMs: 1,
      because: "up",
    });
  mkdirSync(join(at.home, "state/agents"), { recursive: true });
  const launchAt = (agent: string): string => join(at.home, "state/agents", `${agent}.json`);
  writeFileSync(launchAt("agent5"), `${sealForConstel(at.home)(launchIn("agent5", elsewhere))}\n`);
  // Anybody can write such a file; it makes nobody's directory constel's.
  const planted = join(at.top, "planted");
  writeFileSync(launchAt("agent6"), `${launchIn("agent6", planted)}\n`);
  const untouched = await workspace(at, planted, "9");
  const alsoLanded = await workspace(at, elsewhere, "8");
  writeFileSync(join(elsewhere, "workspaces/.gitignore"), "*\n");
  const edited = await workspace(at, root, "2");
  const committed = await workspace(at, root, "3");
  const broken = await workspace(at, root, "4");
  writeFileSync(join(edited, "new.txt"), "work\n");
  await Bun.$`git -C ${committed} commit -q --allow-empty -m work`.env({ ...at.env });
  writeFileSync(join(broken, ".git/HEAD"), "nonsense\n");
  const pid = at.daemonPid;

  const shown = await at.json<Answer>(["uninstall"], { env });
  expect([shown.done, shown.next]).toEqual([false, `rm -r ${projectTop}`]);
  expect(shown.steps.map(({ what }) => what)).toEqual([
    "end the agents",
    "end the daemon",
    "take back the units of the machine's scheduler",
    "take back the hooks of claude",
    `remove ${landed}, which holds nothing unlanded`,
    `remove ${confined}, which holds nothing unlanded`,
    `remove ${alsoLanded}, which holds nothing unlanded`,
    `remove the home ${at.home}, with its messages, tasks and history`,
  ]);
  expect(existsSync(join(at.home, "meta.db"))).toBe(true);
  expect(at.daemonPid).toBe(pid);

  const done = await at.json<Answer>(["uninstall", "--yes"], { env });
  expect(done.steps.map(({ left }) => left)).toEqual(done.steps.map(() => null));
  expect(done.kept).toEqual([
    { path: edited, why: "1 uncommitted file" },
    { path: committed, why: "1 commit not at its origin" },
    { path: broken, why: expect.stringContaining("cannot be told") as unknown as string },
  ]);
  expect(existsSync(at.home)).toBe(false);
  // With the words that lay beside them, and the directories that were made for them.
  const left = ["2", "3", "4", "packages"].map((name) => join(root, "workspaces", name));
  expect(readdirSync(join(root, "workspaces")).toSorted()).toEqual(left.map((path) => basename(path)));
  for (const path of [theirs, untouched]) expect(existsSync(join(path, ".git"))).toBe(true);
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(readFileSync(join(edited, "new.txt"), "utf8")).toBe("work\n");
  expect(readFileSync(join(at.top, ".claude/settings.json"), "utf8")).toBe('{"model":"mine"}\n');
  await until(
    "the daemon's process is gone",
    () => existsSync(`/proc/${pid}`),
    (isThere) => !isThere,
  );
});

test("a home is left where that is wished, or where it holds work that was saved", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "hello"]);
  const rescues = join(at.home, "state/rescues");
  const kept = await at.json<Answer>(["uninstall", "--yes", "--keep-home"]);
  expect(kept.done).toBe(true);
  expect(existsSync(join(at.home, "meta.db"))).toBe(true);
  mkdirSync(rescues, { recursive: true });
  writeFileSync(join(rescues, "task-1.bundle"), "work");
  const held = await at.json<Answer>(["uninstall", "--yes"]);
  expect(held.kept).toEqual([
    { path: rescues, why: "it has work that was saved from removed workspaces" },
    { path: at.home, why: "that lies in it, and its history tells whose work it is" },
  ]);
  expect(readdirSync(rescues)).toEqual(["task-1.bundle"]);
});

test("where constel was never used there is nothing to do, and nothing is made", async () => {
  await using at = new TestHome();
  const done = await at.json<Answer>(["uninstall", "--yes"]);
  expect([done.steps, done.kept]).toEqual([[], []]);
  expect(existsSync(at.home)).toBe(false);
});
