// The hook door, as agent programs call it.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pushInbox } from "../src/floor/push/push-inbox.ts";
import { systemLiveness } from "../src/host/process/liveness.ts";
import type { HookRecord } from "../src/ports/runtime.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";

const asAgent = { CONSTEL_AGENT: "agent1" };
const silent = { code: 0, stdout: "", stderr: "" };
const payload = (more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "s1",
    tool_name: "Edit",
    tool_input: { file_path: "/a.ts" },
    ...more,
  });

function records(at: TestHome, agent = "agent1"): HookRecord[] {
  const lines = readFileSync(join(at.home, `state/hooks/${agent}.jsonl`), "utf8")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => JSON.parse(line) as HookRecord);
}

test("each program's hook leaves one record and says nothing, with no daemon started", async () => {
  await using at = new TestHome();
  expect(await at.constel(["hook", "claude"], { env: asAgent, input: payload() })).toEqual(silent);
  expect(await at.constel(["hook", "codex"], { env: asAgent, input: payload({ hook_event_name: "Stop" }) })).toEqual(
    silent,
  );
  const acknowledged = JSON.stringify({ event: "prompt-submitted", messages: ["m1"] });
  expect(await at.constel(["hook", "script"], { env: asAgent, input: acknowledged })).toEqual(silent);
  expect(records(at)).toMatchObject([
    { event: "tool-began", session: "s1", tool: "Edit", file: "/a.ts" },
    { event: "turn-ended", session: "s1" },
    { event: "prompt-submitted", messages: ["m1"] },
  ]);
  expect(readdirSync(join(at.home, "state"))).toEqual(["hooks"]);
});

test("outside of an agent, on bad input and for unknown programs it is silent and leaves nothing", async () => {
  await using at = new TestHome();
  expect(await at.constel(["hook", "claude"], { input: payload() })).toEqual(silent);
  expect(await at.constel(["hook", "claude"], { env: { CONSTEL_AGENT: "../../x" }, input: payload() })).toEqual(silent);
  for (const input of ["", "{", "[]", "null", '"text"', "\u0000", payload({ session_id: 5 })]) {
    expect(await at.constel(["hook", "claude"], { env: asAgent, input })).toEqual(silent);
  }
  for (const words of [["hook"], ["hook", "clod"], ["hook", "toString"], ["hook", "nobody", "--guest"]]) {
    expect(await at.constel(words, { env: asAgent, input: payload() })).toEqual(silent);
  }
  expect(existsSync(at.home)).toBe(false);
});

test("it writes through no link, and takes long input whole or not at all", async () => {
  await using at = new TestHome();
  const elsewhere = join(at.top, "elsewhere");
  mkdirSync(elsewhere);
  mkdirSync(join(at.home, "state"), { recursive: true, mode: 0o700 });
  symlinkSync(elsewhere, join(at.home, "state/hooks"));
  expect(await at.constel(["hook", "claude"], { env: asAgent, input: payload() })).toEqual(silent);
  expect(readdirSync(elsewhere)).toEqual([]);
  const other = { ...asAgent, CONSTEL_HOME: join(at.top, "other") };
  const long = (size: number): string => payload({ tool_response: "x".repeat(size) });
  expect(await at.constel(["hook", "claude"], { env: other, input: long(3_000_000) })).toEqual(silent);
  expect((await at.constel(["hook", "claude"], { env: other, input: long(17_000_000) })).code).toBe(0);
  const lines = readFileSync(join(at.top, "other/state/hooks/agent1.jsonl"), "utf8").trim().split("\n");
  expect(lines.length).toBe(1);
});

test("hooks at the same time each leave a whole line", async () => {
  await using at = new TestHome();
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      at.constel(["hook", "claude"], { env: asAgent, input: payload({ session_id: `s${index}` }) }),
    ),
  );
  expect(new Set(records(at).map(({ session }) => session)).size).toBe(12);
});

function wait(at: TestHome): Bun.Subprocess<"ignore", "pipe", "pipe"> {
  const command = [join(projectTop, "bin/constel"), "hook", "wait"];
  return Bun.spawn(command, { env: { ...at.env, ...asAgent }, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

test("a waiting hook wakes its program with the message, and an older waiter steps aside", async () => {
  await using at = new TestHome();
  const inbox = pushInbox(at.home, "agent1", systemLiveness);
  const first = wait(at);
  await until("the first waits", () => inbox.attended(), Boolean);
  const second = wait(at);
  expect(await first.exited).toBe(0);
  await until("the second waits", () => inbox.attended(), Boolean);
  await inbox.put("m1", "wake up [constel:m1]");
  expect(await second.exited).toBe(2);
  expect(await new Response(second.stderr).text()).toBe("wake up [constel:m1]\n");
  expect(await new Response(second.stdout).text()).toBe("");
  expect(await inbox.attended()).toBe(false);
  expect(await inbox.withdraw("m1")).toBe(false);
});

test("a waiting hook ends when the program that started it is gone", async () => {
  await using at = new TestHome();
  const inbox = pushInbox(at.home, "agent1", systemLiveness);
  const script = '"$0" hook wait & echo $!; read line';
  const parent = Bun.spawn(["sh", "-c", script, join(projectTop, "bin/constel")], {
    env: { ...at.env, ...asAgent },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  await until("it waits", () => inbox.attended(), Boolean);
  parent.kill("SIGKILL");
  await parent.exited;
  await until(
    "it has ended",
    () => inbox.attended(),
    (attended) => !attended,
  );
  await inbox.put("m1", "too late");
  expect(await inbox.withdraw("m1")).toBe(true);
});

test("the built-in script agent acknowledges messages, also in parts, answers those that ask, and runs nothing", async () => {
  await using at = new TestHome();
  const frame = (attributes: string): string =>
    `<constel-messages count="1">\n<constel-message ${attributes}>\n| sh: touch ${at.top}/ran\n</constel-message>\n</constel-messages>\n`;
  const lines = [
    "typed by a person",
    JSON.stringify({ id: "m1", text: `sh: touch ${at.top}/ran` }),
    JSON.stringify({ id: "m2", part: 2, of: 2, text: "two" }),
    JSON.stringify({ id: "m2", part: 1, of: 2, text: "one [constel:inner] " }),
    JSON.stringify({ id: "m3", part: 1, of: 2, text: "never whole" }),
    JSON.stringify({ id: "m4", text: frame('from="agent0" id="msg_1" wants-ack="yes"') }),
    JSON.stringify({ id: "m5", text: frame('from="agent0" id="msg_2" wants-ack="yes" in-reply-to="msg_0"') }),
  ];
  const ran = await at.constel(["script-agent"], { env: asAgent, input: `${lines.join("\n")}\n` });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toContain("\u001b]2;constel:busy\u0007");
  expect(ran.stdout.trimEnd()).toEndWith("\u001b]2;constel:idle\u0007");
  const prompts = records(at).filter(({ event }) => event === "prompt-submitted");
  expect(prompts.map(({ messages }) => messages)).toEqual([["m1"], ["m2", "inner"], ["m4"], ["m5"]]);
  expect(records(at).map(({ event }) => event)).toContain("session-ended");
  const { messages } = await at.json<{ messages: Record<string, unknown>[] }>(["channel", "drain", "agent0"]);
  expect(messages).toMatchObject([{ from: "agent1", in_reply_to: "msg_1" }]);
  expect(existsSync(join(at.top, "ran"))).toBe(false);
});
