// A night on the real program: the real tmux, `script` agents, and kill -9 for whatever lives. Ticks are asked for by hand, as the
// machine's scheduler would: nothing waits for a minute to pass.

import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSteps } from "../src/floor/agents/steps.ts";
import { restartSteps } from "../src/floor/restart/restart-steps.ts";
import type { RestartStatus } from "../src/floor/restart/restart-status.ts";
import { tickPoints } from "../src/floor/watchdog/tick-points.ts";
import type { AgentLaunch } from "../src/ports/agent-launch.ts";
import { TestHome, until } from "./kit/home.ts";
import { commandOf, environmentOf, processesNaming } from "./kit/processes.ts";

interface Listed {
  readonly agent: string;
  readonly wanted: string;
  readonly seen: string;
  readonly runtime: string;
  readonly pid?: number;
}

const look = async (at: TestHome): Promise<Listed[]> =>
  (JSON.parse((await at.constel(["agents", "--all", "--json"])).stdout) as { agents: Listed[] }).agents;

const pidOf = (listed: readonly Listed[], agent: string): number => listed.find((one) => one.agent === agent)?.pid ?? 0;

const launchOf = (at: TestHome, agent: string): AgentLaunch =>
  JSON.parse(readFileSync(join(at.home, `state/agents/${agent}.json`), "utf8")) as AgentLaunch;

/** One that has its turn, or dies: the ticker's own may be under way. */
const tick = (at: TestHome, env: Record<string, string> = {}) =>
  until(
    "a tick has its turn",
    () => at.constel(["watchdog", "tick", "--json"], { env }),
    ({ code, stdout }) => code === 137 || stdout.includes('"ticked":true'),
  );

/** A tick as in a night, where a minute lies between two: nobody is held back because the last restart was a moment ago. */
const laterTick = (at: TestHome) =>
  until(
    "a tick holds nobody back",
    () => tick(at),
    ({ stdout }) => !heldBack.some((why) => stdout.includes(why)),
  );

const heldBack = ["restarted a moment ago", "a restart is under way", "it is being started"];

const allUp = (at: TestHome): Promise<Listed[]> =>
  until(
    "everybody wanted is up",
    () => look(at),
    (listed) => listed.every(({ wanted, seen }) => wanted !== "up" || seen === "up"),
  );

const restartsEnded = (at: TestHome): Promise<RestartStatus[]> =>
  until(
    "every restart has ended",
    () => statuses(at),
    (all) => all.every(({ ended_ms: endedMs }) => endedMs !== null),
  );

function statuses(at: TestHome): RestartStatus[] {
  const directory = join(at.home, "state/restart-status");
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith(".json")) : [];
  return names.map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")) as RestartStatus);
}

const pending = (at: TestHome): string[] => {
  const directory = join(at.home, "state/crash-handoffs");
  return existsSync(directory) ? readdirSync(directory) : [];
};

/** Processes that carry an agent's mark. */
const marked = (at: TestHome, agent: string): number[] =>
  processesNaming(at.home).filter((pid) => {
    const { CONSTEL_AGENT, CONSTEL_HOME } = environmentOf(pid);
    return CONSTEL_AGENT === agent && CONSTEL_HOME === at.home;
  });

/** As the kernel would end it; waits until it has. */
async function kill(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  await until(
    `${pid} has ended`,
    () => commandOf(pid),
    (command) => command === "",
  );
}

/** Lists what settled as delivered in agent1's mailbox. */
const delivered = (at: TestHome): string[] => {
  const directory = join(at.home, "channels/agent/agent1/done");
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.includes("~delivered")) : [];
};

const parentOf = (of: number): number =>
  Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${of}/stat`, "utf8"))?.[1] ?? 0);

const everybody = ["agent0", "agent1", "agent2", "agentinfinity", "agentticker"].map((agent) => `${agent} script`);

test("kill -9 of an agent, of the daemon, of the ticker, of the tmux server and of all at once: within two ticks all are back as they were", async () => {
  await using at = new TestHome();
  await at.constel(["up", "2", "--type", "script", "--no-attach"]);
  const first = await allUp(at);
  await at.constel(["channel", "send", "agent1", "--task", "7", "Task 7 is yours."]);
  await until(
    "the brief has arrived",
    () => delivered(at),
    ({ length }) => length === 1,
  );

  // One agent: nobody else is touched.
  await kill(pidOf(first, "agent1"));
  await tick(at);
  const second = await allUp(at);
  await restartsEnded(at);
  for (const { agent, pid, runtime } of second) {
    expect({ agent, runtime }).toEqual({ agent, runtime: "script" });
    if (agent !== "agent1") expect({ agent, pid }).toEqual({ agent, pid: pidOf(first, agent) });
  }
  const handoff = (await at.constel(["handoffs", "show", "agent1"])).stdout;
  for (const part of ["ended by signal 9", "Task 7 is yours."]) expect(handoff).toContain(part);
  await until(
    "the handoff is proven to have arrived",
    () => delivered(at),
    ({ length }) => length === 2,
  );

  // The daemon: agents live on.
  await kill(at.daemonPid ?? 0);
  await tick(at);
  expect((await at.constel(["daemon", "status"])).code).toBe(0);
  expect(pidOf(await look(at), "agent2")).toBe(pidOf(first, "agent2"));

  // The ticker: the machine's own scheduler has the next tick.
  await kill(pidOf(second, "agentticker"));
  await tick(at);
  await tick(at);
  const ticking = await allUp(at);
  for (const agent of ["agent0", "agent1", "agent2", "agentinfinity"])
    expect({ agent, pid: pidOf(ticking, agent) }).toEqual({ agent, pid: pidOf(second, agent) });
  expect(pidOf(ticking, "agentticker")).not.toBe(pidOf(second, "agentticker"));
  await restartsEnded(at);

  // The tmux server takes the ticker and every agent with it; the daemon lives on.
  const daemon = at.daemonPid ?? 0;
  await kill(parentOf(pidOf(second, "agent2")));
  await laterTick(at);
  await laterTick(at);
  const again = await allUp(at);
  expect(again.map(({ agent, runtime }) => `${agent} ${runtime}`)).toEqual(everybody);
  expect(at.daemonPid).toBe(daemon);
  await restartsEnded(at);

  // All at once.
  const server = parentOf(pidOf(again, "agent2"));
  // The daemon first: one that outlives the agent by a moment begins to start it on the server that is about to die.
  await Promise.all([daemon, pidOf(again, "agent1"), pidOf(again, "agentticker"), server].map(kill));
  await laterTick(at);
  await laterTick(at);
  const third = await allUp(at);
  expect(third.map(({ agent, runtime }) => `${agent} ${runtime}`)).toEqual(everybody);
  await restartsEnded(at);
  for (const agent of ["agent0", "agent1", "agent2", "agentinfinity"])
    expect({ agent, pids: marked(at, agent) }).toEqual({ agent, pids: [pidOf(third, agent)] });
  expect((await at.constel(["daemon", "status"])).code).toBe(0);
  expect(pending(at)).toEqual([]);
  const rows = await until(
    "every death is a row",
    async () =>
      JSON.parse(
        (await at.constel(["query", "select agent from crash_log order by agent", "--json"])).stdout,
      ) as unknown,
    (answer) => JSON.stringify(answer).match(/agent/g) !== null && JSON.stringify(answer).includes("agentinfinity"),
  );
  expect(JSON.stringify(rows)).toContain("agent1");
}, 120_000);

// All of them with CONSTEL_ALL_KILLS=1: each costs a second or two.
const every = process.env["CONSTEL_ALL_KILLS"] === "1";
const tellingPoints = ["tick.attempt-recorded", "restart.agent-started", "restart.handoff-sent"];
const reached = [...tickPoints, ...restartSteps, ...startSteps].filter(
  (name) => !["tick.quarantined", "tick.paged", "tick.hang-marked"].includes(name),
);

test("a tick or a restart that is killed at any step is finished by the next tick, and the agent is told once", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  await at.constel(["agent", "1", "--type", "script"]);
  for (const point of every ? reached : tellingPoints) {
    await at.constel(["restart", "1"]); // whatever was held against it goes
    await kill(pidOf(await look(at), "agent1"));
    const told = heard(at).length;
    const killed = await tick(at, { CONSTEL_KILL_AT: point });
    if (point.startsWith("tick.")) expect({ point, code: killed.code }).toEqual({ point, code: 137 });
    await until(
      "the restart that was killed is gone",
      () => processesNaming(at.home).filter((pid) => commandOf(pid).includes("restart-run")),
      (pids) => pids.length === 0,
    );
    await at.constel(["watchdog", "tick"]);
    // A second start follows the first by a second at least.
    const back = await until(
      `agent1 is back after ${point}`,
      async () => {
        const listed = await look(at);
        if (listed.some(({ agent, seen }) => agent === "agent1" && seen !== "up")) await tick(at);
        return listed;
      },
      (listed) => listed.some(({ agent, seen }) => agent === "agent1" && seen === "up"),
    );
    await until(
      "nothing waits to be handed over",
      async () => {
        if (pending(at).length > 0) await tick(at);
        return pending(at);
      },
      (files) => files.length === 0,
    );
    expect({ point, wanted: launchOf(at, "agent1").wanted, runtime: launchOf(at, "agent1").runtime }).toEqual({
      point,
      wanted: "up",
      runtime: "script",
    });
    expect({ point, pids: marked(at, "agent1") }).toEqual({ point, pids: [pidOf(back, "agent1")] });
    await until(
      "the handoff has arrived",
      () => heard(at).length,
      (count) => count > told,
    );
    const handoffs = heard(at).slice(told);
    expect({ point, once: new Set(handoffs).size === handoffs.length }).toEqual({ point, once: true });
  }
}, 240_000);

/** Ids of what reached agent1's program. */
function heard(at: TestHome): string[] {
  const path = join(at.home, "state/hooks/agent1.jsonl");
  if (!existsSync(path)) return [];
  return [...readFileSync(path, "utf8").matchAll(/"messages":\["(msg_[^"]+)"/g)].map(([, id = ""]) => id);
}

test("an agent may restart itself, with a handoff; a clone may restart nobody", async () => {
  await using at = new TestHome();
  mkdirSync(at.home, { mode: 0o700 });
  const script = `if [ -e "$CONSTEL_HOME/again" ]; then exec constel script-agent; fi
while [ ! -e "$CONSTEL_HOME/go" ]; do sleep 0.05; done
touch "$CONSTEL_HOME/again"
echo 'mind the gap' > "$CONSTEL_HOME/note.md"
constel restart agent0 --handoff "$CONSTEL_HOME/note.md"
sleep 1000`;
  writeFileSync(
    join(at.home, "config.toml"),
    `[agents]\nscript_command = ["/bin/sh", "-c", ${JSON.stringify(script)}]\n`,
  );
  await at.constel(["agent", "0", "--type", "script"]);
  const before = pidOf(await look(at), "agent0");
  writeFileSync(join(at.home, "go"), "");
  await until(
    "the restart has ended",
    () => statuses(at),
    ([status]) => status?.agents["agent0"]?.phase === "done",
  );
  const after = pidOf(await look(at), "agent0");
  expect(after).not.toBe(before);
  expect(marked(at, "agent0")).toEqual([after]);
  const { handoffs } = await at.json<{ handoffs: { by: string; state: string; name: string }[] }>(["handoffs", "ls"]);
  const [listed] = handoffs;
  expect(listed).toMatchObject({ by: "operator", state: "archived" });
  expect((await at.constel(["handoffs", "show", listed?.name ?? ""])).stdout).toBe("mind the gap\n");
  const unknown = await at.constel(["handoffs", "show", "agent9", "--json"]);
  expect(JSON.parse(unknown.stderr).error.code).toBe("handoff.unknown");
  for (const words of [
    ["restart", "0"],
    ["restart-run", "agent0"],
  ]) {
    const ran = await at.constel([...words, "--json"], { env: { CONSTEL_AGENT: "agent1" } });
    expect(JSON.parse(ran.stderr).error.code).toBe("authority.clone");
  }
}, 120_000);

test("a program that cannot start says why to whoever starts it and in `agents`, and is not tried over and over", async () => {
  await using at = new TestHome();
  mkdirSync(at.home, { mode: 0o700 });
  const script = "echo 'cannot be used with root/sudo privileges'; exit 1";
  writeFileSync(
    join(at.home, "config.toml"),
    `[agents]\nscript_command = ["/bin/sh", "-c", ${JSON.stringify(script)}]\n`,
  );
  await at.constel(["daemon", "start"]);
  const asked = await at.constel(["agent", "1", "--type", "script"]);
  expect(asked.code).toBe(1);
  expect(asked.stdout).toContain("agent1         did not start");
  expect(asked.stdout).toContain("it ended at once with status 1: cannot be used with root/sudo privileges");
  for (let round = 0; round < 5; round++) {
    await until(
      "it has ended",
      () => look(at),
      ([agent1]) => agent1?.seen === "dead",
    );
    await tick(at);
    await until(
      "the one restart has ended",
      () => statuses(at),
      ([first]) => first !== undefined && first.ended_ms !== null,
    );
  }
  expect(statuses(at)).toHaveLength(1);
  const shown = await until(
    "its words are shown",
    async () => (await at.constel(["agents"], { env: { COLUMNS: "200" } })).stdout,
    (text) => text.includes("cannot be used with root"),
  );
  expect(shown).toContain("dead");

  // One that runs and is not logged in is no failure, and says so to whoever starts it.
  const programs = join(at.top, "programs");
  mkdirSync(programs);
  const rule = "─".repeat(40);
  const screen = `${rule}\n❯ \n${rule}\n  accept edits on        Not logged in · Run /login\n`;
  writeFileSync(
    join(programs, "claude"),
    `#!/bin/sh\n[ "$1" = --version ] && exec echo "2.1.325 (Claude Code)"\nprintf '%s' '${screen}'\nexec sleep 60\n`,
  );
  chmodSync(join(programs, "claude"), 0o755);
  const env = { PATH: `${programs}:${at.env["PATH"]}` };
  const out = await at.constel(["agent", "2", "--type", "claude"], { env });
  expect(out.stdout).toContain("it is not logged in: the screen says: Not logged in. Log in: constel attach agent2");
  expect(out.code).toBe(0);
  await at.constel(["daemon", "stop"]);
  expect((await at.constel(["agents"], { env: { COLUMNS: "200" } })).stdout).toContain("cannot be used with root");
}, 120_000);

test("service install writes only where nothing of somebody else's stands, and uninstall takes away only that", async () => {
  await using at = new TestHome();
  const programs = join(at.top, "programs");
  mkdirSync(programs);
  const calls = join(at.top, "calls");
  const program = (name: string, text: string): void => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  program("systemctl", `echo "systemctl $*" >> ${calls}`);
  program(
    "crontab",
    `case "$1" in -l) [ -e ${at.top}/tab ] || { echo "no crontab for you" >&2; exit 1; }; cat ${at.top}/tab;; -) cat > ${at.top}/tab;; esac`,
  );
  const env = { PATH: `${programs}:${at.env["PATH"]}` };
  const printed = await at.constel(["service", "install", "--print"], { env });
  expect(printed.stdout).toContain("OnUnitActiveSec=120");
  expect(existsSync(join(at.top, ".config"))).toBe(false);
  expect((await at.constel(["service", "status"], { env })).code).toBe(1);

  const first = await at.constel(["service", "install"], { env });
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" });
  const units = join(at.top, ".config/systemd/user");
  const [service = "", timer = ""] = readdirSync(units).sort();
  expect(service).toMatch(/^constel-watchdog-[0-9a-f]{8}\.service$/);
  expect(readFileSync(join(units, service), "utf8")).toContain(
    `"${join(at.home, "state/bin/constel")}" "watchdog" "tick"`,
  );
  expect(readFileSync(calls, "utf8")).toContain(`enable --now ${timer}`);
  expect((await at.constel(["service", "status"], { env })).code).toBe(0);
  const again = await at.json<{ changed: boolean }>(["service", "install"], { env });
  expect(again.changed).toBe(false);
  // What the unit calls is a tick.
  const ticked = Bun.spawnSync(
    [join(at.home, "state/bin/constel"), "watchdog", "tick", "--existing-home", "--home", at.home, "--root", at.home],
    { env: { ...at.env, ...env } },
  );
  expect(ticked.exitCode).toBe(0);

  writeFileSync(join(units, service), "[Service]\nExecStart=/bin/mine\n");
  for (const verb of ["install", "uninstall"]) {
    const refused = await at.constel(["service", verb, "--json"], { env });
    expect(JSON.parse(refused.stderr).error.code).toBe("service.not-ours");
  }
  expect(readFileSync(join(units, service), "utf8")).toBe("[Service]\nExecStart=/bin/mine\n");
  expect(existsSync(join(units, timer))).toBe(true);

  const cron = ["--manager", "cron"];
  writeFileSync(join(at.top, "tab"), "MAILTO=me\n0 5 * * * mine % odd\n");
  await at.constel(["service", "install", ...cron], { env });
  await at.constel(["service", "install", ...cron], { env });
  const lines = readFileSync(join(at.top, "tab"), "utf8").split("\n");
  expect(lines.slice(0, 2)).toEqual(["MAILTO=me", "0 5 * * * mine % odd"]);
  expect(lines.filter((line) => line.startsWith("*/2 "))).toHaveLength(1);
  await at.constel(["service", "uninstall", ...cron], { env });
  expect(readFileSync(join(at.top, "tab"), "utf8")).toBe("MAILTO=me\n0 5 * * * mine % odd\n");
  // A crontab that cannot be read is not an empty one.
  program("crontab", 'echo "cannot open your crontab" >&2; exit 1');
  const unread = await at.constel(["service", "install", ...cron, "--json"], { env });
  expect(JSON.parse(unread.stderr).error.code).toBe("service.crontab-unreadable");
  program("systemctl", "exit 1");
  const bare = join(at.top, "bare");
  mkdirSync(bare);
  for (const name of ["sh", "env", "systemctl"]) {
    writeFileSync(
      join(bare, name),
      `#!/bin/sh\nexec ${name === "systemctl" ? "/bin/false" : (Bun.which(name) ?? "")} "$@"\n`,
    );
    chmodSync(join(bare, name), 0o755);
  }
  const none = await at.constel(["service", "install", "--json"], { env: { PATH: bare } });
  expect(JSON.parse(none.stderr).error.code).toBe("service.no-manager");
}, 120_000);
