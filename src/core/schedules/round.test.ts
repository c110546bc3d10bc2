import { beforeEach, describe, expect, test } from "bun:test";
import { onEachDatabase, sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { addCron, addLoop, pauseSchedule, removeSchedule, reschedule, runSchedule } from "./change.ts";
import { parseLoopFile } from "./loop-file.ts";
import { listSchedules, showSchedule } from "./queries.ts";
import type { Action, Overlap } from "./schedule.ts";
import { ScheduleScene } from "./schedules.suite.ts";
import { rejection, throwing } from "../../../test/kit/rejection.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const cronWish = (
  label: string,
  schedule: string,
  action: Action,
  more: { zone?: string; overlap?: Overlap } = {},
) => ({
  label,
  schedule,
  zone: "UTC",
  action,
  overlap: "queue" as Overlap,
  jitterMs: 0,
  ...more,
});
const tell: Action = { agent: "agent1", prompt: "look around" };
const harvest: Action = { verb: ["task", "harvest", "--all"] };

onEachDatabase("schedules", (makeScene) => {
  const here = withStore(makeScene);
  let scene: ScheduleScene;
  beforeEach(() => {
    scene = new ScheduleScene(here);
  });

  test("a cron tells its agent once it stands idle, stamped as the schedule's, and every firing is a row", async () => {
    await addCron(scene.context(), cronWish("hourly", "0 * * * *", tell));
    await scene.see("agent1", "busy");
    here.clock.advance(56 * minuteMs); // a few seconds past the hour
    await scene.round();
    expect(scene.inbox.size).toBe(0); // full: it waits, nothing is dropped
    expect(await scene.firings()).toMatchObject([{ state: "waiting", catch_up: 0 }]);
    await scene.see("agent1", "idle");
    await scene.round();
    const [letter] = scene.inbox.values();
    expect(letter).toMatchObject({ from: "agentcron", to: "agent1" });
    expect(letter?.text).toContain("look around");
    expect(await scene.firings()).toMatchObject([{ state: "running" }]);
    await scene.takeAll("agent1");
    await scene.round();
    expect(await scene.firings()).toMatchObject([{ state: "done" }]);
    expect((await showSchedule(scene.context(), { kind: "cron", label: "hourly" })).next).toHaveLength(5);
  });

  test("a prompt that was dealt with before anybody looked is done soon, and the next one comes; also when the clock was set back", async () => {
    await addCron(scene.context(), cronWish("hourly", "0 * * * *", tell));
    await scene.see("agent1", "idle");
    for (const [hour, backMs] of [0, 2 * 60 * minuteMs].entries()) {
      here.clock.advance((hour === 0 ? 56 : 60) * minuteMs);
      await scene.round();
      await scene.takeAll("agent1", true);
      await scene.round();
      expect((await scene.firings()).at(-1)).toMatchObject({ state: "running" }); // it may just have begun
      here.clock.advance(minuteMs / 2);
      here.clock.jumpTo(here.clock.nowMs() - backMs);
      await scene.round();
      expect(await scene.firings()).toMatchObject(Array.from({ length: hour + 1 }, () => ({ state: "done" })));
    }
  });

  test("a verb runs once and its failure is told; pausing, running by hand and removing do what they say", async () => {
    scene.perform = () => 1;
    await addCron(scene.context(), cronWish("land", "*/10 * * * *", harvest));
    here.clock.advance(10 * minuteMs);
    await scene.round();
    expect(await scene.firings()).toMatchObject([{ state: "failed" }]);
    await pauseSchedule(scene.context(), { kind: "cron", label: "land", paused: true });
    here.clock.advance(hourMs);
    await scene.round();
    expect(await scene.firings()).toHaveLength(1);
    await pauseSchedule(scene.context(), { kind: "cron", label: "land", paused: false });
    await scene.round();
    expect(await scene.firings()).toHaveLength(1); // what fell into the pause is not caught up with
    scene.perform = () => 0;
    await runSchedule(scene.context(), { kind: "cron", label: "land" });
    await scene.round();
    expect((await scene.firings()).at(-1)).toMatchObject({ state: "done" });
    await removeSchedule(scene.context(), { kind: "cron", label: "land" });
    expect((await listSchedules(scene.context(), {})).schedules).toEqual([]);
    expect(scene.cron).toBe("");
  });

  test("what waits for an agent is not done any more when its schedule was removed, by the command or in the file", async () => {
    const forNobody = { agent: "agent9", prompt: "hello" } as const;
    await addCron(scene.context(), cronWish("one", "*/10 * * * *", forNobody));
    await addCron(scene.context(), cronWish("two", "*/10 * * * *", forNobody));
    here.clock.advance(10 * minuteMs);
    await scene.round();
    expect(await scene.firings()).toMatchObject([{ state: "waiting" }, { state: "waiting" }]);
    await removeSchedule(scene.context(), { kind: "cron", label: "one" });
    scene.cron = "";
    await scene.round();
    expect(await scene.firings()).toMatchObject([{ state: "skipped" }, { state: "skipped" }]);
  });

  test("a harvest with nothing ready has done what it could", async () => {
    scene.perform = () => 3;
    scene.says = "constel: no task is ready to land\n  Commit the work first.\n  [task.nothing-to-land]\n";
    await addCron(scene.context(), cronWish("land", "*/10 * * * *", harvest));
    here.clock.advance(10 * minuteMs);
    await scene.round();
    expect(await scene.firings()).toMatchObject([{ state: "done" }]);
    // Any other refusal is a failure, whatever it speaks of.
    scene.says = "constel: task 1 speaks of [task.nothing-to-land]\n  [task.not-allowed]\n";
    here.clock.advance(10 * minuteMs);
    await scene.round();
    expect((await scene.firings()).map(({ state }) => state).sort()).toEqual(["done", "failed"]);
  });

  test("a loop asks before it fires, ends when the command succeeds, and can be put off by its worker", async () => {
    const exits = [1, 1, 0];
    scene.until = async () => ({ ran: true, exit: exits.shift() ?? 0 });
    await scene.see("agent1", "idle");
    const wish = { id: "green", action: tell, until: "bin/gate", overlap: "queue" as Overlap };
    await addLoop(scene.context(), wish);
    await scene.round();
    expect([...scene.inbox.values()]).toMatchObject([{ from: "agentloop" }]);
    await scene.takeAll("agent1");
    await reschedule(scene.context("agent1"), { label: "green", delayMs: 5 * minuteMs, onlyFor: "agent1" });
    here.clock.advance(5 * minuteMs);
    await scene.round();
    expect(scene.inbox.size).toBe(2);
    await scene.takeAll("agent1");
    here.clock.advance(1_500_000);
    await scene.round();
    expect(scene.inbox.size).toBe(2);
    const { schedules } = await listSchedules(scene.context(), { kind: "loop" });
    expect(schedules).toMatchObject([{ ended_why: "its until command succeeded", next_ms: null }]);
    expect((await scene.firings()).map(({ key }) => key.replace(/@.*#/, " "))).toEqual([
      "loop:green 1",
      "loop:green 2",
    ]);
  });

  test("a loop that looks for a change fires only when its command prints something else; the first look is only noted", async () => {
    const prints = ["a", "a", "b", "b"];
    const asked: string[] = [];
    scene.until = async (command) => {
      asked.push(command);
      return { ran: true, exit: 1, printed: prints.shift() ?? "b" };
    };
    await scene.see("agent1", "idle");
    const wish = {
      id: "news",
      action: tell,
      everyMs: 10 * minuteMs,
      onChange: "git ls-remote",
      overlap: "queue" as Overlap,
    };
    await addLoop(scene.context(), wish);
    const told: number[] = [];
    for (let round = 0; round < 4; round++) {
      await scene.round();
      await scene.takeAll("agent1");
      told.push(scene.inbox.size);
      here.clock.advance(10 * minuteMs);
    }
    expect(told).toEqual([0, 0, 1, 1]);
    expect(asked).toEqual(Array.from({ length: 4 }, () => "git ls-remote"));
    const { schedules } = await listSchedules(scene.context(), { kind: "loop" });
    expect(schedules).toMatchObject([
      { change_command: "git ls-remote", until_command: null, action: tell, ended_why: null },
    ]);
  });

  test("a look that cannot be made fires nothing, and after three of them the loop ends and says why", async () => {
    scene.until = async () => ({ ran: false, says: "no such program" });
    await addLoop(scene.context(), {
      id: "blind",
      action: tell,
      everyMs: minuteMs,
      onChange: "nope",
      overlap: "queue",
    });
    for (let round = 0; round < 3; round++) {
      await scene.round();
      here.clock.advance(minuteMs);
    }
    expect(scene.inbox.size).toBe(0);
    const { schedules } = await listSchedules(scene.context(), { kind: "loop" });
    expect(schedules[0]?.ended_why).toBe("its on-change command could not be run 3 times in a row: no such program");
  });

  test("a loop that has ended or was removed can be made again under its name, and fires from the start", async () => {
    const wish = { id: "green", action: tell, until: "bin/gate", overlap: "queue" as Overlap };
    scene.until = async () => ({ ran: true, exit: 1 });
    await scene.see("agent1", "idle");
    const night = async (): Promise<void> => {
      await addLoop(scene.context(), wish);
      await scene.round();
      await scene.takeAll("agent1");
      await scene.round();
    };
    await night();
    expect(await rejection(addLoop(scene.context(), wish))).toMatchObject({ code: "schedule.exists" });
    scene.until = async () => ({ ran: true, exit: 0 });
    here.clock.advance(1_500_000);
    await scene.round(); // it ends
    scene.until = async () => ({ ran: true, exit: 1 });
    here.clock.advance(24 * hourMs);
    await night();
    expect(scene.inbox.size).toBe(2);
    await removeSchedule(scene.context(), { kind: "loop", label: "green" });
    here.clock.advance(24 * hourMs);
    await night();
    expect(scene.inbox.size).toBe(3);
    expect((await scene.firings()).map(({ state }) => state)).toEqual(["done", "done", "done"]);
  });

  test("a loop that ended a week ago is gone from files and list; one that ended yesterday is there to be read", async () => {
    scene.until = async () => ({ ran: true, exit: 0 });
    await addLoop(scene.context(), { id: "old", action: tell, until: "true", overlap: "queue" });
    await scene.round();
    here.clock.advance(6 * 24 * hourMs);
    await addLoop(scene.context(), { id: "young", action: tell, until: "true", overlap: "queue" });
    await scene.round();
    expect([...scene.loops.keys()].sort()).toEqual(["old", "young"]);
    here.clock.advance(2 * 24 * hourMs);
    await scene.round();
    expect([...scene.loops.keys()]).toEqual(["young"]);
    const { schedules } = await listSchedules(scene.context(), { kind: "loop" });
    expect(schedules.map(({ label }) => label)).toEqual(["young"]);
  });
});

describe("schedules", () => {
  const here = withStore(sqliteScene);
  let scene: ScheduleScene;
  beforeEach(() => {
    scene = new ScheduleScene(here);
  });

  test("a name that is taken, a verb that is none, and a loop of somebody else are refused", async () => {
    await addCron(scene.context(), cronWish("one", "0 1 * * *", tell));
    expect(await rejection(addCron(scene.context(), cronWish("one", "0 2 * * *", tell)))).toMatchObject({
      code: "schedule.exists",
    });
    expect(await throwing(addCron(scene.context(), cronWish("two", "0 2 * * *", { verb: ["db", "restore"] })))).toThrow(
      "is not a verb that schedules run",
    );
    expect(await throwing(addCron(scene.context(), cronWish("../x", "0 2 * * *", tell)))).toThrow("not a label");
    await addLoop(scene.context(), { id: "mine", action: tell, overlap: "queue" });
    const stranger = { label: "mine", delayMs: hourMs, onlyFor: "agent2" };
    expect(await rejection(reschedule(scene.context("agent2"), stranger))).toMatchObject({
      code: "schedule.not-yours",
    });
    expect(await rejection(removeSchedule(scene.context(), { kind: "loop", label: "../../x" }))).toMatchObject({
      code: "schedule.unknown",
    });
  });

  test("an owner's typing error stops what is in the file and nothing else, and is caught up with once it is mended", async () => {
    await addCron(scene.context(), cronWish("hourly", "0 * * * *", harvest));
    await addLoop(scene.context(), { id: "goes-on", action: harvest, everyMs: hourMs, overlap: "queue" });
    const good = scene.cron;
    scene.cron = `${good}\nnonsense`;
    here.clock.advance(3 * hourMs);
    const { problems } = await scene.round();
    expect(problems[0]).toStartWith("cron.toml:");
    expect(await scene.firings()).toMatchObject([{ key: expect.stringMatching(/^loop:goes-on@.*#1$/) }]);
    scene.cron = good;
    await scene.round();
    expect((await scene.firings()).at(0)).toMatchObject({ catch_up: 1, missed: 2 });
    expect(await scene.firings()).toHaveLength(2);
  });

  test.each<[Overlap, string[], number]>([
    ["queue", ["running", "waiting", "joined"], 0],
    ["skip", ["running", "skipped", "skipped"], 0],
    ["replace", ["replaced", "replaced", "running"], 2],
  ])("%s: what becomes of firings while the first is under way", async (overlap, states, ended) => {
    const hangs = Promise.withResolvers<number>();
    scene.perform = () => hangs.promise;
    await addCron(scene.context(), cronWish("long", "0 * * * *", harvest, { overlap }));
    const context = scene.context("daemon");
    const { scheduleRound } = await import("./round.ts");
    for (let hour = 0; hour < 3; hour++) {
      here.clock.advance(hourMs);
      await scheduleRound(context, new Map());
    }
    expect((await scene.firings()).map(({ state }) => state)).toEqual(states);
    expect(scene.endedVerbs).toHaveLength(ended);
    hangs.resolve(0);
  });

  test("killed at each step of a firing, and looked at again: every verb runs once, every prompt arrives once", async () => {
    const steps = [
      "schedules.cron-fired",
      "schedules.begun",
      "schedules.noted",
      "schedules.loop-fired",
      "schedules.loop-written",
    ];
    await scene.see("agent1", "idle");
    await addCron(scene.context(), cronWish("verb", "0 * * * *", harvest));
    await addCron(scene.context(), cronWish("prompt", "0 * * * *", tell));
    await addLoop(scene.context(), { id: "loop", action: harvest, everyMs: hourMs, overlap: "queue" });
    for (const step of steps) {
      here.clock.advance(hourMs);
      scene.dieAt = step;
      expect(await throwing(scene.round())).toThrow(`killed at ${step}`);
      await scene.round();
      await scene.takeAll("agent1");
      await scene.round();
    }
    const rows = await scene.firings();
    expect(rows.every(({ state }) => state === "done")).toBe(true);
    const count = (start: string): number => rows.filter(({ key }) => key.startsWith(start)).length;
    expect([count("cron:verb"), count("cron:prompt"), count("loop:loop")]).toEqual([5, 5, 5]);
    expect(scene.inbox.size).toBe(5);
    expect([...scene.runs.values()]).toEqual(Array.from({ length: 10 }, () => 1));
  });
});

test("a week with both kinds of trouble: nothing fires twice, nothing in bursts, nothing is lost", async () => {
  const { FakeClock } = await import("../../ports/fake-clock.ts");
  const { openStore } = await import("../../store/open.ts");
  const database = await sqliteScene();
  // Monday before clocks go back in Berlin (25 October 2026), then the week before they go forward (28 March 2027).
  const weeks = [
    ["2026-10-19T00:00:00Z", "back"],
    ["2027-03-22T00:00:00Z", "forward"],
  ] as const;
  // The second takes as long again; the rules of both changes have tests of their own (due.test.ts).
  for (const [from, change] of process.env["CONSTEL_CHECK_ALL"] === "yes" ? weeks : weeks.slice(0, 1)) {
    const clock = new FakeClock(Date.parse(from));
    const { url, backupDirectory } = database;
    const options = { url: `${url}-${change}`, backupDirectory, clock, constellation: "constel0" };
    const store = await openStore({ ...options, random: (await import("../../ports/fake-clock.ts")).seededRandom(1) });
    const scene = new ScheduleScene({ store, clock } as never);
    const zone = "Europe/Berlin";
    await addCron(scene.context(), cronWish("night", "30 2 * * *", harvest, { zone }));
    await addCron(scene.context(), cronWish("often", "0 * * * *", harvest));
    await addLoop(scene.context(), { id: "hourly", action: harvest, everyMs: 3 * hourMs, overlap: "queue" });
    const startMs = clock.nowMs();
    const endMs = startMs + 7 * 24 * hourMs;
    let rounds = 0;
    const jumps = new Map<number, number>([
      [30 * 60, 9 * 60], // on Tuesday the machine sleeps for 9 hours
      [60 * 60, 24 * 60], // on Thursday the daemon is down for a day
      [96 * 60, -2 * 60], // on Friday somebody sets the clock back by two hours
    ]);
    for (let minute = 0; clock.nowMs() < endMs; minute += 60) {
      await scene.round();
      rounds++;
      const jump = jumps.get(minute) ?? 0;
      if (jump < 0) clock.jumpTo(clock.nowMs() + jump * minuteMs);
      else clock.advance((60 + jump) * minuteMs);
    }
    const rows = await scene.firings();
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    expect(rows.every(({ state }) => state === "done")).toBe(true);
    const of = (label: string) => rows.filter(({ key }) => key.startsWith(label));
    const nights = of("cron:night@").map(({ due_ms: dueMs }) => new Date(dueMs).toISOString().slice(0, 13));
    // Every night once, the one of the change too; a night that was slept through comes late, marked.
    const days = new Set(nights.map((night) => night.slice(0, 10)));
    expect(days.size).toBe(nights.length);
    expect(nights.length).toBeGreaterThanOrEqual(6);
    expect(nights.at(-1)).toBe(change === "back" ? "2026-10-25T00" : "2027-03-28T01");
    // Sleep and downtime cost one catch-up each, never a burst.
    const late = of("cron:often@").filter(({ catch_up: catchUp }) => catchUp === 1);
    expect(late).toHaveLength(2);
    expect(late.map(({ missed }) => missed)).toEqual([9, 24]);
    // While the clock that was set back catches up nothing fires again: two hours are there once.
    const hours = of("cron:often@").map(({ due_ms: dueMs }) => dueMs);
    expect(new Set(hours).size).toBe(hours.length);
    const loops = of("loop:hourly@");
    const counts = loops.map(({ key }) => Number(key.split("#")[1])).sort((a, b) => a - b);
    expect(counts).toEqual(loops.map((_, at) => at + 1));
    expect(rounds).toBeGreaterThan(100);
    expect(parseLoopFile(scene.loops.get("hourly") ?? "", "loop").state.fired).toBe(loops.length);
    await store.close();
  }
  await database.end();
});
