// Every hook of every program beside a daemon that is stopped, gone, confused or slow: the agent hears what lies ready for it, is
// kept from what a rule forbids, and waits for nobody but the owner. Everything is read from files, so nobody is even called.

import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { writeHear, writePlace } from "./kit/hear.ts";
import { projectTop, type Ran, TestHome, until } from "./kit/home.ts";

const rules = `[[permissions.rules]]
decision = "deny"
command = "git push"

[[permissions.rules]]
decision = "allow"
command = "make"

[[permissions.rules]]
decision = "deny"
path = "secrets/**"
action = "edit"
`;

type Payload = Readonly<Record<string, unknown>>;
/** `words`: no answer in the form of the program, but words that it adds to what it asks of its model. */
type Says = "nothing" | "text" | "words" | "denied" | "allowed";

const start = { source: "startup" };
const shells = { claude: "Bash", codex: "Bash", gemini: "run_shell_command", opencode: "bash" } as const;
const editors = { claude: "Edit", codex: "apply_patch", gemini: "write_file", opencode: "edit" } as const;
type Program = keyof typeof shells;

/** Each hook once, with what is said at it when something lies ready for that moment. */
function hooksOf(program: Program, top: string): readonly (readonly [string, Payload, Says])[] {
  const names =
    program === "gemini"
      ? { prompt: "BeforeAgent", before: "BeforeTool", after: "AfterTool", stop: "AfterAgent", compact: "PreCompress" }
      : {
          prompt: "UserPromptSubmit",
          before: "PreToolUse",
          after: "PostToolUse",
          stop: "Stop",
          compact: "PreCompact",
        };
  const shell = (command: string) => ({ tool_name: shells[program], tool_input: { command } });
  const edit = (file: string) => ({
    tool_name: editors[program],
    tool_input: program === "codex" ? { command: patchOf(file) } : { file_path: file, filePath: file },
  });
  const asks = program === "claude" || program === "codex";
  return [
    ["SessionStart", start, "text"],
    [names.prompt, { prompt: "go on" }, "text"],
    [names.before, edit(join(top, "work/a.ts")), "text"],
    [names.before, edit(join(top, "work/secrets/key.ts")), "denied"],
    [names.before, shell("ls -la"), "nothing"],
    [names.before, shell("git push origin main"), "denied"],
    [names.before, shell('cd /tmp && "git" -C /x push # as ever'), "denied"],
    [names.after, edit(join(top, "work/a.ts")), "nothing"],
    [names.compact, { trigger: "auto" }, program === "claude" ? "words" : "nothing"],
    [names.stop, {}, "text"],
    ["Notification", { message: "idle" }, "nothing"],
    ...(program === "gemini" ? [] : [["SubagentStop", {}, "nothing"] as const]),
    ...(asks
      ? ([
          ["PermissionRequest", shell("git push origin main"), "denied"],
          ["PermissionRequest", shell("make all"), "allowed"],
        ] as const)
      : []),
    ["SessionEnd", { reason: "other" }, "nothing"],
  ];
}

const patchOf = (file: string): string => `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`;

function whatItSays(program: Program, stdout: string): Says {
  if (stdout === "") return "nothing";
  if (stdout.startsWith("Keep in the summary: ")) return "words";
  const answer = JSON.parse(stdout) as Record<string, Record<string, Record<string, unknown>>>;
  const said = JSON.stringify(answer);
  if (answer["hookSpecificOutput"]?.["decision"]?.["behavior"] === "allow") return "allowed";
  if (!said.includes("Denied by a rule of the owner's")) return "text";
  const inItsForm: Readonly<Record<Program, RegExp>> = {
    claude: /"permissionDecision":"deny"|"behavior":"deny"/,
    codex: /"permissionDecision":"deny"|"behavior":"deny"/,
    gemini: /^\{"decision":"deny","reason":/,
    opencode: /^\{"deny":/,
  };
  expect([program, said]).toEqual([program, expect.stringMatching(inItsForm[program])]);
  return "denied";
}

const programs = Object.keys(shells) as Program[];

async function everyHook(at: TestHome, trouble: string, of: readonly Program[] = programs): Promise<void> {
  const all = of.map(async (program) => {
    const agent = `agent${trouble}${program}`;
    const moments = ["start", "prompt", "edit", "stop"] as const;
    const items = moments.map((moment) => ({ id: moment, at: [moment], files: [], text: `what lies ready` }));
    writeHear(at.home, agent, "notices", items);
    const workspaces = [{ path: join(at.top, "work"), branch: "b" }];
    writePlace(at.home, agent, { version: 1, root: at.top, task: "1", workspaces, rules: [] });
    const hooks = hooksOf(program, at.top);
    const said: unknown[] = [];
    for (const [hook_event_name, more] of hooks) {
      const input = JSON.stringify({ session_id: "s1", cwd: at.top, hook_event_name, ...more });
      const { code, stderr, stdout } = await at.constel(["hook", program], { env: { CONSTEL_AGENT: agent }, input });
      said.push([program, hook_event_name, code, stderr, whatItSays(program, stdout)]);
    }
    expect([trouble, said]).toEqual([trouble, hooks.map(([name, , says]) => [program, name, 0, "", says])]);
    const lines = readFileSync(join(at.home, `state/hooks/${agent}.jsonl`), "utf8")
      .trim()
      .split("\n");
    // A question leaves two: that it was asked, and how it was answered.
    expect(lines).toHaveLength(hooks.length + hooks.filter(([name]) => name === "PermissionRequest").length);
    expect(lines.join("\n").match(/"told":\[/g)).toHaveLength(moments.length);
  });
  await Promise.all(all);
}

/** In the place of the daemon's two sockets, something that counts who calls. */
async function impostors(at: TestHome, answer: (socket: Socket) => void): Promise<{ calls: number; end(): void }> {
  const sockets = new Set<Socket>();
  const state = { calls: 0, end: () => {} };
  const servers: Server[] = [];
  for (const name of ["daemon.sock", "who.sock"]) {
    const server = createServer((socket) => {
      state.calls += 1;
      sockets.add(socket.on("error", () => {}));
      answer(socket);
    });
    await new Promise<void>((resolve) => server.listen(join(at.home, "state", name), resolve));
    servers.push(server);
  }
  state.end = () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  };
  return state;
}

test("whatever became of the daemon, every hook of every program says what it has to, and calls nobody", async () => {
  await using at = new TestHome();
  mkdirSync(at.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(at.home, "config.toml"), rules);
  await at.constel(["daemon", "start"]);
  const pid = at.daemonPid ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    await everyHook(at, "stopped");
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await at.constel(["daemon", "stop"]);
  await everyHook(at, "dead", ["claude"]);
  const troubles: Readonly<Record<string, (socket: Socket) => void>> = {
    garbage: (socket) => socket.end("\u0000garbage\r\n\r\n{{{"),
    slow: () => {},
    half: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"decision":"al');
    },
  };
  for (const [trouble, answer] of Object.entries(troubles)) {
    const daemon = await impostors(at, answer);
    try {
      // Where nobody is called, what would have been answered makes no difference: once for all programs is enough.
      await everyHook(at, trouble, trouble === "slow" ? programs : ["claude"]);
      expect([trouble, daemon.calls]).toEqual([trouble, 0]);
    } finally {
      daemon.end();
    }
  }
});

test("a question for the owner waits while the daemon is stopped, and is put when it goes on", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const pid = at.daemonPid ?? 0;
  const input = JSON.stringify({
    hook_event_name: "PermissionRequest",
    session_id: "s1",
    cwd: "/",
    tool_name: "Bash",
    tool_input: { command: "make deploy" },
  });
  process.kill(pid, "SIGSTOP");
  let answer: Promise<Ran>;
  try {
    answer = at.constel(["hook", "claude"], { env: { CONSTEL_AGENT: "agent1" }, input, program: [constel] });
    const records = join(at.home, "state/hooks/agent1.jsonl");
    await until(
      "it has asked",
      () => Bun.file(records).exists(),
      (isThere) => isThere,
    );
  } finally {
    process.kill(pid, "SIGCONT");
  }
  const [request] = await until(
    "the owner sees it",
    async () => (await at.json<{ approvals: { id: string; asked: string }[] }>(["approvals", "ls"])).approvals,
    (found) => found.length === 1,
  );
  expect(request?.asked).toBe("make deploy");
  await at.constel(["approvals", "allow", request?.id ?? ""]);
  const { code, stdout } = await answer;
  expect([code, whatItSays("claude", stdout)]).toEqual([0, "allowed"]);
});

const constel = join(projectTop, "bin/constel");
