import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { fakeMachine } from "../agents/agents.suite.ts";
import { up } from "../agents/up.ts";
import { drain } from "../bus/drain.ts";
import { send } from "../bus/send.ts";
import { putMarker, removeMarker } from "../markers/marker-files.ts";
import { markers } from "../markers/markers.ts";
import { daemonStep, mailboxStep } from "./tick-steps.ts";
import { watched } from "./watchdog.suite.ts";
import { tick, type TickPorts, type TickSight, type TickStep } from "./tick.ts";

function ports(machine: ReturnType<typeof fakeMachine>, steps: readonly TickStep[]): TickPorts {
  const { home, constellation, clock, random } = machine.ports;
  return {
    home,
    constellation,
    clock,
    random,
    tryTurn: () => ({ release: () => undefined }),
    terminals: () => machine.terminals.list(),
    steps,
  };
}

const sight: TickSight = { agents: [], launches: new Map(), damaged: [], terminals: [], blind: undefined, done: [] };

const log = (home: string): string => join(home, "logs/watchdog-events-2026-01-02.jsonl");

function events(home: string): Record<string, unknown>[] {
  const lines = readFileSync(log(home), "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("what is wanted and seen is on record before the first step is taken", async () => {
  const machine = fakeMachine();
  await up(machine.ports, { clones: 1 }, async () => {});
  machine.terminals.exit("agent1", 1);
  const { home } = machine.ports;
  let atStep: unknown;
  const step: TickStep = { name: "look", deadlineMs: 10, take: async () => ((atStep = events(home)), "looked") };
  const report = await tick(ports(machine, [step]));
  expect(atStep).toMatchObject([
    {
      event: "tick.began",
      wanted: ["agent0", "agent1", "agentinfinity", "agentticker"],
      seen: { agent1: "dead" },
      missing: ["agent1"],
    },
  ]);
  expect(report).toMatchObject({
    ticked: true,
    recorded: true,
    missing: ["agent1"],
    steps: [{ ok: true, says: "looked" }],
  });
  expect(events(home).at(-1)).toMatchObject({ event: "tick.ended", steps: [{ name: "look", ok: true }] });
});

test("what a tick leaves on disk when all is well does not grow with the number of agents", async () => {
  const bytesOf = async (clones: number): Promise<number> => {
    const machine = fakeMachine();
    await up(machine.ports, { clones }, async () => {});
    await tick(ports(machine, []));
    return readFileSync(log(machine.ports.home)).length;
  };
  const [few, many] = [await bytesOf(1), await bytesOf(20)];
  expect(many - few).toBeLessThan(10); // a digit more
  expect(many * 720).toBeLessThan(300_000); // a day of them, every two minutes
});

test("a step that fails or never ends does not keep the next from running", async () => {
  const machine = fakeMachine();
  const hanging = Promise.withResolvers<void>();
  const steps: TickStep[] = [
    { name: "fails", deadlineMs: 10, take: () => Promise.reject(new Error("broken")) },
    {
      name: "hangs",
      deadlineMs: 50,
      take() {
        hanging.resolve();
        return new Promise(() => undefined);
      },
    },
    { name: "works", deadlineMs: 10, take: async () => "done" },
  ];
  const ticking = tick(ports(machine, steps));
  await hanging.promise;
  while (machine.clock.sleeping === 0) await Promise.resolve();
  machine.clock.advance(50);
  const report = await ticking;
  expect(report.steps).toEqual([
    { name: "fails", ok: false, says: "broken" },
    { name: "hangs", ok: false, says: "no answer within 50 ms" },
    { name: "works", ok: true, says: "done" },
  ]);
});

test("while another tick runs, nothing is done and nothing recorded", async () => {
  const machine = fakeMachine();
  const report = await tick({ ...ports(machine, []), tryTurn: () => undefined });
  expect(report.ticked).toBe(false);
  expect(existsSync(log(machine.ports.home))).toBe(false);
});

test("terminals that cannot be listed make the tick blind, and nobody is called missing", async () => {
  const machine = fakeMachine();
  await up(machine.ports, {}, async () => {});
  const report = await tick({ ...ports(machine, []), terminals: () => Promise.reject(new Error("tmux is odd")) });
  expect(report).toMatchObject({ blind: "tmux is odd", missing: [] });
  expect(events(machine.ports.home)[0]).toMatchObject({ blind: "tmux is odd", missing: [] });
});

test("the daemon is started only when it does not answer", async () => {
  const here = watched();
  let starts = 0;
  here.startDaemon = async () => void starts++;
  const step = (): TickStep => daemonStep(here.steps);
  expect(await step().take(sight, new AbortController().signal)).toBe("answers");
  expect(starts).toBe(0);
  here.daemonRuns = false;
  expect(await step().take(sight, new AbortController().signal)).toBe("was not there; started");
  expect(starts).toBe(1);
});

test("a daemon that somebody stopped stays so, and what is due has its turn in the tick", async () => {
  const here = watched();
  let starts = 0;
  here.startDaemon = async () => void starts++;
  here.daemonRuns = false;
  putMarker(here.ports.home, markers.daemonStopped, "");
  const take = (): Promise<string> => daemonStep(here.steps).take(sight, new AbortController().signal);
  expect(await take()).toContain("constel daemon stop");
  expect(starts).toBe(0);
  removeMarker(here.ports.home, markers.daemonStopped);
  expect(await take()).toBe("was not there; started");
});

test("a daemon that does not answer is given one tick, then ended and started; one that answers in between is given it anew", async () => {
  const here = watched();
  const says = (): Promise<string> => daemonStep(here.steps).take(sight, new AbortController().signal);
  const patient = "is there and does not answer; ended at the next tick if it stays so";
  here.daemonIsSilent = true;
  expect(await says()).toBe(patient);
  here.daemonIsSilent = false;
  expect(await says()).toBe("answers");
  here.daemonIsSilent = true;
  expect(await says()).toBe(patient);
  expect(here.daemonIsSilent).toBe(true);
  expect(await says()).toBe("did not answer; ended and started");
  expect(await says()).toBe("answers");
});

test("schedules and limits have their turn in the tick only while no daemon can be had, and one that fails keeps nothing back", async () => {
  const here = watched();
  await up(here.ports, {}, async () => {});
  const asked: string[] = [];
  here.steps.usageLimits = async () => (asked.push("limits"), "told to go on: agent1");
  here.steps.dueSchedules = () => (asked.push("schedules"), Promise.reject(new Error("cron.toml cannot be read")));
  const says = async (): Promise<readonly string[]> =>
    (await here.tick()).steps
      .filter(({ name }) => name === "usage limits" || name === "schedules")
      .map((step) => `${step.ok ? "" : "failed: "}${step.says}`);
  const left = "the daemon looks after them";
  expect(await says()).toEqual([left, left]);
  here.daemonRuns = false;
  expect(await says()).toEqual([left, left]); // this very tick has started it
  here.daemonRuns = false;
  here.startDaemon = () => Promise.reject(new Error("the database is damaged"));
  expect(asked).toEqual([]);
  expect(await says()).toEqual(["told to go on: agent1", "failed: cron.toml cannot be read"]);
  expect(asked).toEqual(["limits", "schedules"]);
  putMarker(here.ports.home, markers.daemonStopped, "");
  expect(await says()).toEqual(["told to go on: agent1", "failed: cron.toml cannot be read"]);
});

test("mailboxes are swept", async () => {
  const machine = fakeMachine();
  const { home } = machine.ports;
  const clock = new FakeClock(Date.now() + 3_600_000);
  const bus = { home, clock, random: seededRandom(), liveness: systemLiveness, sign: undefined, recorder: undefined };
  send(bus, { from: "agent0", to: "agent1", text: "hello" });
  await Bun.write(join(home, "channels/agent/agent1/inbox/.left.tmp"), "half");
  const says = await mailboxStep(bus).take(sight, new AbortController().signal);
  expect(says).toBe("1 old file removed");
});

test("a step that stays broken wakes the watchdog agent at the second tick and pages the owner at the fifth, each once", async () => {
  const here = watched();
  await up(here.ports, {}, async () => {});
  here.daemonRuns = false;
  here.startDaemon = () => Promise.reject(new Error("the database is damaged"));
  await here.minutes(1);
  expect((await drain(here.bus, "agentinfinity", {})).messages).toEqual([]);
  await here.minutes(9);
  const { messages } = await drain(here.bus, "agentinfinity", {});
  expect(messages.map(({ envelope }) => envelope.text)).toEqual([expect.stringContaining("the database is damaged")]);
  expect(here.pages).toMatchObject([{ subject: "the watchdog cannot do its work" }]);
  // Green in between, it is news again.
  here.daemonRuns = true;
  await here.minutes(1);
  here.daemonRuns = false;
  await here.minutes(2);
  // A message that was handed out before and not settled comes again beside it.
  const later = (await drain(here.bus, "agentinfinity", {})).messages.map(({ envelope }) => envelope.id);
  expect(later.filter((id) => id !== messages[0]?.envelope.id)).toHaveLength(1);
});

test("an agent whose launch file is damaged is told of; the others are looked after as ever", async () => {
  const damages: readonly ((file: string) => void)[] = [
    (file) => writeFileSync(file, "{"),
    (file) => mkdirSync(file),
    (file) => symlinkSync("/etc/passwd", file),
  ];
  for (const damage of damages) {
    const here = watched();
    await up(here.ports, { clones: 2 }, async () => {});
    const file = join(here.ports.home, "state/agents/agent1.json");
    rmSync(file);
    damage(file);
    here.clock.advance(5_000);
    here.terminals.exit("agent2", 1);
    const report = await here.tick();
    expect(report.missing).toEqual(["agent2"]);
    expect(here.asked.map(({ agents }) => agents)).toEqual([["agent2"]]);
    expect(report.steps.filter(({ ok }) => !ok)).toMatchObject([
      { name: "launch files", says: expect.stringContaining("agent1") },
    ]);
    await here.minutes(9);
    expect(here.pages.filter(({ subject }) => subject === "the watchdog cannot do its work")).toHaveLength(1);
  }
});

test("a watchdog that can write nothing down tells the owner at once, once, until it can again", async () => {
  const here = watched();
  await up(here.ports, {}, async () => {});
  const file = join(here.ports.home, "state/repair-signals");
  const cannotWrite = () => here.pages.filter(({ subject }) => subject === "the watchdog cannot write to its home");
  here.daemonRuns = false;
  here.startDaemon = () => Promise.reject(new Error("the disk is full"));
  mkdirSync(file); // a full disk says no in the same place
  here.reachable = false;
  await here.minutes(2);
  here.reachable = true;
  await here.minutes(9);
  expect(cannotWrite()).toMatchObject([{ urgent: true, body: expect.stringContaining("repair-signals") }]);
  rmSync(file, { recursive: true });
  await here.minutes(2);
  rmSync(file);
  mkdirSync(file);
  await here.minutes(2);
  expect(cannotWrite()).toHaveLength(2);
});
