// Tasks as their owner meets them: one verb out, one verb in, and nothing lost.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./kit/home.ts";
import { TaskHome } from "./kit/task-home.ts";

interface Story {
  readonly task: {
    state: string;
    landed_sha: string | null;
    reason: string | null;
    actual_ms: number | null;
    branch: string;
  };
  readonly events: readonly { type: string }[];
  readonly harvests: readonly { outcome: string; gate_tail: string | null; report: Record<string, unknown> }[];
}

test("create, dispatch, commit, ready, harvest: the work is on main with its trailer, and the story is whole", async () => {
  await using at = new TaskHome();
  mkdirSync(join(at.root, "briefs"));
  writeFileSync(join(at.root, "briefs/orders.md"), "Use keyset pagination.\n");
  const made = await at.run(
    "task",
    "create",
    "Paginate the orders",
    "--estimate",
    "90m",
    "--priority",
    "P1",
    "--brief",
    "briefs/orders.md",
    "--text",
    "The owner asked.",
  );
  expect(made).toMatchObject({ code: 0, stdout: `Created task 1 for ${at.root}.\n` });
  const given = await at.ask<{ workspace: string; branch: string; brief: string }>(
    "task",
    "dispatch",
    "1",
    "--to-workspace",
  );
  expect(given.branch).toBe("constel/constel0/1-paginate-the-orders");
  expect(readFileSync(join(at.root, given.brief), "utf8")).toContain("| The owner asked.\n\n| Use keyset pagination.");
  at.commit(given.workspace, { "orders.txt": "paginated\n" }, "Paginate");
  // Said from inside the workspace, as a worker would.
  expect(
    (await at.constel(["task", "ready", "1"], { cwd: given.workspace, env: { CONSTEL_ROOT: at.root } })).stdout,
  ).toContain("Task 1 is ready");
  const landed = await at.run("task", "harvest", "1");
  expect({ code: landed.code, stderr: landed.stderr }).toEqual({ code: 0, stderr: "" });
  expect(at.git(at.origin, "log", "-1", "--format=%s|%(trailers:key=Constel-Task,valueonly)", "main")).toBe(
    "Paginate|1\n".trim(),
  );
  const story = await at.ask<Story>("task", "show", "1");
  expect(story.task).toMatchObject({
    state: "closed",
    landed_sha: at.git(at.origin, "rev-parse", "main"),
    actual_ms: 60_000,
  });
  expect(story.events.map(({ type }) => type)).toEqual([
    "created",
    "dispatched",
    "workspace_made",
    "ready",
    "gate_passed",
    "harvested",
    "closed",
  ]);
  const [row] = await at.ask<{ task: number; landed_sha: string }[]>(
    "query",
    "select task, landed_sha from landed_today",
  );
  expect(row).toEqual({ task: 1, landed_sha: story.task.landed_sha ?? "" });
  expect(await at.ask<object[]>("query", "select task, estimate_minutes, actual_minutes from estimate_drift")).toEqual([
    { task: 1, estimate_minutes: 90, actual_minutes: 1 },
  ]);
  expect((await at.run("task", "harvest", "1")).stdout).toContain("Task 1 had landed as");
  expect(at.git(at.root, "status", "--porcelain")).toBe("?? briefs/");
  expect(await at.ask<{ ok: boolean }>("audit", "verify")).toMatchObject({ ok: true });
});

test("a conflict and a red gate: exit code 1, needs_review with the reasons, main untouched", async () => {
  await using at = new TaskHome();
  const clash = await at.ready("Clash", { "a.txt": "one\nmine\nthree\n" });
  const breaks = await at.ready("Breaks", { broken: "b" });
  await at.pushed({ "a.txt": "one\ntheirs\nthree\n" }, "theirs");
  expect((await at.run("task", "harvest", String(clash))).code).toBe(1);
  expect((await at.run("task", "harvest", String(breaks))).code).toBe(1);
  expect(at.log()).toEqual(["base", "theirs"]);
  const shown = (await at.run("task", "show", String(clash), "--hunks")).stdout;
  for (const part of ["needs_review", "content a.txt", "target, line 2:", "theirs", "branch, line 2:", "mine"])
    expect(shown).toContain(part);
  expect((await at.run("task", "show", String(breaks))).stdout).toContain("it is broken");
  const stuck = await at.ask<{ task: number; why: string }[]>("query", "select task, why from stuck order by task");
  expect(stuck).toEqual([
    { task: clash, why: '"Clash" conflicts with main in a.txt' },
    { task: breaks, why: "the gate is red" },
  ]);
});

test("twelve tasks from a list: harvest --all lands ten and evicts the two that were built to fail", async () => {
  await using at = new TaskHome();
  const items = Array.from(
    { length: 12 },
    (_, index) => `- [ ] Item ${index + 1} (P2, 30m)\n      More about ${index + 1}.`,
  );
  writeFileSync(join(at.root, "TODO.md"), `# To do\n\n${items.join("\n")}\n- [x] Done already\n`);
  expect((await at.run("task", "import", "TODO.md")).stdout).toBe("Created 12 tasks.\n");
  expect((await at.run("task", "import", "TODO.md")).stdout).toBe("Created 0 tasks; 12 known already.\n");
  // A text that is cut is another task: nothing is taken of a list with one that is too long.
  writeFileSync(join(at.root, "LONG.md"), `- Short\n- Long\n${`  ${"y".repeat(99)}\n`.repeat(1_001)}`);
  const long = await at.run("task", "import", "LONG.md");
  expect([long.code, long.stderr]).toEqual([2, expect.stringContaining('the text of "Long" has 100099 characters')]);
  expect((await at.run("task", "list")).stdout).not.toContain("Short");
  for (let task = 1; task <= 12; task++) {
    const { workspace } = await at.ask<{ workspace: string }>(
      "task",
      "dispatch",
      String(task),
      "--to-workspace",
      "--no-fetch",
    );
    const files: Record<string, string> =
      task === 3 ? { "a.txt": "one\nclash\nthree\n" } : task === 8 ? { broken: "b" } : { [`f${task}`]: "f" };
    at.commit(workspace, files, `Item ${task}`);
    await at.ask("task", "ready", String(task));
  }
  await at.pushed({ "a.txt": "one\nelse\nthree\n" }, "else");
  expect((await at.run("task", "harvest", "--all")).code).toBe(1);
  expect(at.log()).toEqual(["base", "else", ...[1, 2, 4, 5, 6, 7, 9, 10, 11, 12].map((task) => `Item ${task}`)]);
  const left = await at.ask<{ number: number; state: string }[]>("task", "list");
  expect(left.map(({ number, state }) => [number, state])).toEqual([
    [3, "needs_review"],
    [8, "needs_review"],
  ]);
  const exported = await at.ask<{ number: number; directive: string; events: unknown[] }[]>("task", "export");
  expect(exported).toHaveLength(12);
  expect(exported[0]).toMatchObject({ number: 1, directive: "More about 1.", estimate_ms: 1_800_000 });
}, 120_000);

test("open issues become tasks through gh, once each; without gh the answer says what to do", async () => {
  await using at = new TaskHome();
  const bin = join(at.top, "bin");
  mkdirSync(bin);
  const issues = [{ number: 7, title: "Crash on start", body: "It crashes.", labels: [{ name: "priority: P0" }] }];
  writeFileSync(join(bin, "gh"), `#!/bin/sh\necho "$*" > ${at.top}/asked\ncat <<'E'\n${JSON.stringify(issues)}\nE\n`, {
    mode: 0o755,
  });
  const env = { PATH: `${bin}:${at.env["PATH"]}` };
  const words = ["task", "import", "--github", "octo/cat"];
  expect((await at.constel(words, { cwd: at.root, env })).stdout).toBe("Created 1 task.\n");
  expect((await at.constel(words, { cwd: at.root, env })).stdout).toBe("Created 0 tasks; 1 known already.\n");
  expect(readFileSync(join(at.top, "asked"), "utf8")).toStartWith("issue list --repo octo/cat --state open");
  const [task] = await at.ask<object[]>("task", "list");
  expect(task).toMatchObject({
    title: "Crash on start",
    directive: "It crashes.",
    priority: "P0",
    source_key: "github:octo/cat#7",
  });
  writeFileSync(join(bin, "gh"), "#!/bin/sh\necho not logged in >&2\nexit 4\n", { mode: 0o755 });
  expect((await at.constel(words, { cwd: at.root, env })).stderr).toContain("[import.no-program]");
});

test("two harvests at once land each task once", async () => {
  await using at = new TaskHome();
  const tasks = [await at.ready("One", { one: "1" }), await at.ready("Two", { two: "2" })];
  const runs = await Promise.all([
    at.run("task", "harvest", String(tasks[0])),
    at.run("task", "harvest", "--all"),
    at.run("task", "harvest", ...tasks.map(String)),
  ]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(at.log().toSorted()).toEqual(["One", "Two", "base"]);
});

test("an origin that moves while the gate runs", async () => {
  await using at = new TaskHome(
    "touch ../../../../../gate-runs; while test ! -e ../../../../../go-on; do sleep 0.05; done",
  );
  const task = await at.ready("Mine", { mine: "m" });
  const harvest = at.run("task", "harvest", String(task));
  await until("the gate runs", () => existsSync(join(at.home, "gate-runs")), Boolean);
  await at.pushed({ theirs: "t" }, "theirs");
  writeFileSync(join(at.home, "go-on"), "");
  expect((await harvest).code).toBe(0);
  expect(at.log()).toEqual(["base", "theirs", "Mine"]);
});

test("a daemon that is stopped while the gate runs ends the gate, and the next one lands the work", async () => {
  await using at = new TaskHome("echo $$ > ../../../../../gate-pid; test -e ../../../../../go-on || sleep 600");
  const task = await at.ready("Mine", { mine: "m" });
  await at.run("task", "harvest", String(task), "--no-wait");
  const pidFile = join(at.home, "gate-pid");
  await until("the gate runs", () => existsSync(pidFile) && readFileSync(pidFile, "utf8").endsWith("\n"), Boolean);
  const pid = readFileSync(pidFile, "utf8").trim();
  expect((await at.run("daemon", "stop")).stdout).toBe("Stopped.\n");
  expect(existsSync(`/proc/${pid}/cwd`)).toBe(false);
  expect(at.log()).toEqual(["base"]);
  writeFileSync(join(at.home, "go-on"), "");
  expect((await at.run("task", "harvest", String(task))).code).toBe(0);
  expect(at.log()).toEqual(["base", "Mine"]);
});

test("an outage is told as one and mended by itself; no gate, and what came after ready, are said", async () => {
  await using at = new TaskHome();
  const hook = join(at.origin, "hooks/pre-receive");
  const first = await at.ready("Mine", { mine: "m" });
  writeFileSync(hook, "#!/bin/sh\necho 'fatal: No space left on device' >&2; exit 1\n", { mode: 0o755 });
  const away = await at.run("task", "harvest", String(first));
  expect(away.code).toBe(4);
  expect(away.stdout).toContain(
    `Task ${first} waits, not because of its work: push main to ${at.origin}: pre-receive hook`,
  );
  expect((await at.ask<Story>("task", "show", String(first))).task.state).toBe("ready");
  rmSync(hook);
  expect((await at.run("task", "harvest", String(first))).code).toBe(0);

  await at.pushed({ "constel.toml": "" }, "no gate");
  writeFileSync(join(at.root, "constel.toml"), "");
  const second = await at.ready("Two", { two: "2" });
  at.commit(join(at.root, "workspaces", String(second), "repo"), { late: "l" }, "late");
  const landed = await at.run("task", "harvest", String(second));
  expect(landed.code).toBe(0);
  expect(landed.stdout).toContain("No gate: main of origin declares none in constel.toml");
  expect(landed.stdout).toContain(`Task ${second}: 1 commit made after it was called ready did not land`);
  expect((await at.run("status")).stdout).toContain("No gate: work lands untested on main of");
  expect(at.log()).toEqual(["base", "Mine", "no gate", "Two"]);

  expect((await at.run("config", "set", "harvest.require_gate", "true")).code).toBe(0);
  await at.run("daemon", "stop");
  const third = await at.ready("Three", { three: "3" });
  const refused = await at.run("task", "harvest", String(third));
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("harvest.require_gate is set")]);
  expect(at.log()).toEqual(["base", "Mine", "no gate", "Two"]);
});

test("briefs that are missing, outside the root or reached by a link, a title of 5,000 characters, and other bad input", async () => {
  await using at = new TaskHome();
  writeFileSync(join(at.top, "outside.md"), "secret");
  symlinkSync(join(at.top, "outside.md"), join(at.root, "link.md"));
  const code = async (...words: string[]): Promise<string> =>
    /\[(.+)\]\s*$/.exec((await at.run(...words)).stderr)?.[1] ?? "none";
  expect(await code("task", "create", "T", "--brief", "nowhere.md")).toBe("brief.missing");
  expect(await code("task", "create", "T", "--brief", "../outside.md")).toBe("path.outside-root");
  expect(await code("task", "create", "T", "--brief", "link.md")).toBe("path.symlink");
  expect(await code("task", "create", "T", "--estimate", "soon")).toBe("usage.bad-value");
  expect(await code("task", "create", "T", "--after", "9")).toBe("task.unknown");
  expect(await code("task", "show", "9")).toBe("task.unknown");
  expect(await code("task", "harvest", "--all")).toBe("task.nothing-to-land");
  expect(await at.ask<unknown[]>("task", "list", "--all")).toEqual([]);

  const long = await at.ready("Überlanger Titel ".repeat(300), { long: "l" });
  const { task } = await at.ask<Story>("task", "show", String(long));
  expect(Buffer.byteLength(task.branch)).toBeLessThan(100);
  expect((await at.run("task", "harvest", String(long))).code).toBe(0);

  await at.run("task", "create", "Later", "--after", String(long));
  await at.run("task", "create", "Much later", "--after", "2");
  expect(await code("task", "dispatch", "3", "--to-workspace")).toBe("task.waits");
  expect(await code("task", "update", "2", "--after", "3")).toBe("task.waits-for-itself");
  expect((await at.ask<{ number: number }[]>("task", "next")).map(({ number }) => number)).toEqual([2]);
  // With no agent there it waits in the queue.
  expect(await code("task", "dispatch", "2")).toBe("none");
  expect((await at.ask<{ task: { state: string } }>("task", "show", "2")).task.state).toBe("queued");
  expect(await code("task", "ready", "2")).toBe("task.not-allowed");
  await at.run("task", "dispatch", "2", "--to-workspace");
  expect(await code("task", "ready", "2")).toBe("task.nothing-to-land");
  const refused = await at.run("task", "dispatch", "2", "--to-workspace");
  expect(refused.stderr).toContain("possible: ready, cancel");
  expect((await at.run("task", "cancel", "2", "not wanted")).code).toBe(0);
  expect((await at.run("task", "update", "2", "--reopen")).stdout).toBe("Task 2 is open.\n");
});

test("a workspace that cannot be made leaves the task open, with the reason", async () => {
  await using at = new TaskHome();
  const task = 1;
  await at.run("task", "create", "Mine", "--repo", at.root);
  const [git, away] = [join(at.root, ".git"), join(at.top, "away")];
  renameSync(git, away);
  const ran = await at.run("task", "dispatch", String(task), "--to-workspace");
  expect([ran.code, /\[(.+)\]\s*$/.exec(ran.stderr)?.[1]]).toEqual([3, "task.not-given-out"]);
  const { task: row } = await at.ask<{ task: { state: string; reason: string } }>("task", "show", String(task));
  expect(row.state).toBe("open");
  expect(ran.stderr).toContain(row.reason);
  renameSync(away, git);
  // Asked for without waiting, it is made all the same.
  const asked = await at.ask<{ dispatch: string; delivery: string }>(
    "task",
    "dispatch",
    String(task),
    "--to-workspace",
    "--no-wait",
  );
  expect(asked.delivery).toBe("assigned");
  expect((await at.run("task", "dispatch", String(task), "--to-workspace")).stderr).toMatch(
    /task\.(leased|not-allowed)/,
  );
});

test("a workspace comes and goes and comes back; a shell inside keeps it", async () => {
  await using at = new TaskHome();
  await at.run("task", "create", "Work");
  const { workspace } = await at.ask<{ workspace: { path: string } }>("workspace", "clone", "1");
  await at.run("workspace", "clone", "1", "--name", "second", "--repo", at.root);
  expect(
    (await at.ask<{ branch: string; port_first: number }[]>("workspace", "ls")).map((row) => [
      row.branch,
      row.port_first,
    ]),
  ).toEqual([
    ["constel/constel0/1-work", 20_000],
    ["constel/constel0/1-work", 20_010],
  ]);
  writeFileSync(join(workspace.path, "half done.txt"), "h");
  const inside = Bun.spawn(["sleep", "600"], { cwd: workspace.path });
  expect((await at.run("workspace", "rm", "1")).stderr).toContain("[workspace.in-use]");
  inside.kill();
  await inside.exited;
  expect((await at.run("workspace", "rm", "1")).code).toBe(0);
  expect(existsSync(workspace.path)).toBe(false);
  expect((await at.run("workspace", "restore", "1")).code).toBe(0);
  expect(readFileSync(join(workspace.path, "half done.txt"), "utf8")).toBe("h");
  expect(
    await at.ask<object[]>("query", "select operation, outcome from git_operations order by at_ms, operation"),
  ).toContainEqual({ operation: "rescue", outcome: "done" });
});

/** The daemon dies by SIGKILL at the step; whoever asks next starts another. */
async function withDeathAt(at: TaskHome, step: string): Promise<void> {
  await at.run("daemon", "stop");
  const env = { CONSTEL_KILL_AT: step };
  expect((await at.constel(["daemon", "start"], { cwd: at.root, env })).code).toBe(0);
}

test("kill -9 at every journalled phase of a harvest: the same command goes on and main has each commit once", async () => {
  await using at = new TaskHome();
  const steps = [
    "harvest.fetched",
    "harvest.picked",
    "harvest.gated",
    "harvest.pushing",
    "harvest.pushed",
    "harvest.landed",
  ];
  for (const [index, step] of steps.entries()) {
    const task = await at.ready(`Task ${step}`, { [`file-${index}`]: step });
    await withDeathAt(at, step);
    const pid = at.daemonPid;
    const run = await at.run("task", "harvest", String(task));
    expect({ step, code: run.code, said: run.stderr }).toMatchObject({ step, code: 0 });
    if (step !== "harvest.landed") expect({ step, died: at.daemonPid !== pid }).toEqual({ step, died: true });
    expect({ step, count: at.landed().length, unique: new Set(at.landed()).size }).toEqual({
      step,
      count: index + 1,
      unique: index + 1,
    });
    expect((await at.ask<Story>("task", "show", String(task))).task.state).toBe("closed");
  }
}, 120_000);

test("kill -9 while a workspace is made, removed or restored: asked again, it goes on", async () => {
  await using at = new TaskHome();
  await at.run("task", "create", "Work");
  const path = join(at.root, "workspaces/1/repo");
  // The kernel takes a moment to take a killed process apart; a call in that moment meets a dying socket.
  const gone = () =>
    until(
      "the daemon is gone",
      () => at.run("daemon", "status"),
      (ran) => ran.code === 1,
    );
  for (const step of ["workspace.reserved", "workspace.made"]) {
    await withDeathAt(at, step);
    expect({ step, code: (await at.run("workspace", "clone", "1")).code }).toEqual({ step, code: 4 });
    await gone();
    expect({ step, code: (await at.run("workspace", "clone", "1")).code }).toEqual({ step, code: 0 });
    at.commit(path, { work: step }, "work");
    writeFileSync(join(path, "untracked"), step);
    for (const [verb, cut] of [
      ["rm", "workspace.removing"],
      ["restore", "workspace.restoring"],
      ["rm", "remove.partly"],
      ["restore", "restore.files"],
      ["rm", "workspace.gone"],
    ] as const) {
      await withDeathAt(at, cut);
      const ran = await at.run("workspace", verb, "1");
      expect({ cut, code: ran.code, stderr: ran.code === 4 ? "" : ran.stderr }).toEqual({ cut, code: 4, stderr: "" });
      await gone();
      expect({ cut, code: (await at.run("workspace", verb, "1")).code }).toEqual({ cut, code: 0 });
      if (verb === "restore") expect(readFileSync(join(path, "untracked"), "utf8")).toBe(step);
      else expect(existsSync(path)).toBe(false);
    }
  }
}, 120_000);

test("kill -9 while work is called ready: said again, it lands once, though its workspace is deleted", async () => {
  await using at = new TaskHome();
  for (const step of ["ready.noted", "ready.kept"]) {
    const { number } = await at.ask<{ number: number }>("task", "create", step);
    const task = String(number);
    const { workspace } = await at.ask<{ workspace: string }>("task", "dispatch", task, "--to-workspace", "--no-fetch");
    at.commit(workspace, { [step]: step }, step);
    await withDeathAt(at, step);
    expect({ step, code: (await at.run("task", "ready", task)).code }).toEqual({ step, code: 4 });
    await until(
      "the daemon is gone",
      () => at.run("daemon", "status"),
      (ran) => ran.code === 1,
    );
    expect((await at.ask<Story>("task", "show", task)).task.state).toBe("in_progress");
    expect({ step, code: (await at.run("task", "ready", task)).code }).toEqual({ step, code: 0 });
    rmSync(workspace, { recursive: true });
    expect({ step, code: (await at.run("task", "harvest", task)).code }).toEqual({ step, code: 0 });
  }
  expect(at.log()).toEqual(["base", "ready.noted", "ready.kept"]);
  await until(
    "nothing is kept of what has landed",
    () => at.git(at.root, "for-each-ref", "refs/constel"),
    (refs) => refs === "",
  );
}, 120_000);

test("workspaces are observed by themselves, with what is not committed, until their work has landed", async () => {
  await using at = new TaskHome();
  const spaces: string[] = [];
  for (const title of ["One", "Two"]) {
    await at.ask("task", "create", title);
    const number = String(spaces.length + 1);
    spaces.push((await at.ask<{ workspace: string }>("task", "dispatch", number, "--to-workspace")).workspace);
  }
  const [one = "", two = ""] = spaces;
  writeFileSync(join(one, "a.txt"), "one\nTWO\nthree\n");
  writeFileSync(join(two, "a.txt"), "one\nzwei\nthree\n");
  const collide = async (): Promise<string[]> => {
    const { stdout } = await at.run("conflicts", "--json");
    const { findings } = JSON.parse(stdout) as { findings: { ours: { label: string }; theirs: { label: string } }[] };
    return findings.flatMap(({ ours, theirs }) => [ours.label, theirs.label]).sort();
  };
  const branches = ["constel/constel0/1-one", "constel/constel0/2-two"];
  await until("the two are foreseen to collide", collide, (labels) => labels.join() === branches.join());
  at.git(one, "commit", "-qam", "one");
  await at.ask("task", "ready", "1");
  expect((await at.run("task", "harvest", "1")).code).toBe(0);
  at.git(at.root, "pull", "-q");
  await until("what landed collides as main", collide, (labels) => labels.join() === [branches[1], "main"].join());
});
