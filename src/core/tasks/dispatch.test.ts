import { expect, test } from "bun:test";
import type { Delivery } from "../../protocol/deliver.ts";
import { createTask } from "./create.ts";
import { dispatchTask } from "./dispatch.ts";
import { showTask } from "./look.ts";
import { withTasks } from "./tasks.suite.ts";
import { removeWorkspace, restoreWorkspace } from "./workspace.ts";

const here = withTasks();

async function create(scope: string[] = []): Promise<number> {
  const { scene } = here;
  const about = { title: "a task", priority: "P2", root: scene.stage.top, repository: scene.stage.source, after: [] };
  return (await createTask(scene.context, { ...about, scope })).number;
}

const wish = (task: number, more: object = {}) => ({
  task,
  to_workspace: false,
  fetch: false,
  dry_run: false,
  ...more,
});

test("with nobody free a task is queued, once; freed, the agent gets workspace, branch and brief", async () => {
  const { scene } = here;
  const given: Delivery[] = [];
  let free: string | undefined;
  scene.deliver = { free: async () => free, give: async (delivery) => (given.push(delivery), "delivered") };
  const task = await create();
  expect((await dispatchTask(scene.context, wish(task))).delivery).toBe("queued");
  expect((await dispatchTask(scene.context, wish(task))).delivery).toBe("queued");
  expect(await scene.events(task)).toEqual(["created", "queued"]);
  free = "agent1";
  const done = await dispatchTask(scene.context, wish(task));
  expect(done).toMatchObject({ delivery: "delivered", agent: "agent1", state: "in_progress" });
  expect(given).toMatchObject([{ task, agent: "agent1", workspace: done.workspace, fencingToken: 1 }]);
  expect(scene.stage.git(done.workspace ?? "", "branch", "--show-current").trim()).toBe(done.branch ?? "");
});

test("of two dispatches at once one is refused, and the work goes out once", async () => {
  const { scene } = here;
  let count = 0;
  scene.deliver = { free: async () => "agent1", give: async () => ((count += 1), "delivered") };
  const task = await create();
  await dispatchTask(scene.context, wish(task, { dry_run: true }));
  const outcomes = await Promise.allSettled([
    dispatchTask(scene.context, wish(task)),
    dispatchTask(scene.context, wish(task)),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(count).toBe(1);
});

test("a delivery that is not proven is called unknown, and the task is not given to a second agent", async () => {
  const { scene } = here;
  scene.deliver = { free: async () => "agent1", give: async () => "unknown" };
  const task = await create();
  expect((await dispatchTask(scene.context, wish(task))).delivery).toBe("unknown");
  expect((await showTask(scene.context, { task })).dispatches).toMatchObject([{ agent: "agent1", state: "unknown" }]);
  expect(dispatchTask(scene.context, wish(task))).rejects.toMatchObject({ code: "task.not-allowed" });
});

test("work in flight on the same paths is named", async () => {
  const { scene } = here;
  const first = await create(["src/orders"]);
  await dispatchTask(scene.context, wish(first, { to_workspace: true }));
  const second = await create(["src/orders/list.ts"]);
  const answer = await dispatchTask(scene.context, wish(second, { to_workspace: true, dry_run: true }));
  expect(answer.notes).toContain(`task ${first} works on src/orders/list.ts too`);
});

test("two removals at once: one does it, the other is told that it is under way; nothing is lost", async () => {
  const { scene } = here;
  const { task, path } = await scene.begun();
  scene.stage.write(path, { "untracked.txt": "u" });
  const removal = (): Promise<unknown> => removeWorkspace(scene.context, { task, with_ignored: false });
  const outcomes = await Promise.allSettled([removal(), removal()]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await restoreWorkspace(scene.context, { task });
  expect(await Bun.file(`${path}/untracked.txt`).text()).toBe("u");
});
