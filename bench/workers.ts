// From a message to a worker to its program at work, against the same program started by hand on the same words. The time for which a worker
// waits for more of what wakes it is a setting (a second here), and is left out.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../src/host/runtime/claude/claude.ts";
import { until } from "../test/kit/home.ts";
import { WorkersHome } from "../test/kit/workers-home.ts";
import { programOf } from "../test/lanes/runtimes/programs.ts";
import { allAllowed, TaskLab } from "../test/lanes/runtimes/task-lab.ts";
import { ascending, type Entry, type Measured, median, percentile, type Skipped } from "./harness.ts";

const gatherMs = 1_000;
/** What constel may take beside the program's own start. */
const allowedMs = 100;

export const workerEntries: readonly Entry[] = [
  {
    name: "worker-wake",
    what: "a message to a worker, sent to its program at work on it, a script as its program",
    floorIs: `the program's own start with the words on stdin, and ${allowedMs} ms`,
    bar: 1,
    better: "lower",
    lane: "full",
    measure: withScript,
  },
  {
    name: "worker-claude",
    what: "a message to a worker, sent to its model's first request, Claude Code",
    floorIs: "`claude -p` with the words, to its model's first request",
    bar: 1.2,
    better: "lower",
    lane: "full",
    measure: withClaude,
  },
];

const roundsAtLeast = 20;

function figures(ours: number[], floor: number[], moreMs: number): Measured {
  ours.sort(ascending);
  floor.sort(ascending);
  const note = `p99 ${percentile(ours, 0.99).toFixed(0)} ms, floor's ${percentile(floor, 0.99).toFixed(0)} ms`;
  return { value: median(ours), floor: median(floor) + moreMs, unit: "ms", note };
}

/** Where the kit's program writes down each turn that it was given. */
function firstTurn(file: string, words: string): number | undefined {
  try {
    const lines = readFileSync(file, "utf8").trim().split("\n");
    const turns = lines.map((line) => JSON.parse(line) as { text: string; at: number });
    return turns.find(({ text }) => text.includes(words))?.at;
  } catch {
    return undefined;
  }
}

const begun = (file: string, words: string) =>
  until(
    "the turn has begun",
    () => firstTurn(file, words),
    (at) => at !== undefined,
  );

async function withScript(): Promise<Measured> {
  await using at = new WorkersHome();
  await at.start("one", "--turns-per-hour", "1000");
  const alone = join(at.top, "alone");
  mkdirSync(alone);
  const [ours, floor]: [number[], number[]] = [[], []];
  for (let round = 0; round <= roundsAtLeast; round += 1) {
    const words = `words of round ${round}.`;
    const id = await at.send("agentwone", words);
    const began = Number(await begun(join(at.home, "turns-agentwone"), words));
    await at.becomes("one", "waiting", round + 1);
    const sent = Number(at.query(`select sent_ms from messages where message_id = '${id}'`)[0]?.["sent_ms"]);

    const startMs = Date.now();
    const command = [process.execPath, "--no-env-file", "--config=/dev/null", join(at.top, "worker.mjs")];
    const env = { ...at.env, CONSTEL_HOME: alone, CONSTEL_AGENT: "agentwone" };
    const child = Bun.spawn(command, { env, stdin: "pipe", stdout: "ignore" });
    await child.stdin.write(`${JSON.stringify({ text: words, session: "s", resumes: false })}\n`);
    await child.stdin.flush();
    const theirs = Number(await begun(join(alone, "turns-agentwone"), words)) - startMs;
    await child.stdin.end();
    await child.exited;
    if (round === 0) continue;
    ours.push(began - sent - gatherMs);
    floor.push(theirs);
  }
  return figures(ours, floor, allowedMs);
}

async function withClaude(): Promise<Measured | Skipped> {
  const program = programOf("claude");
  if ("missing" in program) return { skipped: program.missing };
  const slowMs = 120_000;
  const config = `${allAllowed}[workers]\ngather_seconds = 1\nturns_per_hour = 1000\n`;
  const here = await TaskLab.open(claude, program.path, { slowMs, config });
  try {
    const { lab } = here;
    let asked = 0;
    await lab.model.setRules({ default: { text: "Noted." }, rules: [] });
    await here.constel("daemon", "start");
    await here.constel("worker", "start", "one", "--type", "claude", "--context", "fresh:1");
    const [ours, floor]: [number[], number[]] = [[], []];
    for (let round = 0; round <= roundsAtLeast; round += 1) {
      // No progress would park it.
      await lab.model.setRules({ default: { text: `Noted in round ${round}.` }, rules: [] });
      const mine = `Words of round ${round}.`;
      const sentMs = Date.now();
      const sending = here.constel("channel", "send", "agentwone", mine);
      const heardMs = await heard(here, mine);
      await sending;
      asked += 1;
      await rests(here, asked);

      const alone = `Alone in round ${round}.`;
      const { argv, env, unset, stdin } = claude.headless({
        program: lab.program,
        cwd: lab.work,
        prompt: alone,
        permissions: "all",
        trusted: true,
      });
      const without = Object.entries({ ...lab.machine.env, ...env }).filter(([name]) => !unset.includes(name));
      const startMs = Date.now();
      const child = Bun.spawn([...argv], {
        cwd: lab.work,
        env: Object.fromEntries(without),
        stdin: new Blob([stdin]),
        stdout: "ignore",
        stderr: "ignore",
      });
      const theirs = (await heard(here, alone)) - startMs;
      await child.exited;
      if (round === 0) continue;
      ours.push(heardMs - sentMs - gatherMs);
      floor.push(theirs);
    }
    return figures(ours, floor, 0);
  } finally {
    await here.close();
  }
}

/** Returns when the model was first asked with these words. It looks every 10 ms; both sides alike. */
async function heard({ lab }: TaskLab, words: string): Promise<number> {
  const deadline = Date.now() + 120_000;
  while ((await lab.model.saw(words)) === 0) {
    if (Date.now() > deadline) throw new Error(`the model never heard: ${words}`);
    await Bun.sleep(10);
  }
  return Date.now();
}

const rests = (here: TaskLab, turns: number) =>
  until(
    "the worker waits",
    async () => (await here.query("select state, turns from workers_now where name = 'one'"))[0],
    (row) => row?.["state"] === "waiting" && row["turns"] === turns,
  );
