// Work that was called ready and whose workspace somebody deleted: it lands from where it was kept, and nothing stays behind.

import { expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { readyTask } from "./ready.ts";
import { withTasks } from "../tasks.suite.ts";
import { removeWorkspace } from "../workspaces/workspace.ts";
import { throwing } from "../../../../test/kit/rejection.ts";

const here = withTasks();

/** Lists what is kept of ready work in the source. */
const kept = (): string[] => {
  const { stage } = here.scene;
  return stage
    .git(stage.source, "for-each-ref", "--format=%(objectname)", "refs/constel/ready")
    .split("\n")
    .filter(Boolean);
};

test("work that was called ready lands although its workspace was deleted; nothing is kept of what has landed", async () => {
  const { scene } = here;
  const { task, path } = await scene.begun();
  scene.stage.commit(path, { "x.txt": "1" }, "not all of it");
  await readyTask(scene.context, { task });
  const commit = scene.stage.commit(path, { "x.txt": "2" }, "all of it");
  await readyTask(scene.context, { task });
  expect(kept()).toEqual([commit]);
  rmSync(path, { recursive: true });
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  expect(scene.log()).toEqual(["base", "not all of it", "all of it"]);
  expect(kept()).toEqual([]);

  // Also when somebody tidied up after the deletion.
  const other = await scene.readyWith({ "y.txt": "1" }, "another");
  rmSync(other.path, { recursive: true });
  await removeWorkspace(scene.context, { task: other.task, with_ignored: false });
  expect((await scene.harvest(other.task))[0]?.outcome).toBe("landed");
  expect(kept()).toEqual([]);
});

test("of a deleted workspace what was ready lands, and nothing that was pushed before or after it", async () => {
  const { scene } = here;
  const { task, path } = await scene.readyWith({ "x.txt": "1" }, "ready");
  const branch = scene.stage.git(path, "branch", "--show-current").trim();
  scene.stage.commit(path, { "x.txt": "2" }, "pushed after it");
  scene.stage.git(path, "push", "-q", "origin", "HEAD");
  rmSync(path, { recursive: true });
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  expect(scene.log()).toEqual(["base", "ready"]);

  const other = await scene.begun("another");
  scene.stage.commit(other.path, { "y.txt": "1" }, "pushed early");
  scene.stage.git(other.path, "push", "-q", "origin", "HEAD");
  scene.stage.write(other.path, { "y.txt": "2" });
  scene.stage.git(other.path, "commit", "-qa", "--amend", "-m", "what was ready");
  await readyTask(scene.context, { task: other.task });
  rmSync(other.path, { recursive: true });
  expect((await scene.harvest(other.task))[0]?.outcome).toBe("landed");
  expect(scene.log()).toEqual(["base", "ready", "what was ready"]);
  expect(scene.stage.git(scene.stage.origin, "branch", "--list", branch)).not.toBe("");
});

test("work that was called ready outlives the repository it came from, too", async () => {
  const { scene } = here;
  const { task, path } = await scene.begun();
  scene.stage.commit(path, { "x.txt": "1" }, "work");
  rmSync(scene.stage.source, { recursive: true });
  await readyTask(scene.context, { task });
  rmSync(path, { recursive: true });
  expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  expect(readdirSync(scene.context.machine.bundles)).toEqual([]);
});

test("cut off anywhere while work is called ready, it is not ready; said again, it is, and lands once", async () => {
  const { scene } = here;
  for (const cut of ["ready.noted", "ready.kept"]) {
    const { task, path } = await scene.begun(cut);
    scene.stage.commit(path, { [cut]: "1" }, cut);
    scene.step = (name) => {
      if (name === cut) throw new Error("as if killed");
    };
    expect(await throwing(readyTask(scene.context, { task }))).toThrow("as if killed");
    scene.step = () => {};
    expect(await scene.state(task)).toBe("in_progress");
    await readyTask(scene.context, { task });
    rmSync(path, { recursive: true });
    expect((await scene.harvest(task))[0]?.outcome).toBe("landed");
  }
  expect(scene.log()).toEqual(["base", "ready.noted", "ready.kept"]);
  expect(kept()).toEqual([]);
});
