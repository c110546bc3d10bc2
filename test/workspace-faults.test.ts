// Kills and full disks, at random moments of making, removing and bringing back workspaces and of landing their work, on the real
// program: afterwards no state is stuck, nothing is lost, nothing lands twice and nothing is left behind. Some rounds by default;
// CONSTEL_FAULT_ROUNDS=125 makes five hundred faults, and CONSTEL_FAULT_SEED others.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../src/ports/fake-clock.ts";
import { until } from "./kit/home.ts";
import { TaskHome } from "./kit/task-home.ts";

const rounds = Number(process.env["CONSTEL_FAULT_ROUNDS"] ?? 3);
const random = seededRandom(Number(process.env["CONSTEL_FAULT_SEED"] ?? 1));
const below = (limit: number): number => Math.floor(random.fraction() * limit);

const small = mkdtempSync(join(tmpdir(), "constel-small-"));
/** A disk that can be filled needs a mount of its own, which only root may make; else every fault is a kill. */
const canFill =
  Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", small], { stderr: "ignore" }).exitCode === 0;
let at: TaskHome;

beforeAll(async () => {
  const usual = process.env["TMPDIR"];
  process.env["TMPDIR"] = small;
  at = new TaskHome();
  if (usual === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usual;
  await at.run("onboard", "--no-repo");
});

afterAll(async () => {
  await at[Symbol.asyncDispose]();
  if (canFill) Bun.spawnSync(["umount", "-l", small]);
  rmSync(small, { recursive: true, force: true });
});

interface Row {
  readonly task: number;
  readonly state: string;
}

async function stateOf(task: number): Promise<string> {
  const ran = await at.run("workspace", "ls", "--all", "--task", String(task), "--json");
  if (ran.code !== 0) return "unknown";
  return (JSON.parse(ran.stdout) as { workspaces: Row[] }).workspaces.at(-1)?.state ?? "none";
}

/** Whatever was left half done has ended by itself once a daemon runs, which the next change or the watchdog's tick starts. A failure tells what the daemon said, and what stands there. */
async function settled(task: number): Promise<string> {
  const isEnd = (state: string): boolean => ["none", "ready", "removed"].includes(state);
  if (!isEnd(await stateOf(task))) await at.run("daemon", "start");
  try {
    return await until(`task ${task} has a workspace in a state that ends`, () => stateOf(task), isEnd);
  } catch (cause) {
    const there = readdirSync(join(at.root, "workspaces", String(task))).join(" ");
    const log = readFileSync(join(at.home, "logs/daemon.log"), "utf8").split("\n").slice(-15).join("\n");
    throw new Error(`${String(cause)}\n${there}\n${log}`, { cause });
  }
}

/** The harvest that was cut short goes on by itself; one that was not even noted, or was given up, is asked for again. */
async function landed(task: number): Promise<void> {
  const look = async (): Promise<string> => {
    const ran = await at.run("task", "show", String(task), "--json");
    if (ran.code !== 0) return "unknown";
    const { task: row, harvests } = JSON.parse(ran.stdout) as {
      task: { state: string };
      harvests: { ended_ms: number | null }[];
    };
    return harvests.some((one) => one.ended_ms === null) ? "harvesting" : row.state;
  };
  await at.run("daemon", "start");
  for (let tries = 0; tries < 3; tries++) {
    const state = await until(`the harvest of task ${task} has ended`, look, (one) => !/harvesting|unknown/.test(one));
    if (state === "closed") return;
    if (state !== "ready") await at.run("task", "ready", String(task));
    await at.run("task", "harvest", String(task));
  }
  expect([task, await look()]).toEqual([task, "closed"]);
}

const onMain = (subject: string): number => at.log().filter((line) => line === subject).length;

const ballast = join(small, "ballast");

function fill(): void {
  try {
    for (let chunk = 1024 * 1024; chunk >= 1024; chunk /= 4)
      for (;;) writeFileSync(ballast, Buffer.alloc(chunk), { flag: "a" });
  } catch {
    // it is full
  }
}

/** Runs a command while something goes wrong. */
async function withFault(...words: string[]): Promise<string> {
  const isFull = canFill && below(2) === 0;
  const delayMs = below(words[1] === "harvest" ? 2_000 : 500);
  const running = at.run(...words);
  await Bun.sleep(delayMs); // the moment at which it strikes is the point
  if (isFull) fill();
  else if (at.daemonPid !== undefined) kill(at.daemonPid);
  const freed = Bun.sleep(1_500).then(() => rmSync(ballast, { force: true }));
  await Promise.all([running, freed]);
  return `${words.join(" ")}: ${isFull ? "full" : "killed"} after ${delayMs} ms`;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended by itself
  }
}

test(
  `${rounds} rounds of kills${canFill ? " and full disks" : ""}: no state is stuck, nothing is lost, nothing is left behind`,
  async () => {
    const story: string[] = [];
    for (let round = 1; round <= rounds; round++) {
      const { number: task } = await at.ask<{ number: number }>("task", "create", `round ${round}`);
      const name = String(task);
      const path = join(at.root, "workspaces", name, "repo");
      story.push(await withFault("task", "dispatch", name, "--to-workspace", "--no-fetch"));
      if ((await settled(task)) !== "ready") await at.ask("workspace", "clone", name, "--no-fetch");
      const file = `work-${round}.txt`; // main moves on meanwhile, and work on other files lands all the same
      at.commit(path, { [file]: `work ${round}\n` }, `work ${round}`);
      writeFileSync(join(path, "untracked.txt"), `untracked ${round}\n`);
      const isThere = (): string[] =>
        [file, "untracked.txt"].map((name) =>
          existsSync(join(path, name)) ? readFileSync(join(path, name), "utf8") : "gone",
        );
      const whole = [`work ${round}\n`, `untracked ${round}\n`];
      story.push(await withFault("workspace", "rm", name));
      const after = await settled(task);
      if (after === "ready")
        expect({ story: story.slice(-2), there: isThere() }).toEqual({ story: story.slice(-2), there: whole });
      if (after === "ready") await at.ask("workspace", "rm", name);
      story.push(await withFault("workspace", "restore", name));
      if ((await settled(task)) === "removed") await at.ask("workspace", "restore", name);
      expect({ story: story.slice(-3), there: isThere() }).toEqual({ story: story.slice(-3), there: whole });
      const left = readdirSync(join(at.root, "workspaces", name)).filter((entry) => entry.startsWith("."));
      expect({ story: story.slice(-3), left }).toEqual({ story: story.slice(-3), left: [] });
      at.git(path, "fsck", "--connectivity-only");
      await at.ask("task", "ready", name);
      story.push(await withFault("task", "harvest", name));
      await landed(task);
      expect({ story: story.slice(-4), main: onMain(`work ${round}`) }).toEqual({ story: story.slice(-4), main: 1 });
      expect(at.git(at.origin, "show", `main:${file}`)).toBe(`work ${round}`);
      if ((await settled(task)) === "ready") await at.ask("workspace", "rm", name);
      if (process.env["CONSTEL_FAULT_ROUNDS"] !== undefined) process.stderr.write(`${story.length} faults\n`);
    }
    at.git(at.origin, "fsck", "--strict");
    const disposable = existsSync(join(at.home, "state/harvest"))
      ? readdirSync(join(at.home, "state/harvest"), { recursive: true }).filter((entry) =>
          /gate-|\.tmp$/.test(String(entry)),
        )
      : [];
    expect(disposable).toEqual([]);
    const report = JSON.parse((await at.run("doctor", "--json")).stdout) as {
      results: { code: string; state: string }[];
    };
    expect(report.results.find(({ code }) => code === "work.stuck")?.state).toBe("well");
    const full = story.filter((line) => line.includes(": full")).length;
    process.stderr.write(`${story.length} faults: ${full} full disks, ${story.length - full} kills\n`);
  },
  rounds * 180_000, // on a machine that has others to serve, too
);
