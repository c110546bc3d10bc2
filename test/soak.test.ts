// Twenty script agents for as long as CONSTEL_SOAK_MINUTES says (an hour is what is promised), one of them killed every few seconds,
// now and then the daemon or the ticker, once the terminals' server: whatever died comes back, every death is a row of `crash_log`,
// and nothing piles up. Without the variable this is skipped: test/nights.test.ts has each kind of death once, and this one is
// about what only time shows. CONSTEL_SOAK_SEED repeats a run's choices; CONSTEL_SOAK_LOG is a file that gets a line for each look.

import { expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { randomFrom } from "../src/core/schedules/random.suite.ts";
import { TestHome, until } from "./kit/home.ts";
import { processesNaming } from "./kit/processes.ts";
import { missingFrom, Soak, tryKill } from "./kit/soak.ts";
import { agentsMarked, markers } from "../src/floor/markers/markers.ts";

const minutes = Number(process.env["CONSTEL_SOAK_MINUTES"] ?? "0");
const seed = process.env["CONSTEL_SOAK_SEED"] ?? "a night";
const agents = 20;
const killEveryMs = 5_000;
/** The ticker's minute is for nights; here deaths come every few seconds. */
const tickEvery = 3;

test.skipIf(!(minutes > 0))(
  "a fleet under random kills stays whole, and every death is accounted for (CONSTEL_SOAK_MINUTES)",
  async () => {
    await using at = new TestHome();
    const say = (line: object): void => {
      const path = process.env["CONSTEL_SOAK_LOG"];
      if (path !== undefined) appendFileSync(path, `${JSON.stringify(line)}\n`);
    };
    await at.constel(["up", String(agents), "--type", "script", "--no-attach"]);
    const soak = new Soak(at);
    await until(
      "everybody is up",
      () => soak.alive().length,
      (count) => count === agents + 1,
    );
    const whole = soak.look();
    const commands = (): string[] => processesNaming(at.home).map(commandLine).toSorted();
    say({ commands: commands() });
    const random = randomFrom(seed);
    const endMs = performance.now() + minutes * 60_000;
    const halfMs = performance.now() + minutes * 30_000;
    let serverKilled = false;
    let daemonKills = 0;
    for (let round = 1; performance.now() < endMs; round++) {
      const [alive, startedMs] = [soak.alive(), performance.now()];
      const chosen = alive[Math.floor(random() * alive.length)];
      if (chosen !== undefined) soak.kill(chosen);
      if (round % 24 === 0 && at.daemonPid !== undefined && tryKill(at.daemonPid)) daemonKills += 1;
      if (!serverKilled && performance.now() > halfMs) {
        serverKilled = true;
        const leaders = soak.alive();
        for (const { agent, sinceMs } of leaders) soak.deaths.push({ agent, launchedMs: sinceMs });
        tryKill(serverOf(leaders[0]?.leader?.pid ?? 0));
      }
      if (round % tickEvery === 0) await at.constel(["watchdog", "tick"]);
      for (const agent of quarantined(at)) await at.constel(["restart", agent]);
      if (round % 6 === 0) say({ ...soak.look(), deaths: soak.deaths.length, alive: soak.alive().length, daemonKills });
      await pause(Math.max(0, killEveryMs * (0.5 + random()) - (performance.now() - startedMs)));
    }
    // What was killed last comes back too, without anybody's hand once what was given up is released.
    await until(
      "everybody is back",
      async () => {
        await at.constel(["watchdog", "tick"]);
        for (const agent of quarantined(at)) await at.constel(["restart", agent]);
        const { stdout } = await at.constel(["agents", "--all", "--json"]); // exits 1 while somebody is down
        const listed = JSON.parse(stdout) as { agents: { agent: string; wanted: string; seen: string }[] };
        return listed.agents.filter(({ wanted, seen }) => wanted === "up" && seen !== "up").map(({ agent }) => agent);
      },
      (down) => down.length === 0,
    );
    await until(
      "no restart is under way",
      () => processesNaming(at.home).filter((pid) => commandLine(pid).includes("restart-run")),
      ({ length }) => length === 0,
    );
    const killed = soak.deaths.map(({ agent, launchedMs }) => `${agent}@${launchedMs}`);
    const rows: string[] = [];
    const lost = await until(
      "every death is a row",
      async () => {
        const asked = "select agent, launched_at from crash_log where agent <> 'agentinfinity'";
        const found = await at.json<Crashes>(["query", asked]);
        rows.splice(0, Infinity, ...found.map((row) => `${row.agent}@${Date.parse(row.launched_at)}`));
        return missingFrom(rows, killed);
      },
      ({ length }) => length === 0,
    );
    expect(lost).toEqual([]);
    say({ killed: killed.length, rows: rows.length, unasked: missingFrom(killed, rows) });
    expect(missingFrom(killed, rows)).toEqual([]);
    const after = soak.look();
    say({ ...after, commands: commands() });
    expect(after.processes).toBeLessThanOrEqual(whole.processes);
    const [first, last] = [third(soak, 0), third(soak, 2)];
    say({ first, last });
    expect(last.daemonDescriptors).toBeLessThanOrEqual(first.daemonDescriptors + 8);
    expect(last.daemonKib).toBeLessThanOrEqual(first.daemonKib * 1.25);

    await at.constel(["down", "--all"]);
    await at.constel(["daemon", "stop"]);
    const left = processesNaming(at.home).map((pid) => commandLine(pid));
    say({ left });
    expect(left).toEqual([]);
  },
  (minutes + 10) * 60_000,
);

const quarantined = (at: TestHome): string[] => agentsMarked(at.home, markers.crashloop);

/** The middle of what was seen in one third of the time. */
function third(soak: Soak, which: 0 | 2) {
  const { holdings } = soak;
  const size = Math.max(1, Math.floor(holdings.length / 3));
  const some = which === 0 ? holdings.slice(0, size) : holdings.slice(-size);
  const middle = (of: (one: (typeof some)[number]) => number): number =>
    some.map(of).toSorted((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0;
  return {
    daemonDescriptors: middle(({ daemonDescriptors }) => daemonDescriptors),
    daemonKib: middle(({ daemonKib }) => daemonKib),
  };
}

const serverOf = (pid: number): number =>
  Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? 0);

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Crashes = { readonly agent: string; readonly launched_at: string }[];
