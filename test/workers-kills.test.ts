// One answer to a worker's message, and nothing lost, whatever is killed when.

import { describe, expect, test } from "bun:test";
import { readLaunch } from "../src/floor/agents/launch-files.ts";
import { workerSteps } from "../src/core/workers/worker-machine.ts";
import { until } from "./kit/home.ts";
import { WorkersHome } from "./kit/workers-home.ts";

describe("one answer, and nothing lost", () => {
  for (const point of workerSteps) {
    test(`when the daemon is killed at ${point}`, async () => {
      await using at = new WorkersHome();
      await at.start("one");
      await at.constel(["daemon", "stop"]);
      await at.constel(["daemon", "start"], { env: { CONSTEL_KILL_AT: point } });
      const pid = at.daemonPid;
      const id = await at.send("agentwone", "are you there?");
      await until(
        "the daemon is gone",
        () => isAlive(pid),
        (alive) => !alive,
      );
      await at.constel(["daemon", "start"]);
      await at.becomes("one", "waiting", 1);
      expect(at.turns("one")).toHaveLength(1);
      expect(await at.answered(id)).toHaveLength(1);
      // The account of the bus is brought up to date after the daemon's start.
      await until(
        "it is acknowledged",
        () => at.query(`select state from messages where message_id = '${id}'`),
        (rows) => JSON.stringify(rows) === '[{"state":"acked"}]',
      );
    });
  }

  test("when the turn's program is killed, and when its holder is", async () => {
    await using at = new WorkersHome();
    await at.start("one");
    const id = await at.send("agentwone", "wait for free");
    const [first] = await until(
      "it has begun",
      () => at.turns("one"),
      (turns) => turns.length === 1,
    );
    process.kill(first?.pid ?? 0, "SIGKILL");
    await until(
      "it is tried again",
      () => at.turns("one"),
      (turns) => turns.length === 2,
    );
    await at.becomes("one", "turning");
    const leader = readLaunch(at.home, "agentwone")?.leader?.pid ?? 0;
    process.kill(leader, "SIGKILL");
    // No ticker runs here.
    await at.constel(["watchdog", "tick"]);
    await until(
      "the watchdog brings its holder back",
      () => readLaunch(at.home, "agentwone")?.leader?.pid,
      (pid) => pid !== undefined && pid !== leader,
    );
    await until(
      "and gives it the same turn",
      () => at.turns("one"),
      (turns) => turns.length === 3,
    );
    at.free();
    expect(await at.answered(id)).toHaveLength(1);
    await at.becomes("one", "waiting", 1);
    expect(at.query(`select state from messages where message_id = '${id}'`)).toEqual([{ state: "acked" }]);
  });
});

function isAlive(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0);
    return true;
  } catch {
    return false;
  }
}
