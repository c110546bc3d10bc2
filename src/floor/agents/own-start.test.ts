import { expect, test } from "bun:test";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { Clock } from "../../ports/machine.ts";
import { writeLaunch } from "./launch-files.ts";
import { untilStartIsWritten } from "./own-start.ts";

const launchOf = (more: Partial<AgentLaunch>): AgentLaunch =>
  ({
    agent: "agent1",
    role: "clone",
    wanted: "up",
    runtime: "script",
    launch: { home: "/h" },
    tmuxSocket: "constel-abc",
    sinceMs: 0,
    because: "up",
    ...more,
  }) as unknown as AgentLaunch;

const leader = { pid: 7, token: "ns-1" };

/** Time passes by sleeping alone; something happens when it has passed. */
function clockWith(happens: (atMs: number) => void = () => {}): Pick<Clock, "monotonicMs" | "sleep"> {
  let nowMs = 0;
  return {
    monotonicMs: () => nowMs,
    async sleep(ms) {
      nowMs += ms;
      happens(nowMs);
    },
  };
}

async function waitedMs(written: AgentLaunch | undefined, happens?: (home: string, atMs: number) => void) {
  using at = temporaryDirectory("own-start");
  const write = (launch: AgentLaunch): void => writeLaunch(at.path, launch, (json) => json);
  if (written !== undefined) write(written);
  const clock = clockWith((atMs) => happens?.(at.path, atMs));
  await untilStartIsWritten(at.path, "agent1", clock as Clock);
  return clock.monotonicMs();
}

test("a program waits until its start has written down which process it is, and not for ever", async () => {
  const finish = (home: string, atMs: number): void => {
    if (atMs >= 300) writeLaunch(home, launchOf({ leader }), (json) => json);
  };
  expect(await waitedMs(launchOf({}), finish)).toBe(300);
  expect(await waitedMs(launchOf({}))).toBeGreaterThan(1000);
  expect(await waitedMs(launchOf({}))).toBeLessThan(30_000);
});

test("where no start is under way nothing is waited for", async () => {
  expect(await waitedMs(undefined)).toBe(0);
  expect(await waitedMs(launchOf({ leader }))).toBe(0);
  expect(await waitedMs(launchOf({ wanted: "down" }))).toBe(0);
});
