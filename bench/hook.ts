// Measures what a hook costs an agent at every tool call, against the cheapest program on the same runtime, compiled alike, that does the
// same for it: reads stdin and appends a line.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/host/clock/system-clock.ts";
import { sealForConstel } from "../src/host/keys/seal-for-constel.ts";
import { signingKey } from "../src/host/keys/key-files.ts";
import { systemLiveness } from "../src/host/process/liveness.ts";
import { ascending, type Entry, median, percentile } from "./harness.ts";
import { compileFloor, ownCommand } from "./program.ts";

const payload = JSON.stringify({
  hook_event_name: "PreToolUse",
  session_id: "083567a0-457c-4322-88c5-a079c02f9b4b",
  transcript_path: "/home/somebody/.claude/projects/p/083567a0-457c-4322-88c5-a079c02f9b4b.jsonl",
  cwd: "/home/somebody/project",
  tool_name: "Edit",
  tool_input: {
    file_path: "/home/somebody/project/src/a.ts",
    old_string: "a".repeat(400),
    new_string: "b".repeat(400),
  },
});

/** The things that lie ready for the agent: a join packet and notices about other files, as on a busy day. */
const others = Array.from({ length: 5 }, (_, index) => ({
  id: `note_${index}`,
  at: ["edit", "prompt"],
  files: [`/home/somebody/project/src/other-${index}.ts`],
  text: "o".repeat(400),
}));
const about = (round: number) => ({
  id: `told_${round}`,
  at: ["edit"],
  files: ["/home/somebody/project/src/a.ts"],
  text: "agent2 renames lookUp, which this file calls. ".repeat(8),
});

interface Scene {
  /** The items of a round. */
  readonly items: (round: number) => readonly object[];
  readonly says: boolean;
}

async function measure(rounds: number, scene: Scene) {
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: directory,
    CONSTEL_HOME: join(directory, "home"),
    CONSTEL_AGENT: "agent1",
  };
  const lines = join(env.CONSTEL_HOME, "state/hooks/agent1.jsonl");
  for (const name of ["hooks", "hear/agent1"])
    mkdirSync(join(env.CONSTEL_HOME, "state", name), { recursive: true, mode: 0o700 });
  // A running agent's: it has a key, and its leader is known, so that every line is sealed.
  signingKey(env.CONSTEL_HOME, env.CONSTEL_AGENT, systemClock);
  const launch = { tmuxSocket: "bench", leader: systemLiveness.self() };
  mkdirSync(join(env.CONSTEL_HOME, "state/agents"), { mode: 0o700 });
  const file = sealForConstel(env.CONSTEL_HOME)(JSON.stringify(launch));
  writeFileSync(join(env.CONSTEL_HOME, "state/agents/agent1.json"), file);
  const least = await compileFloor(
    directory,
    "least",
    `import { appendFileSync, readFileSync } from "node:fs";
appendFileSync(${JSON.stringify(join(directory, "least.jsonl"))}, JSON.stringify({ at: Date.now(), given: JSON.parse(readFileSync(0, "utf8")).tool_name }) + "\\n");\n`,
  );
  const hear = join(env.CONSTEL_HOME, "state/hear/agent1/next.json");
  try {
    const ours: number[] = [];
    const floor: number[] = [];
    for (let round = 0; round < rounds + 3; round++) {
      const content = { version: 1, for: "agent1", join: "j".repeat(4000), items: scene.items(round) };
      writeFileSync(hear, sealForConstel(env.CONSTEL_HOME)(JSON.stringify(content)), { mode: 0o600 });
      const both = [run([...ownCommand(), "hook", "claude"], env, scene.says), run([least], env, false)];
      if (round < 3) continue;
      ours.push(both[0] ?? 0);
      floor.push(both[1] ?? 0);
    }
    const left = readFileSync(lines, "utf8").match(/"seal":/g)?.length ?? 0;
    if (left !== rounds + 3) throw new Error(`${left} sealed records of ${rounds + 3} hooks`);
    ours.sort(ascending);
    floor.sort(ascending);
    return {
      value: median(ours),
      floor: median(floor),
      unit: "ms CPU",
      note: `p99 ${percentile(ours, 0.99).toFixed(1)} ms, floor's ${percentile(floor, 0.99).toFixed(1)} ms`,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** CPU time: steadier than wall time on a busy machine, and on an idle one about what the agent waits. */
function run(command: readonly string[], env: Readonly<Record<string, string>>, says: boolean): number {
  const stdin = new TextEncoder().encode(payload);
  const { exitCode, stdout, stderr, resourceUsage } = Bun.spawnSync([...command], { env, stdin });
  if (exitCode !== 0 || stdout.length > 0 !== says || stderr.length > 0) {
    throw new Error(`${command.join(" ")}: ${exitCode} ${stderr.toString()}`);
  }
  return Number(resourceUsage.cpuTime.total) / 1000;
}

interface Took {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** With a rule that forbids, no daemon is asked: the rules are judged in the hook itself, here with the shell's grammar. */
async function measureRule(rounds: number) {
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: directory,
    CONSTEL_HOME: join(directory, "home"),
    CONSTEL_AGENT: "agent1",
  };
  mkdirSync(env.CONSTEL_HOME, { mode: 0o700 });
  const rule = '[[permissions.rules]]\ndecision = "deny"\ncommand = "git push"\n';
  writeFileSync(join(env.CONSTEL_HOME, "config.toml"), rule);
  const asks = (command: string): Uint8Array =>
    new TextEncoder().encode(
      JSON.stringify({
        hook_event_name: "PreToolUse",
        session_id: "s1",
        cwd: "/",
        tool_name: "Bash",
        tool_input: { command },
      }),
    );
  const took = (command: string): Took => {
    const begun = performance.now();
    const { resourceUsage } = Bun.spawnSync([...ownCommand(), "hook", "claude"], { env, stdin: asks(command) });
    return { cpuMs: Number(resourceUsage.cpuTime.total) / 1000, wallMs: performance.now() - begun };
  };
  const commands = {
    silent: "ls -la",
    plain: "git push origin main",
    list: 'cd /tmp && git -C "$PWD" push 2>&1 | tail -5',
    grammar: "for one in a b; do git push $one; done",
  };
  try {
    const all: Record<keyof typeof commands, Took[]> = { silent: [], plain: [], list: [], grammar: [] };
    for (let round = 0; round < rounds + 3; round++)
      for (const name of Object.keys(commands) as (keyof typeof commands)[]) {
        const one = took(commands[name]);
        if (round >= 3) all[name].push(one);
      }
    const middle = (name: keyof typeof commands, what: keyof Took): number =>
      median(all[name].map((one) => one[what]).sort(ascending));
    const over = (name: keyof typeof commands, what: keyof Took): number => middle(name, what) - middle("silent", what);
    const said = (name: keyof typeof commands): string =>
      `${over(name, "cpuMs").toFixed(0)} ms CPU (${over(name, "wallMs").toFixed(0)} ms waited)`;
    return {
      value: over("grammar", "cpuMs"),
      floor: 50,
      unit: "ms CPU",
      note: `over a hook that says nothing (${middle("silent", "cpuMs").toFixed(0)} ms): plain words ${said("plain")}, a list with quotes ${said("list")}, a loop, which takes the grammar, ${said("grammar")}`,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export const hookEntries: readonly Entry[] = [
  {
    name: "hook-rule",
    what: "a hook that keeps an agent from what a rule forbids, over one that says nothing, whatever the daemon does (bar: 50 ms)",
    floorIs: "50 ms",
    bar: 1,
    better: "lower",
    lane: "full",
    measure: measureRule,
  },
  {
    name: "hook",
    what: "a hook before an edit, with nothing to say",
    floorIs: "the least compiled program on the same runtime that reads stdin and appends a line",
    bar: 1.5,
    better: "lower",
    lane: "quick",
    measure: (rounds) => measure(rounds, { items: () => others, says: false }),
  },
  {
    name: "hook-speaks",
    what: "a hook before an edit, with one finding to tell",
    floorIs: "the least compiled program on the same runtime that reads stdin and appends a line",
    bar: 2,
    better: "lower",
    lane: "quick",
    measure: (rounds) => measure(rounds, { items: (round) => [...others, about(round)], says: true }),
  },
];
