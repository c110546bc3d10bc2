// `constel demo`, really run: what it promises is seen, and nothing of it stays.

import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stepsIn } from "../src/doors/cli/demo/steps.ts";
import { projectTop, until } from "./kit/home.ts";

const tops: string[] = [];
afterEach(() => {
  for (const top of tops.splice(0)) rmSync(top, { recursive: true, force: true });
});

/** An empty HOME, a place for temporary files, and no agent program on the PATH but what the machine has. */
function begin(words: readonly string[]) {
  const top = mkdtempSync(join(tmpdir(), "constel-test-"));
  tops.push(top);
  for (const name of ["home", "tmp"]) mkdirSync(join(top, name));
  const child = Bun.spawn([join(projectTop, "bin/constel"), "demo", ...words], {
    cwd: join(top, "home"),
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: join(top, "home"),
      TMPDIR: join(top, "tmp"),
      LC_ALL: "C.UTF-8",
      // What the user has set must not reach the demo's own constellation.
      CONSTEL_ROOT: "/nowhere",
      CONSTEL_AGENT: "agent7",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
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
  expect({ code: child.exitCode, errors: said.errors, missing: /✗.*/.exec(said.text)?.[0] }).toEqual({
    code: 0,
    errors: "",
    missing: undefined,
  });
  for (const told of [
    "$ constel task dispatch 1 --agent 1",
    "✓ every brief arrived, on the agent's own word",
    "✓ two collisions are foreseen, and no third is made up",
    "✓ the line of one side, and of the other",
    "✓ the new name, and the use of the old one",
    "✓ silence: the same file is no collision",
    "✓ it passed the gate and is on main",
    "✓ all four, with their work",
    "✓ the task that landed, and who did it",
    "What to try next:",
  ])
    expect(said.text).toContain(told);
  expect(said.text).not.toContain("\u001b");
  for (const line of said.text.split("\n")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
  expectNothingLeft(top);
}, 60_000);

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
  }, 60_000);
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
}, 60_000);

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
