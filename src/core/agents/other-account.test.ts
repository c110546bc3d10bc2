// Who goes on with which account, on both databases.

import { expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import type { AgentSighting } from "./agent.ts";
import { noteMove } from "./note-move.ts";
import { dueForAnotherAccount } from "./other-account.ts";
import { seeAgents } from "./see.ts";

const hourMs = 3_600_000;
const accounts = [
  { name: "second", runtime: "claude" },
  { name: "third", runtime: "claude" },
  { name: "second", runtime: "codex" },
];

onEachDatabase("agents at their limits", (makeScene) => {
  const here = withStore(makeScene);
  const see = (agent: string, more: Partial<AgentSighting> & { readonly limitMs?: number }): Promise<void> => {
    const { limitMs, ...rest } = more;
    const state = limitMs === undefined ? ("idle" as const) : ("limited" as const);
    const until = limitMs === undefined ? {} : { untilMs: here.clock.nowMs() + limitMs };
    const seen = { state, on: "hooks" as const, says: "", ...until };
    const usual = { role: "clone", runtime: "claude", wanted: "up" as const, launchedMs: 1, because: "up", cwd: "/w" };
    return seeAgents(here.store, [{ agent, ...usual, mailHeld: null, seen, ...rest }]);
  };
  const due = async (): Promise<string[]> => {
    const context = { store: here.store, clock: here.clock, constellation: "constel0" };
    const found = await dueForAnotherAccount(context, accounts);
    return found.map(({ agent, from, to, isWorker }) => `${agent}: ${from} to ${to}${isWorker ? ", a worker" : ""}`);
  };

  test("the next in the owner's order that nobody has met at its limit; where none is left, they wait", async () => {
    await see("agent1", { limitMs: hourMs });
    await see("agentwone", { limitMs: hourMs, role: "worker" });
    await see("agent3", { limitMs: hourMs, runtime: "codex" });
    expect(await due()).toEqual([
      "agent1: usual to second",
      "agent3: usual to second",
      "agentwone: usual to second, a worker",
    ]);
    await see("agent1", { limitMs: hourMs, account: "second", launchedMs: 2 });
    expect(await due()).toEqual([
      "agent1: second to third",
      "agent3: usual to second",
      "agentwone: usual to third, a worker",
    ]);
    await see("agent1", { limitMs: 2 * hourMs, account: "third", launchedMs: 3 });
    expect(await due()).toEqual(["agent3: usual to second"]);
    // The first ones have lifted, and the third has not.
    here.clock.advance(hourMs + 1);
    expect(await due()).toEqual(["agent1: third to usual"]);
  });

  test("a limit that soon lifts is waited for; so does whoever is wanted down, a guest, the watchdog, and a program of one account", async () => {
    await see("agent1", { limitMs: 9 * 60_000 });
    await see("agent2", { limitMs: hourMs, wanted: "down" });
    await see("agentinfinity", { limitMs: hourMs, role: "watchdog" });
    await see("agentg0123456789ab", { limitMs: hourMs, role: "guest", wanted: "nothing" });
    await see("agent5", { limitMs: hourMs, runtime: "opencode" });
    await see("agent6", {});
    expect(await due()).toEqual([]);
  });

  test("the timeline says who went on with what", async () => {
    await noteMove(here.store, { agent: "agent1", from: "usual", to: "second", launchedMs: 1, isWorker: false });
    const rows = await here.store.db.selectFrom("events").select(["type", "subject", "data"]).execute();
    expect(rows.map(({ type, subject }) => [type, subject])).toEqual([["agent.account-changed", "agent:agent1"]]);
    expect(JSON.parse(String(rows[0]?.data))).toEqual({ from: "usual", to: "second" });
  });
});
