import { expect, test } from "bun:test";
import { FakeClock } from "../../ports/fake-clock.ts";
import type { StuckWork } from "../../protocol/store-keeping.ts";
import type { DoctorContext } from "./check.ts";
import { workChecks } from "./work-checks.ts";
import { throwing } from "../../../test/kit/rejection.ts";

test("what nobody is at is listed, and mending waits until the daemon has ended it", async () => {
  const clock = new FakeClock();
  const left: StuckWork = {
    what: "workspace 12/repo",
    state: "making",
    sinceMs: clock.nowMs() - 3_600_000,
    isAbandoned: true,
  };
  let answers: StuckWork[][] = [[left], [left], []];
  let started = 0;
  const context = {
    clock: { ...clock, nowMs: () => clock.nowMs(), sleep: async () => undefined },
    stuck: async () => answers.shift() ?? [],
    startDaemon: async () => void (started += 1),
  } as unknown as DoctorContext;
  const [result] = (await workChecks[0]?.look(context)) ?? [];
  expect(result).toMatchObject({
    state: "warning",
    saw: "workspace 12/repo is making for 60 min, and nobody is at it",
  });
  expect(await result?.fix?.()).toBe("nothing is left half done");
  expect(started).toBe(1);
  answers = Array.from({ length: 60 }, () => [left]);
  const [again] = (await workChecks[0]?.look(context)) ?? [];
  expect(await throwing(Promise.resolve().then(() => again?.fix?.()))).toThrow("workspace 12/repo is making");
});

test("clones that run unconfined although the settings want them confined are named", async () => {
  const check = workChecks.find(({ code }) => code === "agents.unconfined");
  const look = (agents: string[]) => check?.look({ unconfined: async () => agents } as unknown as DoctorContext);
  expect(await look([])).toEqual([]);
  expect(await look(["agent2", "agent3"])).toMatchObject([
    { state: "warning", saw: "agent2 and agent3 run UNCONFINED: started before agents.confined was set" },
  ]);
});
