// Real processes: what is ended with an agent, and what is spared.

import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../clock/system-clock.ts";
import { agentTrees } from "./agent-trees.ts";
import { Cgroup } from "./cgroup.ts";
import { markOf, systemLiveness } from "./liveness.ts";

const started: Bun.Subprocess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
});

function spawn(command: string[], env: Record<string, string> = {}): Bun.Subprocess<"ignore", "pipe", "ignore"> {
  const child = Bun.spawn(command, {
    env: { PATH: "/usr/bin:/bin", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    detached: true,
  });
  started.push(child);
  return child;
}

const trees = (spare: readonly number[] = []) => agentTrees({ clock: systemClock, graceMs: 2_000, spare: () => spare });
const lives = (pid: number): boolean => markOf(pid) !== undefined && !ended(pid);
const ended = (pid: number): boolean => {
  const mark = markOf(pid);
  return mark === undefined || mark.token.endsWith("-ended");
};

test("what carries the mark is ended, the spared ones and the parent of terminals are not", async () => {
  const mark = { CONSTEL_AGENT: "agent1", CONSTEL_HOME: `/nowhere/${process.pid}` };
  const marked = spawn(["sleep", "1000"], mark);
  const spared = spawn(["sleep", "1000"], mark);
  // As a terminals' server that was started by the agent itself.
  const program = 'console.log(Bun.spawn(["sleep", "1000"]).pid); setInterval(() => {}, 60_000)';
  const server = spawn([process.execPath, "--no-env-file", "--config=/dev/null", "-e", program], mark);
  const { value } = await server.stdout.getReader().read();
  const inside = Number(new TextDecoder().decode(value));
  expect(trees().agentsAmong(mark.CONSTEL_HOME)).toEqual(["agent1"]);
  const { found, left } = await trees([spared.pid]).end({ mark, terminalPids: [inside] });
  expect({ found, left }).toEqual({ found: 2, left: [] });
  expect([marked.pid, inside].map(ended)).toEqual([true, true]);
  expect([spared.pid, server.pid].map(lives)).toEqual([true, true]);
});

test("one look tells of many agents whether anything of theirs is there: by mark, by leader and by the leader's session", async () => {
  const home = `/nowhere/look-${process.pid}`;
  const mark = (agent: string) => ({ CONSTEL_AGENT: agent, CONSTEL_HOME: home });
  spawn(["sleep", "1000"], mark("agent1"));
  const leader = spawn(["sh", "-c", "sleep 1000 & echo up; wait"]);
  await leader.stdout.getReader().read();
  const led = markOf(leader.pid);
  if (led === undefined) throw new Error("it has ended");
  leader.kill("SIGKILL");
  await leader.exited;
  const isThere = trees().look();
  expect(isThere({ mark: mark("agent1"), terminalPids: [] })).toBe(true);
  expect(isThere({ mark: mark("agent2"), terminalPids: [] })).toBe(false);
  expect(isThere({ leader: led, terminalPids: [] })).toBe(true);
  expect(await trees().end({ leader: led, terminalPids: [] })).toEqual({ found: 1, left: [] });
  expect(trees().look()({ leader: led, terminalPids: [] })).toBe(false);
});

test("a leader's number that has a new owner, or is another namespace's, ends nobody", async () => {
  const stranger = spawn(["sleep", "1000"]);
  const [namespace = ""] = systemLiveness.self().token.split("-");
  const itsStart = markOf(stranger.pid)?.token.split("-")[1] ?? "";
  for (const token of [`${namespace}-1`, `1-${itsStart}`]) {
    const answer = await trees().end({ leader: { pid: stranger.pid, token }, terminalPids: [] });
    expect(answer).toEqual({ found: 0, left: [] });
  }
  expect(lives(stranger.pid)).toBe(true);
  const mark = markOf(stranger.pid);
  if (mark === undefined) throw new Error("it has ended");
  expect(await trees().end({ leader: mark, terminalPids: [] })).toEqual({ found: 1, left: [] });
});

test("waits until a process has ended by itself", async () => {
  const child = spawn(["sh", "-c", "echo ready; read line; sleep 0.05"]);
  const [parent] = trees().parentsOf([child.pid]);
  expect(parent?.pid).toBe(process.pid);
  const mark = markOf(child.pid);
  if (mark === undefined) throw new Error("it has ended");
  expect(await trees().untilEnded([mark])).toEqual([]);
  expect(ended(child.pid)).toBe(true);
});

// Only where the account may make control groups: root mostly may, another where they were handed to it (systemd's user sessions).
const group = Cgroup.make(`constel-test${process.pid}-agent1`);

test.skipIf(group === undefined)(
  "groups of agents stand side by side, also when one agent starts another (needs a writable cgroup v2)",
  async () => {
    if (group === undefined) return;
    const source = JSON.stringify(join(import.meta.dir, "cgroup.ts"));
    const program = `console.log(await import(${source}).then(({ Cgroup }) => Cgroup.make("constel-test${process.pid}-agent2").path))`;
    const child = spawn(group.command([process.execPath, "--no-env-file", "--config=/dev/null", "-e", program]));
    const path = (await new Response(child.stdout).text()).trim();
    expect(path).toBe(group.path.replace(/agent1$/, "agent2"));
    await child.exited;
    for (const one of [group, Cgroup.at(path)]) while (!one.remove()) await systemClock.sleep(5);
  },
);

test.skipIf(group === undefined)(
  "who is spared in an agent's group goes on outside of it, and the group is gone (needs a writable cgroup v2)",
  async () => {
    const cgroup = Cgroup.make(`constel-test${process.pid}-agent3`);
    if (cgroup === undefined) return;
    const ours = spawn(cgroup.command(["sleep", "1000"]));
    const spared = spawn(cgroup.command(["sleep", "1000"]));
    while (cgroup.pids().length < 2) await systemClock.sleep(5);
    const answer = await trees([spared.pid]).end({ cgroup: cgroup.path, terminalPids: [] });
    expect(answer).toEqual({ found: 1, left: [] });
    expect([ours.pid, spared.pid].map(lives)).toEqual([false, true]);
    expect(existsSync(cgroup.path)).toBe(false);
  },
);
