// Messages reach agents, with proof: stories on the real program, real tmux and script agents.

import { describe, expect, test } from "bun:test";
import { deliverySteps } from "../src/daemon/agents/delivery-steps.ts";
import { until } from "./kit/home.ts";
import { ScriptAgents } from "./kit/script-agents.ts";

const stateOf = async (at: ScriptAgents, id: string): Promise<Record<string, unknown>> =>
  (await at.query(`select state, because from messages where message_id = '${id}'`))[0] ?? {};

const delivered = (at: ScriptAgents, id: string) =>
  until(
    `${id} is delivered`,
    () => stateOf(at, id),
    ({ state }) => state === "delivered",
  );

const seenAs = (at: ScriptAgents, agent: string, wanted: string) =>
  until(
    `${agent} is seen ${wanted}`,
    async () => (await at.query(`select state, evidence, mail_held from clones_now where agent = '${agent}'`))[0],
    (row) => row?.["state"] === wanted,
  );

describe("messages to agents", () => {
  test("reach an idle agent and a busy one, in order, with the agent's own proof", async () => {
    await using at = new ScriptAgents();
    await at.start("agent1");
    await at.daemon("start");
    await seenAs(at, "agent1", "idle");
    const first = await at.send("agent1", "please stay busy for a while");
    expect((await delivered(at, first))["because"]).toBe("line, by acknowledgement");
    await seenAs(at, "agent1", "busy");
    const second = await at.send("agent1", "while you were busy");
    const third = await at.send("agent1", "and one more");
    at.free("agent1");
    await delivered(at, third);
    expect(at.heard("agent1").map(({ id }) => id)).toEqual([first, second, third]);
    expect(at.heard("agent1")[1]?.text).toContain("| while you were busy");
  });

  test("sent while the daemon was down are delivered after its start", async () => {
    await using at = new ScriptAgents();
    await at.start("agent1");
    const ids = [await at.send("agent1", "one"), await at.send("agent1", "two")];
    expect(at.heard("agent1")).toEqual([]);
    await at.daemon("start");
    for (const id of ids) await delivered(at, id);
    expect(at.heard("agent1").map(({ id }) => id)).toEqual(ids);
  });
});
