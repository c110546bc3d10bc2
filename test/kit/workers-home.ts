// A home with workers whose program is a small script. It writes down every turn that it was given (its log is the witness: a real program
// would have asked its model), and does what words in its messages tell it: `wait for free`, `fail now`, `another session`, `write to NAME`,
// `use N tokens`, `say the same`, `say nothing`, `call WORD`, `quote a tag and a secret`.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rowsOf } from "./rows-of.ts";
import { projectTop, TestHome, until } from "./home.ts";

const program = `
import { appendFileSync, existsSync } from "node:fs";
import { createInterface } from "node:readline";
const { CONSTEL_HOME: home, CONSTEL_AGENT: agent } = process.env;
const say = (line) => process.stdout.write(JSON.stringify(line) + "\\n");
createInterface({ input: process.stdin }).on("line", async (line) => {
  const { text, session, resumes } = JSON.parse(line);
  appendFileSync(home + "/turns-" + agent, JSON.stringify({ text, session, resumes, pid: process.pid, at: Date.now() }) + "\\n");
  say({ constel: "began" });
  const said = text.split("\\n").filter((one) => one.startsWith("| ")).map((one) => one.slice(2)).join(" / ");
  if (said.includes("wait for free")) while (!existsSync(home + "/free")) await new Promise((done) => setTimeout(done, 20));
  const to = /write to (\\w+)/.exec(said)?.[1];
  if (to !== undefined) {
    const words = ["channel", "send", to, "write to " + agent + " again, " + Math.random()];
    const { spawnSync } = await import("node:child_process");
    spawnSync(process.env.CONSTEL_PROGRAM_HERE, words, { stdio: "ignore" });
    say({ constel: "tool", name: "Bash", file: "x" + Math.random() });
  }
  const tokens = /use (\\d+) tokens/.exec(said)?.[1];
  if (tokens !== undefined) say({ constel: "usage", id: "u" + process.pid, model: "fake", input: Number(tokens), output: 1 });
  if (said.includes("fail now")) return say({ constel: "failed", says: "it cannot" });
  if (said.includes("another session")) return say({ constel: "answer", text: "who?", session: "another" });
  if (said.includes("quote a tag")) {
    const text = "<tool_use_error>Error: No such tool</tool_use_error> ghp_" + "a1B2c3D4e5F6".repeat(3);
    return say({ constel: "answer", text, session });
  }
  const call = /call (\\w+)/.exec(said)?.[1];
  if (call !== undefined) say({ constel: "tool", name: "Bash", input: { command: call } });
  if (said.includes("say nothing")) return say({ constel: "answer", text: "" });
  say({ constel: "answer", text: said.includes("say the same") ? "the same" : "heard: " + said, session });
});
`;

export interface TurnSeen {
  readonly text: string;
  readonly session: string;
  readonly resumes: boolean;
  readonly pid: number;
}

export class WorkersHome extends TestHome {
  readonly socket = `test-${crypto.randomUUID().slice(0, 8)}`;

  constructor() {
    super();
    mkdirSync(this.home, { recursive: true, mode: 0o700 });
    const script = join(this.top, "worker.mjs");
    writeFileSync(script, program);
    const command = JSON.stringify([process.execPath, "--no-env-file", "--config=/dev/null", script]);
    const settings = [
      "[agents]",
      `script_command = ${command}`,
      'runtime = "script"',
      "[workers]",
      "gather_seconds = 1",
    ];
    writeFileSync(join(this.home, "config.toml"), `${settings.join("\n")}\n`, { mode: 0o600 });
  }

  override get env(): Record<string, string> {
    return { ...super.env, CONSTEL_TMUX_SOCKET: this.socket, CONSTEL_PROGRAM_HERE: join(projectTop, "bin/constel") };
  }

  async start(name: string, ...flags: readonly string[]): Promise<void> {
    await this.json(["worker", "start", name, "--type", "script", ...flags]);
  }

  async send(to: string, text: string): Promise<string> {
    return (await this.json<{ id: string }>(["channel", "send", to, text])).id;
  }

  /** The turns that the worker's program was given. */
  turns(name: string): TurnSeen[] {
    try {
      const lines = readFileSync(join(this.home, `turns-agentw${name}`), "utf8")
        .trim()
        .split("\n");
      return lines.map((line) => JSON.parse(line) as TurnSeen);
    } catch {
      return [];
    }
  }

  query(sql: string): Record<string, string | number | null>[] {
    return rowsOf(join(this.home, "meta.db"), sql);
  }

  worker(name: string): Record<string, string | number | null> {
    return this.query(`select * from workers where name = '${name}'`)[0] ?? {};
  }

  becomes(name: string, state: string, turns?: number) {
    return until(
      `${name} is ${state}`,
      () => this.worker(name),
      (row) => row["state"] === state && (turns === undefined || row["turns"] === turns),
    );
  }

  /** Answers to a message, wherever they lie. */
  answersTo(id: string): Record<string, string | number | null>[] {
    return this.query(`select * from messages where in_reply_to = '${id}'`);
  }

  answered(id: string) {
    return until(
      `${id} is answered`,
      () => this.answersTo(id),
      (rows) => rows.length > 0,
    );
  }

  free(): void {
    writeFileSync(join(this.home, "free"), "");
  }
}
