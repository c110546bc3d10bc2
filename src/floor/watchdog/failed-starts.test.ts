// Starts that come to nothing: by the program itself, by a conversation that it does not take up, by the machine. On a machine in memory.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { up } from "../agents/up.ts";
import { readLaunch } from "../agents/launch-files.ts";
import { Outage } from "../../protocol/errors.ts";
import { readStartFailures } from "../markers/start-failures.ts";
import { allHandoffs, pendingHandoffs } from "../restart/handoff-files.ts";
import { restartStatuses } from "../restart/restart-status.ts";
import { messagesOf, moving, watched, type Watched, withClones } from "./watchdog.suite.ts";
import { hasMarker } from "../markers/marker-files.ts";
import { markers } from "../markers/markers.ts";

describe("a program that cannot start", () => {
  /** It ends with an error before it shows any life. */
  async function refuses(here: Watched, minutes: number): Promise<number> {
    let starts = 0;
    for (let minute = 0; minute < minutes; minute++) {
      here.clock.advance(60_000);
      await here.tick();
      starts += here.asked.length;
      here.states.set("agent1", "starting");
      for (const order of here.asked.splice(0)) {
        const made = moving(
          here.clock,
          (await import("../restart/restart-agents.ts")).restartAgents(here.steps, order),
        );
        while (!(await here.terminals.list()).some(({ name, dead }) => name === "agent1" && !dead))
          await new Promise((resolve) => setImmediate(resolve));
        here.terminals.exit("agent1", 1, "cannot be used with root privileges");
        await made;
      }
    }
    return starts;
  }

  test("is tried once more, then seldom; its own words are kept; one page; no quarantine", async () => {
    const here = watched();
    await up(here.ports, { clones: 1 }, async () => {});
    here.terminals.exit("agent1", 1, "cannot be used with root privileges");
    expect(await refuses(here, 9)).toBe(1);
    expect(readStartFailures(here.home, "agent1")).toMatchObject({
      count: 2,
      says: "ended with status 1: cannot be used with root privileges",
    });
    expect(here.pages).toMatchObject([{ subject: "agent1 cannot start" }]);
    expect(await refuses(here, 35)).toBe(2);
    expect(here.pages).toHaveLength(1);
    expect(hasMarker(here.home, markers.crashloop("agent1"))).toBe(false);
  });

  test("leaves nothing for the next one to be told, and keeps what the one before it had in hand", async () => {
    const here = await withClones(1);
    here.terminals.exit("agent1", 137);
    await refuses(here, 2);
    expect(allHandoffs(here.home).map(({ state }) => state)).toEqual(["archived", "pending"]);
    const kept = pendingHandoffs(here.home);
    // Somebody mends it and starts it by hand.
    here.states.set("agent1", "idle");
    here.clock.advance(60_000);
    await up(here.ports, { clones: 1 }, async () => {});
    await here.tick();
    const messages = await messagesOf(here, "agent1");
    expect(messages.map(({ kind }) => kind)).toEqual(["handoff"]);
    expect(messages[0]?.text).toContain("ended with status 137");
    expect(
      kept.every(({ name }) => allHandoffs(here.home).some((one) => one.name === name && one.state === "archived")),
    ).toBe(true);
  });

  test("because it is gone from the machine is not even tried, and comes back when it is there again", async () => {
    const here = await withClones(1);
    here.installed.delete("alpha");
    here.terminals.exit("agent1", 1);
    await here.tick();
    await here.restart();
    expect(readStartFailures(here.home, "agent1")?.says).toContain("alpha is not on the PATH");
    await here.minutes(5);
    expect(here.pages).toMatchObject([{ subject: "agent1 cannot start" }]);
    expect(here.asked).toEqual([]);
    here.installed.add("alpha");
    await here.minutes(6);
    await here.restart();
    await here.tick();
    expect(readStartFailures(here.home, "agent1")).toBeUndefined();
    expect((await here.tick()).missing).toEqual([]);
  });
});

describe("a conversation that its program does not take up", () => {
  /** Restarts during which each program is handled as `handle` says, as soon as it runs. */
  async function restartWhile(here: Watched, handle: (agent: string, resumes: boolean) => void): Promise<void> {
    const state = { isDone: false };
    const done = here.restart().finally(() => (state.isDone = true));
    while (!state.isDone) {
      for (const { name, dead } of await here.terminals.list())
        if (!dead && /^agent[1-9]$/.test(name)) handle(name, readLaunch(here.home, name)?.launch.resume !== undefined);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
  }

  async function crashed(clones: number): Promise<Watched> {
    const here = await withClones(clones);
    const transcript = join(here.home, "transcript.jsonl");
    writeFileSync(transcript, "{}\n");
    for (let clone = 1; clone <= clones; clone++) {
      here.conversations.set(`agent${clone}`, { id: `old-${clone}`, transcript });
      here.states.set(`agent${clone}`, "starting");
      here.terminals.exit(`agent${clone}`, 137);
    }
    await here.tick();
    return here;
  }

  test("is followed by a new one in the same restart, with the handoff; all of them, when there are several", async () => {
    const here = await crashed(3);
    await restartWhile(here, (agent, resumes) => {
      if (resumes)
        here.terminals.exit(agent, 42, "Error resuming session: No previous sessions found for this project.");
      else here.states.set(agent, "idle");
    });
    for (const agent of ["agent1", "agent2", "agent3"]) {
      expect(readLaunch(here.home, agent)?.launch.resume).toBeUndefined();
      expect(restartStatuses(here.home).at(-1)?.agents[agent]).toMatchObject({ phase: "done" });
      expect((await messagesOf(here, agent)).map(({ kind }) => kind)).toEqual(["handoff"]);
      expect(here.events()).toContain(`agent.resume-refused ${agent}`);
    }
    expect((await here.tick()).missing).toEqual([]);
    expect(here.asked).toEqual([]);
  });

  test("is kept when somebody killed the program meanwhile: the next tick takes it up", async () => {
    const here = await crashed(1);
    await restartWhile(here, (agent) => here.terminals.exit(agent));
    expect(readLaunch(here.home, "agent1")?.launch.resume).toBe("old-1");
    expect(here.events()).not.toContain("agent.resume-refused agent1");
    here.clock.advance(60_000);
    await here.tick();
    expect(here.asked).toEqual([{ agents: ["agent1"], because: "crash", fresh: false }]);
    await restartWhile(here, (agent) => here.states.set(agent, "idle"));
    expect(readLaunch(here.home, "agent1")?.launch.resume).toBe("old-1");
    expect((await here.tick()).missing).toEqual([]);
  });

  test("and a program that does not start without it either: two tries in one restart, no more", async () => {
    const here = await crashed(1);
    let starts = 0;
    await restartWhile(here, (agent) => {
      starts++;
      here.terminals.exit(agent, 1, "cannot be used with root privileges");
    });
    expect(starts).toBe(2);
    expect(restartStatuses(here.home).at(-1)?.agents["agent1"]).toMatchObject({
      phase: "failed",
      says: "cannot be used with root privileges",
    });
  });
});

describe("terminals that fail while an agent is started", () => {
  /** As when their server dies between the question and the answer. */
  function failing(here: Watched, times: number): void {
    const create = here.terminals.create.bind(here.terminals);
    let left = times;
    here.terminals.create = async (wish) => {
      if (left-- > 0) throw new Outage("ask tmux", "constel", "the server is gone", { mayRetry: true });
      return create(wish);
    };
  }

  test("hold it up until the next tick, and its conversation goes on", async () => {
    const here = await withClones(1);
    failing(here, 1);
    here.terminals.exit("agent1", 1);
    await here.tick();
    const [failed] = await here.restart();
    expect(failed?.agents["agent1"]).toMatchObject({ phase: "failed" });
    here.clock.advance(60_000);
    await here.tick();
    expect(here.asked).toMatchObject([{ agents: ["agent1"], fresh: false }]);
    await here.restart();
    expect((await here.tick()).missing).toEqual([]);
    expect(here.pages).toEqual([]);
  });

  test("again and again are told once, and no agent is given up for it", async () => {
    const here = await withClones(1);
    failing(here, 8);
    here.terminals.exit("agent1", 1);
    for (let minute = 0; minute < 60; minute++) {
      await here.minutes(1);
      await here.restart();
    }
    expect(here.pages).toMatchObject([{ subject: "agent1 cannot start" }]);
    expect(hasMarker(here.home, markers.crashloop("agent1"))).toBe(false);
    expect((await here.tick()).missing).toEqual([]);
  });
});

test("a restart that was asked for and has not begun is not asked for again by a tick that comes soon after", async () => {
  const here = await withClones(1);
  here.terminals.exit("agent1", 1);
  await here.tick();
  here.clock.advance(2_000);
  await here.tick();
  expect(here.asked).toHaveLength(1);
  // Its process was killed before it left any trace.
  here.clock.advance(58_000);
  here.asked.length = 0;
  await here.tick();
  expect(here.asked).toMatchObject([{ agents: ["agent1"] }]);
  await here.restart();
  expect((await here.tick()).missing).toEqual([]);
});
