// A worktree that is moved to another directory: the work is the same, and so is what it collides with.

import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { begunScene, collision, newsOrOver } from "./notices-scene.suite.ts";

const here = withStore(sqliteScene);

test("nobody is told that a collision is over because a worktree was moved; it goes on with the agent that works there", async () => {
  const at = await begunScene(here, ["a", "b"]);
  await at.see([["a", "b", [collision("x")]]]);
  await at.rounds();
  for (const agent of ["agenta", "agentb"]) expect(newsOrOver(await at.tell(agent))).toEqual(["news"]);
  at.places = { b: "/elsewhere/b" };
  await at.see([["a", "b", [collision("x")]]]);
  await at.rounds();
  const heard = await at.tell("agenta");
  expect(newsOrOver(heard)).toEqual(["news"]);
  expect(heard[0]?.text).toContain("with: agentb on branch b");
  expect(newsOrOver(await at.tell("agentb"))).toEqual(["news"]);
  const ended = here.store.db.selectFrom("findings").select("closed_because").where("state", "=", "closed");
  expect(await ended.execute()).toEqual([{ closed_because: "worktree /w/b moved to /elsewhere/b" }]);
});

test("a worktree that comes with other work takes nothing over: what is gone is over", async () => {
  const at = await begunScene(here, ["a", "b"]);
  await at.see([["a", "b", [collision("x")]]]);
  await at.rounds();
  expect(newsOrOver(await at.tell("agenta"))).toEqual(["news"]);
  const other = await begunScene(here, ["a", "c"]);
  await other.see([["a", "c", []]]);
  await at.rounds();
  expect(newsOrOver(await at.tell("agenta"))).toEqual(["over"]);
});
