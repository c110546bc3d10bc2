// From `constel task dispatch` to the first turn begun, against what it takes without us to have the same program begin a turn on
// the same words. With the real Claude Code it is the whole command against the program's own start alone. A script agent
// starts in no time: there the floor also has the git commands without which it could not begin, and the start of our
// own command line, which has its own figures, is left out.

import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { socketCaller } from "../src/client/socket.ts";
import { claude } from "../src/host/runtime/claude/claude.ts";
import { hookFile } from "../src/host/runtime/hook-records.ts";
import { homes } from "../test/lanes/runtimes/homes.ts";
import { Lab, until } from "../test/lanes/runtimes/lab.ts";
import { programOf } from "../test/lanes/runtimes/programs.ts";
import { WorkingAgents } from "../test/kit/working-agents.ts";
import { ascending, type Entry, type Measured, median, percentile, type Skipped } from "./harness.ts";

const top = join(import.meta.dir, "..");

export const dispatchEntries: readonly Entry[] = [
  {
    name: "dispatch-script",
    what: "a dispatch, from the call to the daemon to the first turn begun, script agents",
    floorIs:
      "git clone --local, set-url, fetch and checkout, then the program's own start in a terminal to its turn begun",
    bar: 1.2,
    better: "lower",
    // Twice a start and a few durable writes of a few milliseconds each: too near to its bar for a gate on a busy machine.
    lane: "full",
    measure: withScript,
  },
  {
    name: "dispatch-claude",
    what: "`task dispatch` to the model's first request, Claude Code",
    floorIs: "Claude Code's own start with the words in a terminal, to the model's first request",
    bar: 1.2,
    better: "lower",
    lane: "full",
    measure: withClaude,
  },
];

const roundsAtLeast = 20;

function figures(ours: number[], floor: number[]): Measured {
  ours.sort(ascending);
  floor.sort(ascending);
  const note = `p99 ${percentile(ours, 0.99).toFixed(0)} ms, floor's ${percentile(floor, 0.99).toFixed(0)} ms`;
  return { value: median(ours), floor: median(floor), unit: "ms", note };
}

/** Says that its turn has begun as soon as it runs, as a program does that was started with a prompt. */
const startedWithWords = `
import { appendFileSync } from "node:fs";
appendFileSync(process.env.CONSTEL_HOOK_FILE, JSON.stringify({ event: "prompt-submitted", at: Date.now() }) + "\\n");
setInterval(() => {}, 60_000);
`;

async function withScript(): Promise<Measured> {
  await using at = new WorkingAgents();
  writeFileSync(join(at.top, "started.mjs"), startedWithWords);
  await at.clone(1);
  await at.daemon("start");
  await at.seen("agent1", "idle");
  const caller = socketCaller(join(at.home, "state/daemon.sock"), "owner");
  const [ours, floor]: [number[], number[]] = [[], []];
  for (let round = -2; round < roundsAtLeast; round++) {
    const task = await at.create(`Round ${round}`, "never ready");
    const beganMs = Date.now();
    await caller.call("task.dispatch", { task, agent: "agent1" });
    const mine = await begun(at.home, "agent1", beganMs);
    await at.ask("task", "cancel", String(task));
    await until(
      "the clone is free",
      async () => at.query("select state, task from clones_now where agent = 'agent1'")[0],
      (row) => row?.["state"] === "idle" && row["task"] === null,
    );

    const name = `agent${round + 100}`;
    const startMs = Date.now();
    at.git(at.top, "clone", "-q", "--no-checkout", "--local", at.root, join(at.top, "bare"));
    at.git(join(at.top, "bare"), "remote", "set-url", "origin", at.origin);
    at.git(join(at.top, "bare"), "fetch", "-q", "origin", "main");
    at.git(join(at.top, "bare"), "checkout", "-q", "--no-track", "-b", "work", "origin/main");
    const program = [process.execPath, "--no-env-file", "--config=/dev/null", join(at.top, "started.mjs")] as const;
    await at.terminals.create({
      name,
      cwd: join(at.top, "bare"),
      command: program,
      env: { CONSTEL_HOOK_FILE: hookFile(at.home, name) },
    });
    const theirs = await begun(at.home, name, startMs);
    at.tmux("kill-session", "-t", `=${name}`);
    rmSync(join(at.top, "bare"), { recursive: true });
    if (round < 0) continue;
    ours.push(mine);
    floor.push(theirs);
  }
  return figures(ours, floor);
}

/** Returns how long after `sinceMs` the agent's own record says that a turn began. */
async function begun(home: string, agent: string, sinceMs: number): Promise<number> {
  const found = await until(
    "a turn begun",
    async () => recordsOf(home, agent).find(({ event, at }) => event === "prompt-submitted" && at >= sinceMs),
    (record) => record !== undefined,
  );
  return (found?.at ?? Infinity) - sinceMs;
}

function recordsOf(home: string, agent: string): { event: string; at: number }[] {
  try {
    const lines = readFileSync(hookFile(home, agent), "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as { event: string; at: number });
  } catch {
    return [];
  }
}

async function withClaude(): Promise<Measured | Skipped> {
  const program = programOf("claude");
  const home = homes["claude"];
  if ("missing" in program) return { skipped: program.missing };
  if (home === undefined) return { skipped: "no home for claude" };
  const lab = await Lab.open(claude, program.path, home, { isolate: true });
  const run = async (...words: string[]): Promise<string> => {
    const env = { ...lab.machine.env, CONSTEL_HOME: lab.constel, CONSTEL_ROOT: lab.work, TMUX_TMPDIR: lab.directory };
    const child = Bun.spawn(words, { cwd: lab.work, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${err}${out}`);
    return out;
  };
  const constel = (...words: string[]): Promise<string> => run(join(top, "bin/constel"), ...words);
  try {
    await prepare(lab, run);
    await constel("daemon", "start");
    await constel("agent", "1", "--type", "claude");
    const idle = (): Promise<unknown> =>
      until(
        "the clone is free",
        async () => clone(lab.constel),
        (row) => row?.["state"] === "idle" && row["task"] === null,
        120_000,
      );
    await idle();
    const [ours, floor]: [number[], number[]] = [[], []];
    for (let round = -1; round < roundsAtLeast; round++) {
      const { number } = JSON.parse(await constel("task", "create", `Round ${round}`, "--json")) as { number: number };
      const begin = performance.now();
      const [mine] = await Promise.all([
        seen(lab, `Task ${number} is yours.`, begin),
        constel("task", "dispatch", String(number)),
      ]);
      await constel("task", "cancel", String(number));
      await seen(lab, `Task ${number} was cancelled`, performance.now());
      await idle();

      const words = `Task words-${round} is yours, says nobody.`;
      const launch = lab.launch({ permissions: "all" });
      const prepared = await claude.prepare(launch, lab.machine);
      for (const file of prepared.files) lab.write(join(lab.constel, file.path), file.content);
      const start = performance.now();
      const opening = lab.terminal.open(`floor-${launch.agent}`, lab.work, { ...lab.machine.env, ...prepared.env }, [
        ...prepared.argv,
        words,
      ]);
      const theirs = await seen(lab, words, start);
      await (await opening).kill();
      if (round < 0) continue;
      ours.push(mine);
      floor.push(theirs);
    }
    return figures(ours, floor);
  } finally {
    await constel("down", "--all").catch(() => "");
    await constel("daemon", "stop").catch(() => "");
    await lab.close();
  }
}

async function prepare(lab: Lab, run: (...words: string[]) => Promise<string>): Promise<void> {
  mkdirSync(lab.constel, { recursive: true });
  // Where this runs as root, Claude Code does everything unasked only when told that it is in a sandbox.
  Object.assign(lab.machine.env, { IS_SANDBOX: "1" });
  writeFileSync(join(lab.constel, "config.toml"), '[agents]\npermissions = "all"\n');
  lab.write(join(lab.home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  lab.write(join(lab.work, ".gitignore"), "workspaces/\n");
  const origin = join(lab.directory, "origin.git");
  await run("git", "init", "-q", "--bare", "-b", "main", origin);
  await run("git", "add", "-A");
  await run("git", "commit", "-qm", "base");
  await run("git", "remote", "add", "origin", origin);
  await run("git", "push", "-q", "-u", "origin", "main");
  await lab.model.setRules({ default: { text: "Noted." }, rules: [] });
}

function clone(home: string): Record<string, unknown> | undefined {
  const database = new Database(join(home, "meta.db"), { readonly: true });
  try {
    const sql = "select state, task from clones_now where agent = 'agent1'";
    return database.query<Record<string, unknown>, []>(sql).all()[0];
  } finally {
    database.close();
  }
}

/** Returns when the model was first asked with these words, after `begin`. It looks every 10 ms; both sides alike. */
async function seen(lab: Lab, words: string, begin: number): Promise<number> {
  const deadline = begin + 120_000;
  while ((await lab.model.saw(words)) === 0) {
    if (performance.now() > deadline) throw new Error(`the model never heard: ${words}`);
    await Bun.sleep(10);
  }
  return performance.now() - begin;
}
