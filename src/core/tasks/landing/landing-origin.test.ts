// An origin that does not take the work: because it fails, or because it takes nothing from us. Neither says anything about the work.

import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { askHarvest, harvestRound, harvestRows } from "./harvest.ts";
import { readyTask } from "./ready.ts";
import { cancelTask } from "../update.ts";
import { withTasks } from "../tasks.suite.ts";

const here = withTasks();

const outages: [name: string, hook: string, words: string][] = [
  ["full", "echo 'fatal: write error: No space left on device' >&2; exit 1", "No space left"],
  ["quota", "echo 'error: Disk quota exceeded' >&2; exit 1", "Disk quota"],
  ["network", "echo 'curl: (7) Failed to connect: Connection refused' >&2; exit 1", "Connection refused"],
  ["timeout", "echo 'policy service: request timed out' >&2; exit 1", "timed out"],
  ["interpreter", "exec /nonexistent/python3 policy.py", "not found"],
];

test("a repository without an origin that stands on its main is left alone, with what to do; standing elsewhere it is landed in", async () => {
  const { scene } = here;
  const { stage } = scene;
  stage.git(stage.source, "remote", "remove", "origin");
  const first = await scene.readyWith({ "first.txt": "f" }, "first");
  const head = stage.git(stage.source, "rev-parse", "main");
  const [held] = await scene.harvest(first.task);
  const words = `main is checked out in ${stage.source}, which has no origin, and constel changes no checkout.`;
  expect(held?.outcome).toBe("failed");
  expect(held?.reason).toContain(words);
  expect(held?.reason).toContain(`git -C ${stage.source} switch --detach`);
  expect(await scene.state(first.task)).toBe("ready");
  expect([stage.git(stage.source, "rev-parse", "main"), stage.git(stage.source, "status", "--porcelain")]).toEqual([
    head,
    "",
  ]);
  stage.git(stage.source, "switch", "-q", "--detach");
  expect((await scene.harvest(first.task))[0]?.outcome).toBe("landed");
  stage.git(stage.source, "switch", "-q", "main");
  expect(readFileSync(join(stage.source, "first.txt"), "utf8")).toBe("f");
});

test("an origin that is closed to us blames nobody: a protected branch, another's checkout", async () => {
  const { scene } = here;
  const { stage } = scene;
  const { task } = await scene.readyWith({ "x.txt": "1" }, "x");
  const hook = join(stage.origin, "hooks", "pre-receive");
  mkdirSync(dirname(hook), { recursive: true });
  writeFileSync(hook, "#!/bin/sh\necho 'GH006: Protected branch update failed for refs/heads/main.' >&2\nexit 1\n");
  chmodSync(hook, 0o755);
  expect((await scene.harvest(task))[0]).toMatchObject({
    outcome: "failed",
    reason: expect.stringMatching(/^the origin takes no push: [\s\S]*Protected branch/),
  });
  expect(await scene.state(task)).toBe("ready");
  rmSync(hook);
  // The origin becomes somebody's checkout of main.
  stage.git(stage.origin, "config", "core.bare", "false");
  expect((await scene.harvest(task))[0]?.reason).toMatch(/^main is checked out in .*, and constel changes no checkout/);
  expect(await scene.state(task)).toBe("ready");
  stage.git(stage.origin, "config", "core.bare", "true");
  writeFileSync(hook, "#!/bin/sh\necho 'line 3 is too long' >&2\nexit 1\n");
  chmodSync(hook, 0o755);
  expect((await scene.harvest(task))[0]).toMatchObject({ outcome: "refused" });
  expect(await scene.state(task)).toBe("needs_review");
});

test("an origin that fails while it takes the push is an outage: the work waits, is tried again, and lands", async () => {
  const { scene } = here;
  const hook = join(scene.stage.origin, "hooks/pre-receive");
  for (const [name, script, words] of outages) {
    const { task } = await scene.readyWith({ [name]: "1" }, name);
    writeFileSync(hook, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const [row] = await scene.harvest(task);
    expect({ name, phase: row?.phase, outcome: row?.outcome }).toEqual({ name, phase: "waiting", outcome: null });
    expect({ name, reason: row?.reason }).toEqual({ name, reason: expect.stringContaining(words) });
    expect(await scene.state(task)).toBe("ready");
    expect(await scene.events(task)).toContain("harvest_outage");
    // Not before its time.
    expect(await harvestRound(scene.context, new AbortController().signal)).toBe(false);
    rmSync(hook);
    scene.clock.advance(5_000);
    while (await harvestRound(scene.context, new AbortController().signal));
    expect([name, await scene.state(task)]).toEqual([name, "closed"]);
    expect(scene.onMain(name)).toBe("1");
  }
});

test("an origin whose objects cannot be written, and one that is away, are outages too; after many tries somebody must look", async () => {
  const { scene } = here;
  const objects = join(scene.stage.origin, "objects");
  const { task } = await scene.readyWith({ "x.txt": "1" });
  // As root nothing is forbidden, so that the directory for incoming objects must be missing.
  const moved = `${objects}.away`;
  scene.step = (name) => {
    if (name === "harvest.pushing") Bun.spawnSync(["mv", objects, moved]);
  };
  const { train } = await askHarvest(scene.context, { tasks: [task], all: false });
  const signal = new AbortController().signal;
  const rowNow = async () => (await harvestRows(scene.context, { train })).harvests[0];
  await harvestRound(scene.context, signal);
  expect([(await rowNow())?.phase, await scene.state(task)]).toEqual(["waiting", "ready"]);
  scene.step = () => {};
  let tries = 1;
  while ((await rowNow())?.ended_ms === null && tries < 50) {
    scene.clock.advance(3_600_000);
    await harvestRound(scene.context, signal);
    tries += 1;
  }
  expect([tries, (await rowNow())?.outcome, await scene.state(task)]).toEqual([8, "failed", "ready"]);
  Bun.spawnSync(["mv", moved, objects]);
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  chmodSync(scene.stage.origin, 0o755);
});

test("while it waits after an outage it can be cancelled, called ready anew, and asked for again at once", async () => {
  const { scene } = here;
  const hook = join(scene.stage.origin, "hooks/pre-receive");
  const full = "#!/bin/sh\necho 'No space left on device' >&2; exit 1\n";
  const signal = new AbortController().signal;
  writeFileSync(hook, full, { mode: 0o755 });
  const given = await scene.readyWith({ "given-up.txt": "g" }, "given up");
  expect((await scene.harvest(given.task))[0]?.phase).toBe("waiting");
  await cancelTask(scene.context, { task: given.task, reason: "" });
  const { task, path } = await scene.readyWith({ "x.txt": "1" });
  expect((await scene.harvest(task))[0]?.phase).toBe("waiting");
  scene.stage.commit(path, { "y.txt": "2" }, "more of it");
  await readyTask(scene.context, { task });
  rmSync(hook);
  const { train } = await askHarvest(scene.context, { tasks: [task], all: false });
  while (await harvestRound(scene.context, signal));
  expect((await harvestRows(scene.context, { train })).harvests).toMatchObject([{ outcome: "landed", report: {} }]);
  expect([scene.onMain("x.txt"), scene.onMain("y.txt"), scene.onMain("given-up.txt")]).toEqual(["1", "2", undefined]);
});
