// Sensing and findings on the real program: worktrees are edited, the daemon notices, people ask.

import { describe, expect, test } from "bun:test";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { until } from "./kit/home.ts";
import { text, WorktreesHome } from "./kit/worktrees-home.ts";

const collision = "a and b change the same lines of x.txt";

describe("an edit in one worktree", () => {
  test("is an open finding for the pair when a hook's touch has returned, and closes when it is undone", async () => {
    await using at = new WorktreesHome();
    await at.observe();
    at.write(at.a, { "x.txt": text({ 3: "a" }) });
    await at.touch(at.a, join(at.a, "x.txt"));
    at.write(at.b, { "x.txt": text({ 3: "b" }) });
    await at.touch(at.b, "x.txt");
    expect(await at.titles()).toEqual([collision]);
    const ran = await at.constel(["conflicts"]);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(`HIGH textual  ${collision}`);
    at.write(at.b, { "x.txt": text() });
    await at.touch(at.b, "x.txt");
    expect(await at.constel(["conflicts"])).toMatchObject({ code: 0, stdout: "Nothing collides.\n" });
    expect(await at.events("finding.")).toEqual(["finding.opened", "finding.closed"]);
  });

  test("that others edit too is one knot with all their names, in the list, on the screen and in what needs the owner", async () => {
    await using at = new WorktreesHome();
    const places = [at.a, at.b, at.worktree("c"), at.worktree("d")];
    for (const [index, place] of places.entries()) at.write(place, { "x.txt": text({ 3: `${index}` }) });
    await at.constel(["repo", "add"], { cwd: at.repository });
    await at.known(5);
    await until(
      "all pairs collide",
      () => at.titles(),
      (titles) => titles.length === 6,
    );
    const listed = await at.constel(["conflicts"]);
    expect(listed.stdout).toContain("HIGH textual  a, b, c and d collide over x.txt");
    expect(listed.stdout).toContain("1 open: 1 high (6 pairs).");
    expect(listed.stdout.match(/textual/g)).toHaveLength(1);
    const again = await at.constel(["repo", "add"], { cwd: at.repository });
    expect(again.stdout).toContain("1 finding is open (6 pairs): `constel conflicts` shows it.");
    const { stdout: screen } = await at.constel(["status"]);
    expect(screen).toContain("1 finding open (6 pairs): a, b, c and d");
    expect(screen.match(/textual/g)).toHaveLength(1);
    // Nothing there says that one of them collides with nothing.
    const plan = await at.constel(["plan"]);
    expect(plan.stdout).not.toContain("collides with nothing");
    expect(plan.stdout.match(/hold/g)).toHaveLength(3);
  });

  test("is noticed without any touch, told to whoever watches, and over when the worktree is removed", async () => {
    await using at = new WorktreesHome();
    await at.observe();
    const watcher = Bun.spawn([join(import.meta.dir, "../bin/constel"), "conflicts", "--watch"], {
      env: at.env,
      stdout: "pipe",
      stderr: "pipe",
    });
    at.write(at.a, { "new/file.txt": "one\n" });
    at.write(at.b, { "new/file.txt": "two\n" });
    await until(
      "a finding",
      () => at.titles(),
      (titles) => titles.length === 1,
    );
    at.git(at.repository, "worktree", "remove", "--force", at.b);
    await until(
      "none",
      () => at.titles(),
      (titles) => titles.length === 0,
    );
    expect(await at.events("finding.")).toEqual(["finding.opened", "finding.closed"]);
    await at.known(2);
    const reader = watcher.stdout.getReader();
    let said = "";
    while (!said.includes("closed")) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the watcher ended, and had said: ${said}`);
      said += new TextDecoder().decode(value);
    }
    expect(said).toContain("worktree");
    watcher.kill();
    await watcher.exited;
  });

  test("in code that merges cleanly and no longer fits is a semantic finding", async () => {
    await using at = new WorktreesHome({
      "src/date.ts": "export function formatDate(date: Date): string {\n  return date.toISOString();\n}\n",
      "src/page.ts": "export const page = 1;\n",
    });
    await at.observe();
    at.write(at.a, {
      "src/date.ts": "export function showDate(date: Date): string {\n  return date.toISOString();\n}\n",
    });
    at.write(at.b, {
      "src/page.ts": 'import { formatDate } from "./date.ts";\nexport const page = formatDate(new Date());\n',
    });
    await at.touch(at.a);
    await at.touch(at.b);
    const { findings } = await at.caller.call("finding.list", {});
    expect(findings.map(({ kind }) => kind)).toEqual(["semantic"]);
    const explained = await at.constel(["conflicts", "--explain", findings[0]?.id.slice(-6) ?? ""]);
    expect(explained.stdout).toContain("src/page.ts:1");
    for (const line of [
      "1 ▸- export function formatDate(date: Date): string {",
      "1 ▸+ export function showDate(date: Date): string {",
      '1 ▸+ import { formatDate } from "./date.ts";',
    ])
      expect(explained.stdout).toContain(line);
    const { tests } = await at.caller.call("worktree.tests", { path: at.a });
    expect(tests).toEqual([]);
  });
});

describe("a dismissed finding", () => {
  test("stays away while the work goes on, and says why when asked", async () => {
    await using at = new WorktreesHome();
    await at.observe();
    at.write(at.a, { "x.txt": text({ 3: "a" }) });
    at.write(at.b, { "x.txt": text({ 3: "b" }) });
    await at.touch(at.a);
    await at.touch(at.b);
    const [finding] = (await at.caller.call("finding.list", {})).findings;
    const id = finding?.id.slice(-6) ?? "";
    expect((await at.constel(["conflicts", "dismiss", id])).code).toBe(2);
    const words = ["conflicts", "dismiss", id, "--reason", "b will rebase"];
    expect(await at.constel(words)).toMatchObject({ code: 0, stdout: "Dismissed 1 finding.\n" });
    for (const word of ["bb", "line 3", "bbb"]) {
      at.write(at.b, { "x.txt": text({ 3: word, 7: "b" }) });
      await at.touch(at.b, "x.txt");
      expect(await at.titles()).toEqual([]);
    }
    expect((await at.constel(["conflicts", "--all"])).stdout).toContain("dismissed: b will rebase");
    expect(await at.events("finding.")).toEqual(["finding.opened", "finding.dismissed"]);
  });
});

describe("the daemon", () => {
  test("killed and started again doubles nothing, and learns what happened meanwhile", async () => {
    await using at = new WorktreesHome();
    await at.observe();
    at.write(at.a, { "x.txt": text({ 3: "a" }) });
    at.write(at.b, { "x.txt": text({ 3: "b" }) });
    await at.touch(at.a);
    await at.touch(at.b);
    expect(await at.titles()).toEqual([collision]);
    process.kill(at.daemonPid ?? 0, "SIGKILL");
    await until(
      "it is gone",
      () => at.constel(["daemon", "status"]),
      (ran) => ran.code === 1,
    );
    // Reading needs no daemon.
    const read = await at.constel(["conflicts"]);
    expect(read.stdout).toContain(collision);
    expect(read.stderr).toContain("the daemon is not running; this is what it last saw");
    at.write(at.b, { "y.txt": "b\n" });
    at.write(at.a, { "y.txt": "a\n" });
    await at.constel(["daemon", "start"]);
    await until(
      "the second",
      () => at.titles(),
      (titles) => titles.length === 2,
    );
    await at.touch(at.a);
    await at.touch(at.b);
    expect((await at.titles()).sort()).toEqual(["a and b both add y.txt, with different content", collision].sort());
    expect(await at.events("finding.")).toEqual(["finding.opened", "finding.opened"]);
    expect((await at.constel(["audit", "verify"])).code).toBe(0);
  });

  test("goes on when a worktree is deleted under its eyes and when the whole repository vanishes", async () => {
    await using at = new WorktreesHome();
    await at.observe();
    at.write(at.a, { "x.txt": text({ 3: "a" }) });
    at.write(at.b, { "x.txt": text({ 3: "b" }) });
    const touched = [at.touch(at.a), at.touch(at.b), at.touch(at.a)];
    rmSync(at.b, { recursive: true, force: true });
    await Promise.all(touched);
    await until(
      "b is gone",
      () => at.titles(),
      (titles) => titles.length === 0,
    );
    renameSync(at.repository, `${at.repository}-moved`);
    await until(
      "the repository is said to be gone",
      async () => (await at.constel(["repo", "ls"])).stdout,
      (said) => said.includes("app") && said.includes("/app"),
    );
    expect((await at.constel(["announce", "still here"])).code).toBe(0);
    const { loops } = await at.json<{ loops: { problem: string | null }[] }>(["daemon", "status"]);
    expect(loops.filter(({ problem }) => problem !== null)).toEqual([]);
  });
});

describe("the commands", () => {
  test("with nothing observed, say how to begin", async () => {
    await using at = new WorktreesHome();
    const inside = await at.constel(["conflicts"], { cwd: at.a });
    expect(inside.stdout).toContain("`constel repo add` watches this one; `constel check` compares once");
    expect((await at.constel(["plan"])).stdout).toContain("No repository is watched.");
    expect((await at.constel(["repo", "ls"])).stdout).toContain("No repository is watched.");
    expect(existsSync(at.home)).toBe(false);
    const nowhere = await at.constel(["repo", "add", "/"]);
    expect(nowhere.code).toBe(3);
    expect(nowhere.stderr).toContain("[git.not-a-repository]");
  });

  test("plan says what lands, what is held and why; forget ends it all", async () => {
    await using at = new WorktreesHome();
    at.write(at.a, { "x.txt": text({ 3: "a" }) });
    at.git(at.a, "commit", "-qam", "a");
    at.write(at.b, { "x.txt": text({ 3: "b" }) });
    await at.observe();
    await at.touch(at.a);
    await at.touch(at.b);
    const plan = (await at.constel(["plan", "--explain"])).stdout;
    expect(plan).toMatch(/1\. land +a  75\/100/);
    expect(plan).toMatch(/2\. hold +b  65\/100/);
    expect(plan).not.toMatch(/nothing .*\/100/);
    expect(plan).toContain("a lands before it, and the two collide (textual)");
    expect(plan).toContain("readiness: uncommitted work");
    const rows = await at.json<unknown[]>([
      "query",
      "select branch, score from merge_readiness where score < 100 order by branch",
    ]);
    expect(JSON.stringify(rows)).toContain('"score":75');
    expect((await at.constel(["repo", "forget", "app"])).stdout).toContain("1 finding closed");
    expect((await at.constel(["conflicts"])).stdout).toContain("No repository is watched.");
    expect(await at.caller.call("worktree.touch", { path: at.a })).toEqual({ observed: false });
    expect(await at.caller.call("worktree.observe", { path: at.a, agent: "agent1" })).toMatchObject({
      observed: false,
    });
  });

  test("an agent's worktree brings its repository, and its name", async () => {
    await using at = new WorktreesHome();
    await at.constel(["daemon", "start"]);
    expect(await at.caller.call("worktree.touch", { path: at.a })).toEqual({ observed: false });
    expect(await at.caller.call("worktree.observe", { path: join(at.a), agent: "agent7" })).toMatchObject({
      added: true,
    });
    await at.known(3);
    expect((await at.constel(["repo", "ls", "--worktrees"])).stdout).toContain("agent7");
  });
});
