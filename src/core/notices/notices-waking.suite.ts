// An idle agent whose hooks have no reason to run is woken by one message, when it is the one that has to act.

import { expect, test } from "bun:test";
import type { AgentSighting } from "../agents/agent.ts";
import type { NoticesGround } from "./notices-ground.suite.ts";
import { collision, type NoticesScene } from "./notices-scene.suite.ts";

const state = (name: "idle" | "busy" | "limited"): AgentSighting["seen"] => ({ state: name, on: "hooks", says: "" });

export function wakingSuite({ here, testOnce, begun, listed }: NoticesGround): void {
  async function idlers(...names: string[]): Promise<NoticesScene> {
    const at = await begun(names);
    for (const name of names) await at.launch(`agent${name}`, undefined, { seen: state("idle") });
    return at;
  }
  const later = async (at: NoticesScene, ms = 5_000): Promise<void> => {
    here.clock.advance(ms);
    await at.rounds();
  };
  const woken = (at: NoticesScene): string[] => at.sent.map(({ agent }) => agent);

  test("of two idle agents whose work collides, the one that lands later is woken after some seconds, once", async () => {
    const at = await idlers("a", "b");
    await at.see([["a", "b", [collision("x"), collision("y")]]]);
    await at.rounds();
    await later(at, 4_000);
    expect(woken(at)).toEqual([]);
    await later(at, 1_000);
    expect(woken(at)).toEqual(["agentb"]);
    expect(at.sent[0]?.text).toContain("both change the same lines of x");
    expect(at.sent[0]?.text).toContain("both change the same lines of y");
    // It is said nowhere else while the message is under way, and the other side hears at its next prompt as ever.
    expect(at.desk.items("agentb")).toEqual([]);
    expect(at.desk.items("agenta").length).toBeGreaterThan(0);
    for (let round = 0; round < 5; round++) await later(at, 60_000);
    expect(woken(at)).toEqual(["agentb"]);
    expect(await listed(at, "agentb")).toMatchObject([{ state: "waiting" }, { state: "waiting" }]);
  });

  testOnce("a hook that is faster tells it, and nobody is woken", async () => {
    const at = await idlers("a", "b");
    await at.see([["a", "b", [collision("x")]]]);
    await at.rounds();
    const items = at.desk.takeUp("agentb", "prompt");
    await later(at);
    expect(woken(at)).toEqual([]);
    await at.prove("agentb", items);
    await later(at);
    expect(woken(at)).toEqual([]);
  });

  testOnce("nobody is woken for what is not high, is over, or while it works or cannot be reached", async () => {
    const at = await idlers("a", "b");
    await at.see([["a", "b", [collision("x", { severity: "medium" })]]]);
    await at.rounds();
    await later(at);
    for (const name of ["busy", "limited"] as const) {
      await at.launch("agentb", undefined, { seen: state(name) });
      await at.see([["a", "b", [collision("x"), collision(name)]]]);
      await at.rounds();
      await later(at);
    }
    await at.launch("agentb", undefined, { seen: state("idle"), role: "guest", wanted: "nothing" });
    await later(at);
    await at.see([["a", "b", []]]);
    await at.launch("agentb", undefined, { seen: state("idle") });
    await later(at);
    expect(woken(at)).toEqual([]);
  });

  testOnce("who is ready later is woken, whatever its task's number", async () => {
    const at = await idlers("a", "b");
    const task = (number: number, name: string, ready_ms: number) => ({
      constellation: "constel0",
      number,
      title: name,
      directive: "",
      state: "ready",
      priority: "P2",
      brief: null,
      agent: `agent${name}`,
      root: "/root",
      repository: null,
      repositories: "[]",
      target: null,
      branch: null,
      scope: "[]",
      estimate_ms: null,
      actual_ms: null,
      landed_sha: null,
      ready_sha: null,
      reason: null,
      source_key: null,
      evidence: null,
      land_by: null,
      created_by: "owner",
      created_ms: 0,
      updated_ms: 0,
      started_ms: 0,
      ready_ms,
      closed_ms: null,
    });
    await here.store.write(async (tx) => {
      await tx.insert("tasks", task(1, "a", 2_000));
      await tx.insert("tasks", task(2, "b", 1_000));
      for (const [id, number, name] of [
        ["w1", 1, "a"],
        ["w2", 2, "b"],
      ] as const)
        await tx.insert("workspaces", {
          id,
          constellation: "constel0",
          task: number,
          name,
          path: `/w/${name}`,
          state: "ready",
          holder: null,
          root: "/root",
          place: "",
          source: "",
          origin: "",
          target: "main",
          branch: name,
          base_sha: "",
          port_first: 0,
          port_count: 0,
          rescue: null,
          kept_ms: null,
          ready_sha: null,
          problem: null,
          created_ms: 0,
          removing_ms: null,
          removed_ms: null,
        });
    });
    await at.see([["a", "b", [collision("x")]]]);
    await at.rounds();
    await later(at);
    expect(woken(at)).toEqual(["agenta"]);
  });
}
