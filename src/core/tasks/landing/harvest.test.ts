// Landing work: what arrives on the origin's main, what does not, and what is said about it.

import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../../../protocol/errors.ts";
import { askHarvest, harvestRound, harvestRows } from "./harvest.ts";
import { readyTask } from "./ready.ts";
import { withTasks } from "../tasks.suite.ts";
import { redCommits } from "../../worktrees/worktrees.sql.ts";
import { cancelTask } from "../update.ts";
import { removeWorkspace, restoreWorkspace } from "../workspaces/workspace.ts";
import { until } from "../../../../test/kit/home.ts";
import { rejection } from "../../../../test/kit/rejection.ts";

const here = withTasks();

test("commits land in order, with author, message and trailers, and the task is closed", async () => {
  const { scene } = here;
  const { task, path } = await scene.begun("Two steps");
  scene.stage.git(path, "config", "user.name", "Grace");
  scene.stage.environment["GIT_AUTHOR_NAME"] = "Grace";
  const first = scene.stage.commit(
    path,
    { "x.txt": "1" },
    "first\n\nWhy it is so.\n\nReviewed-by: Linus <l@example.org>",
  );
  const second = scene.stage.commit(path, { "x.txt": "2" }, "second");
  await readyTask(scene.context, { task });
  const [row] = await scene.harvest(task);
  expect(row).toMatchObject({ outcome: "landed", gate_outcome: "green", attempts: 1 });
  const { origin } = scene.stage;
  expect(row?.landed_sha).toBe(scene.stage.git(origin, "rev-parse", "main").trim());
  expect(scene.stage.git(origin, "log", "-1", "--skip=1", "--format=%an|%B", "main").trim()).toBe(
    `Grace|first\n\nWhy it is so.\n\nReviewed-by: Linus <l@example.org>\nConstel-Task: ${task}\nConstel-Commit: ${first}`,
  );
  expect(scene.landedCommits()).toEqual([second, first]);
  expect(await scene.state(task)).toBe("closed");
  expect(await scene.events(task)).toEqual([
    "created",
    "dispatched",
    "workspace_made",
    "ready",
    "gate_passed",
    "harvested",
    "closed",
  ]);
});

test("the user's checkout is not touched", async () => {
  const { scene } = here;
  const { source } = scene.stage;
  scene.stage.write(source, { "a.txt": "in the middle of it\n", "new.txt": "n" });
  const before = [
    scene.stage.git(source, "status", "--porcelain"),
    scene.stage.git(source, "for-each-ref"),
    scene.stage.git(source, "worktree", "list"),
  ];
  const { task } = await scene.readyWith({ "x.txt": "1" });
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  expect([
    scene.stage.git(source, "status", "--porcelain"),
    scene.stage.git(source, "for-each-ref"),
    scene.stage.git(source, "worktree", "list"),
  ]).toEqual(before);
});

test("a conflict sends the task back with both sides' lines, and main stays", async () => {
  const { scene } = here;
  const { task } = await scene.readyWith({ "a.txt": "one\nmine\nthree\n" });
  const someone = scene.someone();
  scene.stage.commit(someone, { "a.txt": "one\ntheirs\nthree\n" }, "theirs");
  scene.stage.git(someone, "push", "-q");
  const before = scene.log();
  const [row] = await scene.harvest(task);
  expect(row).toMatchObject({ outcome: "conflict", landed_sha: null });
  expect(row?.reason).toContain("conflicts with main in a.txt");
  expect(row?.report["conflicts"]).toMatchObject([
    {
      path: "a.txt",
      kind: "content",
      target_hunks: [{ line: 2, text: "theirs" }],
      branch_hunks: [{ line: 2, text: "mine" }],
    },
  ]);
  expect(scene.log()).toEqual(before);
  expect(await scene.state(task)).toBe("needs_review");
  expect(await scene.events(task)).toContain("harvest_conflict");
});

test("a red gate sends the task back with the end of what it printed, and main stays; mended, it lands", async () => {
  const { scene } = here;
  const { task, path } = await scene.readyWith({
    broken: "b",
    "gate.sh": "echo looking; test ! -e broken || { echo it is broken; exit 1; }\n",
  });
  const before = scene.log();
  const [row] = await scene.harvest(task);
  expect(row).toMatchObject({ outcome: "red", gate_outcome: "red", gate_tail: "looking\nit is broken" });
  expect(scene.log()).toEqual(before);
  expect(await scene.state(task)).toBe("needs_review");
  // The plan of landing does not call this very commit one to land.
  const { db, constellation } = scene.context.store;
  const tried = scene.stage.git(path, "rev-parse", "HEAD").trim();
  expect((await redCommits(db, constellation)).get(path)).toEqual(new Set([tried]));
  rmSync(join(path, "broken"));
  scene.stage.git(path, "commit", "-qam", "mended");
  await readyTask(scene.context, { task });
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
});

test("a task cannot take the gate away from itself", async () => {
  const { scene } = here;
  const { task } = await scene.readyWith({ broken: "b", "constel.toml": '[gate]\ncommand = "true"\n' });
  expect((await scene.harvest(task))[0]?.outcome).toBe("red");
});

test("when main itself is red nobody is blamed", async () => {
  const { scene } = here;
  const someone = scene.someone();
  scene.stage.commit(someone, { broken: "b" }, "breaks main");
  scene.stage.git(someone, "push", "-q");
  const { task } = await scene.readyWith({ "x.txt": "1" });
  const [row] = await scene.harvest(task);
  expect(row).toMatchObject({ outcome: "failed" });
  expect(row?.reason).toContain("the target itself does not pass the gate");
  expect(await scene.state(task)).toBe("ready");
});

test("a gate that hangs is ended at its deadline, and what it left running with it", async () => {
  const { scene } = here;
  const pidFile = scene.stage.path("pid");
  writeFileSync(
    join(scene.stage.top, "constel.toml"),
    `[gate]\ncommand = "sleep 600 & echo $! > ${pidFile}; test -z \\"$(git log -1 --format='%(trailers:key=Constel-Task)')\\" || wait"\ndeadline_seconds = 1\n`,
  );
  const { task } = await scene.readyWith({ "x.txt": "1" });
  const [row] = await scene.harvest(task);
  expect(row).toMatchObject({ outcome: "red" });
  expect(row?.gate_tail).toContain("the deadline");
  const pid = Number((await Bun.file(pidFile).text()).trim());
  // It was sent the signal before the row was written, and dies when the kernel gives it a turn.
  expect(
    await until(
      "what it left running is ended",
      () => stateOf(pid),
      (state) => /^[ZX]?$/.test(state),
    ),
  ).not.toBe("S");
});

/** The letter in which the kernel tells how a process stands; empty when there is none. */
function stateOf(pid: number): string {
  try {
    return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
  } catch {
    return "";
  }
}

test("a branch with merges lands as one commit, with what the merge resolved", async () => {
  const { scene } = here;
  const { task, path } = await scene.begun("Merged work");
  scene.stage.commit(path, { "a.txt": "one\nmine\nthree\n" }, "mine");
  const someone = scene.someone();
  scene.stage.commit(someone, { "a.txt": "one\ntheirs\nthree\n" }, "theirs");
  scene.stage.git(someone, "push", "-q");
  scene.stage.git(path, "fetch", "-q");
  scene.stage.tryGit(path, "merge", "-q", "origin/main");
  scene.stage.commit(path, { "a.txt": "one\nboth\nthree\n" }, "merge main");
  await readyTask(scene.context, { task });
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  expect(scene.log()).toEqual(["base", "theirs", "Merged work"]);
  expect(scene.stage.git(scene.stage.origin, "show", "main:a.txt")).toBe("one\nboth\nthree\n");
});

test("the target's own rules for merging hold: a union file does not conflict", async () => {
  const { scene } = here;
  const someone = scene.someone();
  scene.stage.commit(someone, { ".gitattributes": "log.md merge=union\n", "log.md": "top\n" }, "rules");
  scene.stage.git(someone, "push", "-q");
  scene.stage.git(scene.stage.source, "pull", "-q");
  const { task } = await scene.readyWith({ "log.md": "top\nmine\n" });
  scene.stage.commit(someone, { "log.md": "top\ntheirs\n" }, "theirs");
  scene.stage.git(someone, "push", "-q");
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  expect(scene.stage.git(scene.stage.origin, "show", "main:log.md").split("\n").sort().join(",")).toBe(
    ",mine,theirs,top",
  );
});

test("an origin that moves during the gate is picked up again, and the work is gated again", async () => {
  const { scene } = here;
  const { task } = await scene.readyWith({ "x.txt": "1" });
  const someone = scene.someone();
  let moved = 0;
  scene.step = (name) => {
    if (name !== "harvest.gated" || moved++ > 1) return;
    scene.stage.commit(someone, { [`other-${moved}.txt`]: "o" }, `other ${moved}`);
    scene.stage.git(someone, "push", "-q");
  };
  const [row] = await scene.harvest(task);
  expect(row).toMatchObject({ outcome: "landed", attempts: 3 });
  expect(scene.log()).toEqual(["base", "other 1", "other 2", "a task"]);
  expect((await scene.events(task)).filter((type) => type === "gate_passed")).toHaveLength(3);
});

test("an origin that always moves is given up on; nothing is lost and the task stays ready", async () => {
  const { scene } = here;
  const { task } = await scene.readyWith({ "x.txt": "1" });
  const someone = scene.someone();
  scene.step = (name) => {
    if (name !== "harvest.gated") return;
    scene.stage.commit(someone, { "o.txt": String(Math.random()) }, "other");
    scene.stage.git(someone, "push", "-q");
  };
  expect((await scene.harvest(task))[0]).toMatchObject({
    outcome: "failed",
    reason: "the target moved 5 times while the gate ran",
  });
  expect(await scene.state(task)).toBe("ready");
});

test("a push that the origin refuses comes back in its own words", async () => {
  const { scene } = here;
  const { task } = await scene.readyWith({ "x.txt": "1" });
  writeFileSync(join(scene.stage.origin, "hooks/pre-receive"), "#!/bin/sh\necho main is frozen >&2\nexit 1\n", {
    mode: 0o755,
  });
  const [row] = await scene.harvest(task);
  expect(row?.outcome).toBe("refused");
  expect(row?.reason).toContain("main is frozen");
  expect(await scene.state(task)).toBe("needs_review");
  expect(scene.log()).toEqual(["base"]);
});

test("harvested twice, it lands once; work added after landing is told apart", async () => {
  const { scene } = here;
  const { task, path } = await scene.readyWith({ "x.txt": "1" });
  await scene.harvest(task);
  const receipt = await askHarvest(scene.context, { tasks: [task], all: false });
  expect(receipt).toMatchObject({
    tasks: [],
    landed: [{ task, sha: scene.stage.git(scene.stage.origin, "rev-parse", "main").trim() }],
  });
  const someone = scene.someone();
  scene.stage.commit(someone, { "x.txt": "changed since" }, "changed since");
  scene.stage.git(someone, "push", "-q");
  // The same commits under another task, as after a lost database: known by the commits themselves.
  const again = await scene.begun();
  scene.stage.git(
    again.path,
    "fetch",
    "-q",
    path,
    `+HEAD:refs/heads/constel/constel0/${again.task}-a-task`,
    "--update-head-ok",
  );
  scene.stage.git(again.path, "reset", "-q", "--hard");
  scene.stage.commit(again.path, { "y.txt": "new" }, "added later");
  await readyTask(scene.context, { task: again.task });
  expect((await scene.harvest(again.task))[0]?.outcome).toBe("landed");
  expect(scene.log()).toEqual(["base", "a task", "changed since", "added later"]);
});

test("a main whose clock was wrong for a while does not confuse what the branch has of its own", async () => {
  const { scene } = here;
  const { task } = await scene.readyWith({ "x.txt": "1" });
  const someone = scene.someone();
  scene.stage.environment["GIT_COMMITTER_DATE"] = "2001-01-01T00:00:00Z";
  for (let index = 0; index < 12; index++) scene.stage.commit(someone, { "a.txt": `old ${index}\n` }, `old ${index}`);
  delete scene.stage.environment["GIT_COMMITTER_DATE"];
  scene.stage.git(someone, "push", "-q");
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  expect(scene.landedCommits()).toHaveLength(1);
});

test("what was taken out of a rewritten main does not come back with work that began on it", async () => {
  const { scene } = here;
  const someone = scene.someone();
  scene.stage.commit(someone, { "secret.txt": "s" }, "a mistake");
  scene.stage.git(someone, "push", "-q");
  scene.stage.git(scene.stage.source, "pull", "-q");
  const { task } = await scene.readyWith({ "x.txt": "x" }, "honest work");
  const merging = await scene.begun("with a merge");
  scene.stage.git(merging.path, "checkout", "-q", "-b", "side");
  scene.stage.commit(merging.path, { "side.txt": "s" }, "side");
  scene.stage.git(merging.path, "checkout", "-q", "-");
  scene.stage.commit(merging.path, { "more.txt": "m" }, "more");
  scene.stage.git(merging.path, "merge", "-q", "--no-edit", "side");
  await readyTask(scene.context, { task: merging.task });
  scene.stage.git(someone, "reset", "-q", "--hard", "HEAD~1");
  scene.stage.git(someone, "push", "-qf");
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  expect(scene.log()).not.toContain("a mistake");
  expect(scene.stage.git(scene.stage.origin, "ls-tree", "--name-only", "main")).not.toContain("secret.txt");
  expect(scene.log().at(-1)).toBe("honest work");
  const [row] = await scene.harvest(merging.task);
  expect([row?.outcome, row?.reason]).toEqual(["impossible", expect.stringContaining("main was rewritten since")]);
});

test("work that somebody merged by hand is recognised", async () => {
  const { scene } = here;
  const { task, path } = await scene.readyWith({ "x.txt": "1" });
  scene.stage.git(path, "push", "-q", "origin", "HEAD:main");
  const [row] = await scene.harvest(task);
  expect(row?.outcome).toBe("landed");
  expect(scene.log()).toEqual(["base", "a task"]);
  expect(await scene.state(task)).toBe("closed");
});

test("a branch that was pushed lands without its workspace; deleted upstream too, it is said where it can be had", async () => {
  const { scene } = here;
  const pushed = await scene.readyWith({ "x.txt": "1" });
  scene.stage.git(pushed.path, "push", "-q", "origin", "HEAD");
  await removeWorkspace(scene.context, { task: pushed.task, with_ignored: false });
  expect((await scene.harvest(pushed.task))[0]?.outcome).toBe("landed");

  const lost = await scene.readyWith({ "y.txt": "1" });
  const branch = scene.stage.git(lost.path, "branch", "--show-current").trim();
  scene.stage.git(lost.path, "push", "-q", "origin", "HEAD");
  scene.stage.git(scene.stage.origin, "branch", "-D", branch);
  await removeWorkspace(scene.context, { task: lost.task, with_ignored: false });
  expect((await scene.harvest(lost.task))[0]).toMatchObject({ outcome: "no-branch" });
  expect(await scene.state(lost.task)).toBe("needs_review");
  await restoreWorkspace(scene.context, { task: lost.task });
  expect((await scene.harvest(lost.task))[0]?.outcome).toBe("landed");
});

test("twelve tasks: ten land together, the one that conflicts and the one that breaks the gate go back with the reason", async () => {
  const { scene } = here;
  const tasks: number[] = [];
  for (let index = 1; index <= 12; index++) {
    const files: Record<string, string> =
      index === 4 ? { "a.txt": "one\nfour\nthree\n" } : index === 7 ? { broken: "b" } : { [`f${index}.txt`]: "f" };
    tasks.push((await scene.readyWith(files, `task ${index}`)).task);
  }
  const someone = scene.someone();
  scene.stage.commit(someone, { "a.txt": "one\nelse\nthree\n" }, "else");
  scene.stage.git(someone, "push", "-q");
  const rows = await scene.harvest();
  expect(rows.map(({ outcome }) => outcome)).toEqual(
    tasks.map((_, at) => (at === 3 ? "conflict" : at === 6 ? "red" : "landed")),
  );
  expect(scene.log()).toEqual(["base", "else", ...[1, 2, 3, 5, 6, 8, 9, 10, 11, 12].map((index) => `task ${index}`)]);
  expect(rows[6]?.reason).toBe("the gate is red");
  expect(await scene.state(4)).toBe("needs_review");
  expect(await scene.state(7)).toBe("needs_review");
  expect(await scene.state(12)).toBe("closed");
  // Each has its own commit as its landed sha.
  expect(rows[0]?.landed_sha).toBe(scene.stage.git(scene.stage.origin, "rev-parse", "main~9").trim());
});

test("others are named beside a red gate only where the task alone was seen to pass it", async () => {
  const { scene } = here;
  const someone = scene.someone();
  const gate = "test ! -e broken && ! { test -e left && test -e right; }";
  scene.stage.commit(someone, { "gate.sh": `${gate}\n` }, "another gate");
  scene.stage.git(someone, "push", "-q");
  const first = await scene.readyWith({ left: "l" }, "left");
  const alone = await scene.readyWith({ broken: "b" }, "red alone");
  const beside = await scene.readyWith({ right: "r" }, "red beside left");
  const rows = await scene.harvest();
  const told = Object.fromEntries(rows.map(({ task, outcome, reason }) => [task, [outcome, reason]]));
  expect(told[first.task]?.[0]).toBe("landed");
  expect(told[alone.task]).toEqual(["red", "the gate is red"]);
  expect(told[beside.task]).toEqual([
    "red",
    `the gate is red with it on top of ${first.task}; with it alone the gate is green`,
  ]);
});

test("a task that conflicts only with one that breaks the gate lands after all", async () => {
  const { scene } = here;
  await scene.readyWith({ "a.txt": "one\nfirst\nthree\n", broken: "b" }, "breaks and clashes");
  await scene.readyWith({ "a.txt": "one\nsecond\nthree\n" }, "innocent");
  const rows = await scene.harvest();
  expect(rows.map(({ outcome }) => outcome)).toEqual(["red", "landed"]);
  expect(scene.log()).toEqual(["base", "innocent"]);
});

test("two that clash in one train: the first lands, the second hears with whom it clashed", async () => {
  const { scene } = here;
  const first = await scene.readyWith({ "a.txt": "one\nfirst\nthree\n" }, "first");
  await scene.readyWith({ "a.txt": "one\nsecond\nthree\n" }, "second");
  const rows = await scene.harvest();
  expect(rows.map(({ outcome }) => outcome)).toEqual(["landed", "conflict"]);
  expect(rows[1]?.reason).toContain(`what task ${first.task} landed in the same train`);
});

const steps = [
  "harvest.fetched",
  "harvest.picked",
  "harvest.gated",
  "harvest.pushing",
  "harvest.pushed",
  "harvest.landed",
  "ready.let-go",
];

test("the steps at which harvests are killed are all the steps they have", async () => {
  const { scene } = here;
  const { task } = await scene.readyWith({ "x.txt": "1" });
  const seen: string[] = [];
  scene.step = (name) => void seen.push(name);
  await scene.harvest(task);
  expect(seen).toEqual(steps);
});

test("cut off at any step, the next harvester converges: nothing twice, nothing half", async () => {
  const { scene } = here;
  for (const [index, cut] of steps.entries()) {
    const one = await scene.readyWith({ [`x-${index}`]: "1" }, `one ${index}`);
    scene.stage.commit(one.path, { [`x-${index}`]: "2" }, `one more ${index}`);
    await readyTask(scene.context, { task: one.task });
    const two = await scene.readyWith({ [`y-${index}`]: "1" }, `two ${index}`);
    const { train } = await askHarvest(scene.context, { tasks: [], all: true });
    scene.holder = `dead ${index}`;
    scene.step = (name) => {
      if (name === cut) throw new Refusal("task.lease-lost", "as if killed: nothing more is written");
    };
    await harvestRound(scene.context, new AbortController().signal).catch((cause: Refusal) =>
      expect(cause.code).toBe("task.lease-lost"),
    );
    scene.gone.add(scene.holder);
    scene.holder = `alive ${index}`;
    scene.step = () => {};
    while (await harvestRound(scene.context, new AbortController().signal));
    const { harvests } = await harvestRows(scene.context, { train });
    expect({ cut, outcomes: harvests.map(({ outcome }) => outcome) }).toEqual({ cut, outcomes: ["landed", "landed"] });
    const commits = scene.landedCommits();
    expect({ cut, twice: commits.length - new Set(commits).size, count: commits.length }).toEqual({
      cut,
      twice: 0,
      count: 3 * (index + 1),
    });
    expect([await scene.state(one.task), await scene.state(two.task)]).toEqual(["closed", "closed"]);
  }
});

test("one harvester at a time: a second waits for the lease, and one that lost it can write nothing", async () => {
  const { scene } = here;
  const { task } = await scene.readyWith({ "x.txt": "1" });
  await askHarvest(scene.context, { tasks: [task], all: false });
  const signal = new AbortController().signal;
  let second: boolean | undefined;
  const first = { ...scene.context };
  scene.holder = "two";
  const other = { ...scene.context, machine: { ...scene.context.machine, inHand: new Set<string>() } }; // another daemon's
  let taken = false;
  const machine = {
    ...first.machine,
    step: (name: string) => {
      if (name === "harvest.picked") taken = true;
    },
  };
  const running = harvestRound({ ...first, machine }, signal);
  second = await harvestRound(other, signal);
  expect(second).toBe(false);
  expect(await running).toBe(true);
  expect(taken).toBe(true);

  const late = await scene.readyWith({ "y.txt": "1" });
  await askHarvest(scene.context, { tasks: [late.task], all: false });
  // While the first one is slow, its lease runs out and the second one lands the work.
  const slow = {
    ...first,
    machine: {
      ...first.machine,
      grounds: {
        ...first.machine.grounds,
        open: async (wish: Parameters<typeof first.machine.grounds.open>[0]) => {
          const ground = await first.machine.grounds.open(wish);
          await first.store.write((tx) => tx.db.updateTable("task_leases").set({ until_ms: 0 }).execute());
          expect(await harvestRound(other, signal)).toBe(true);
          return ground;
        },
      },
    },
  };
  expect(await rejection(harvestRound(slow, signal))).toMatchObject({ code: "task.lease-lost" });
  expect(scene.landedCommits()).toHaveLength(2);
});

test("what is not ready cannot be harvested, and what is being harvested cannot be cancelled", async () => {
  const { scene } = here;
  const { task } = await scene.begun();
  expect(await rejection(askHarvest(scene.context, { tasks: [task], all: false }))).toMatchObject({
    code: "task.not-allowed",
  });
  expect(await rejection(askHarvest(scene.context, { tasks: [], all: true }))).toMatchObject({
    code: "task.nothing-to-land",
  });
  const ready = await scene.readyWith({ "x.txt": "1" });
  await askHarvest(scene.context, { tasks: [ready.task], all: false });
  expect(await rejection(cancelTask(scene.context, { task: ready.task, reason: "" }))).toMatchObject({
    code: "task.landing",
  });
  const { train } = await askHarvest(scene.context, { tasks: [ready.task], all: false });
  expect((await harvestRows(scene.context, { train })).harvests).toHaveLength(1);
});
