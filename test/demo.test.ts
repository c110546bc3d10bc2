// `constel demo`, really run: what it promises is seen, and nothing of it stays.

import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stepsIn } from "../src/doors/cli/demo/steps.ts";
import { projectTop, until } from "./kit/home.ts";
import { watchMemory } from "./kit/memory.ts";

const tops: string[] = [];
afterEach(() => {
  for (const top of tops.splice(0)) rmSync(top, { recursive: true, force: true });
});

const agentPrograms = ["claude", "codex", "opencode", "gemini"];

/** The PATH without any directory that has an agent program. */
const barePath = (process.env["PATH"] ?? "")
  .split(":")
  .filter((directory) => !agentPrograms.some((program) => existsSync(join(directory, program))))
  .join(":");

/** An empty HOME, a place for temporary files, and no agent program. */
function stageSet(): { top: string; options: { cwd: string; env: Record<string, string> } } {
  const top = mkdtempSync(join(tmpdir(), "constel-test-"));
  tops.push(top);
  for (const name of ["home", "tmp"]) mkdirSync(join(top, name));
  const env = {
    PATH: barePath,
    HOME: join(top, "home"),
    TMPDIR: join(top, "tmp"),
    LC_ALL: "C.UTF-8",
    // What the user has set must not reach the demo's own constellation.
    CONSTEL_ROOT: "/nowhere",
    CONSTEL_AGENT: "agent7",
  };
  return { top, options: { cwd: join(top, "home"), env } };
}

const program = join(projectTop, "bin/constel");

function begin(words: readonly string[]) {
  const { top, options } = stageSet();
  const child = Bun.spawn([program, "demo", ...words], { ...options, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const said = { text: "", errors: "" };
  const read = async (stream: ReadableStream<Uint8Array>, to: "text" | "errors"): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const part of stream) said[to] += decoder.decode(part, { stream: true });
  };
  const done = Promise.all([read(child.stdout, "text"), read(child.stderr, "errors"), child.exited]);
  return { top, child, said, done };
}

/** Processes that were started with a directory of this place in their environment. */
function processesOf(top: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").includes(join(top, "tmp"));
    } catch {
      return false; // ended, or somebody else's
    }
  });
}

function expectNothingLeft(top: string): void {
  expect(processesOf(top)).toEqual([]);
  // The tmux server's socket was in there, too.
  expect(readdirSync(join(top, "tmp"))).toEqual([]);
  expect(readdirSync(join(top, "home"))).toEqual([]);
}

test("the demo shows dispatch, collision, silence, harvest and SQL, and leaves nothing", async () => {
  const { top, child, said, done } = begin(["--fast"]);
  const memory = watchMemory(() => [child.pid, ...processesOf(top)]);
  await until(
    "its place is there",
    () => readdirSync(join(top, "tmp")),
    (names) => names.length === 1,
  );
  const [place = ""] = readdirSync(join(top, "tmp"));
  await until(
    "it has processes",
    () => processesOf(top).length,
    (count) => count > 4,
  );
  expect(existsSync(join(top, "tmp", place, "shop"))).toBe(true);
  await done;
  const peak = memory.end();
  expect(peak).toBeGreaterThan(50e6);
  expect(peak).toBeLessThan(1e9);
  expect({ code: child.exitCode, errors: said.errors, missing: /✗.*/.exec(said.text)?.[0] }).toEqual({
    code: 0,
    errors: "",
    missing: undefined,
  });
  for (const told of [
    "$ constel task dispatch 1 --agent 1",
    "✓ every brief arrived: each agent said so itself",
    "✓ two collisions are foreseen, and no third is made up",
    "✓ the line of one side, and of the other",
    "✓ the new name, and the use of the old one",
    "✓ silence: editing the same file is not a collision",
    "✓ till hears of it before it lands, with its own line",
    "✓ it passed the gate and is on main",
    "✓ all four, with their work",
    "✓ the task that landed, and who did it",
    "What to try next:",
  ])
    expect(said.text).toContain(told);
  expect(said.text).not.toContain("\u001b");
  for (const line of said.text.split("\n")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
  expectNothingLeft(top);
}, 120_000);

test.each([
  ["collision", ["✓ two collisions are foreseen, and no third is made up"], "Another repository"],
  ["contract", ["✓ till hears of it before it lands, with its own line"], "Nobody has merged anything"],
  [
    "night",
    ["✓ agent1 heard it, and said so itself", "✓ both came back by themselves", "✓ the page"],
    "A brief is a file",
  ],
  ["review", ["✓ it is held: nobody has read it", "✓ what was read has landed"], "A brief is a file"],
  [
    "mesh",
    ["✓ both show the same twelve digits", "✓ agent1 of desk has it, with the name of this machine"],
    "A brief is a file",
  ],
])(
  "the part %s alone",
  async (part, seen, notTold) => {
    const { top, child, said, done } = begin([part, "--fast"]);
    await done;
    expect({ code: child.exitCode, errors: said.errors }).toEqual({ code: 0, errors: "" });
    for (const told of seen) expect(said.text).toContain(told);
    expect(said.text).not.toContain(notTold);
    expectNothingLeft(top);
  },
  240_000,
);

test("a part that there is not is refused before anything is made", async () => {
  const { top, child, said, done } = begin(["morning"]);
  await done;
  expect(child.exitCode).toBe(2);
  expect(said.errors).toContain('the demo has no part "morning": collision, contract, night, review, mesh');
  expectNothingLeft(top);
});

test("on a terminal of 80 columns nothing wraps, and Ctrl-C leaves nothing", async () => {
  const { top, options } = stageSet();
  let shown = "";
  const child = Bun.spawn([program, "demo", "--fast"], {
    ...options,
    env: { ...options.env, TERM: "xterm-256color" },
    terminal: { cols: 80, rows: 24, data: (_terminal, data) => void (shown += new TextDecoder().decode(data)) },
  });
  await until(
    "the collisions were shown",
    () => shown,
    (text) => text.includes("✓ the new name"),
  );
  child.terminal?.write("\u0003");
  await child.exited;
  await until(
    "all of it was read",
    () => shown,
    (text) => text.includes("[command.interrupted]"),
  );
  const lines = shown.replaceAll("\r", "").split("\n");
  expect(lines.some((line) => line.includes("\u001b[32m  ✓"))).toBe(true);
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
  expectNothingLeft(top);
}, 120_000);

test("with --keep and --json it answers one JSON document, runs on, and ends with the command it names", async () => {
  const { top, child, said, done } = begin(["--keep", "--json"]);
  await done;
  expect({ code: child.exitCode, errors: said.errors }).toEqual({ code: 0, errors: "" });
  const told = JSON.parse(said.text) as {
    seen: boolean;
    missing: string[];
    commands: string[];
    checks: { seen: boolean }[];
    kept: { home: string; root: string; directory: string; end: string };
  };
  expect(told).toMatchObject({ seen: true, missing: [] });
  expect(told.checks.every(({ seen }) => seen)).toBe(true);
  expect(told.commands).toContain("constel task harvest 1");
  const { kept } = told;
  const env = { PATH: barePath, HOME: join(top, "home"), CONSTEL_HOME: kept.home, TMUX_TMPDIR: kept.directory };
  const agents = Bun.spawnSync([program, "agents", "--json"], { cwd: kept.root, env });
  const listed = (JSON.parse(agents.stdout.toString()) as { agents: { seen: string }[] }).agents;
  expect(listed.filter(({ seen }) => seen === "up").length).toBe(6); // the ticker is no agent
  // As a reader would, from anywhere, with nothing of ours set.
  const ended = Bun.spawnSync(["sh", "-c", kept.end], { cwd: "/", env: { PATH: barePath, HOME: join(top, "home") } });
  expect({ code: ended.exitCode, errors: ended.stderr.toString() }).toEqual({ code: 0, errors: "" });
  expectNothingLeft(top);
}, 120_000);

for (const moment of ["$ constel up 4", "✓ four agents", "$ constel task dispatch 2", "$ constel task harvest 1"]) {
  test(`interrupted at "${moment}", it leaves nothing`, async () => {
    const { top, child, said, done } = begin(["--fast"]);
    await until(
      "the moment has come",
      () => said.text,
      (text) => text.includes(moment),
    );
    child.kill("SIGINT");
    await done;
    expect(said.errors).toContain("[command.interrupted]");
    expect(child.exitCode).toBe(3);
    expectNothingLeft(top);
  }, 120_000);
}

test("the steps of a brief are read from its words, and other words are none", () => {
  const brief =
    'Do this.\n\n- In `a.ts` replace `x` with `y`.\n- Append to `b.ts`: `z`.\n- Commit as "Done".\n- Say that it is ready.\n- Rest.\n';
  expect(stepsIn(brief)).toEqual([
    { kind: "replace", file: "a.ts", from: "x", to: "y" },
    { kind: "append", file: "b.ts", line: "z" },
    { kind: "commit", message: "Done" },
    { kind: "ready" },
  ]);
});

test("interrupted while the daemon starts, before any file tells of it, it leaves nothing", async () => {
  const { top, child, said, done } = begin(["--fast"]);
  await until(
    "a daemon was started",
    () => processesOf(top).some((pid) => commandOf(pid).includes("\0daemon\0")),
    (isThere) => isThere,
  );
  child.kill("SIGTERM");
  await done;
  expect(said.errors).toContain("[command.interrupted]");
  expectNothingLeft(top);
}, 120_000);

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
