// A worktree that is moved to another directory: the work is the same, and so is what it collides with.

import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { dismissFinding } from "../findings/dismiss.ts";
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
  expect(await ended.execute()).toEqual([{ closed_because: "moved to /elsewhere/b: worktree /w/b" }]);
});

test("what was dismissed follows a worktree that is moved, also when its pairs are looked at later; over, it is forgotten", async () => {
  for (const scope of ["finding", "pair"] as const) {
    const at = await begunScene(here, ["a", "b"]);
    at.places = {};
    const states = async (): Promise<string[]> => {
      const rows = await here.store.db.selectFrom("findings").select(["state", "pair"]).orderBy("id").execute();
      return rows.filter(({ pair }) => pair.includes(at.places["b"] ?? "/w/b")).map(({ state }) => state);
    };
    const dismissals = async (): Promise<number> =>
      (await here.store.db.selectFrom("dismissals").select("id").execute()).length;
    await at.see([["a", "b", [collision("x")]]]);
    const { id } = await here.store.db
      .selectFrom("findings")
      .select("id")
      .where("state", "=", "open")
      .executeTakeFirstOrThrow();
    await dismissFinding(at.context, { id, reason: "agreed", scope });
    for (const place of [`/elsewhere/${scope}`, `/further/${scope}`]) {
      at.places = { b: place };
      await at.see([]);
      expect([await states(), await dismissals()]).toEqual([[], 1]);
      await at.see([["a", "b", [collision("x")]]]);
      expect([await states(), await dismissals()]).toEqual([["dismissed"], 1]);
    }
    const alone = await begunScene(here, ["a"]);
    await alone.see([]);
    expect([await states(), await dismissals()]).toEqual([["closed"], 0]);
  }
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
