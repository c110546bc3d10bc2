import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../test/kit/databases.ts";
import type { LoopParts } from "./loop-parts.ts";
import { workspacesLoop } from "./workspaces-loop.ts";

const here = withStore(sqliteScene);

test("what happens to tasks is followed once it has settled, in one round for all of it, and not after the end", async () => {
  const { store, clock } = here;
  const loop = workspacesLoop({ store, clock, log: () => {} } as unknown as LoopParts);
  let rounds = 0;
  loop.begin?.(() => rounds++);
  const happens = (type: string): Promise<unknown> => store.write((tx) => tx.record({ type, actor: "test" }));
  await happens("agent.seen-changed");
  expect(clock.sleeping).toBe(0);
  await happens("task.dispatched");
  await happens("task.workspace_made");
  expect({ rounds, sleeping: clock.sleeping }).toEqual({ rounds: 0, sleeping: 1 });
  clock.advance(500);
  await Promise.resolve();
  expect({ rounds, sleeping: clock.sleeping }).toEqual({ rounds: 1, sleeping: 0 });
  await happens("task.harvested");
  expect(clock.sleeping).toBe(1);
  await loop.end?.();
  await happens("task.closed");
  expect({ rounds, sleeping: clock.sleeping }).toEqual({ rounds: 1, sleeping: 0 });
});
