// Whatever a kill or a full disk leaves between two states ends, after a restart and without one, and nothing is lost by it.

import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemLiveness } from "../../../host/process/liveness.ts";
import { Outage } from "../../../protocol/errors.ts";
import { createTask } from "../create.ts";
import { recoverWorkspaces, sweepWorkspaces } from "./recover-workspaces.ts";
import type { TaskContext } from "../task-context.ts";
import { withTasks } from "../tasks.suite.ts";
import { cloneWorkspace, removeWorkspace, restoreWorkspace } from "./workspace.ts";

const here = withTasks();
beforeEach(() => void here.scene.gone.add(nobody));

const [namespace] = systemLiveness.self().token.split("-");
const nobody = "nobody";
const beside = (task: number, ...more: string[]): string =>
  join(here.scene.stage.top, "workspaces", String(task), ...more);
const quiet = (): void => {};

async function row(): Promise<{ state: string; holder: string | null; rescue: string | null } | undefined> {
  const query = here.scene.context.store.db.selectFrom("workspaces").select(["state", "holder", "rescue"]);
  return await query.orderBy("created_ms", "desc").executeTakeFirst();
}

async function leave(
  change: { state: string; holder: string | null; removing_ms?: number },
  task?: number,
): Promise<void> {
  await here.scene.context.store.write((tx) => {
    const update = tx.db.updateTable("workspaces").set(change);
    return (task === undefined ? update : update.where("task", "=", task)).execute();
  });
}

const clone = (task: number) => cloneWorkspace(here.scene.context, { task, fetch: false });

describe("a workspace that was left", () => {
  test("making, with nothing there: it can be made again at once", async () => {
    const { task } = await here.scene.begun();
    renameSync(beside(task, "repo"), beside(task, `.making-repo-999999999-${namespace}-1`));
    await leave({ state: "making", holder: nobody });
    await recoverWorkspaces(here.scene.context, quiet);
    expect([await row(), readdirSync(beside(task))]).toEqual([undefined, expect.not.arrayContaining(["repo"])]);
    expect((await clone(task)).workspace.state).toBe("ready");
  });

  test("making by this very process, which could not even note that it gave up: the next dispatch goes on", async () => {
    await here.scene.begun();
    await leave({ state: "making", holder: here.scene.context.machine.holder });
    await recoverWorkspaces(here.scene.context, quiet);
    expect(await row()).toMatchObject({ state: "ready", holder: null });
  });

  test("removing, before anything was saved: it stands again with all that is in it", async () => {
    const { task } = await here.scene.begun();
    writeFileSync(beside(task, "repo/mine.txt"), "mine");
    renameSync(beside(task, "repo"), beside(task, ".removing-repo"));
    await leave({ state: "removing", holder: nobody, removing_ms: 1_800_000_000_000 });
    await recoverWorkspaces(here.scene.context, quiet);
    expect(await row()).toMatchObject({ state: "ready", holder: null });
    expect(existsSync(beside(task, "repo/mine.txt"))).toBe(true);
  });

  test("removing, when all was saved and half deleted: it is removed, and comes back whole", async () => {
    const { task } = await here.scene.begun();
    writeFileSync(beside(task, "repo/mine.txt"), "mine");
    const { context } = here.scene;
    const { machine } = context;
    const step = (name: string): void => {
      if (name === "remove.partly") throw new Outage("delete", "a file", "killed");
    };
    const cut = { ...context, machine: { ...machine, step, workspaces: { ...machine.workspaces, settle: never } } };
    await removeWorkspace(cut, { task, with_ignored: false }).catch(quiet);
    expect(await row()).toMatchObject({ state: "removing" });
    await recoverWorkspaces(here.scene.context, quiet);
    expect(await row()).toMatchObject({
      state: "removed",
      rescue: expect.stringContaining("ref:refs/constel/rescue/"),
    });
    expect(existsSync(beside(task, ".removed-repo"))).toBe(false);
    await restoreWorkspace(here.scene.context, { task });
    expect(existsSync(beside(task, "repo/mine.txt"))).toBe(true);
  });

  test("restoring: it is removed as before, and what it was restored from is still there", async () => {
    const { task } = await here.scene.begun();
    await removeWorkspace(here.scene.context, { task, with_ignored: false });
    mkdirSync(beside(task, ".restoring-repo"));
    await leave({ state: "restoring", holder: nobody });
    await recoverWorkspaces(here.scene.context, quiet);
    expect(await row()).toMatchObject({ state: "removed", holder: null });
    expect(existsSync(beside(task, ".restoring-repo"))).toBe(false);
    await restoreWorkspace(here.scene.context, { task });
    expect(await row()).toMatchObject({ state: "ready" });
  });

  test("to somebody who is at it: it is left alone", async () => {
    await here.scene.begun();
    const { id } = await here.scene.context.store.db.selectFrom("workspaces").select("id").executeTakeFirstOrThrow();
    here.scene.context.machine.inHand.add(id);
    await leave({ state: "removing", holder: here.scene.context.machine.holder });
    await recoverWorkspaces(here.scene.context, quiet);
    expect(await row()).toMatchObject({ state: "removing" });
  });
});

/** The same constellation, whose database takes in everything of one write and then cannot keep it: the disk is full. */
function fullAt(failing: number): { readonly context: TaskContext; readonly hasFailed: () => boolean } {
  const { context } = here.scene;
  let writes = 0;
  const store = new Proxy(context.store, {
    get: (target, key) => {
      if (key !== "write") return Reflect.get(target, key) as unknown;
      const write: typeof target.write = (job) =>
        target.write(async (tx) => {
          const answer = await job(tx);
          if (++writes === failing) throw new Outage("write", "the database", "the disk is full");
          return answer;
        });
      return write;
    },
  });
  return { context: { ...context, store }, hasFailed: () => writes >= failing };
}

describe("whichever write of a verb finds the disk full, nobody holds the workspace afterwards, and it comes to an end", () => {
  const verbs: Readonly<Record<string, (context: TaskContext, task: number) => Promise<unknown>>> = {
    clone: (context, task) => cloneWorkspace(context, { task, fetch: false }),
    "clone again, after one that was cut off": async (context, task) => {
      await clone(task);
      await leave({ state: "making", holder: nobody }, task);
      await cloneWorkspace(context, { task, fetch: false });
    },
    rm: async (context, task) => {
      await clone(task);
      await removeWorkspace(context, { task, with_ignored: false });
    },
    restore: async (context, task) => {
      await clone(task);
      await removeWorkspace(here.scene.context, { task, with_ignored: false });
      await restoreWorkspace(context, { task });
    },
  };
  for (const [name, run] of Object.entries(verbs)) {
    test(name, async () => {
      const failed: number[] = [];
      for (let failing = 1; failing <= 6; failing++) {
        const { stage } = here.scene;
        const about = { priority: "P2", root: stage.top, repositories: [stage.source], scope: [], after: [] };
        const { number: task } = await createTask(here.scene.context, { ...about, title: `${name} ${failing}` });
        const { context, hasFailed } = fullAt(failing);
        await run(context, task).catch(quiet);
        expect([name, failing, [...context.machine.inHand]]).toEqual([name, failing, []]);
        await recoverWorkspaces(here.scene.context, quiet);
        const states = await here.scene.context.store.db
          .selectFrom("workspaces")
          .select("state")
          .where("task", "=", task)
          .execute();
        expect(states.filter(({ state }) => state !== "ready" && state !== "removed")).toEqual([]);
        if (!hasFailed()) break;
        failed.push(failing);
      }
      expect(failed.length).toBeGreaterThan(1);
    });
  }
});

test("clones of processes that were killed are swept, those of a living one are not", async () => {
  const { task } = await here.scene.begun();
  for (const name of [
    ".making-repo-999999999",
    `.making-repo-999999999-${namespace}-1`,
    ".removed-old",
    ".making-repo-1-0-1",
  ])
    mkdirSync(beside(task, name, "deep"), { recursive: true });
  await sweepWorkspaces(here.scene.context, quiet);
  expect(readdirSync(beside(task)).filter((name) => name.startsWith(".m") || name.startsWith(".r"))).toEqual([
    ".making-repo-1-0-1", // of another namespace, where nothing is known of process 1
  ]);
});

const never = (): Promise<boolean> => Promise.reject(new Outage("write", "the disk", "no space left"));
