// The three protocols on a pipe that plays the program's part: when a prompt counts as acknowledged, what is asked, what is restated.

import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Drive } from "../../../ports/drive.ts";
import type { AskedOverPipe, DriveStart, DrivenSession, Pipe, TurnEvent } from "../../../ports/driver.ts";
import type { Launch, Prepared } from "../../../ports/runtime.ts";
import { systemClock } from "../../clock/system-clock.ts";
import { systemProcesses } from "../../process/run.ts";
import { askedOf, openAcp } from "../acp/drive.ts";
import { agyDriver, openAgy } from "../agy/drive.ts";
import { claudeDriver } from "../claude/drive.ts";
import { codexDriver, withoutShell } from "../codex/drive.ts";
import type { Json } from "../json-lines.ts";
import { askedForFiles } from "./asked-for-files.ts";
import { openProgram } from "./program-pipe.ts";

type Said = Record<string, unknown>;

/** The program's end of the pipe. */
class Program implements Pipe {
  readonly heard: Said[] = [];
  readonly ended: Promise<string>;
  #hear: (line: Json) => void = () => {};
  #die: (words: string) => void = () => {};
  readonly #plays: (said: Said, program: Program) => void;

  constructor(plays: (said: Said, program: Program) => void) {
    this.#plays = plays;
    this.ended = new Promise((resolve) => (this.#die = resolve));
  }

  write(value: unknown): void {
    this.heard.push(value as Said);
    queueMicrotask(() => this.#plays(value as Said, this));
  }

  listen(hear: (line: Json) => void): void {
    this.#hear = hear;
  }

  say(...lines: readonly Said[]): void {
    for (const line of lines) this.#hear(line);
  }

  die(words: string): void {
    this.#die(words);
  }
}

const launch: Launch = {
  agent: "agent1",
  home: "/home",
  cwd: "/work",
  program: "/bin/true",
  promptFile: "/prompt",
  sessionId: "s-1",
  permissions: "ask",
  hookCommand: ["constel", "hook", "x"],
  trusted: true,
};
const prepared: Prepared = { files: [], argv: [], env: {}, unset: [], notes: [] };

interface Played {
  readonly session: DrivenSession;
  readonly events: TurnEvent[];
  readonly asked: AskedOverPipe[];
}

async function play(
  open: (start: DriveStart) => Promise<DrivenSession>,
  more: { readonly drive?: Drive; readonly resume?: string; readonly allow?: boolean } = {},
): Promise<Played> {
  const asked: AskedOverPipe[] = [];
  const session = await open({
    launch,
    drive: more.drive ?? {},
    prepared,
    ...(more.resume === undefined ? {} : { resume: more.resume }),
    ask: (one) => {
      asked.push(one);
      return Promise.resolve({ allow: more.allow ?? false, message: "not here" });
    },
  });
  return { session, events: [], asked };
}

const rejection = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (cause) {
    return String(cause);
  }
  return "nothing";
};

describe("Claude Code", () => {
  const answering =
    (...turn: readonly Said[]) =>
    (said: Said, program: Program): void => {
      if (said["type"] === "control_request")
        program.say({ type: "control_response", response: { request_id: said["request_id"] } });
      if (said["type"] === "user") program.say({ type: "system", subtype: "init", session_id: "s-1" }, ...turn);
    };
  const open = (program: Program) => (start: DriveStart) => claudeDriver.open(program, start);
  const result = { type: "result", subtype: "success", result: "well", is_error: false };

  test("the echo of a prompt is no acknowledgement, the model's first word is", async () => {
    const program = new Program(answering({ type: "user", isReplay: true }));
    const { session, events } = await play(open(program));
    const turn = session.turn("do it", (event) => events.push(event));
    await Bun.sleep(0);
    expect(events).toEqual([]);
    program.say({ type: "stream_event", event: { type: "message_start" } }, result);
    expect(await turn).toMatchObject({ ok: true, text: "well" });
    expect(events).toEqual([{ kind: "acknowledged" }]);
  });

  test("a copy of a conversation is asked for as one, and never by a conversation that only begins", async () => {
    const machine = { processes: systemProcesses, clock: systemClock, env: {} };
    const words = async (resume: string | undefined, context: NonNullable<Drive["context"]>): Promise<string> => {
      const { sessionId: _, ...begun } = launch;
      const given = resume === undefined ? launch : { ...begun, resume };
      return (await claudeDriver.prepare(given, { context }, machine)).argv.join(" ");
    };
    expect(await words("s-0", "fork")).toMatch(/--fork-session .*--resume s-0 /);
    expect(await words("s-0", "resume")).not.toContain("--fork-session");
    const first = await words(undefined, "fork");
    expect([first.includes("--session-id s-1"), first.includes("--fork-session")]).toEqual([true, false]);
  });

  test("its own words about an error acknowledge nothing", async () => {
    const words = { model: "<synthetic>", content: [{ type: "text", text: "API Error" }] };
    const failed = { type: "result", subtype: "success", is_error: true, result: "API Error" };
    const program = new Program(answering({ type: "assistant", message: words }, failed));
    const { session, events } = await play(open(program));
    expect(await session.turn("do it", (event) => events.push(event))).toMatchObject({ ok: false, error: "API Error" });
    expect(events.map(({ kind }) => kind)).toEqual(["said"]);
  });

  test("an answer from another conversation than the one that was resumed ends the turn", async () => {
    const program = new Program(answering(result));
    const { session } = await play(open(program), { resume: "s-0" });
    expect(await rejection(session.turn("go on", () => {}))).toContain("another conversation: s-1 instead of s-0");
  });

  test("a permission is asked as the program asks it, and a denial goes back with its reason", async () => {
    const input = { command: "rm -rf /" };
    const program = new Program(
      answering({
        type: "control_request",
        request_id: "p",
        request: { subtype: "can_use_tool", tool_name: "Bash", input },
      }),
    );
    const { session, asked } = await play(open(program));
    const turn = session.turn("do it", () => {});
    await Bun.sleep(0);
    expect(asked).toEqual([{ tool: "Bash", input, cwd: "/work" }]);
    const response = { subtype: "success", request_id: "p", response: { behavior: "deny", message: "not here" } };
    expect(program.heard.at(-1)).toEqual({ type: "control_response", response });
    program.die("killed");
    expect(await rejection(turn)).toContain("the program ended: killed");
  });

  test("one that may only read is offered nothing else, and its permission hook is not asked besides", async () => {
    const machine = { processes: systemProcesses, clock: systemClock, env: {} };
    const { argv, files } = await claudeDriver.prepare(launch, { readOnly: true, tools: ["Read", "Edit"] }, machine);
    expect(argv[argv.indexOf("--tools") + 1]).toBe("Read");
    expect(files[0]?.content).toContain("PreToolUse");
    expect(files[0]?.content).not.toContain("PermissionRequest");
  });
});

describe("Codex", () => {
  const thread = (id: string) => ({ thread: { id, path: "/rollout" } });
  const answering =
    (id: string, ...turn: readonly Said[]) =>
    ({ id: request, method }: Said, program: Program): void => {
      const result = String(method).startsWith("thread/") ? thread(id) : { turn: { id: "t" } };
      if (request !== undefined && method !== undefined) program.say({ id: request, result });
      if (method === "turn/start") program.say(...turn);
    };
  const notice = (method: string, params: Said) => ({ method, params: { threadId: "th", ...params } });
  const open = (program: Program) => (start: DriveStart) => codexDriver.open(program, start);
  const over = notice("turn/completed", { turn: { status: "completed" } });

  test("its own copy of the prompt acknowledges nothing; what another thread does is no sign", async () => {
    const program = new Program(
      answering("th", notice("item/started", { item: { type: "userMessage" } }), {
        method: "item/started",
        params: { threadId: "other", item: { type: "agentMessage" } },
      }),
    );
    const { session, events } = await play(open(program));
    const turn = session.turn("do it", (event) => events.push(event));
    await Bun.sleep(0);
    await Bun.sleep(0);
    expect(events).toEqual([]);
    program.say(notice("item/completed", { item: { type: "agentMessage", text: "well" } }), over);
    expect(await turn).toMatchObject({ ok: true, text: "well" });
    expect(events[0]).toEqual({ kind: "acknowledged" });
  });

  test("one that may only read is told so again at every turn, also after a resume", async () => {
    const program = new Program(answering("th", over));
    const { session } = await play(open(program), { drive: { readOnly: true }, resume: "th" });
    for (const words of ["one", "two"]) await session.turn(words, () => {});
    const told = program.heard.filter(({ method }) => /^thread\/resume|^turn\/start/.test(String(method)));
    const eachTurn = { params: { approvalPolicy: "never", sandboxPolicy: { type: "readOnly" } } };
    expect(told).toMatchObject([{ params: { approvalPolicy: "never", sandbox: "read-only" } }, eachTurn, eachTurn]);
  });

  test("another thread than the one that was to be resumed is refused", async () => {
    const program = new Program(answering("th"));
    expect(await rejection(play(open(program), { resume: "old" }))).toContain(
      "another conversation: th instead of old",
    );
  });

  test("a command is judged without the shell around it only where nothing can hide in the quotes", () => {
    expect(withoutShell("/bin/bash -lc 'touch /x'")).toBe("touch /x");
    const hiding = `/bin/bash -lc 'touch '"'"'/x'"'"' && rm y'`;
    expect(withoutShell(hiding)).toBe(hiding);
    expect(withoutShell("rm -rf /")).toBe("rm -rf /");
  });
});

describe("Antigravity CLI, by its documents", () => {
  const open = (program: Program) => (start: DriveStart) => openAgy(program, start, "You are agent1.");
  const step = (more: Said) => ({ event: "step_update", step_update: { conversation_id: "c-1", ...more } });
  const begun = { event: "init", conversation_id: "c-1", init: { permission_mode: "request-review" } };
  const ended = (more: Said) => ({ event: "result", result: { conversation_id: "c-1", status: "SUCCESS", ...more } });

  test("the prompt that comes back is no acknowledgement, the model's first word is; what it does and uses is told", async () => {
    const program = new Program(() => {});
    const { session, events } = await play(open(program));
    const turn = session.turn("do it", (event) => events.push(event));
    program.say(begun, step({ step_index: 0, state: "DONE", step_type: "user_input" }));
    expect(events).toEqual([]);
    const write = { step_index: 1, step_type: "tool", tool_name: "write_to_file" };
    program.say(
      step({ ...write, state: "ACTIVE", tool_info: { parameters: { TargetFile: "/work/a.ts" } } }),
      step({ ...write, state: "DONE" }),
      step({ step_index: 2, state: "ACTIVE", step_type: "agent_response", text_delta: "we" }),
      step({ step_index: 2, state: "DONE", step_type: "agent_response", text_delta: "ll\n" }),
      ended({ response: "well\n", usage: { input_tokens: 9, output_tokens: 2, cache_read_tokens: 5 } }),
    );
    const usage = [{ id: expect.any(String), model: "agy", input: 9, output: 2, cacheRead: 5 }];
    expect(await turn).toMatchObject({ ok: true, text: "well", usage });
    expect(events).toEqual([
      { kind: "acknowledged" },
      { kind: "tool-began", tool: "write_to_file", files: ["/work/a.ts"] },
      { kind: "tool-ended", tool: "write_to_file" },
      { kind: "said", text: "well" },
    ]);
    expect([session.id, program.heard]).toEqual([
      "c-1",
      [{ event: "user", message: { content: "You are agent1.\n\ndo it" } }],
    ]);
  });

  test("a success that says nothing because it was denied has failed, and so has one that says so", async () => {
    const program = new Program(({ message }, it) => {
      const text = (message as { content: string }).content;
      it.say(
        text.endsWith("denied")
          ? ended({ response: "", denied_actions: [{ tool: "run_command" }] })
          : ended({ status: "ERROR", response: "I did it", error: "not signed in" }),
      );
    });
    const { session } = await play(open(program));
    const silently = await session.turn("denied", () => {});
    expect(silently).toMatchObject({ ok: false, text: "", error: expect.stringContaining("did not allow"), usage: [] });
    expect(await session.turn("else", () => {})).toMatchObject({ ok: false, text: "", error: "not signed in" });
  });

  test("another conversation is refused, a copy too, and after an interruption it has to be started anew", async () => {
    const other = new Program((_, it) => it.say({ ...begun, conversation_id: "c-2" }));
    const { session } = await play(open(other), { resume: "c-1" });
    expect(await rejection(session.turn("go on", () => {}))).toContain("another conversation: c-2 instead of c-1");
    expect(await rejection(play((start) => openAgy(other, { ...start, fork: true })))).toContain("cannot copy");
    const slow = await play(open(new Program(() => {})));
    const turn = slow.session.turn("long", () => {});
    slow.session.interrupt();
    expect(await turn).toMatchObject({ ok: false, interrupted: true });
    expect(await rejection(slow.session.turn("next", () => {}))).toContain("started anew");
  });

  test("every start restates directory, model, conversation and what is allowed, and gives no prompt on the command line", async () => {
    const machine = { processes: systemProcesses, clock: systemClock, env: {} };
    const words = async (more: Partial<Launch>): Promise<string> =>
      (await agyDriver.prepare({ ...launch, ...more }, {}, machine)).argv.slice(1).join(" ");
    const streaming = "--input-format stream-json --output-format stream-json --print-timeout 168h";
    expect(await words({ model: "m", resume: "c-1" })).toBe(`${streaming} --model m --conversation c-1`);
    expect(await words({ permissions: "edits" })).toBe(streaming);
    expect(await words({ permissions: "all" })).toBe(`${streaming} --dangerously-skip-permissions`);
  });
});

describe("ACP", () => {
  const answering =
    (session: string, ...turn: readonly Said[]) =>
    ({ id, method, params }: Said, program: Program): void => {
      if (id === undefined || method === undefined) return;
      if (method === "initialize") {
        const protocolVersion = Math.min(1, Number((params as Said)["protocolVersion"]));
        program.say({ id, result: { protocolVersion, agentCapabilities: { loadSession: true } } });
      } else if (method === "session/prompt") program.say(...turn, { id, result: { stopReason: "end_turn" } });
      else program.say({ id, result: { sessionId: session } });
    };
  const update = (sessionUpdate: string, more: Said = {}) => ({
    method: "session/update",
    params: { sessionId: "a", update: { sessionUpdate, ...more } },
  });
  const open =
    (program: Program, introduction?: string) =>
    (start: DriveStart): Promise<DrivenSession> =>
      openAcp(program, start, introduction === undefined ? {} : { introduction });

  test("the first sign of the model acknowledges, a list of commands does not", async () => {
    const seen: string[][] = [];
    const chunk = update("agent_message_chunk", { content: { text: "well" } });
    const program = new Program(answering("a", update("available_commands_update"), chunk));
    const { session, events } = await play(open(program, "You are agent1."));
    const end = await session.turn("do it", (event) => {
      events.push(event);
      seen.push(program.heard.map(({ method }) => String(method)));
    });
    expect(end).toMatchObject({ ok: true, text: "well" });
    expect(events).toEqual([{ kind: "acknowledged" }]);
    const params = { sessionId: "a", prompt: [{ type: "text", text: "You are agent1.\n\ndo it" }] };
    expect(program.heard.at(-1)).toMatchObject({ method: "session/prompt", params });
  });

  test("an answer with another conversation is refused, and so is another version", async () => {
    const other = new Program(answering("b"));
    expect(await rejection(play(open(other), { resume: "a" }))).toContain("another conversation: b instead of a");
    const later = new Program(({ id }, program) => program.say({ id, result: { protocolVersion: 7 } }));
    expect(await rejection(play(open(later)))).toContain("version 7 of the protocol");
  });

  const second =
    (session: string, ...turn: readonly Said[]) =>
    ({ id, method }: Said, program: Program): void => {
      if (id === undefined || method === undefined) return;
      if (method === "initialize") program.say({ id, result: { protocolVersion: 2, capabilities: { session: {} } } });
      else if (method === "session/prompt") program.say({ id, result: { messageId: "m1" } }, ...turn);
      else program.say({ id, result: { sessionId: session } });
    };

  test("one call is asked once, however often the program asks of it; another input, and the next call, are asked anew", async () => {
    const call = (toolCallId: string, command: string): Said => ({
      method: "session/request_permission",
      id: `${toolCallId} ${command}`,
      params: {
        sessionId: "a",
        toolCall: { toolCallId, rawInput: { command } },
        options: [{ kind: "allow_once", optionId: "y" }],
      },
    });
    const asked: unknown[] = [];
    const program = new Program(second("a", update("agent_message_chunk", { content: { text: "x" } })));
    const ask: DriveStart["ask"] = (question) => {
      asked.push(question.input);
      return Promise.resolve({ allow: true, message: "" });
    };
    const { session } = await play((start) => openAcp(program, { ...start, ask }, {}));
    const turn = session.turn("do it", () => {});
    await Bun.sleep(0);
    program.say(call("t1", "touch x"), call("t1", "touch x"), call("t1", "rm x"));
    program.say(
      update("tool_call_update", { toolCallId: "t1", status: "completed" }),
      call("t1", "rm x"),
      call("t2", "rm x"),
    );
    await Bun.sleep(0);
    program.say(update("state_update", { state: "idle", stopReason: "end_turn" }));
    await turn;
    expect(asked).toEqual([{ command: "touch x" }, { command: "rm x" }, { command: "rm x" }, { command: "rm x" }]);
    expect(program.heard.filter(({ result }) => result !== undefined)).toHaveLength(5);
  });

  test("a request that says less than the call before it is judged by both; what is no whole input is none", async () => {
    const call = (id: string, text: string, more: Said = {}) =>
      update("tool_call", {
        toolCallId: id,
        title: "Bash",
        kind: "execute",
        content: [{ type: "content", content: { type: "text", text } }],
        ...more,
      });
    const ask = (toolCallId: string): Said => ({
      method: "session/request_permission",
      id: toolCallId,
      params: { sessionId: "a", toolCall: { toolCallId, title: "Bash", content: [] }, options: [] },
    });
    const program = new Program(second("a", update("agent_message_chunk", { content: { text: "x" } })));
    const { session, asked } = await play(open(program));
    const turn = session.turn("do it", () => {});
    await Bun.sleep(0);
    program.say(call("t1", '{"command":"touch x"}'), ask("t1"), call("t2", '{"command":"to'), ask("t2"));
    program.say(call("t3", "listing", { rawInput: { command: "ls" } }), ask("t3"));
    await Bun.sleep(0);
    program.say(update("state_update", { state: "idle", stopReason: "end_turn" }));
    await turn;
    expect(asked.map(({ tool, input }) => [tool, input])).toEqual([
      ["Bash", { command: "touch x" }],
      ["Bash", {}],
      ["Bash", { command: "ls" }],
    ]);
  });

  test("a turn that ends without a sign of the model is not acknowledged", async () => {
    const program = new Program(answering("a"));
    const { session } = await play(open(program));
    const events: TurnEvent[] = [];
    expect(await session.turn("do it", (event) => events.push(event))).toMatchObject({ ok: true, text: "" });
    expect(events).toEqual([]);
  });

  test("in version 2 the answer to a prompt ends no turn and proves nothing of the model; the turn ends when it stands idle again", async () => {
    const before = update("state_update", { state: "idle" });
    const running = update("state_update", { state: "running" });
    const program = new Program(second("a", before, running));
    const { session, events } = await play(open(program), { resume: "a" });
    expect(program.heard.map(({ method }) => method)).toEqual(["initialize", "session/resume"]);
    expect(program.heard[0]).toMatchObject({ params: { protocolVersion: 2, info: { name: "constel" } } });
    const turn = session.turn("do it", (event) => events.push(event));
    await Bun.sleep(0);
    await Bun.sleep(0);
    expect(events).toEqual([]);
    const call = { toolCallId: "t", kind: "execute", title: "ls" };
    program.say(
      update("tool_call_update", { ...call, status: "in_progress" }),
      update("tool_call_update", { ...call, status: "completed" }),
    );
    program.say(update("agent_message", { messageId: "x", content: [{ type: "text", text: "well" }] }));
    const usage = { inputTokens: 9, outputTokens: 1 };
    program.say(update("state_update", { state: "idle", stopReason: "end_turn", usage }));
    expect(await turn).toMatchObject({ ok: true, text: "well", usage: [{ input: 9, output: 1 }] });
    expect(events.map((event) => event.kind)).toEqual(["acknowledged", "tool-began", "tool-ended"]);
  });

  test("in version 2 a program that ends during a turn, and one that stops without the model, fail the turn", async () => {
    const refused = new Program(second("a", update("state_update", { state: "idle", stopReason: "refusal" })));
    const { session } = await play(open(refused));
    expect(await session.turn("do it", () => {})).toMatchObject({ ok: false, error: "the turn ended: refusal" });
    const program = new Program(second("a"));
    const gone = (await play(open(program))).session.turn("do it", () => {});
    await Bun.sleep(0);
    program.die("killed");
    expect(await rejection(gone)).toContain("the program ended: killed");
  });

  test("a program of which a mode is set is offered version 1, which alone has modes", async () => {
    const program = new Program(answering("a"));
    await play((start) => openAcp(program, start, { modes: { ask: "default", readOnly: "plan" } }));
    expect(program.heard[0]).toMatchObject({ params: { protocolVersion: 1 } });
    expect(program.heard.at(-1)).toMatchObject({ method: "session/set_mode", params: { modeId: "default" } });
    const later = new Program(second("a"));
    const modes = { ask: "default", readOnly: "plan" };
    expect(await rejection(play((start) => openAcp(later, start, { modes })))).toContain("version 2 of the protocol");
  });

  test("one that may only read is told so at each start, whatever else it may do", async () => {
    const modes = { ask: "default", readOnly: "plan" };
    for (const permissions of ["ask", "edits", "all"] as const) {
      const program = new Program(answering("a"));
      const only = (start: DriveStart) => openAcp(program, { ...start, launch: { ...launch, permissions } }, { modes });
      await play(only, { drive: { readOnly: true }, resume: "a" });
      expect(program.heard.at(-1)).toMatchObject({ method: "session/set_mode", params: { modeId: "plan" } });
    }
  });

  test("a conversation that keeps its mode, and refuses the one that it is in, is put into it all the same; never without a yes", async () => {
    const modes = { ask: "default", readOnly: "plan" };
    const keeping = (held: string, fixed: boolean) => {
      let mode = held;
      return new Program((said, program) => {
        const { id, method, params } = said as { id: number; method: string; params: { modeId: string } };
        if (method !== "session/set_mode") return answering("a")(said, program);
        if (params.modeId === mode || fixed)
          return program.say({ id, error: { code: -32_603, message: "Internal error", data: { details: "no" } } });
        mode = params.modeId;
        program.say({ id, result: {} });
      });
    };
    const set = (program: Program) =>
      program.heard.flatMap(({ params }) => (params as { modeId?: string }).modeId ?? []);
    const resumed = (program: Program, drive: Drive) =>
      play((start) => openAcp(program, start, { modes }), { drive, resume: "a" });
    const reads = keeping("plan", false);
    await resumed(reads, { readOnly: true });
    expect(set(reads)).toEqual(["plan", "default", "plan"]);
    const asks = keeping("default", false);
    await resumed(asks, {});
    expect(set(asks)).toEqual(["default", "plan", "default"]);
    expect(await rejection(resumed(keeping("default", true), { readOnly: true }))).toContain("Internal error: no");
    const first = play((start) => openAcp(keeping("plan", false), start, { modes }), { drive: { readOnly: true } });
    expect(await rejection(first)).toContain("Internal error: no");
  });

  test("a program that only says what its conversation holds is counted with that, although it says so after its turn", async () => {
    const program = new Program((said, own) => {
      answering("a")(said, own);
      if (said["method"] === "session/prompt")
        setTimeout(() => own.say(update("usage_update", { used: 2_214, size: 262_144 })), 0);
    });
    const { session } = await play((start) => openAcp(program, start, { tellsContextAfter: true }));
    expect((await session.turn("hello", () => {})).usage).toMatchObject([
      { input: 2_214, output: 0, model: "unknown" },
    ]);
  });

  test("what has a command is judged by it, whatever kind the program calls it; every file of an edit counts", () => {
    const command = { kind: "read", rawInput: { command: "rm x" } };
    expect(askedOf(command, "/work")).toEqual({ tool: "Bash", input: { command: "rm x" }, cwd: "/work" });
    const edit = { kind: "edit", locations: [{ path: "/a" }], rawInput: { file_path: "/b" } };
    const input = { input: "*** Update File: /a\n*** Update File: /b" };
    expect(askedOf(edit, "/work")).toEqual({ tool: "apply_patch", input, cwd: "/work" });
    expect(askedForFiles(["/ok\n*** End of File"]).input).toEqual({ input: "" });
  });
});

test("a line that comes in many parts is one, and what follows it in the same part is another", async () => {
  const long = "x".repeat(300_000);
  const script = `process.stdout.write('{"a":"${"x".repeat(10)}'); setTimeout(() => process.stdout.write('y'.repeat(${long.length}) + '"}\\n{"b":1}\\n{"c":'), 5); setTimeout(() => process.stdout.write('2}\\n'), 30)`;
  const program = openProgram([process.execPath, "-e", script], { cwd: "/", env: {} });
  const heard: string[] = [];
  program.listen((line) => heard.push(`${Object.keys(line).join()} ${JSON.stringify(line).length}`));
  await program.ended;
  expect(heard).toEqual([`a ${long.length + 18}`, "b 7", "c 7"]);
});

test("instructions reach Codex by a start script, not by its arguments", async () => {
  const directory = mkdtempSync(join(tmpdir(), "constel-drive-"));
  try {
    const promptFile = join(directory, "prompt.md");
    writeFileSync(promptFile, "SECRET-PROMPT");
    const machine = { processes: systemProcesses, clock: systemClock, env: {} };
    const asked = { ...launch, home: directory, cwd: directory, promptFile };
    const { argv, files } = await codexDriver.prepare(asked, {}, machine);
    expect(argv.join(" ")).not.toContain("SECRET-PROMPT");
    expect(files[0]?.content).toContain("app-server");
    expect(files[0]?.content).not.toContain("hooks.PermissionRequest");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
