// How agents fare, from the database: what they have in hand, its scope, and who gave it.

import { expect, test } from "bun:test";
import { join } from "node:path";
import type { HookRecord } from "../../ports/runtime.ts";
import { listAttention } from "../attention/attention.ts";
import { listAgents } from "../agents/queries.ts";
import { withTasks } from "../tasks/tasks.suite.ts";
import { noteNeeds } from "./note-needs.ts";
import { healthNeeds, tellGivers } from "./health-needs.ts";

const here = withTasks();
const rules = { repeats: 3, turns: 2, contextTokens: 100 };

async function atWork(agent: string, scope: readonly string[] = []): Promise<string> {
  const { scene } = here;
  const place = await scene.atWork(agent);
  const { store } = scene.context;
  await store.write(async (tx) => {
    await tx.db.updateTable("dispatches").set({ state: "delivered", delivered_ms: scene.clock.nowMs() }).execute();
    await tx.db
      .updateTable("tasks")
      .set({ scope: JSON.stringify(scope) })
      .execute();
  });
  await scene.see(agent, "busy");
  return place;
}

const needs = async (hooks: readonly HookRecord[]) => {
  const { context } = here.scene;
  return await healthNeeds(context, (await listAgents(context)).agents, rules, () => hooks);
};

test("signs of an agent at work are needs, one for each kind, and its row in agents says them until they pass", async () => {
  const place = await atWork("agent3", ["src/", "README.md"]);
  const { context, clock } = here.scene;
  const edit = (file: string): HookRecord => ({
    event: "tool-ended",
    at: clock.nowMs(),
    session: "s",
    tool: "Edit",
    file: join(place, file),
  });
  expect(await needs([edit("src/deep/a.ts"), edit("README.md")])).toEqual([]);
  const found = await needs([edit("docs/b.md"), edit("docs/b.md")]);
  expect(found).toMatchObject([
    {
      key: "out-of-scope:agent3",
      kind: "out-of-scope",
      says: "agent3 has edited what task 1 does not name: docs/b.md",
      next: "constel agent show agent3",
    },
  ]);
  await noteNeeds(context, found);
  const rows = async () => (await listAgents(context)).agents.map(({ health }) => health.map(({ kind }) => kind));
  expect(await rows()).toEqual([["out-of-scope"]]);
  const { rows: needed } = await listAttention(context, { snoozed: false, limit: 50 });
  expect(needed.map(({ kind }) => kind)).toContain("out-of-scope");
  await noteNeeds(context, []);
  expect(await rows()).toEqual([[]]);
});

test("what its last answer read fills its context, of this launch only", async () => {
  await atWork("agent3");
  const { context, clock } = here.scene;
  const about = { constellation: "constel0", agent: "agent3", session_id: null, model: "m", output: 1 };
  const none = { task: null, account: null };
  await context.store.write(async (tx) => {
    const usage = { ...about, input: 10, cache_read: 80, cache_write: 10, cost_micros: null };
    await tx.insert("token_usage", { ...usage, ...none, id: "a", at_ms: clock.nowMs() });
  });
  expect(await needs([])).toMatchObject([{ kind: "context-full" }]);
  await context.store.write(async (tx) => {
    const usage = { ...about, input: 10, cache_read: 0, cache_write: 0, cost_micros: null };
    await tx.insert("token_usage", { ...usage, ...none, id: "b", at_ms: clock.nowMs() + 1 });
  });
  expect(await needs([])).toEqual([]);
});

test("an agent that gave work to one that fell silent is told once for each stop; the owner, who gave it, is told otherwise", async () => {
  await atWork("agent3");
  const { context } = here.scene;
  const put: string[] = [];
  const deliver = {
    put: ({ id, to, text }: { id: string; to: string; text: string }) => void put.push(`${to} ${id} ${text}`),
  };
  const told = new Set<string>();
  const stopped = (key: string) => ({
    key,
    kind: "stopped",
    agent: "agent3",
    says: "agent3 stopped without saying that task 1 is ready",
    since_ms: 1,
    next: "",
  });
  await tellGivers(context, [stopped("stopped:agent3:1")], deliver, told);
  expect(put).toEqual([]);
  await context.store.write((tx) =>
    tx.db.updateTable("task_events").set({ actor: "agent0" }).where("type", "=", "dispatched").execute(),
  );
  for (const key of ["stopped:agent3:2", "stopped:agent3:2", "stopped:agent3:3"])
    await tellGivers(context, [stopped(key)], deliver, told);
  expect(put.map((one) => one.split(" ").slice(0, 2).join(" "))).toEqual([
    "agent0 silent:1:stopped:agent3:2",
    "agent0 silent:1:stopped:agent3:3",
  ]);
  expect(put[0]).toContain("has fallen silent: agent3 stopped without saying");
});
