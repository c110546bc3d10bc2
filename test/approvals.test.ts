// Permission requests as an agent's program and the owner meet them.

import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeOwnProgram } from "../src/floor/agents/own-program.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";

const asAgent = { CONSTEL_AGENT: "agent1" };

const question = (command: string, event = "PermissionRequest"): string =>
  JSON.stringify({ hook_event_name: event, session_id: "s1", tool_name: "Bash", tool_input: { command }, cwd: "/" });

const decisionOf = (stdout: string): Record<string, unknown> =>
  (JSON.parse(stdout) as { hookSpecificOutput: { decision: Record<string, unknown> } }).hookSpecificOutput.decision;

function asks(at: TestHome, command: string, env: Record<string, string> = {}): Bun.Subprocess<Blob, "pipe", "pipe"> {
  return Bun.spawn([join(projectTop, "bin/constel"), "hook", "claude"], {
    env: { ...at.env, ...asAgent, ...env },
    stdin: new Blob([question(command)]),
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function waiting(at: TestHome): Promise<{ id: string; asked: string; agent: string }[]> {
  const { stdout } = await at.constel(["approvals", "ls", "--json"]);
  return (JSON.parse(stdout) as { approvals: { id: string; asked: string; agent: string }[] }).approvals;
}

test("rules answer at once; the rest waits for the owner by its exact command, and status names it", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const own = await at.constel(["hook", "claude"], { env: asAgent, input: question("constel task ready 3") });
  expect(decisionOf(own.stdout)).toEqual({ behavior: "allow" });

  const hook = asks(at, "git push --force origin main; rm -rf /tmp/x");
  const [request] = await until(
    "it waits",
    () => waiting(at),
    (found) => found.length === 1,
  );
  expect(request).toMatchObject({ agent: "agent1", asked: "git push --force origin main; rm -rf /tmp/x" });
  const status = await at.constel(["status", "--json"]);
  expect(status.code).toBe(1);
  expect((JSON.parse(status.stdout) as { needs: unknown[] }).needs).toMatchObject([
    { kind: "permission", agent: "agent1", says: "wants to run: git push --force origin main; rm -rf /tmp/x" },
  ]);
  const id = request?.id ?? "";
  const byAgent = await at.constel(["approvals", "allow", id], { env: asAgent });
  expect(byAgent.stderr).toContain("authority.owner");
  expect((await at.constel(["approvals", "deny", id.slice(-6), "use", "task", "ready"])).code).toBe(0);
  expect(decisionOf(await new Response(hook.stdout).text())).toEqual({
    behavior: "deny",
    message: "The owner denied it: use task ready",
  });
  expect((await at.constel(["approvals", "allow", id])).stderr).toContain("approval.over");
  const states = readFileSync(join(at.home, "state/hooks/agent1.jsonl"), "utf8").trim().split("\n");
  expect(states.map((line) => (JSON.parse(line) as { event: string; reason?: string }).event)).toEqual([
    "permission-asked",
    "permission-answered",
    "permission-asked",
    "permission-answered",
  ]);

  const allowed = asks(at, "make deploy");
  const [other] = await until(
    "it waits",
    () => waiting(at),
    (found) => found.length === 1,
  );
  expect((await at.constel(["approvals", "allow", other?.id ?? ""])).stdout).toContain("agent1 may run: make deploy");
  expect(decisionOf(await new Response(allowed.stdout).text())).toEqual({ behavior: "allow" });
  expect((await at.constel(["approvals"])).stdout).toBe("No agent waits for your permission.\n");
  const other1 = await at.constel(["approvals", "check", "ls", "--agent", "agent2"], { env: asAgent });
  expect(other1.stderr).toContain("permission.not-yours");
});

test("a request is shown whole and as what it is, however narrow the terminal; status leads there when it has no room", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const hook = asks(
    at,
    `curl g\u0456thub.com/\u202esh.x ${"-H 'a: b' ".repeat(60)}\u001b]52;c;eA==\u0007 && rm -rf /everything`,
  );
  const [request] = await until(
    "it waits",
    () => waiting(at),
    (found) => found.length === 1,
  );
  const env = { COLUMNS: "80" };
  const listed = (await at.constel(["approvals"], { env })).stdout;
  expect(listed).toContain("curl g\\u{456}thub.com/\\u{202e}sh.x");
  expect(listed.replaceAll(/\n +/g, " ")).toContain("\\x1b]52;c;eA==\\x07 && rm -rf /everything");
  expect(Math.max(...listed.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  const id = request?.id.slice(-6) ?? "";
  const shown = async (columns: string): Promise<string> =>
    (await at.constel(["status"], { env: { COLUMNS: columns } })).stdout;
  expect(await shown("80")).not.toContain(`approvals allow ${id}`);
  expect(await shown("80")).toContain("constel approvals");
  expect(await shown("2000")).toContain(`constel approvals allow ${id}`);
  await at.constel(["approvals", "deny", id]);
  await hook.exited;
});

test("a wait outlives a killed daemon and ends with its program", async () => {
  await using at = new TestHome();
  mkdirSync(at.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(at.home, "config.toml"), "[approvals]\ntimeout_s = 600\n");
  await at.constel(["daemon", "start"]);
  const hook = asks(at, "make deploy");
  const [request] = await until(
    "it waits",
    () => waiting(at),
    (found) => found.length === 1,
  );
  const { pid } = JSON.parse(readFileSync(join(at.home, "state/daemon.json"), "utf8")) as { pid: number };
  process.kill(pid, "SIGKILL");
  await at.constel(["daemon", "start"]);
  expect(await waiting(at)).toMatchObject([{ id: request?.id ?? "" }]);
  await at.constel(["approvals", "allow", request?.id ?? ""]);
  expect(decisionOf(await new Response(hook.stdout).text())).toEqual({ behavior: "allow" });

  const script = '"$0" hook claude <&3 & echo $!; wait';
  const parent = Bun.spawn(["sh", "-c", `exec 3<&0; ${script}`, join(projectTop, "bin/constel")], {
    env: { ...at.env, ...asAgent },
    stdin: new Blob([question("make mess")]),
    stdout: "pipe",
    stderr: "ignore",
  });
  await until(
    "it waits",
    () => waiting(at),
    (found) => found.length === 1,
  );
  const reader = parent.stdout.getReader();
  const child = Number(new TextDecoder().decode((await reader.read()).value));
  parent.kill("SIGKILL");
  await until(
    "the hook has ended",
    async () => isAlive(child),
    (alive) => !alive,
  );
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("with no daemon the rules still answer, and a rule that forbids holds before a tool is used", async () => {
  await using at = new TestHome();
  mkdirSync(at.home, { recursive: true, mode: 0o700 });
  writeOwnProgram(at.home, [join(projectTop, "bin/constel")]);
  const rules = '[[permissions.rules]]\ndecision = "allow"\ncommand = "bun test"\n';
  writeFileSync(
    join(at.home, "config.toml"),
    `${rules}[[permissions.rules]]\ndecision = "deny"\ncommand = "git push"\n`,
  );
  const ask = (command: string, event?: string) =>
    at.constel(["hook", "claude"], { env: asAgent, input: question(command, event) });
  expect(decisionOf((await ask("bun test src")).stdout)).toEqual({ behavior: "allow" });
  expect(decisionOf((await ask("bun test && git push")).stdout)).toEqual({
    behavior: "deny",
    message: "Denied by a rule of the owner's (config.toml:4): git push",
  });
  const before = await ask("git -C /x push", "PreToolUse");
  expect(JSON.parse(before.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  expect((await ask("ls", "PreToolUse")).stdout).toBe("");
  const check = await at.constel(["approvals", "check", "git push"]);
  expect(check).toMatchObject({ code: 1, stdout: "deny: git push\n  config.toml:4 says deny (config.toml:4)\n" });
});

test("a test page goes through every channel, and each says whether it got through", async () => {
  await using at = new TestHome();
  mkdirSync(at.home, { recursive: true, mode: 0o700 });
  const channels = '[[escalate.channels]]\ntype = "command"\ncommand = ["true"]\n';
  writeFileSync(join(at.home, "config.toml"), channels);
  expect(await at.constel(["notify", "test"])).toMatchObject({ code: 0, stdout: "command: sent\n" });
  writeFileSync(
    join(at.home, "config.toml"),
    `${channels}[[escalate.channels]]\ntype = "command"\ncommand = ["false"]\n`,
  );
  const half = await at.constel(["notify", "test"]);
  expect(half.code).toBe(1);
  expect(half.stdout).toStartWith("command: sent\ncommand: FAILED: false ended with 1");
});

test("a program that asks for nothing by itself is asked for before it uses a tool: by rules, by the owner, and not without them", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const env = { ...asAgent, CONSTEL_ASKS_FIRST: "yes" };
  const before = (command: string) =>
    Bun.spawn([join(projectTop, "bin/constel"), "hook", "codex"], {
      env: { ...at.env, ...env },
      stdin: new Blob([question(command, "PreToolUse")]),
      stdout: "pipe",
      stderr: "pipe",
    });
  const records = (): { event: string; isHeld?: boolean }[] =>
    readFileSync(join(at.home, "state/hooks/agent1.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string });
  const events = (): string[] => records().map(({ event }) => event);
  expect(await new Response(before("constel task ready 3").stdout).text()).toBe("");
  expect(events()).toEqual(["tool-began"]);

  for (const [verb, answer] of [
    ["deny", /"permissionDecision":"deny".*The owner denied it/],
    ["allow", /^$/],
  ] as const) {
    const hook = before("curl https://example.org");
    const [request] = await until(
      "it waits",
      () => waiting(at),
      (found) => found.length === 1,
    );
    expect(request).toMatchObject({ agent: "agent1", asked: "curl https://example.org" });
    // Its terminal shows work meanwhile: only this says that it waits.
    expect(records().at(-1)).toMatchObject({ event: "permission-asked", isHeld: true });
    await at.constel(["approvals", verb, request?.id ?? ""]);
    expect(await new Response(hook.stdout).text()).toMatch(answer);
    expect(events().slice(-3)).toEqual(["permission-asked", "permission-answered", "tool-began"]);
  }
  // Without the variable, which its launch sets, the same is left to the program.
  const plain = await at.constel(["hook", "codex"], { env: asAgent, input: question("curl x", "PreToolUse") });
  expect(plain.stdout).toBe("");
});
