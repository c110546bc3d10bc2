// A line of cron.toml counts as the owner accepted it, and as nothing else.

import { beforeEach, expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { cronMark, readCrons } from "./accepted-crons.ts";
import { acceptCrons, addCron, pauseSchedule, removeSchedule, runSchedule } from "./change.ts";
import { fireWithoutStore } from "./fire-without-store.ts";
import { listSchedules } from "./queries.ts";
import { ScheduleScene } from "./schedules.suite.ts";
import { rejection } from "../../../test/kit/rejection.ts";

const hourMs = 3_600_000;
const here = withStore(sqliteScene);
let scene: ScheduleScene;
beforeEach(() => {
  scene = new ScheduleScene(here);
  scene.accepted = new Map();
});

const line = (label: string, verb: string): string =>
  `[[cron]]\nlabel = "${label}"\nschedule = "0 * * * *"\nverb = ["task", "${verb}", "1"]\n`;
const told = '[[cron]]\nlabel = "told"\nschedule = "0 * * * *"\nagent = "agent1"\nprompt = "planted"\n';
const waiting = () => readCrons(scene.machine.files).waiting;
const seen = () => waiting().map((entry) => ({ label: entry.label, mark: cronMark(entry) }));
const labels = async (): Promise<string[]> =>
  (await listSchedules(scene.context(), { kind: "cron" })).schedules.map(({ label }) => label);
async function hourLater() {
  await scene.round();
  here.clock.advance(hourMs);
  return await scene.round();
}

test("a line that was written by hand fires nothing, is named, and fires after it was accepted", async () => {
  scene.cron = line("planted", "harvest") + told;
  expect((await hourLater()).problems.join()).toContain("the cron planted was written into cron.toml by hand");
  expect([scene.runs.size, scene.inbox.size, await labels()]).toEqual([0, 0, []]);
  const alone = await fireWithoutStore({ machine: scene.machine, nowMs: here.clock.nowMs(), seen: new Map() });
  expect([alone.fired, alone.left, alone.problems.length]).toEqual([[], [], 2]);
  await acceptCrons(scene.context(), seen());
  await scene.see("agent1", "idle");
  expect((await hourLater()).problems).toEqual([]);
  expect([scene.runs.size, scene.inbox.size, (await labels()).sort()]).toEqual([1, 1, ["planted", "told"]]);
});

const changes: Record<string, (text: string) => string> = {
  "its verb": (text) => text.replace("harvest", "cancel"),
  "its time": (text) => text.replace("0 * * * *", "* * * * *"),
  "its label": (text) => text.replace('"mine"', '"other"'),
  "a further key": (text) => `${text.trimEnd()}\noverlap = "replace"\n`,
  "its verb's words": (text) => text.replace('"1"', '"1", "--yes"'),
};
for (const [what, change] of Object.entries(changes))
  test(`an accepted line that was changed in ${what} waits again, and as it was it counts again`, async () => {
    const own = line("mine", "harvest");
    scene.cron = own;
    await acceptCrons(scene.context(), seen());
    expect(waiting()).toEqual([]);
    scene.cron = change(own);
    expect(waiting()).toHaveLength(1);
    await hourLater();
    expect(scene.runs.size).toBe(0);
    scene.cron = `# a comment\n${own}`;
    expect(waiting()).toEqual([]);
  });

test("what is accepted is what was shown: a line that changed meanwhile is refused, and none of them counts", async () => {
  scene.cron = line("mine", "harvest") + line("other", "harvest");
  const shown = seen();
  scene.cron = line("mine", "harvest") + line("other", "cancel");
  expect(await rejection(acceptCrons(scene.context(), shown))).toMatchObject({ code: "schedule.changed" });
  expect(waiting()).toHaveLength(2);
  scene.cron = line("mine", "harvest");
  expect(await rejection(acceptCrons(scene.context(), shown))).toMatchObject({ code: "schedule.unknown" });
});

test("a line that waits can be removed, and neither run nor paused", async () => {
  scene.cron = line("planted", "harvest");
  const named = { kind: "cron", label: "planted" } as const;
  const refused = { code: "schedule.not-accepted" };
  expect(await rejection(runSchedule(scene.context(), named))).toMatchObject(refused);
  expect(await rejection(pauseSchedule(scene.context(), { ...named, paused: true }))).toMatchObject(refused);
  await removeSchedule(scene.context(), named);
  expect(scene.cron?.trim()).toBe("");
});

test("what `cron add` writes counts at once, also paused and resumed; removed and put back, it does not", async () => {
  const wish = { label: "mine", schedule: "0 * * * *", zone: "UTC", overlap: "queue", jitterMs: 0 } as const;
  await addCron(scene.context(), { ...wish, action: { verb: ["task", "harvest", "--all"] } });
  const written = scene.cron ?? "";
  await pauseSchedule(scene.context(), { kind: "cron", label: "mine", paused: true });
  await pauseSchedule(scene.context(), { kind: "cron", label: "mine", paused: false });
  expect(waiting()).toEqual([]);
  await removeSchedule(scene.context(), { kind: "cron", label: "mine" });
  scene.cron = written;
  expect(waiting()).toHaveLength(1);
  await hourLater();
  expect(scene.runs.size).toBe(0);
});
