// Nothing lost, nobody fooled: what is on main is decided by commits, trees and our own journal, and asked of the origin.

import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { askHarvest, harvestRound, harvestRows } from "./harvest.ts";
import { createTask } from "../create.ts";
import { showTask } from "../queries.ts";
import { readyTask } from "./ready.ts";
import { lookForTakenBack } from "./taken-back.ts";
import { giveWish, type TaskScene, withTasks } from "../tasks.suite.ts";

const here = withTasks();

/** Somebody reverts the newest commits of main by hand. */
function reverted(count = 1): void {
  const { stage } = here.scene;
  const someone = stage.path("reverting");
  rmSync(someone, { recursive: true, force: true });
  here.scene.someone("reverting");
  stage.git(someone, "revert", "--no-edit", `HEAD~${count}..HEAD`);
  stage.git(someone, "push", "-q");
}

/** A task whose branch has another's commits, and more of its own. */
async function builtOn(other: { path: string }, files: Record<string, string>, title: string) {
  const { scene } = here;
  const { task, path } = await scene.begun(title);
  scene.stage.git(path, "fetch", "-q", other.path, "HEAD");
  scene.stage.git(path, "reset", "-q", "--hard", "FETCH_HEAD");
  scene.stage.commit(path, files, title);
  await readyTask(scene.context, { task });
  return { task, path };
}

test("what a commit says of another task's commits counts for nothing: that task's work still lands", async () => {
  const { scene } = here;
  const victim = await scene.readyWith({ "victim.txt": "v" }, "the victim");
  const commit = scene.stage.git(victim.path, "rev-parse", "HEAD").trim();
  const spellings = ["constel-commit", "Constel-Commit", "CONSTEL-COMMIT", "Constel-commit "];
  for (const [index, name] of spellings.entries()) {
    const liar = await scene.begun(`liar ${index}`);
    const message = `liar ${index}\n\nConstel-Task: ${victim.task}\n${name}: ${commit}\n`;
    scene.stage.commit(liar.path, { [`liar-${index}.txt`]: "l" }, message);
    await readyTask(scene.context, { task: liar.task });
    expect((await scene.harvest(liar.task))[0]?.outcome).toBe("landed");
  }
  const [row] = await scene.harvest(victim.task);
  expect(row).toMatchObject({
    outcome: "landed",
    landed_sha: scene.stage.git(scene.stage.origin, "rev-parse", "main").trim(),
  });
  expect(scene.onMain("victim.txt")).toBe("v");
  // Our own trailer is the only one of its name.
  const said = scene.stage.git(scene.stage.origin, "log", "--format=%B", "main");
  expect(said.split(commit)).toHaveLength(2);
});

function withTree(path: string, entries: string): void {
  const { stage } = here.scene;
  const tree = stage.git(path, "-c", "core.protectNTFS=false", "rev-parse", "HEAD^{tree}").trim();
  const listed = stage.git(path, "cat-file", "tree", tree).length;
  expect(listed).toBeGreaterThan(0);
  const raw = Bun.spawnSync(["git", "hash-object", "-t", "tree", "-w", "--stdin", "--literally"], {
    cwd: path,
    stdin: Buffer.concat([...entriesOf(path, tree), ...hostile(path, entries)].sort(bySort).map(({ bytes }) => bytes)),
  });
  const made = raw.stdout.toString().trim();
  const commit = stage.git(path, "commit-tree", made, "-p", "HEAD", "-m", "hostile").trim();
  stage.git(path, "update-ref", "HEAD", commit);
}

interface Raw {
  readonly name: string;
  readonly isTree: boolean;
  readonly bytes: Buffer;
}

const bySort = (a: Raw, b: Raw): number =>
  Buffer.compare(Buffer.from(a.isTree ? `${a.name}/` : a.name), Buffer.from(b.isTree ? `${b.name}/` : b.name));

function entriesOf(path: string, tree: string): Raw[] {
  return here.scene.stage
    .git(path, "ls-tree", tree)
    .trim()
    .split("\n")
    .map((line) => {
      const [mode = "", type = "", id = "", name = ""] = line.split(/\s+/);
      return raw(mode.replace(/^0/, ""), name, id, type === "tree");
    });
}

function raw(mode: string, name: string, id: string, isTree: boolean): Raw {
  return { name, isTree, bytes: Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]) };
}

/** `mode name kind`, one a line. */
function hostile(path: string, text: string): Raw[] {
  const { stage } = here.scene;
  const write = (content: string): string =>
    Bun.spawnSync(["git", "hash-object", "-w", "--stdin"], { cwd: path, stdin: Buffer.from(content) })
      .stdout.toString()
      .trim();
  const blob = write("[core]\n\tsshCommand = touch ran\n");
  const inner = stage.git(path, "rev-parse", "HEAD^{tree}").trim();
  const modules = write('[submodule "a"]\n\tpath = a\n\turl = -u./payload\n');
  return text.split("\n").map((line) => {
    const [mode = "", kind = "", ...name] = line.split(" ");
    const id = kind === "tree" ? inner : kind === "modules" ? modules : blob;
    return raw(mode, name.join(" "), id, kind === "tree");
  });
}

test("a branch with objects that git refuses is left out alone; the rest of the train lands", async () => {
  const { scene } = here;
  const cases = [
    "40000 tree .git",
    "40000 tree .GIT",
    "40000 tree git~1",
    "40000 tree .g\u200cit",
    "40000 tree ..",
    "40000 tree .",
    "100644 blob .git",
    "0100644 blob padded.txt",
    "100644 blob has/slash",
    "100644 modules .gitmodules",
    "120000 blob .gitmodules",
    "100644 blob a.txt",
  ];
  const bad: number[] = [];
  for (const entries of cases) {
    const { task, path } = await scene.readyWith({ "y.txt": entries }, `bad: ${entries}`);
    withTree(path, entries);
    await readyTask(scene.context, { task });
    bad.push(task);
  }
  const good = await scene.readyWith({ "good.txt": "g" }, "good");
  const rows = await scene.harvest();
  const told = rows.map(({ task, outcome }) => [cases[bad.indexOf(task)] ?? "good", outcome]);
  expect(told).toEqual([...cases.map((entries) => [entries, "impossible"]), ["good", "landed"]]);
  for (const { task, reason } of rows.filter(({ outcome }) => outcome !== "landed"))
    expect({ task, reason }).toEqual({ task, reason: expect.stringContaining("git refuses its objects") });
  expect(await scene.state(good.task)).toBe("closed");
  scene.stage.git(scene.stage.root, "clone", "-q", scene.stage.origin, scene.stage.path("whole"));
  expect(scene.stage.git(scene.stage.path("whole"), "fsck", "--strict").trim()).toBe("");
}, 120_000);

test("a workspace that lost objects after it was ready lands from what was kept; lost there too, it alone is left out", async () => {
  const { scene } = here;
  const { stage } = scene;
  const remove = (gitDirectory: string, id: string): void =>
    rmSync(join(gitDirectory, "objects", id.slice(0, 2), id.slice(2)), { force: true });
  const kept = await scene.readyWith({ "kept.txt": "only here" }, "kept");
  const blob = stage.git(kept.path, "rev-parse", "HEAD:kept.txt").trim();
  remove(join(kept.path, ".git"), blob);
  expect((await scene.harvest())[0]?.outcome).toBe("landed");
  const lost = await scene.readyWith({ "lost.txt": "nowhere any more" }, "lost");
  const gone = stage.git(lost.path, "rev-parse", "HEAD:lost.txt").trim();
  remove(join(lost.path, ".git"), gone);
  for (const line of stage
    .git(stage.source, "for-each-ref", "--format=%(refname)", "refs/constel/ready")
    .trim()
    .split("\n"))
    if (line.includes(`/${lost.task}-`)) stage.git(stage.source, "update-ref", "-d", line);
  const fine = await scene.readyWith({ "fine.txt": "f" }, "fine");
  const rows = await scene.harvest();
  expect(rows.map(({ outcome }) => outcome)).toEqual(["impossible", "landed"]);
  expect(scene.onMain("kept.txt")).toBe("only here");
  expect(rows[0]?.reason).toContain(gone);
  expect(await scene.state(fine.task)).toBe("closed");
});

test("what was landed, reverted on main and built upon comes back with the task that builds on it, and that is said", async () => {
  const { scene } = here;
  const first = await scene.readyWith({ "first.txt": "f" }, "first");
  await scene.harvest(first.task);
  reverted();
  expect(scene.onMain("first.txt")).toBeUndefined();
  const second = await builtOn(first, { "second.txt": "s" }, "second");
  const [row] = await scene.harvest(second.task);
  expect(row?.outcome).toBe("landed");
  expect([scene.onMain("first.txt"), scene.onMain("second.txt")]).toEqual(["f", "s"]);
  expect(row?.report["said"]).toEqual([
    expect.stringMatching(/"first" had landed as .* taken back since; it is applied again/),
  ]);
});

test("what landed and was changed since on main is left as main has it, and that is said", async () => {
  const { scene } = here;
  const first = await scene.readyWith({ "first.txt": "f\n" }, "first");
  await scene.harvest(first.task);
  scene.byHand({ "first.txt": "better\n" }, "better");
  const second = await builtOn(first, { "second.txt": "s" }, "second");
  const [row] = await scene.harvest(second.task);
  expect([row?.outcome, scene.onMain("first.txt"), scene.onMain("second.txt")]).toEqual(["landed", "better\n", "s"]);
  expect(row?.report["said"]).toEqual([expect.stringContaining("main has changed the same lines since")]);
});

test("work merged by hand and reverted since is not called landed", async () => {
  const { scene } = here;
  const { task, path } = await scene.readyWith({ "x.txt": "1" });
  scene.stage.git(path, "push", "-q", "origin", "HEAD:main");
  reverted();
  const [row] = await scene.harvest(task);
  expect([row?.outcome, await scene.state(task)]).toEqual(["impossible", "needs_review"]);
  expect(row?.reason).toContain("took them back since: x.txt");
});

test("of work that was merged by hand in part and reverted, what does not come back is named", async () => {
  const { scene } = here;
  const { task, path } = await scene.begun();
  scene.stage.commit(path, { "half.txt": "h" }, "half");
  scene.stage.git(path, "push", "-q", "origin", "HEAD:main");
  reverted();
  scene.stage.commit(path, { "rest.txt": "r" }, "rest");
  await readyTask(scene.context, { task });
  const [row] = await scene.harvest(task);
  expect([row?.outcome, scene.onMain("half.txt"), scene.onMain("rest.txt")]).toEqual(["landed", undefined, "r"]);
  expect(row?.report["said"]).toEqual([expect.stringContaining("half.txt and took it back")]);
});

/** The gate of the scene, which the branch's own code is. */
const gateCode = (text: string): Record<string, string> => ({ "gate.sh": text });

test("code of a branch under test reaches neither the repository we push from nor its configuration", async () => {
  const { scene } = here;
  const { stage } = scene;
  const evil = stage.path("evil.git");
  stage.git(stage.root, "clone", "-q", "--bare", stage.origin, evil);
  const tricks = [
    `git config remote.origin.pushurl ${evil}`,
    `git remote set-url origin ${evil}`,
    `git config --global-not-there x y; git config url.${evil}.insteadOf ${stage.origin}`,
    `git config core.hooksPath ${stage.path("hooks")}`,
    `mkdir -p .git/hooks && printf '#!/bin/sh\\ntouch ${stage.path("hook-ran")}\\n' > .git/hooks/pre-push && chmod +x .git/hooks/pre-push`,
    `git update-ref refs/remotes/origin/main HEAD~1; git update-ref -d refs/remotes/origin/main; rm -rf .git/objects; chmod -R 777 .git`,
    `git rev-parse --git-common-dir > ${stage.path("common")}; git remote -v >> ${stage.path("common")}`,
  ];
  mkdirSync(stage.path("hooks"));
  writeFileSync(stage.path("hooks/pre-push"), `#!/bin/sh\ntouch ${stage.path("hook-ran")}\n`, { mode: 0o755 });
  for (const [index, trick] of tricks.entries()) {
    const { task } = await scene.readyWith({ ...gateCode(`${trick}\ntrue\n`), [`t${index}`]: "t" }, `trick ${index}`);
    expect({ trick, outcome: (await scene.harvest(task))[0]?.outcome }).toEqual({ trick, outcome: "landed" });
    scene.byHand(gateCode("true\n"), `gate restored ${index}`);
    stage.git(stage.source, "pull", "-q");
  }
  const { task } = await scene.readyWith({ "after.txt": "a" }, "after");
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  expect(scene.onMain("after.txt")).toBe("a");
  expect(stage.git(evil, "log", "--format=%s", "main").trim()).toBe("base");
  expect(await Bun.file(stage.path("hook-ran")).exists()).toBe(false);
  expect(await Bun.file(stage.path("common")).text()).toBe(".git\n");
}, 120_000);

test("configuration that got into the landing repository all the same does not steer a push", async () => {
  const { scene } = here;
  const { stage } = scene;
  const first = await scene.readyWith({ "x.txt": "1" });
  await scene.harvest(first.task);
  const evil = stage.path("evil.git");
  stage.git(stage.root, "clone", "-q", "--bare", stage.origin, evil);
  const [ground] = [...new Bun.Glob("*.git").scanSync({ cwd: scene.ground, onlyFiles: false })];
  const directory = join(scene.ground, ground ?? "");
  const { task } = await scene.readyWith({ "y.txt": "1" });
  scene.step = (name) => {
    if (name !== "harvest.pushing") return;
    const hook = `#!/bin/sh\ntouch ${stage.path("hook-ran")}\n`;
    mkdirSync(join(directory, "hooks"), { recursive: true });
    writeFileSync(join(directory, "hooks/pre-push"), hook, { mode: 0o755 });
    writeFileSync(
      join(directory, "config"),
      `[core]\n\tbare = true\n\thooksPath = ${directory}/hooks\n[remote "origin"]\n\turl = ${evil}\n\tpushurl = ${evil}\n[url "${evil}"]\n\tinsteadOf = ${stage.origin}\n\tpushInsteadOf = ${stage.origin}\n`,
    );
  };
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  expect(scene.onMain("y.txt")).toBe("1");
  expect(await Bun.file(stage.path("hook-ran")).exists()).toBe(false);
});

test("a push that went elsewhere is not a landing: the origin is asked", async () => {
  const { scene } = here;
  const { context } = scene;
  const { task } = await scene.readyWith({ "x.txt": "1" });
  const grounds = {
    ...context.machine.grounds,
    open: async (wish: Parameters<typeof context.machine.grounds.open>[0]) => ({
      ...(await context.machine.grounds.open(wish)),
      push: async () => ({ kind: "pushed" }) as const,
    }),
  };
  const { train } = await askHarvest(context, { tasks: [task], all: false });
  await harvestRound({ ...context, machine: { ...context.machine, grounds } }, new AbortController().signal);
  const [row] = (await harvestRows(context, { train })).harvests;
  expect([row?.outcome, row?.phase, await scene.state(task)]).toEqual([null, "waiting", "ready"]);
  expect(row?.reason).toContain("the origin does not have it");
});

/** A task of another root directory for the same repository. */
async function elsewhere(scene: TaskScene, root: string, files: Record<string, string>, title: string) {
  const about = { title, priority: "P2", root, repositories: [scene.stage.source], scope: [], after: [] };
  const { number: task } = await createTask(scene.context, about);
  const {
    workspaces: [workspace],
  } = await scene.dispatch(giveWish(task, { to_workspace: true }));
  scene.stage.commit(workspace ?? "", files, title);
  await readyTask(scene.context, { task });
  return task;
}

test("in a train each task must pass its own root's gate, and the train all of them", async () => {
  const { scene } = here;
  scene.byHand({ "constel.toml": "" }, "no gate of its own");
  scene.stage.git(scene.stage.source, "pull", "-q");
  const strict = scene.stage.path("strict");
  mkdirSync(strict);
  writeFileSync(join(strict, "constel.toml"), '[gate]\ncommand = "test ! -e bad"\n');
  const free = await scene.readyWith({ "free.txt": "f" }, "without a gate");
  const red = await elsewhere(scene, strict, { bad: "b" }, "red by its own gate");
  const green = await elsewhere(scene, strict, { "green.txt": "g" }, "green by its own gate");
  const rows = await scene.harvest();
  const outcomes = Object.fromEntries(rows.map(({ task, outcome, gate_outcome: gate }) => [task, [outcome, gate]]));
  expect(outcomes).toEqual({ [free.task]: ["landed", "none"], [red]: ["red", "red"], [green]: ["landed", "green"] });
  expect([scene.onMain("free.txt"), scene.onMain("bad"), scene.onMain("green.txt")]).toEqual(["f", undefined, "g"]);
});

test("a root's gate that the target itself does not pass holds back that root's tasks, and nobody else's", async () => {
  const { scene } = here;
  const strict = scene.stage.path("strict");
  mkdirSync(strict);
  writeFileSync(join(strict, "constel.toml"), '[gate]\ncommand = "false"\n');
  const held = await elsewhere(scene, strict, { "held.txt": "h" }, "held");
  const other = await scene.readyWith({ "other.txt": "o" }, "other");
  const rows = await scene.harvest();
  expect(rows.map(({ task, outcome }) => [task, outcome])).toEqual([
    [held, "failed"],
    [other.task, "landed"],
  ]);
  expect(await scene.state(held)).toBe("ready");
});

test("what lands is what was ready: later commits, an amended branch and another branch in its place do not, and are told", async () => {
  const { scene } = here;
  const later = await scene.readyWith({ "a1.txt": "ready" }, "later");
  scene.stage.commit(later.path, { "a2.txt": "later" }, "unseen");
  const amended = await scene.readyWith({ "b1.txt": "ready" }, "amended");
  scene.stage.write(amended.path, { "b1.txt": "amended" });
  scene.stage.git(amended.path, "commit", "-qa", "--amend", "-m", "amended since");
  const [one] = await scene.harvest(later.task);
  const [two] = await scene.harvest(amended.task);
  expect([one?.outcome, two?.outcome]).toEqual(["landed", "landed"]);
  expect([scene.onMain("a1.txt"), scene.onMain("a2.txt"), scene.onMain("b1.txt")]).toEqual([
    "ready",
    undefined,
    "ready",
  ]);
  expect(one?.report["said"]).toEqual([
    expect.stringContaining("1 commit made after it was called ready did not land"),
  ]);
  expect(two?.report["said"]).toEqual([expect.stringContaining("after it was called ready")]);
  const { events } = await showTask(scene.context, { task: later.task });
  expect(events.find(({ type }) => type === "harvested")?.data).toMatchObject({ said: one?.report["said"] });
});

test("main forced back to before a landing takes the task back, is told, and is undone when main has it again", async () => {
  const { scene } = here;
  const { stage, context } = scene;
  const known = new Map<string, string>();
  const one = await scene.readyWith({ "one.txt": "1" }, "one");
  const two = await scene.readyWith({ "two.txt": "2" }, "two");
  await scene.harvest(one.task);
  await scene.harvest(two.task);
  const landed = stage.git(stage.origin, "rev-parse", "main").trim();
  await lookForTakenBack(context, known);
  expect([await scene.state(one.task), await scene.state(two.task)]).toEqual(["closed", "closed"]);
  stage.git(stage.origin, "update-ref", "refs/heads/main", `${landed}~1`);
  await lookForTakenBack(context, known);
  expect([await scene.state(one.task), await scene.state(two.task)]).toEqual(["closed", "taken_back"]);
  const { task, events } = await showTask(context, { task: two.task });
  expect(task.reason).toContain(`main no longer has ${landed.slice(0, 12)}`);
  expect(events.at(-1)).toMatchObject({ type: "taken_back", data: { sha: landed } });
  const listed = async (view: string): Promise<number[]> => {
    const rows = await sql<{ task: number }>`select task from ${sql.table(view)}`.execute(context.store.db);
    return rows.rows.map((row) => row.task);
  };
  scene.clock.advance(0);
  expect(await listed("stuck")).toEqual([two.task]);
  expect(await listed("landed_today")).not.toContain(two.task);
  stage.git(stage.origin, "update-ref", "refs/heads/main", landed);
  await lookForTakenBack(context, known);
  expect([await scene.state(two.task), (await scene.events(two.task)).at(-1)]).toEqual(["closed", "landed_again"]);
  // Rewritten with the same content in other commits, nothing is taken back; without it, it lands again when it is ready again.
  const someone = scene.someone("rewriting");
  stage.git(someone, "commit", "-q", "--amend", "-m", "the same, in other words");
  stage.git(someone, "push", "-qf");
  await lookForTakenBack(context, known);
  expect(await scene.state(two.task)).toBe("closed");
  stage.git(someone, "reset", "-q", "--hard", "HEAD~2");
  stage.git(someone, "push", "-qf");
  await lookForTakenBack(context, known);
  expect([await scene.state(one.task), await scene.state(two.task)]).toEqual(["taken_back", "taken_back"]);
  await readyTask(context, { task: two.task });
  expect((await scene.harvest(two.task))[0]?.outcome).toBe("landed");
  expect([scene.onMain("one.txt"), scene.onMain("two.txt")]).toEqual([undefined, "2"]);
});

test("a lock file that git cannot merge is made anew by the command of the target, never of the branch", async () => {
  const { scene } = here;
  const lock = "cat parts/* > lock.txt";
  const toml = `[gate]\ncommand = "cat parts/* | cmp - lock.txt"\n[regenerate]\n"lock.txt" = "${lock}"\n`;
  scene.byHand({ "constel.toml": toml, "parts/a": "a\n", "lock.txt": "a\n" }, "a lock file");
  scene.stage.git(scene.stage.source, "pull", "-q");
  const one = await scene.readyWith({ "parts/b": "b\n", "lock.txt": "a\nb\n" }, "adds b");
  const evil = toml.replace(lock, "touch evil; cat parts/* > lock.txt");
  const two = await scene.readyWith({ "parts/c": "c\n", "lock.txt": "a\nc\n", "constel.toml": evil }, "adds c");
  const three = await scene.readyWith({ "parts/d": "d\n", "lock.txt": "d\n", "a.txt": "one\nmine\nthree\n" }, "adds d");
  scene.byHand({ "a.txt": "one\ntheirs\nthree\n" }, "theirs");
  const rows = await scene.harvest();
  expect(rows.map(({ outcome }) => outcome)).toEqual(["landed", "landed", "conflict"]);
  expect([scene.onMain("lock.txt"), scene.onMain("evil")]).toEqual(["a\nb\nc\n", undefined]);
  expect(rows[1]?.report["said"]).toEqual([
    expect.stringContaining("lock.txt could not be merged and was made anew"),
    "it changes [regenerate] in constel.toml of main",
  ]);
  expect(scene.log().slice(-3)).toEqual(["adds b", "adds c", "Make lock.txt anew"]);
  expect([await scene.state(one.task), await scene.state(two.task), await scene.state(three.task)]).toEqual([
    "closed",
    "closed",
    "needs_review",
  ]);
});

test("a command that cannot make the file anew, or leaves a link, sends the task back with what it printed", async () => {
  const { scene } = here;
  const cases = { "echo no network; exit 3": "no network", "ln -sf /etc/passwd lock.txt": "left no plain file" };
  for (const [index, [command, words]] of Object.entries(cases).entries()) {
    scene.byHand(
      { "constel.toml": `[regenerate]\n"lock.txt" = "${command}"\n`, "lock.txt": `${index}\n` },
      "a lock file",
    );
    scene.stage.git(scene.stage.source, "pull", "-q");
    const { task } = await scene.readyWith({ "lock.txt": "mine\n" });
    scene.byHand({ "lock.txt": "theirs\n" }, "theirs");
    const [row] = await scene.harvest(task);
    expect({ command, outcome: row?.outcome }).toEqual({ command, outcome: "impossible" });
    expect(row?.reason).toContain(words);
    expect(scene.onMain("lock.txt")).toBe("theirs\n");
  }
});
