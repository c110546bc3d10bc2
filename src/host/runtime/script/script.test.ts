// The script runtime on a real terminal: a small agent in sh that reads JSON lines, acknowledges and works.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Terminal, type TmuxPane } from "../../../../test/lanes/runtimes/terminal.ts";
import { until } from "../../../../test/lanes/runtimes/lab.ts";
import type { Launch, LiveSession, RuntimeMachine } from "../../../ports/runtime.ts";
import { systemClock } from "../../clock/system-clock.ts";
import { systemProcesses } from "../../process/run.ts";
import { hookFile } from "../hook-records.ts";
import { script } from "./script.ts";

const agentText = `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const tell = (event, extra = {}) =>
  appendFileSync(process.env.CONSTEL_HOOK_FILE, JSON.stringify({ event, at: Date.now(), session: "s", ...extra }) + "\\n");
const parts = new Map();
tell("session-started");
tell("turn-ended");
createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const text = (message.part === 1 ? "" : (parts.get(message.id) ?? "")) + message.text;
  parts.set(message.id, text);
  if (message.part !== undefined && message.part < message.of) return;
  appendFileSync(process.env.CONSTEL_HOME + "/heard", JSON.stringify({ id: message.id, text }) + "\\n");
  if (text === "ignore me") return;
  tell("prompt-submitted", { messages: [message.id] });
  if (text === "work on") return;
  if (text === "ask") return tell("permission-asked", { tool: "rm" });
  if (text === "limit") return tell("turn-failed", { reason: "usage_limit", says: "try again in 2 hours" });
  if (text === "tokens") {
    const usage = { id: "u1", model: "fake", input: 1, output: 2, cacheRead: 0, cacheWrite: 0, atMs: Date.now() };
    appendFileSync(process.env.CONSTEL_TRANSCRIPT, JSON.stringify({ kind: "answer", at: Date.now(), usage }) + "\\n");
  }
  if (text === "exit") process.exit(0);
  tell("turn-ended");
});
`;

describe("a script as an agent", () => {
  const directory = mkdtempSync(join(tmpdir(), "constel-script-"));
  const terminal = new Terminal(directory);
  const machine: RuntimeMachine = { processes: systemProcesses, clock: systemClock, env: {} };
  let session: LiveSession;
  let pane: TmuxPane;
  let sent = 0;

  const launch: Launch = {
    agent: "agent1",
    home: directory,
    cwd: directory,
    program: "",
    promptFile: join(directory, "prompt.md"),
    permissions: "ask",
    hookCommand: ["true"],
    trusted: true,
    command: [process.execPath, "--no-env-file", "--config=/dev/null", join(directory, "agent.mjs")],
  };
  const inject = (text: string, proofMs = 10_000) =>
    script.inject(session, { id: `msg_${++sent}`, text, asUser: "must", proofMs }, machine);
  const becomes = (state: string) =>
    until(
      state,
      async () => script.status(await script.observe(session, machine)),
      (status) => status.state === state,
    );

  beforeAll(async () => {
    writeFileSync(join(directory, "tmux.conf"), "set -g remain-on-exit on\n");
    writeFileSync(join(directory, "agent.mjs"), agentText);
    mkdirSync(dirname(hookFile(directory, "agent1")), { recursive: true });
    mkdirSync(join(directory, "state", "runtime", "agent1"), { recursive: true });
    const prepared = await script.prepare(launch, machine);
    const sinceMs = Date.now();
    pane = await terminal.open("agent1", directory, { TERM: "xterm", ...prepared.env }, prepared.argv);
    session = { launch, sinceMs, pane, pid: await pane.pid() };
  });
  afterAll(async () => {
    await terminal.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test("is idle when it says so", async () => {
    expect(await becomes("idle")).toMatchObject({ rests: { on: "hooks" } });
  });

  test("acknowledges a message, which is the proof", async () => {
    expect(await inject("hello")).toMatchObject({ state: "delivered", proof: { by: "acknowledgement" } });
    await becomes("idle");
  });

  test("a half-typed line on its terminal does not spoil a message", async () => {
    await pane.type("somebody was just");
    expect(await inject("hello again")).toMatchObject({ state: "delivered" });
    await becomes("idle");
  });

  test("a message it does not acknowledge is unknown, not delivered", async () => {
    expect(await inject("ignore me", 300)).toMatchObject({ state: "unknown", sent: true });
    expect(await script.proof(session, `msg_${sent}`, machine)).toBeUndefined();
  });

  test("only its own word that a turn with the message began is proof, not what others, other events or other ids say", async () => {
    expect(await inject("ignore me", 300)).toMatchObject({ state: "unknown", sent: true });
    const id = `msg_${sent}`;
    const proof = () => script.proof(session, id, machine);
    const transcript = join(directory, "state", "runtime", "agent1", "transcript.jsonl");
    const says = (file: string, record: object): void => appendFileSync(file, `${JSON.stringify(record)}\n`);
    const hook = { event: "prompt-submitted", at: Date.now(), session: "s", messages: [id] };
    const row = { kind: "prompt", at: Date.now(), messages: [id] };
    const own = hookFile(directory, "agent1");
    says(hookFile(directory, "agent2"), hook); // another agent's
    says(own, { ...hook, at: session.sinceMs - 1 }); // of the program that ran here before
    for (const event of ["turn-ended", "tool-began", "notified", "permission-asked"]) says(own, { ...hook, event });
    for (const messages of [`${id} and more`, { [id]: true }, [`${id}0`], [[id]], []]) says(own, { ...hook, messages });
    says(own, { ...hook, at: "now" });
    appendFileSync(own, `prompt-submitted ${id}\n{"event":"prompt-submitted","messages":["${id}"]}\n`);
    for (const kind of ["queued", "answer", "turn-began", "turn-ended"]) says(transcript, { ...row, kind });
    for (const messages of [`[constel:${id}]`, [`${id}0`], undefined]) {
      says(transcript, { ...row, messages, text: `[constel:${id}]` });
    }
    expect(await proof()).toBeUndefined();
    says(own, { ...hook, event: "turn-ended" });
    says(own, hook);
    expect(await proof()).toMatchObject({ by: "acknowledgement" });
    says(own, { ...hook, event: "turn-ended", at: Date.now() + 1, messages: [] });
    await becomes("idle");
  });

  test("20 KB reach it whole, in parts, in copy mode too", async () => {
    const text = Array.from(
      { length: 400 },
      (_, line) => `line ${line}: "quoted" \\ äöü € 漢字 😀 ${"x".repeat(12)}`,
    ).join("\n");
    await pane.enterCopyMode();
    expect(await inject(text)).toMatchObject({ state: "delivered" });
    const heard = readFileSync(join(directory, "heard"), "utf8").trim().split("\n").at(-1) ?? "";
    expect(JSON.parse(heard)).toEqual({ id: `msg_${sent}`, text });
  });

  test("is busy, waiting and limited when it says so", async () => {
    await inject("work on");
    expect((await becomes("busy")).state).toBe("busy");
    await inject("ask");
    await becomes("waiting-permission");
    expect(await inject("nothing may be typed now")).toMatchObject({ state: "unknown", sent: false });
    const answered = { event: "tool-ended", at: Date.now(), session: "s" };
    appendFileSync(hookFile(directory, "agent1"), `${JSON.stringify(answered)}\n`);
    await inject("limit");
    const limited = await becomes("limited");
    expect(limited.untilMs ?? 0).toBeGreaterThan(Date.now() + 3_600_000);
  });

  test("tells its tokens in its transcript", async () => {
    await inject("tokens");
    await becomes("idle");
    expect(await script.usage(session, machine)).toMatchObject([{ id: "u1", input: 1, output: 2 }]);
  });

  test("is dead when it has ended, and nothing is written to it", async () => {
    await inject("exit");
    expect((await becomes("dead")).rests.on).toBe("process");
    expect(await inject("anybody there?")).toMatchObject({ state: "unknown", sent: false });
  });
});

test("a title may tell the state of a script that keeps no records", () => {
  const screen = { text: "", title: "constel:waiting for you", cursorX: 0, cursorY: 0, inMode: false, dead: false };
  const evidence = { nowMs: 1, sinceMs: 0, process: "alive", hooks: [], rows: [] } as const;
  expect(script.status({ ...evidence, screen }).state).toBe("waiting-permission");
  expect(script.status({ ...evidence, screen: { ...screen, title: "constel:idle" } }).state).toBe("idle");
  expect(script.status({ ...evidence, screen: { ...screen, title: "vim" } }).state).toBe("starting");
});
