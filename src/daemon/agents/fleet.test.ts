// The fleet and its deliveries on fake terminals and a clock that stands still: what a look costs, hangs, limits and doubt.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { send } from "../../floor/bus/send.ts";
import { pendingFor } from "../../floor/bus/pending.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { hookFile } from "../../host/runtime/hook-records.ts";
import { script } from "../../host/runtime/script/script.ts";
import { FakeTerminals } from "../../ports/fake-terminals.ts";
import { launchFile } from "../../ports/agent-launch.ts";
import type { Runtime, RuntimeMachine } from "../../ports/runtime.ts";
import { inHome } from "../../settings/paths.ts";
import { openStore, type Store } from "../../store/open.ts";
import { Deliveries } from "./deliveries.ts";
import { Fleet } from "./fleet.ts";
import { tellToGoOn } from "./go-on.ts";

const agent = "agent1";
let directory: ReturnType<typeof temporaryDirectory>;
let home: string;
let clock: FakeClock;
let store: Store;
let terminals: FakeTerminals;
let fleet: Fleet;
let deliveries: Deliveries;
let bus: Bus;
let looks = 0;
let inject: Runtime["inject"];

beforeEach(async () => {
  directory = temporaryDirectory("fleet");
  home = directory.path;
  for (const name of ["backups", "state/agents", "state/hooks"]) mkdirSync(join(home, name), { recursive: true });
  clock = new FakeClock(Date.now());
  const random = seededRandom(7);
  const backupDirectory = join(home, "backups");
  store = await openStore({
    url: `sqlite:${join(home, "meta.db")}`,
    backupDirectory,
    clock,
    random,
    constellation: "c",
  });
  terminals = new FakeTerminals({ clock });
  looks = 0;
  inject = script.inject;
  const counted: Runtime = {
    ...script,
    inject: (...given) => inject(...given),
    observe: (...given) => (looks++, script.observe(...given)),
  };
  const machine: RuntimeMachine = { processes: systemProcesses, clock, env: {} };
  const log = (line: string): void => {
    throw new Error(line);
  };
  bus = { home, clock, random, liveness: systemLiveness, sign: undefined, recorder: undefined };
  const runtimeNamed = (name: string) => (name === "script" ? counted : undefined);
  fleet = new Fleet({ home, clock, store, machine, runtimeNamed, terminalsOn: () => terminals, log });
  deliveries = new Deliveries({
    bus,
    fleet,
    machine,
    proofMs: 1000,
    doubtMs: 5000,
    budgetReached: () => undefined,
    standing: async () => "words",
    arrived: async () => {},
    stirred: () => {},
    log,
  });
  const launch = {
    agent,
    home,
    cwd: home,
    program: "",
    promptFile: "",
    permissions: "ask",
    hookCommand: [],
    trusted: true,
  };
  const leader = { pid: process.pid, token: "0-0" };
  const whole = {
    agent,
    role: "clone",
    wanted: "up",
    runtime: "script",
    tmuxSocket: "s",
    sinceMs: clock.nowMs(),
    because: "up",
  };
  writeFileSync(join(home, launchFile(agent)), JSON.stringify({ ...whole, launch, leader }));
  await terminals.create({ name: agent, cwd: home, command: ["sh"] });
});
afterEach(async () => {
  await store.close();
  directory[Symbol.dispose]();
});

function hook(event: string, more: object = {}): void {
  const record = { event, at: clock.nowMs(), session: "s", ...more };
  appendFileSync(hookFile(home, agent), `${JSON.stringify(record)}\n`);
  // The file system has the real time; the clock here may be far ahead of it.
  utimesSync(hookFile(home, agent), clock.nowMs() / 1000, clock.nowMs() / 1000);
}

async function seen(afterMs = 1000): Promise<string> {
  clock.advance(afterMs);
  await fleet.sweep();
  return fleet.member(agent)?.seen.state ?? "not there";
}

/** Lets a delivery under way run until it sleeps or ends. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    if (turn > 2000) throw new Error("never came true");
    clock.advance(20);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a quiet agent is not asked again and again; a hook, a title or output makes it so", async () => {
  hook("turn-ended");
  for (let second = 0; second < 6; second++) await seen();
  const before = looks;
  for (let second = 0; second < 60; second++) await seen();
  expect(looks).toBe(before);
  hook("prompt-submitted");
  expect(await seen()).toBe("busy");
  const afterHook = looks;
  terminals.set(agent, { title: "constel:waiting" });
  expect(await seen()).toBe("waiting-permission");
  expect(looks).toBeGreaterThan(afterHook);
  for (let second = 0; second < 6; second++) await seen();
  const settled = looks;
  terminals.show(agent, "something new");
  await seen(5000);
  expect(looks).toBeGreaterThan(settled);
});

test("why it is in its state is written as soon as it is known; only of one at work the words may wait", async () => {
  const evidence = async (): Promise<unknown> =>
    (await store.db.selectFrom("agents").select("evidence_says").executeTakeFirstOrThrow()).evidence_says;
  hook("prompt-submitted");
  await seen();
  hook("tool-began", { tool: "sh" });
  await seen();
  expect(await evidence()).toBe("a prompt was submitted");
  // As `down` goes: it is not wanted, its process ends, its terminal goes.
  const file = join(home, launchFile(agent));
  const leader = { pid: Bun.spawnSync(["true"]).pid, token: "0-0" };
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), wanted: "down", leader }));
  hook("session-ended");
  await seen();
  expect(await evidence()).toBe("the process has ended");
  await terminals.kill(agent);
  await seen();
  expect(await evidence()).toBe("it is down, as wanted");
});

describe("an agent that ends by itself", () => {
  const told = async (): Promise<unknown[]> =>
    (
      await store.db
        .selectFrom("events")
        .select("data")
        .where("type", "=", "agent.seen-changed")
        .orderBy("seq")
        .execute()
    )
      .map(({ data }) => JSON.parse(data) as { to: string; says: string })
      .filter(({ to }) => to === "dead")
      .map(({ says }) => says);
  const lose = (): void => {
    const file = join(home, launchFile(agent));
    const leader = { pid: Bun.spawnSync(["true"]).pid, token: "0-0" };
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), leader }));
  };

  test("is told dead once it is known how, when its terminal was seen closed before that", async () => {
    hook("turn-ended");
    expect(await seen()).toBe("idle");
    terminals.exit(agent);
    expect(await seen(100)).toBe("dead");
    expect(fleet.awaitsEnds()).toBe(true);
    expect(await told()).toEqual([]);
    terminals.exit(agent, 3);
    await seen(100);
    expect(await told()).toEqual(["ended with status 3"]);
    expect(fleet.awaitsEnds()).toBe(false);
  });

  test("is told in its last words, also when its terminal was still drawing them", async () => {
    terminals.exit(agent, 3, "xxxxxxxx");
    await seen(100);
    terminals.show(agent, "fatal: the disk is upside down");
    await seen(100);
    expect(fleet.members()[0]?.seen.says).toBe("ended with status 3: fatal: the disk is upside down");
  });

  test("also when its process was seen gone before its terminal was", async () => {
    hook("turn-ended");
    await seen();
    lose();
    hook("session-ended");
    expect(await seen(100)).toBe("dead");
    terminals.exit(agent);
    await seen(100);
    terminals.exit(agent, 3);
    await seen(100);
    expect(await told()).toEqual(["ended with status 3"]);
  });

  test("is told dead after a few seconds where nobody ever knows how", async () => {
    hook("turn-ended");
    await seen();
    terminals.exit(agent);
    await seen(100);
    await seen(4800);
    expect(await told()).toEqual([]);
    await seen(300);
    expect(await told()).toEqual(["its program has ended"]);
    expect(fleet.awaitsEnds()).toBe(false);
  });
});

describe("a busy agent", () => {
  test("hangs when neither screen nor hooks moved for half an hour, and no longer once one does", async () => {
    hook("prompt-submitted");
    expect(await seen()).toBe("busy");
    expect(await seen(1_795_000)).toBe("busy");
    expect(await seen(10_000)).toBe("hung");
    hook("tool-began", { tool: "sh" });
    expect(await seen()).toBe("busy");
  });

  test("never hangs while its screen moves, though it says nothing", async () => {
    hook("prompt-submitted");
    await seen();
    for (let minute = 0; minute < 60; minute += 10) {
      terminals.show(agent, `working, minute ${minute}`);
      expect(await seen(600_000)).toBe("busy");
    }
  });

  test("hangs though it redraws the same screen all the time", async () => {
    hook("prompt-submitted");
    terminals.show(agent, "the same");
    await seen();
    let state = "";
    for (let minute = 0; minute <= 40; minute += 10) {
      terminals.show(agent, "the same");
      state = await seen(600_000);
    }
    expect(state).toBe("hung");
  });
});

describe("a limit", () => {
  const inInbox = (): number => pendingFor(bus, agent).waiting;

  test("parks the agent with its messages, and lifts by itself; then it is told to go on, once", async () => {
    hook("turn-failed", { reason: "usage_limit", says: "try again in 2 hours" });
    expect(await seen()).toBe("limited");
    send(bus, { from: "agent0", to: agent, text: "something to do" });
    await deliveries.round();
    expect(fleet.member(agent)?.mailHeld).toContain("usage limit lifts at");
    expect(terminals.sent(agent)).toEqual([]);
    await tellToGoOn(store, bus, true);
    expect(inInbox()).toBe(1);
    expect(await seen(7_100_000)).toBe("limited");
    expect(await seen(100_000)).toBe("idle");
    await tellToGoOn(store, bus, true);
    await tellToGoOn(store, bus, true);
    expect(inInbox()).toBe(2);
    await deliveries.round();
    await until(() => terminals.sent(agent).includes("<Enter>"));
    expect(terminals.sent(agent).join("\n")).toContain("something to do");
    hook("prompt-submitted", { messages: [JSON.parse(terminals.sent(agent)[1] ?? "{}").id as string] });
    await until(() => inInbox() === 1 && pendingFor(bus, agent).doubtful.length === 0);
    await deliveries.settled();
  });

  test("is not followed by a word when the owner switched that off", async () => {
    hook("turn-failed", { reason: "usage_limit", says: "try again in 1 hour" });
    await seen();
    expect(await seen(3_700_000)).toBe("idle");
    await tellToGoOn(store, bus, false);
    await tellToGoOn(store, bus, true);
    expect(inInbox()).toBe(0);
  });
});

test("while the watches hear nothing empty mailboxes are left alone, and looked at after ten seconds: a watch may be deaf", async () => {
  hook("turn-ended");
  await seen();
  // A mailbox that was made just now may change again without a sign.
  send(bus, { from: "agent0", to: agent, text: "first" });
  for (const { name } of readdirSync(join(home, inHome.inbox(agent)), { withFileTypes: true }))
    rmSync(join(home, inHome.inbox(agent), name));
  clock.jumpTo(Date.now() + 60_000);
  await deliveries.round();
  await deliveries.round();
  send(bus, { from: "agent0", to: agent, text: "hello" });
  await deliveries.round(true);
  await deliveries.settled();
  expect(terminals.sent(agent)).toEqual([]);
  clock.advance(10_000);
  await deliveries.round(true);
  await until(() => clock.sleeping > 0);
  expect(terminals.sent(agent).join()).toContain("hello");
  clock.advance(1000);
  await deliveries.settled();
});

test("a message in doubt is given again only after the agent stood idle for a while, and says that it may be known", async () => {
  hook("turn-ended");
  await seen();
  send(bus, { from: "agent0", to: agent, text: "hello" });
  const lines = (): string[] => terminals.sent(agent).filter((sent) => sent.startsWith("{"));
  await deliveries.round();
  await until(() => pendingFor(bus, agent).doubtful.length === 1 && clock.sleeping > 0);
  clock.advance(1000);
  await deliveries.settled();
  expect(lines()).toHaveLength(1);
  hook("prompt-submitted");
  expect(await seen()).toBe("busy");
  await seen(600_000);
  await deliveries.round();
  expect(lines()).toHaveLength(1);
  hook("turn-ended");
  expect(await seen()).toBe("idle");
  await seen(4000);
  await deliveries.round();
  expect(lines()).toHaveLength(1);
  await seen(2000);
  await deliveries.round();
  await until(() => lines().length === 2);
  expect(lines()[0]).not.toContain("maybe-seen-before");
  expect(lines()[1]).toContain("maybe-seen-before");
  clock.advance(2000);
  await deliveries.settled();
});

test("what was only typed, and begins no turn by itself, is tried again within seconds and not after minutes", async () => {
  const tries: number[] = [];
  inject = () => {
    tries.push(clock.nowMs());
    const left = { state: "unknown", way: "paste", sent: true, unsubmitted: true, reason: "not submitted" } as const;
    return Promise.resolve(
      tries.length === 1 ? left : { state: "unknown", way: "paste", sent: true, reason: "no turn has begun" },
    );
  };
  hook("turn-ended");
  await seen();
  send(bus, { from: "agent0", to: agent, text: "hello" });
  const after = async (ms: number): Promise<number> => {
    await seen(ms);
    await deliveries.round();
    await deliveries.settled();
    return tries.length;
  };
  expect(await after(0)).toBe(1);
  expect(await after(2000)).toBe(1);
  expect(await after(1500)).toBe(2);
  // This time Enter was pressed: somebody may be at it.
  expect(await after(3500)).toBe(2);
  expect(await after(2000)).toBe(3);
});
