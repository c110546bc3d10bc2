// Sessions that people started themselves, on the real program: they register, are listed, can be messaged, and nobody ends them.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hookSeenMs } from "../src/floor/install/hook-seen.ts";
import { writeHear } from "./kit/hear.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";

/** A process with hooks, as a program that a person started has. */
class Session implements AsyncDisposable {
  readonly #at: TestHome;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #said: AsyncIterator<string>;
  readonly #id: string;

  constructor(at: TestHome, id: string, env: Record<string, string> = {}) {
    this.#at = at;
    this.#id = id;
    const bun = [process.execPath, "--no-env-file", "--config=/dev/null"];
    const command = [...bun, join(import.meta.dir, "kit/guest-program.ts"), join(projectTop, "bin/constel")];
    this.#child = Bun.spawn(command, { env: { ...at.env, ...env }, cwd: at.top, stdin: "pipe", stdout: "pipe" });
    this.#said = linesOf(this.#child.stdout);
  }

  get pid(): number {
    return this.#child.pid;
  }

  hook(name: string, more: Record<string, unknown> = {}): Promise<string> {
    return this.#give({ hook_event_name: name, session_id: this.#id, cwd: this.#at.top, ...more });
  }

  /** As its model would. */
  runs(...words: string[]): Promise<string> {
    return this.#give(words);
  }

  /** `$0` is constel. */
  runsScript(sh: string): Promise<string> {
    return this.#give({ sh });
  }

  async #give(line: unknown): Promise<string> {
    await this.#child.stdin.write(`${JSON.stringify(line)}\n`);
    await this.#child.stdin.flush();
    const { code, says } = JSON.parse(String((await this.#said.next()).value)) as { code: number; says: string };
    expect(code).toBe(0);
    return says;
  }

  isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = "";
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}

interface Listed {
  readonly agent: string;
  readonly role: string;
  readonly wanted: string;
  readonly seen: string;
  readonly pid?: number;
}

const guestsOf = async (at: TestHome): Promise<Listed[]> =>
  (await at.json<Listed[]>(["agents"])).filter(({ role }) => role === "guest");

test("that a session of a program has called its hook is known, of that program alone", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  await using one = new Session(at, "seen");
  expect(hookSeenMs(at.home, "claude")).toBeUndefined();
  const sinceMs = Date.now();
  await one.hook("SessionStart", { source: "startup" });
  expect(hookSeenMs(at.home, "claude")).toBeGreaterThanOrEqual(sinceMs);
  expect(hookSeenMs(at.home, "codex")).toBeUndefined();
});

test("a session registers by itself where there is a constellation, as itself each time, and leaves when it ends", async () => {
  await using at = new TestHome();
  await using first = new Session(at, "one");
  expect(await first.hook("SessionStart", { source: "startup" })).toBe("");
  expect(existsSync(at.home)).toBe(false);
  mkdirSync(at.home, { mode: 0o700 });
  await using second = new Session(at, "two");
  await using ours = new Session(at, "three", { CONSTEL_AGENT: "agent1" });
  for (const session of [first, second, ours]) await session.hook("UserPromptSubmit", { prompt: "hello" });
  // A session without a name is none, and takes nobody's place.
  await second.hook("UserPromptSubmit", { prompt: "hello", session_id: "" });
  expect(readdirSync(join(at.home, "state/guests"))).toHaveLength(2);
  // An agent of ours has its own hooks: what a person installed besides says and leaves nothing there.
  expect(existsSync(join(at.home, "state/hooks/agent1.jsonl"))).toBe(false);
  const listed = await guestsOf(at);
  expect(listed.map(({ pid }) => pid)).toEqual([first.pid, second.pid]);
  expect(listed).toMatchObject([
    { role: "guest", wanted: "nothing", seen: "up" },
    { role: "guest", wanted: "nothing", seen: "up" },
  ]);
  expect(listed[0]?.agent).toMatch(/^agentg[0-9a-f]{12}$/);
  const [name = ""] = listed.map(({ agent }) => agent);
  await using resumed = new Session(at, "one");
  await resumed.hook("SessionStart", { source: "resume" });
  expect((await guestsOf(at)).find(({ agent }) => agent === name)?.pid).toBe(resumed.pid);
  await resumed.hook("SessionEnd", { reason: "other" });
  expect((await guestsOf(at)).map(({ pid }) => pid)).toEqual([second.pid]);
});

test("a session that is new is told who is here at its first prompt, once; where that lay ready when it started, then", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const tree = join(at.top, "tree");
  Bun.spawnSync(["git", "init", "-q", tree]);
  await using other = new Session(at, "other");
  await other.hook("SessionStart", { source: "startup", cwd: tree });
  await using session = new Session(at, "one");
  expect(await session.hook("SessionStart", { source: "startup", cwd: tree })).toBe("");
  const agent = (await guestsOf(at)).find(({ pid }) => pid === session.pid)?.agent ?? "";
  const next = join(at.home, `state/hear/${agent}/next.json`);
  const lies = (wanted: RegExp) =>
    until(
      "it lies ready",
      () => (existsSync(next) ? readFileSync(next, "utf8") : ""),
      (text) => wanted.test(text),
    );
  const prompt = () => session.hook("UserPromptSubmit", { prompt: "go on", cwd: tree });
  await lies(/"items":\[\{"id":"join-/);
  expect(await prompt()).toContain(`<constel-join>\\nYou are ${agent}.`);
  expect(await prompt()).toBe("");
  expect(await session.hook("SessionStart", { source: "compact", cwd: tree })).toContain("<constel-join>");
  expect(await prompt()).toBe("");
  // Another session of the same process took its place for a while, as a subagent's does: coming back is no beginning.
  await session.hook("SessionStart", { source: "startup", cwd: tree, session_id: "its subagent" });
  await until(
    "it is let go of",
    () => guestsOf(at),
    (some) => !some.some((one) => one.agent === agent),
  );
  await until(
    "nothing lies there",
    () => existsSync(next),
    (is) => !is,
  );
  await prompt();
  await lies(/"join":/);
  expect(readFileSync(next, "utf8")).not.toContain('"id":"join-');
});

test("an answer that a session reads by waiting for it is not told again by its hook", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  await using asking = new Session(at, "asking");
  await using asked = new Session(at, "asked");
  for (const session of [asking, asked]) await session.hook("SessionStart", { source: "startup" });
  const nameOf = async (session: Session) => (await guestsOf(at)).find(({ pid }) => pid === session.pid)?.agent ?? "";
  const sent = await asking.runs("channel", "send", await nameOf(asked), "which port?", "--json");
  const { id } = JSON.parse(sent) as { id: string };
  await asked.runs("channel", "reply", id, "8080");
  const next = join(at.home, `state/hear/${await nameOf(asking)}/next.json`);
  const lies = () => (existsSync(next) ? readFileSync(next, "utf8") : "");
  await until("the answer lies ready for its hook", lies, (text) => text.includes("8080"));
  expect(await asking.runs("channel", "wait", id)).toContain(": 8080");
  expect(await asking.hook("UserPromptSubmit", { prompt: "go on" })).not.toContain("8080");
  expect(await asking.runs("channel", "wait", id)).toContain(": 8080");
});

test("a session hears what lies ready for it, is seen, messaged, and outlives everything that ends agents", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const tree = join(at.top, "tree");
  Bun.spawnSync(["git", "init", "-q", tree]);
  await using session = new Session(at, "one");
  await session.hook("SessionStart", { source: "startup", cwd: tree });
  const [{ agent } = { agent: "" }] = await guestsOf(at);
  await until(
    "its worktree is watched",
    () => at.json<{ agent: string }[]>(["query", "select agent from worktrees where agent is not null"]),
    (rows) => rows[0]?.agent === agent,
  );
  const file = join(at.top, "a.ts");
  writeHear(at.home, agent, "notices", [{ id: "n1", at: ["edit"], files: [file], text: "somebody renames it" }]);
  const edit = { tool_name: "Edit", tool_input: { file_path: file } };
  expect(await session.hook("PreToolUse", edit)).toContain("somebody renames it");
  expect(await session.hook("PreToolUse", edit)).toBe("");

  // Its exit code says whether something needs the owner, and whether everything was looked at: another question.
  const status = async () =>
    JSON.parse((await at.constel(["status", "--json"])).stdout) as {
      agents: { agent: string; state: string; wanted: string }[];
    };
  const seen = await until("seen", status, ({ agents }) => agents.some((one) => one.state === "busy"));
  expect(seen.agents).toMatchObject([{ agent, wanted: "nothing" }]);
  expect((await at.constel(["agent", "show", agent])).stdout).toContain("started by a person");

  const { id } = await at.json<{ id: string }>(["channel", "send", agent, "the schema changes today"]);
  await until(
    "the message is laid",
    () => readFileSync(join(at.home, `state/hear/${agent}/next.json`), "utf8"),
    (text) => text.includes("the schema changes today"),
  );
  expect((await at.constel(["agent", "show", agent])).stdout).toContain("To hear next");
  const states = () => at.json<{ state: string }[]>(["query", `select state from messages where message_id = '${id}'`]);
  expect((await states())[0]?.state).not.toBe("delivered");
  expect(await session.hook("UserPromptSubmit", { prompt: "go on" })).toContain("the schema changes today");
  await until("delivered", states, ([row]) => row?.state === "delivered");
  expect(await session.hook("Stop")).toBe("");
  await session.runs("channel", "send", "agent0", "seen, thank you");
  const { messages } = await at.json<{ messages: { from: string }[] }>(["channel", "drain", "agent0"]);
  expect(messages.map(({ from }) => from)).toEqual([agent]);

  for (const words of [
    ["down", agent],
    ["attach", agent],
    ["agent", agent],
  ])
    expect((await at.constel(words)).stderr).toContain("[agent.guest]");
  await at.constel(["watchdog", "tick"]);
  await at.constel(["down", "--all"]);
  expect(session.isAlive()).toBe(true);
  await at.constel(["daemon", "start"]);
  await session[Symbol.asyncDispose]();
  await until("gone", status, ({ agents }) => agents.length === 0);
  expect(await guestsOf(at)).toEqual([]);
  expect((await at.constel(["channel", "send", agent, "too late"])).stderr).toContain(
    "is a session that is not running now",
  );
});

test("what a session's model starts and forgets is never the owner, whatever it does", async () => {
  await using at = new TestHome();
  await at.constel(["task", "create", "the owner's task"]);
  await using session = new Session(at, "turned");
  await session.hook("SessionStart");
  const clean = `env -i PATH="$PATH" HOME="$HOME" CONSTEL_HOME="${at.home}"`;
  const tries = {
    itself: `"$0" task cancel 1 >${at.top}/itself 2>&1 || true`,
    orphan: `(setsid ${clean} sh -c '"$0" task cancel 1 >${at.top}/orphan 2>&1' "$0" &)`,
    "as-agent": `(setsid ${clean} CONSTEL_AGENT=agent0 sh -c '"$0" task cancel 1 >${at.top}/as-agent 2>&1' "$0" &)`,
    floor: `(setsid ${clean} sh -c '"$0" keys rotate constellation >${at.top}/floor 2>&1' "$0" &)`,
  };
  for (const [name, script] of Object.entries(tries)) {
    await session.runsScript(script);
    const said = await until(
      `${name} was answered`,
      () => (existsSync(join(at.top, name)) ? readFileSync(join(at.top, name), "utf8") : ""),
      (text) => text.includes("["),
    );
    expect({ name, said }).toEqual({ name, said: expect.stringMatching(/authority\.(nobody|clone|owner)/) });
  }
  expect((await at.json<{ state: string }>(["task", "show", "1"])).state).not.toBe("cancelled");
});
