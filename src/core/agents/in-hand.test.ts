// An agent may have several tasks; every screen names all of them.

import { expect, test } from "bun:test";
import { withTasks } from "../tasks/tasks.suite.ts";
import { createTask } from "../tasks/create.ts";
import { listAgents, lookAtStatusNow } from "./queries.ts";

const here = withTasks();

/** Tasks of these agents, in these states. */
async function given(...tasks: readonly (readonly [agent: string, state: string])[]): Promise<void> {
  const { context, stage } = here.scene;
  const about = { priority: "P2", root: stage.top, repositories: [stage.source], scope: [], after: [] };
  for (const [agent, state] of tasks) {
    const { number } = await createTask(context, { ...about, title: "a task" });
    await context.store.write((tx) =>
      tx.db.updateTable("tasks").set({ agent, state }).where("number", "=", number).execute(),
    );
  }
}

test("an agent names every task that it has in hand, and none that is ready, over or another's", async () => {
  const { scene } = here;
  await scene.see("agent1", "idle");
  await scene.see("agent2", "idle");
  await given(["agent1", "in_progress"], ["agent2", "in_progress"], ["agent1", "needs_review"]);
  await given(["agent1", "ready"], ["agent1", "closed"], ["agent2", "queued"]);
  expect((await listAgents(scene.context)).agents.map((one) => [one.agent, ...one.tasks])).toEqual([
    ["agent1", 1, 3],
    ["agent2", 2],
  ]);
  expect((await lookAtStatusNow(scene.context)).agents.map((one) => one.tasks)).toEqual([[1, 3], [2]]);
});
