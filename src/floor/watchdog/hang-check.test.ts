// Hangs, tick by tick, on a machine in memory. Which screens and hook streams count as a hang is in test/hang-corpus.test.ts.

import { describe, expect, test } from "bun:test";
import { up, upOne } from "../agents/up.ts";
import { drain } from "../bus/drain.ts";
import { send } from "../bus/send.ts";
import { quiet } from "../quiet.ts";
import { allHandoffs } from "../restart/handoff-files.ts";
import { watched, type Watched } from "./watchdog.suite.ts";
import { hasMarker, putMarker } from "../markers/marker-files.ts";
import { markers } from "../markers/markers.ts";

/** agent1 is busy and its screen shows this. */
async function busyClone(): Promise<Watched> {
  const here = watched();
  await up(here.ports, { clones: 1 }, async () => {});
  here.terminals.show("agent1", "Misting…");
  here.states.set("agent1", "busy");
  await here.tick();
  return here;
}

describe("an agent that hangs", () => {
  test("is told of once at half an hour, and restarted with a handoff at the next tick", async () => {
    const here = await busyClone();
    await here.minutes(29);
    expect(here.pages).toEqual([]);
    await here.minutes(1);
    expect(here.pages).toMatchObject([{ subject: "agent1 hangs" }]);
    expect(here.asked).toEqual([]);
    await here.minutes(1);
    expect(here.asked).toEqual([{ agents: ["agent1"], because: "hang", fresh: false }]);
    await here.restart();
    expect(hasMarker(here.home, markers.hang("agent1"))).toBe(false);
    expect((await drain(here.bus, "agent1", {})).messages).toMatchObject([{ envelope: { kind: "handoff" } }]);
    expect(allHandoffs(here.home)).toMatchObject([{ by: "hang", state: "archived" }]);
    await here.minutes(20);
    expect(here.pages).toHaveLength(1);
  });

  test("and moves again before the next tick is left alone, and a later hang is told of again", async () => {
    const here = await busyClone();
    await here.minutes(30);
    here.terminals.show("agent1", "Misting… more");
    await here.minutes(5);
    expect(hasMarker(here.home, markers.hang("agent1"))).toBe(false);
    expect(here.asked).toEqual([]);
    await here.minutes(26);
    expect(here.pages).toHaveLength(2);
  });

  test("is told of once where the owner has no channel", async () => {
    const here = await busyClone();
    await upOne(here.ports, "agent1", { restart: "never" });
    let tried = 0;
    (here.steps as { page: typeof here.steps.page }).page = async () => {
      tried += 1;
      return { told: false, channels: 0, line: "nobody was told" };
    };
    await here.minutes(40);
    expect(tried).toBe(1);
  });

  test("with the restart kind never is told of and left alone", async () => {
    const here = await busyClone();
    await upOne(here.ports, "agent1", { restart: "never" });
    await here.minutes(40);
    expect(here.pages).toHaveLength(1);
    expect(here.asked).toEqual([]);
  });

  test("inside a command that has done nothing for six hours is told of once, and not restarted while the command lives", async () => {
    const here = await busyClone();
    here.hooks.set("agent1", [{ event: "tool-began", at: here.clock.nowMs(), session: "s", tool: "Bash" }]);
    here.activity = { cpuMs: 0, sinceTool: 1 };
    // A tick counts for two and a half minutes at most.
    for (let tick = 0; tick < 143; tick++) {
      here.clock.advance(150_000);
      await here.tick();
    }
    expect(here.pages).toEqual([]);
    for (let tick = 0; tick < 4; tick++) {
      here.clock.advance(150_000);
      await here.tick();
    }
    expect(here.pages).toMatchObject([{ subject: "agent1 hangs" }]);
    expect(here.pages[0]?.body).toContain("is not restarted, because a command that it started still runs");
    expect(here.asked).toEqual([]);
    // The command has gone, and nothing came of it: now there is nothing to lose.
    here.activity = { cpuMs: 0, sinceTool: 0 };
    await here.minutes(1);
    expect(here.asked).toEqual([{ agents: ["agent1"], because: "hang", fresh: false }]);
  });

  test("of whom nobody can tell what it does is told of once, and restarted only when work waits for it", async () => {
    const here = await busyClone();
    here.states.set("agent1", "unknown");
    await here.minutes(40);
    expect(here.pages).toHaveLength(1);
    expect(here.asked).toEqual([]);
    send(here.bus, { from: "agent0", to: "agent1", text: "Are you there?" });
    await here.minutes(1);
    expect(here.asked).toHaveLength(1);
  });
});

describe("is no hang:", () => {
  async function neverHangs(here: Watched, minutes = 45): Promise<void> {
    await here.minutes(minutes);
    expect({ pages: here.pages, asked: here.asked }).toEqual({ pages: [], asked: [] });
  }

  test("an agent that is idle, waits for a person, is limited or logged out", async () => {
    const here = await busyClone();
    here.states.set("agent1", "idle");
    await neverHangs(here);
    for (const state of ["waiting-permission", "limited", "logged-out"] as const) {
      here.states.set("agent1", state);
      await neverHangs(here, 2);
    }
  });

  test("while quiet was asked for; afterwards it is one at once", async () => {
    const here = await busyClone();
    quiet(here.ports, { for: "1h" });
    await neverHangs(here, 59);
    await here.minutes(2);
    expect(here.pages).toHaveLength(1);
  });

  test("hooks that tell something, processes that work, a command that runs", async () => {
    const here = await busyClone();
    for (let minute = 0; minute < 32; minute++) {
      here.hookSign = `${minute}`;
      await here.minutes(1);
    }
    here.activity = { cpuMs: 800, sinceTool: 0 };
    await neverHangs(here, 32);
    here.activity = { cpuMs: 0, sinceTool: 1 };
    here.hooks.set("agent1", [{ event: "tool-began", at: 1, session: "s" }]);
    await neverHangs(here, 2);
  });

  test("a machine that slept, and a clock that was set", async () => {
    const here = await busyClone();
    await here.minutes(10);
    here.clock.advance(9 * 3_600_000);
    await here.tick();
    here.clock.jumpTo(here.clock.nowMs() + 7 * 86_400_000);
    await here.tick();
    here.clock.jumpTo(here.clock.nowMs() - 30 * 86_400_000);
    await neverHangs(here, 15);
  });

  test("the watchdog agent that is ready and has no mail; with mail it is one", async () => {
    const here = watched();
    await up(here.ports, {}, async () => {});
    here.states.set("agentinfinity", "unknown");
    putMarker(here.home, markers.watchdogReady, "now");
    await here.tick();
    await neverHangs(here);
    send(here.bus, { from: "agent0", to: "agentinfinity", text: "Mend this." });
    await here.minutes(1);
    expect(here.pages).toMatchObject([{ subject: "agentinfinity hangs" }]);
  });

  test("a clone that took in its messages and rests since", async () => {
    const here = await busyClone();
    here.states.set("agent1", "unknown");
    send(here.bus, { from: "agent0", to: "agent1", text: "Hello" });
    await here.minutes(1);
    await drain(here.bus, "agent1", {});
    await neverHangs(here, 40);
  });
});
