// `constel drill` on the real program: a part is ended on purpose, nobody helps, and it says what came back.

import { expect, test } from "bun:test";
import { TestHome } from "./kit/home.ts";

interface Drilled {
  readonly done: boolean;
  readonly parts: {
    what: string;
    ended_pid: number;
    pid: number | null;
    started_ms: number | null;
    back_ms: number | null;
  }[];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("an agent and the daemon are ended, come back by themselves, and are named with their times", async () => {
  await using at = new TestHome();
  await at.constel(["up", "1", "--type", "script", "--no-attach"]);
  await at.json(["daemon", "start"]);
  const daemon = at.daemonPid;
  const asked = await at.constel(["drill", "daemon"]);
  expect([asked.code, asked.stdout.trim()]).toEqual([1, "Nothing was ended: add --yes to end daemon."]);
  expect(at.daemonPid).toBe(daemon);

  const ran = await at.constel(["drill", "agent1", "daemon", "--yes", "--json"]);
  const { done, parts } = JSON.parse(ran.stdout) as Drilled;
  expect({ code: ran.code, done, parts: parts.map(({ what }) => what) }).toEqual({
    code: 0,
    done: true,
    parts: ["agent1", "daemon"],
  });
  expect(parts[1]?.ended_pid).toBe(daemon ?? 0);
  for (const { ended_pid: ended, pid, started_ms: startedMs, back_ms: backMs } of parts) {
    expect(isRunning(ended)).toBe(false);
    expect(pid).not.toBe(ended);
    expect(isRunning(pid ?? 0)).toBe(true);
    expect(backMs).toBeGreaterThanOrEqual(startedMs ?? Infinity);
  }
  expect(at.daemonPid).toBe(parts[1]?.pid ?? 0);
}, 240_000);

test("what does not come back is named, with where to look; what is not there cannot be ended", async () => {
  await using at = new TestHome();
  await at.json(["daemon", "start"]);
  // No ticker runs in this home, so nobody starts the daemon again.
  const ran = await at.constel(["drill", "daemon", "--yes", "--within", "2"]);
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain("Not back: daemon. Look at it: constel doctor");
  for (const [words, code] of [
    [["agent3"], "agent.unknown"],
    [["ticker"], "agent.unknown"],
    [["all"], "agent.unknown"],
    [["daemon"], "daemon.unreachable"],
    [[], "usage.missing-argument"],
    [["daemon", "--within", "soon"], "usage.bad-value"],
  ] as const)
    expect((await at.constel(["drill", ...words, "--yes"])).stderr).toContain(`[${code}]`);
});
