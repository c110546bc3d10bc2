// A home with script agents on a tmux server of its own, started as the floor would start them: terminal, launch file, hook
// file. The agent is a small program that speaks our formats and does what words in its messages tell it:
// `stay busy` (until `free` is called), `ask first`, `hit a limit`, `use N tokens`, `say nothing`, `exit now`.

import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/host/clock/system-clock.ts";
import { signingKey } from "../../src/host/keys/key-files.ts";
import { sealForConstel } from "../../src/host/keys/seal-for-constel.ts";
import { sealerOf } from "../../src/host/keys/seals.ts";
import { markOf } from "../../src/host/process/liveness.ts";
import { systemProcesses } from "../../src/host/process/run.ts";
import { hookFile } from "../../src/host/runtime/hook-records.ts";
import { script } from "../../src/host/runtime/script/script.ts";
import { TmuxTerminals } from "../../src/host/tmux/tmux-terminals.ts";
import { type AgentLaunch, launchFile } from "../../src/ports/agent-launch.ts";
import type { Launch } from "../../src/ports/runtime.ts";
import { type Ran, type RunOptions, TestHome } from "./home.ts";
import { rowsOf } from "./rows-of.ts";

/**
 * The beginning of such a program: it tells what happens in its hook file, and calls `turn(id, text)` for each message, one after the
 * other, once all parts of it are there.
 */
export const agentBeginning = `
import { createHmac } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
const { CONSTEL_HOOK_FILE, CONSTEL_TRANSCRIPT, CONSTEL_HOME, CONSTEL_AGENT, CONSTEL_PROGRAM } = process.env;
// As \`constel hook script\` would: with the agent's own secret, once it has one.
const sealed = (json) => {
  try {
    const { seal } = JSON.parse(readFileSync(join(CONSTEL_HOME, "keys", CONSTEL_AGENT + ".key"), "utf8"));
    const code = createHmac("sha256", seal).update(json).digest("base64url");
    return json.slice(0, -1) + ',"seal":"' + code + '"}';
  } catch {
    return json;
  }
};
const tell = (event, extra = {}) => {
  const record = { event, at: Date.now(), session: "s-" + CONSTEL_AGENT + "-" + process.pid, ...extra };
  appendFileSync(CONSTEL_HOOK_FILE, sealed(JSON.stringify(record)) + "\\n");
};
const parts = new Map();
let busy = Promise.resolve();
tell("session-started");
tell("turn-ended");
createInterface({ input: process.stdin }).on("line", (line) => {
  let message;
  try { message = JSON.parse(line); } catch { return; }
  const text = (message.part === 1 ? "" : (parts.get(message.id) ?? "")) + message.text;
  parts.set(message.id, text);
  if (message.part !== undefined && message.part < message.of) return;
  busy = busy.then(() => turn(message.id, text));
});
`;

const agentText = `${agentBeginning}
async function turn(id, text) {
  if (text.includes("say nothing")) return;
  appendFileSync(CONSTEL_HOME + "/heard-" + CONSTEL_AGENT, JSON.stringify({ id, text }) + "\\n");
  tell("prompt-submitted", { messages: [id] });
  if (text.includes("exit now")) process.exit(3);
  if (text.includes("ask first")) return tell("permission-asked", { tool: "rm" });
  if (text.includes("hit a limit")) return tell("turn-failed", { reason: "usage_limit", says: "try again in 2 hours" });
  const tokens = /use (\\d+) tokens/.exec(text)?.[1];
  if (tokens !== undefined) {
    const usage = { id, model: "fake-1", input: Number(tokens), output: 1, cacheRead: 0, cacheWrite: 0, atMs: Date.now() };
    appendFileSync(CONSTEL_TRANSCRIPT, JSON.stringify({ kind: "answer", at: Date.now(), usage }) + "\\n");
  }
  if (text.includes("stay busy")) {
    const gate = CONSTEL_HOME + "/free-" + CONSTEL_AGENT;
    while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 20));
    rmSync(gate);
  }
  tell("turn-ended");
}
`;

export interface Heard {
  readonly id: string;
  readonly text: string;
}

export class ScriptAgents extends TestHome {
  readonly socket = `test-${crypto.randomUUID().slice(0, 8)}`;
  readonly #terminals: TmuxTerminals;

  constructor() {
    super();
    for (const directory of ["state/agents", "state/hooks"]) mkdirSync(join(this.home, directory), { recursive: true });
    writeFileSync(join(this.top, "agent.mjs"), agentText);
    this.#terminals = new TmuxTerminals({
      socket: this.socket,
      env: this.env,
      clock: systemClock,
      lockPath: join(this.home, "state/tmux.lock"),
    });
  }

  /**
   * The time that deliveries wait, for the daemon and for every command: a command that is given another value than the daemon has is
   * refused.
   */
  waits = { CONSTEL_DELIVERY_DOUBT_MS: "800", CONSTEL_DELIVERY_PROOF_MS: "4000" };

  override get env(): Record<string, string> {
    return { ...super.env, ...this.waits, TMUX_TMPDIR: this.top, CONSTEL_TMUX_SOCKET: this.socket };
  }

  /** `hasBegun`: waited for between the terminal and the word of who leads it, as on a machine that is slow just then. */
  async start(
    agent: string,
    extra: Partial<AgentLaunch> = {},
    command: Launch["command"] = [process.execPath, "--no-env-file", "--config=/dev/null", join(this.top, "agent.mjs")],
    hasBegun?: () => Promise<unknown>,
  ): Promise<AgentLaunch> {
    const launch: Launch = {
      agent,
      home: this.home,
      cwd: this.top,
      program: "",
      promptFile: join(this.home, "prompt.md"),
      permissions: "ask",
      hookCommand: ["true"],
      trusted: true,
      command,
    };
    mkdirSync(join(this.home, "state/runtime", agent), { recursive: true });
    signingKey(this.home, agent, systemClock);
    const sinceMs = Date.now();
    const prepared = await script.prepare(launch, { processes: systemProcesses, clock: systemClock, env: this.env });
    const [program = "", ...rest] = prepared.argv;
    const wish = { name: agent, cwd: this.top, command: [program, ...rest] as const, env: prepared.env };
    const write = (launched: AgentLaunch): void =>
      writeFileSync(join(this.home, launchFile(agent)), sealForConstel(this.home)(JSON.stringify(launched)));
    const whole: AgentLaunch = {
      agent,
      role: agent === "agent0" ? "root" : "clone",
      wanted: "up",
      runtime: "script",
      launch,
      tmuxSocket: this.socket,
      sinceMs,
      because: "up",
      ...extra,
    };
    if (hasBegun !== undefined) write(whole);
    const { pid } = await this.#terminals.create(wish);
    await hasBegun?.();
    const leader = markOf(pid);
    const led = { ...(leader === undefined ? {} : { leader }), ...whole };
    write(led);
    return led;
  }

  get terminals(): TmuxTerminals {
    return this.#terminals;
  }

  tmux(...words: readonly string[]): void {
    const command = ["tmux", "-L", this.socket, "-f", "/dev/null", "-N", ...words];
    const { exitCode, stderr } = Bun.spawnSync(command, { env: this.env });
    if (exitCode !== 0) throw new Error(`tmux ${words.join(" ")}: ${stderr.toString()}`);
  }

  /** Returns what the agent's program was given, in order. */
  heard(agent: string): Heard[] {
    try {
      const lines = readFileSync(join(this.home, `heard-${agent}`), "utf8")
        .trim()
        .split("\n");
      return lines.map((line) => JSON.parse(line) as Heard);
    } catch {
      return [];
    }
  }

  free(agent: string): void {
    writeFileSync(join(this.home, `free-${agent}`), "");
  }

  /** As if the agent's program had said it. */
  hook(agent: string, event: string, extra: object = {}): void {
    const json = JSON.stringify({ event, at: Date.now(), session: `s-${agent}`, ...extra });
    appendFileSync(hookFile(this.home, agent), `${sealerOf(this.home, agent)?.seal(json) ?? json}\n`);
  }

  /** As if another agent had written it into this one's file. */
  forgeHook(agent: string, event: string, extra: object = {}): void {
    const record = { event, at: Date.now(), session: `s-${agent}`, ...extra };
    appendFileSync(hookFile(this.home, agent), `${JSON.stringify(record)}\n`);
  }

  /** As if another agent had written that a message was delivered: into the journal of the bus, and into its transcript. */
  forgeDelivery(agent: string, id: string): void {
    const at = new Date().toISOString();
    const name = readdirSync(join(this.home, "channels/agent", agent, "processing"))[0]?.split("~")[0] ?? "";
    const record = { id: `rec_${crypto.randomUUID()}`, at, state: "delivered", to: agent, name, by: agent };
    appendFileSync(join(this.home, "logs", `bus-${at.slice(0, 10)}.jsonl`), `\n${JSON.stringify(record)}\n`);
    const row = { kind: "prompt", at: Date.now(), messages: [id], text: `[constel:${id}]` };
    appendFileSync(join(this.home, "state/runtime", agent, "transcript.jsonl"), `${JSON.stringify(row)}\n`);
  }

  async send(agent: string, text: string): Promise<string> {
    const sent = await this.constel(["channel", "send", agent, "-", "--json"], { input: text });
    if (sent.code !== 0) throw new Error(sent.stderr);
    return (JSON.parse(sent.stdout) as { id: string }).id;
  }

  /** Straight from the file: these tests ask often, and the command line has tests of its own. */
  query(sql: string): Record<string, string | number | null>[] {
    return rowsOf(join(this.home, "meta.db"), sql);
  }

  daemon(word: "start" | "stop", options: RunOptions = {}): Promise<Ran> {
    return this.constel(["daemon", word], options);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.#terminals.killServer();
    await this.#terminals.close();
    await super[Symbol.asyncDispose]();
  }
}
