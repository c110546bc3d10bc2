// Agents as their owner meets them: the real program, the real tmux, `script` agents.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSteps, stopSteps } from "../src/floor/agents/steps.ts";
import type { AgentLaunch } from "../src/ports/agent-launch.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";
import { commandOf, environmentOf, processesNaming, processesRunning } from "./kit/processes.ts";

interface Listed {
  readonly agent: string;
  readonly wanted: string;
  readonly seen: string;
  readonly runtime: string;
  readonly pid?: number;
  readonly attached: boolean;
}

const upTwo = ["up", "2", "--type", "script", "--no-attach"];
const everyone = ["agent0", "agent1", "agent2", "agentinfinity", "agentticker"];

/** Whoever is there, also when somebody is missing and the exit code says so. */
async function look(at: TestHome): Promise<Listed[]> {
  return (JSON.parse((await at.constel(["agents", "--all", "--json"])).stdout) as { agents: Listed[] }).agents;
}

const pidsOf = (listed: readonly Listed[]): Record<string, number | undefined> =>
  Object.fromEntries(listed.map(({ agent, pid }) => [agent, pid]));

function launchOf(at: TestHome, agent: string): AgentLaunch {
  return JSON.parse(readFileSync(join(at.home, `state/agents/${agent}.json`), "utf8")) as AgentLaunch;
}

function ticks(at: TestHome): Record<string, unknown>[] {
  const log = join(at.home, `logs/watchdog-events-${new Date().toISOString().slice(0, 10)}.jsonl`);
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The ticker ticks when it starts, and then not for a minute. */
const firstTick = (at: TestHome): Promise<unknown> =>
  until(
    "the first tick has ended",
    () => ticks(at),
    (events) => events.some(({ event }) => event === "tick.ended"),
  );

function config(at: TestHome, text: string): void {
  mkdirSync(at.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(at.home, "config.toml"), text);
}

test("up brings up everyone, again changes nothing, and down --all leaves nothing", async () => {
  await using at = new TestHome();
  const first = await at.constel(upTwo);
  const coming =
    "constel: starting 4 sessions of script: agent0 (the root), agent1, agent2, agentinfinity (the watchdog)\n";
  expect(first).toMatchObject({ code: 0, stderr: `${coming}constel: started the daemon\n` });
  const status = await at.json<{ agents: { agent: string }[] }>(["status"]);
  // The ticker is a process of constel's own.
  const agents = everyone.filter((agent) => agent !== "agentticker");
  expect(status.agents.map(({ agent }) => agent)).toEqual(agents);
  const shown = await at.json<{ agent: string }[]>(["agents"]);
  expect(shown.map(({ agent }) => agent)).toEqual(agents);
  for (const { stdout } of [first, await at.constel(["agents"]), await at.constel(["status"])])
    expect(stdout).not.toContain("ticker");
  expect((await at.constel(["agents", "--all"])).stdout).toContain("agentticker");
  const listed = await look(at);
  expect(listed.map(({ agent }) => agent)).toEqual(everyone);
  expect(listed.every(({ wanted, seen, runtime }) => wanted === "up" && seen === "up" && runtime === "script")).toBe(
    true,
  );
  for (const { agent, pid } of listed) expect(launchOf(at, agent).leader?.pid).toBe(pid ?? 0);

  const second = await at.constel(upTwo);
  expect(second).toMatchObject({ code: 0, stderr: "" });
  expect(second.stdout).toContain("Nothing changed");
  expect(pidsOf(await look(at))).toEqual(pidsOf(listed));

  // One that was taken down is not missed, whether the daemon tells or not.
  await at.constel(["down", "agent1"]);
  expect((await at.constel(["agents"])).stdout).toMatch(/agent1\s+script\s+down/);
  const ended = await at.constel(["down", "--all"]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(processesNaming(at.top).map(commandOf)).toEqual([]);
  expect(readdirSync(join(at.top, `tmux-${process.getuid?.()}`))).toEqual([]);
  expect((await look(at)).map(({ wanted, seen }) => `${wanted} ${seen}`)).toEqual(everyone.map(() => "down missing"));
  expect(await at.constel(["agents"])).toMatchObject({ code: 0, stdout: expect.not.stringContaining("missing") });
  expect((await at.constel(["down", "--all"])).stdout).toBe("No agent is running.\n");
}, 120_000);

test("who is there can be told although the database is damaged, and what is wrong with it", async () => {
  await using at = new TestHome();
  await at.constel(["agent", "1", "--type", "script"]);
  writeFileSync(join(at.home, "meta.db"), "damaged");
  const ran = await at.constel(["status", "--json"]);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 1, stderr: "" });
  const { daemon, problem, agents } = JSON.parse(ran.stdout) as {
    daemon: { running: boolean };
    problem: { code: string; hint: string };
    agents: Listed[];
  };
  expect({ daemon, code: problem.code }).toEqual({ daemon: { running: false }, code: "store.corrupt" });
  expect(agents.find(({ agent }) => agent === "agent1")).toMatchObject({ wanted: "up", seen: "up" });
  const { stdout } = await at.constel(["status"]);
  expect(stdout).toContain(problem.hint);
  expect(stdout).toMatch(/agent1\s+clone\s+script\s+up\s+up/);
});

test("an agent starts in the root directory, finds constel, and keeps the caller's umask, wherever it was started from", async () => {
  await using at = new TestHome();
  const root = join(at.top, "root");
  mkdirSync(join(root, "deep/er"), { recursive: true });
  writeFileSync(join(root, "constel.toml"), "");
  // Our own agent masks its files more strictly, so another command stands in for an agent program.
  config(at, '[agents]\nscript_command = ["cat"]\n');
  const env = { CONSTEL_AGENT: "agent0", SOMETHING: "of the caller's", TERM: "odd", NODE_OPTIONS: "--nothing" };
  const started = await at.json<{ pid: number }>(["agent", "7", "--type", "script"], {
    cwd: join(root, "deep/er"),
    env,
  });
  expect(readlinkSync(`/proc/${started.pid}/cwd`)).toBe(root);
  const seen = environmentOf(started.pid);
  expect(seen).toMatchObject({
    CONSTEL_AGENT: "agent7",
    CONSTEL_HOME: at.home,
    CONSTEL_ROOT: root,
    AGENT_N: "7",
    SOMETHING: "of the caller's",
  });
  expect(seen["TERM"]).toBe("screen-256color");
  expect(seen["NODE_OPTIONS"]).toBeUndefined();
  expect(seen["PATH"]?.split(":")[0]).toBe(join(at.home, "state/bin"));
  const inside = Bun.spawnSync(["sh", "-c", "constel agents --json"], { env: seen, cwd: root });
  expect(JSON.parse(inside.stdout.toString())).toMatchObject({
    agents: [{ agent: "agent7", seen: "up" }],
  });
  const mask = process.umask().toString(8).padStart(4, "0");
  expect(/^Umask:\s+(\d+)/m.exec(readFileSync(`/proc/${started.pid}/status`, "utf8"))?.[1]).toBe(mask);
});

test("two ups at once start each agent once", async () => {
  await using at = new TestHome();
  const both = await Promise.all([at.constel(upTwo), at.constel(upTwo)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const listed = await look(at);
  expect(listed.map(({ agent }) => agent)).toEqual(everyone);
  for (const { agent, pid } of listed) {
    expect(launchOf(at, agent).leader?.pid).toBe(pid ?? 0);
    if (agent !== "agentticker") expect(marked(at, agent)).toEqual([pid ?? 0]);
  }
}, 120_000);

/** Processes that carry an agent's mark. */
function marked(at: TestHome, agent: string): number[] {
  return processesNaming(at.home).filter((pid) => {
    const { CONSTEL_AGENT, CONSTEL_HOME } = environmentOf(pid);
    return CONSTEL_AGENT === agent && CONSTEL_HOME === at.home;
  });
}

test("up that is killed at any step is mended by up", async () => {
  await using at = new TestHome();
  await at.constel(["up", "--type", "script", "--no-attach"]);
  for (const step of startSteps) {
    const killed = await at.constel(["up", "1", "--type", "script", "--no-attach"], { env: { CONSTEL_KILL_AT: step } });
    expect({ step, code: killed.code }).toEqual({ step, code: 137 });
    const mended = await at.constel(["up", "1", "--type", "script", "--no-attach"]);
    // Killed at a late step, it may be up already.
    const coming = /^(constel: starting 1 session of script: agent1\n)?$/;
    expect({ step, code: mended.code }).toEqual({ step, code: 0 });
    expect(mended.stderr).toMatch(coming);
    const agent1 = (await look(at)).find(({ agent }) => agent === "agent1");
    expect(agent1).toMatchObject({ wanted: "up", seen: "up" });
    const launch = launchOf(at, "agent1");
    expect({ step, leader: launch.leader?.pid, cwd: launch.launch.cwd }).toEqual({
      step,
      leader: agent1?.pid ?? 0,
      cwd: at.home,
    });
    expect({ step, pids: marked(at, "agent1") }).toEqual({ step, pids: [agent1?.pid ?? 0] });
    expect(readFileSync(join(at.home, "state/runtime-agent1"), "utf8")).toBe("script\n");
    expect((await at.constel(["down", "agent1"])).code).toBe(0);
  }
}, 120_000);

test("down that is killed at any step is mended by down, and by up", async () => {
  await using at = new TestHome();
  for (const step of stopSteps) {
    for (const mend of [
      ["down", "agent1"],
      ["agent", "1", "--type", "script"],
    ]) {
      await at.constel(["agent", "1", "--type", "script"]);
      const killed = await at.constel(["down", "agent1"], { env: { CONSTEL_KILL_AT: step } });
      expect({ step, code: killed.code }).toEqual({ step, code: 137 });
      // Whoever looks meanwhile must not bring it back.
      expect(launchOf(at, "agent1").wanted).toBe("down");
      expect((await at.constel(mend)).code).toBe(0);
      const isUp = mend[0] === "agent";
      const [agent1] = await look(at);
      expect(agent1).toMatchObject(isUp ? { wanted: "up", seen: "up" } : { wanted: "down", seen: "missing" });
      expect({ step, pids: marked(at, "agent1") }).toEqual({ step, pids: isUp ? [agent1?.pid ?? 0] : [] });
    }
  }
}, 120_000);

test("nothing of an agent survives its down: jobs, daemons, and those that cleared their environment", async () => {
  await using at = new TestHome();
  const number = 1_000_000 + process.pid;
  const sleeps = [0, 1, 2, 3].map((index) => ["sleep", `${number}.${index}`] as const);
  const [job, daemon, ignoring, cleared] = sleeps.map((words) => words.join(" "));
  const command = [
    `${job} &`,
    `(setsid ${daemon} &)`,
    `(setsid sh -c 'trap "" TERM HUP; ${ignoring}' &)`,
    `(setsid env -i ${cleared} &)`,
    "exec cat",
  ].join("\n");
  config(at, `[agents]\nscript_command = ["/bin/sh", "-c", ${JSON.stringify(command)}]\n`);
  await at.constel(["agent", "1", "--type", "script"]);
  await at.constel(["agent", "2", "--type", "script"]);
  const running = (): number => sleeps.flatMap((words) => processesRunning(...words)).length;
  await until("both agents run their four", running, (count) => count === 8);
  const ended = await at.json<{ ended: { agent: string; processes: number }[] }>(["down", "agent1"]);
  expect(ended.ended).toMatchObject([{ agent: "agent1" }]);
  expect(running()).toBe(4);
  expect(marked(at, "agent1")).toEqual([]);
  expect(marked(at, "agent2").length).toBeGreaterThan(0);
  await at.constel(["down"]);
  expect(running()).toBe(0);
}, 120_000);

test("what a program that died had started is ended by the daemon, and nothing of the others", async () => {
  await using at = new TestHome();
  const number = 2_000_000 + process.pid;
  const sleeps = [0, 1].map((index) => ["sleep", `${number}.${index}`] as const);
  const [job, daemon] = sleeps.map((words) => words.join(" "));
  const command = `${job} &\n(setsid ${daemon} &)\nexec cat`;
  config(at, `[agents]\nscript_command = ["/bin/sh", "-c", ${JSON.stringify(command)}]\n`);
  await at.constel(["daemon", "start"]);
  for (const agent of ["1", "2"]) await at.constel(["agent", agent, "--type", "script"]);
  const running = (): number => sleeps.flatMap((words) => processesRunning(...words)).length;
  await until("both agents run their two", running, (count) => count === 4);
  const leader = pidsOf(await look(at))["agent1"] ?? 0;
  process.kill(leader, "SIGKILL");
  await until("what agent1 left is ended", running, (count) => count === 2);
  await until(
    "no process of agent1",
    () => marked(at, "agent1"),
    (pids) => pids.length === 0,
  );
  expect(marked(at, "agent2")).toHaveLength(3);
}, 120_000);

test("an agent whose program ended comes back on the runtime it had; the others are left alone", async () => {
  await using at = new TestHome();
  await at.constel(upTwo);
  const before = pidsOf(await look(at));
  await firstTick(at);
  process.kill(before["agent1"] ?? 0, "SIGKILL");
  // The daemon sees it within two seconds and brings it back; no setting says that it was a script.
  const isBack = ({ agent, seen, runtime, pid }: Listed): boolean =>
    agent === "agent1" && runtime === "script" && seen !== "dead" && pid !== undefined && pid !== before["agent1"];
  await until(
    "agent1 is back",
    () => look(at),
    (listed) => listed.some(isBack),
  );
  const after = pidsOf(await look(at));
  expect(after["agent1"]).not.toBe(before["agent1"]);
  expect({ ...after, agent1: 0 }).toEqual({ ...before, agent1: 0 });
}, 120_000);

test("an agent may end itself, and agent --fresh begins anew", async () => {
  await using at = new TestHome();
  config(
    at,
    `[agents]\nscript_command = ["/bin/sh", "-c", "while [ ! -e $CONSTEL_HOME/go ]; do sleep 0.05; done; constel down agent0; sleep 1000"]\n`,
  );
  const first = await at.json<{ pid: number }>(["agent", "0", "--type", "script"]);
  const second = await at.json<{ pid: number }>(["agent", "0", "--type", "script", "--fresh"]);
  const { cgroup = "" } = launchOf(at, "agent0");
  expect(second.pid).not.toBe(first.pid);
  expect(marked(at, "agent0")).toContain(second.pid);
  expect(marked(at, "agent0")).not.toContain(first.pid);
  writeFileSync(join(at.home, "go"), "");
  await until(
    "agent0 is gone",
    () => look(at),
    ([agent0]) => agent0?.wanted === "down" && agent0.seen === "missing",
  );
  await until(
    "so is what it ran",
    () => marked(at, "agent0"),
    (pids) => pids.length === 0,
  );
  expect(existsSync(cgroup)).toBe(false);
}, 120_000);

test("what cannot be started is refused with a reason, and nothing is half started", async () => {
  await using at = new TestHome();
  const root = join(at.top, "root");
  mkdirSync(join(root, "prompts"), { recursive: true });
  writeFileSync(join(root, "constel.toml"), "");
  const programs = join(at.top, "programs");
  mkdirSync(programs);
  for (const name of ["sh", "env", "tmux", "git", "cat"]) symlinkSync(Bun.which(name) ?? "", join(programs, name));
  const inside = { cwd: root, env: { PATH: programs } };
  const refusals: [readonly string[], { cwd?: string; env?: Record<string, string> }, string, string][] = [
    [["up", "1", "--no-attach"], inside, "runtime.not-installed", "no agent program is on the PATH"],
    [["up", "--type", "clod"], inside, "runtime.unknown", "clod"],
    [
      ["up", "--no-attach"],
      { ...inside, env: { ...inside.env, AGENT_RUNTIME: "codex" } },
      "runtime.not-installed",
      "codex",
    ],
    [["agent", "agent01", "--type", "script"], inside, "agent.bad-id", "agent01"],
    [["agent", "agentticker"], inside, "agent.bad-id", "agentticker"],
    [["up", "many", "--type", "script"], inside, "usage.bad-value", "many"],
    [["up", "1000", "--type", "script"], inside, "agents.too-many", "1000"],
    [
      ["up", "1", "--type", "script"],
      { ...inside, cwd: at.top, env: { ...inside.env, CONSTEL_ROOT: root } },
      "root.outside",
      root,
    ],
    [
      ["up"],
      { ...inside, env: { ...inside.env, CONSTEL_AGENTS_PERMISSIONS: "some" } },
      "usage.bad-value",
      "agents.permissions",
    ],
  ];
  for (const [words, options, code, says] of refusals) {
    const ran = await at.constel([...words, "--json"], options);
    expect({ words, ...JSON.parse(ran.stderr).error }).toMatchObject({
      words,
      code,
      message: expect.stringContaining(says),
    });
  }
  writeFileSync(join(root, "prompts/clone.md"), "You are {{who}}.\n");
  const holed = await at.constel(["up", "1", "--type", "script", "--no-attach"], inside);
  expect(holed.code).not.toBe(0);
  expect(holed.stderr).toContain("prompts/clone.md holds {{who}}");
  expect(existsSync(join(at.home, "state/agents"))).toBe(false);
  expect(at.daemonPid).toBeUndefined();
  expect(processesNaming(at.top).map(commandOf)).toEqual([]);
}, 120_000);

test("a clone may not change the constellation, nor an agent what is the owner's", async () => {
  await using at = new TestHome();
  for (const words of [
    ["up"],
    ["down"],
    ["down", "--all"],
    ["agent", "2"],
    ["agentinfinity"],
    ["attach"],
    ["install", "claude"],
  ]) {
    const ran = await at.constel([...words, "--json"], { env: { CONSTEL_AGENT: "agent1" } });
    expect({ words, code: JSON.parse(ran.stderr).error.code as string }).toEqual({ words, code: "authority.clone" });
  }
  expect(existsSync(join(at.home, "state"))).toBe(false);
  for (const agent of ["agent0", "agent1", "agentinfinity"]) {
    const ran = await at.constel(["keys", "rotate", "constellation", "--json"], { env: { CONSTEL_AGENT: agent } });
    expect([agent, JSON.parse(ran.stderr).error.code]).toEqual([agent, "authority.owner"]);
  }
  expect((await at.constel(["agents"], { env: { CONSTEL_AGENT: "agent1" } })).code).toBe(0);
  // Through the daemon it is the daemon that refuses, so that no other way to its socket gets further.
  const asked = await at.constel(["task", "create", "x", "--json"], { env: { CONSTEL_AGENT: "agent1" } });
  expect(JSON.parse(asked.stderr.split("\n").at(-2) ?? "").error.code).toBe("authority.clone");
});

test("the daemon carries no agent's mark, whoever started it, and outlives that agent's down", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"], { env: { CONSTEL_AGENT: "agent1", AGENT_N: "1" } });
  const pid = at.daemonPid ?? 0;
  expect(environmentOf(pid)["CONSTEL_AGENT"]).toBeUndefined();
  expect(environmentOf(pid)["CONSTEL_HOME"]).toBe(at.home);
  await at.constel(["down", "agent1"]);
  expect((await at.json<{ pid: number }>(["daemon", "status"])).pid).toBe(pid);
});

test("down --all ends a daemon that does not answer", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  process.kill(at.daemonPid ?? 0, "SIGSTOP");
  const ended = await at.json<{ daemon: { stopped: boolean } }>(["down", "--all"]);
  expect(ended.daemon.stopped).toBe(true);
  expect(processesNaming(at.top).map(commandOf)).toEqual([]);
}, 120_000);

test("the ticker starts a daemon that is gone, and every tick is on record before it acts", async () => {
  await using at = new TestHome();
  await at.constel(["up", "--type", "script", "--no-attach"]);
  await firstTick(at);
  process.kill(at.daemonPid ?? 0, "SIGKILL");
  await until(
    "the daemon is gone",
    () => at.constel(["daemon", "status"]),
    ({ code }) => code === 1,
  );
  const tick = await until(
    "a tick has its turn",
    () => at.json<{ ticked: boolean; steps: { name: string; says: string }[] }>(["watchdog", "tick"]),
    ({ ticked }) => ticked,
  );
  expect(tick.steps).toContainEqual(expect.objectContaining({ name: "daemon", says: "was not there; started" }));
  expect((await at.constel(["daemon", "status"])).code).toBe(0);
  expect(ticks(at)[0]).toMatchObject({ event: "tick.began", wanted: 3, missing: [] });
}, 120_000);

test("an agent that is killed is seen dead and brought back by the daemon, with no tick of the ticker's", async () => {
  await using at = new TestHome();
  await at.constel(["up", "1", "--type", "script", "--no-attach"]);
  await firstTick(at);
  // It is there and wanted, and does not tick: nobody but the daemon can bring anybody back.
  const ticker = launchOf(at, "agentticker").leader?.pid ?? 0;
  process.kill(ticker, "SIGSTOP");
  const before = launchOf(at, "agent1");
  process.kill(before.leader?.pid ?? 0, "SIGKILL");
  const listed = await until(
    "agent1 runs again",
    () => look(at),
    (all) => all.some(({ agent, seen, pid }) => agent === "agent1" && seen === "up" && pid !== before.leader?.pid),
  );
  expect(listed.find(({ agent }) => agent === "agent1")?.runtime).toBe("script");
  expect(launchOf(at, "agent1").sinceMs).toBeGreaterThan(before.sinceMs);
  const crashes = await until(
    "the crash is a row",
    () => at.json<unknown[]>(["query", "select agent, what from crash_log"]),
    (rows) => rows.length > 0,
  );
  expect(crashes).toEqual([{ agent: "agent1", what: "ended by signal 9" }]);
  process.kill(ticker, "SIGCONT");
}, 120_000);

test("a message reaches a script agent with proof, and its answer comes back", async () => {
  await using at = new TestHome();
  await at.constel(["up", "1", "--type", "script", "--no-attach"]);
  const words = ["channel", "send", "agent1", "--wait", "--timeout", "50s", "Are you there?"];
  const answer = await at.json<{ id: string; reply: { from: string; text: string } }>(words);
  expect(answer.reply).toMatchObject({ from: "agent1", text: "agent1 has read it." });
  expect(readFileSync(join(at.home, "state/hooks/agent1.jsonl"), "utf8")).toContain(answer.id);
}, 120_000);

test("attach shows an agent in a person's terminal, and up attaches to the root; without one both say so", async () => {
  await using at = new TestHome();
  const outer = (...words: string[]): number =>
    Bun.spawnSync(["tmux", "-L", "outer", "-f", "/dev/null", ...words], { env: at.env, stdin: "ignore" }).exitCode;
  const constel = join(projectTop, "bin/constel");
  try {
    outer("new-session", "-d", "-s", "one", constel, "up", "1", "--type", "script");
    await until(
      "agent0 is attached",
      () => look(at),
      (listed) => listed.some(({ agent, attached }) => agent === "agent0" && attached),
    );
    outer("new-session", "-d", "-s", "two", constel, "attach", "1");
    await until(
      "agent1 is attached",
      () => look(at),
      (listed) => listed.some(({ agent, attached }) => agent === "agent1" && attached),
    );
  } finally {
    outer("kill-server");
  }
  await until(
    "nobody is attached",
    () => look(at),
    (listed) => listed.every(({ attached, seen }) => !attached && seen === "up"),
  );
  expect((await at.constel(["attach", "agent9"])).stderr).toContain("agent9 has no terminal");
  expect((await at.constel(["attach", "agent1"])).code).not.toBe(0);
}, 120_000);
