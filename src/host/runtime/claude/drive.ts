// Claude Code over its stream of JSON lines, with the permission tool on stdio. One process serves many turns. A prompt counts as acknowledged
// when the model begins to answer: the echo of a prompt also comes when it was interrupted before any request.

import type { Driver, DriveStart, DrivenSession, Pipe, TurnEnd, TurnEvent } from "../../../ports/driver.ts";
import type { Launch } from "../../../ports/runtime.ts";
import { touchedFiles } from "../hook-record.ts";
import { asObject, asText, type Json, objectsIn, parseObject } from "../json-lines.ts";
import { prepareClaude } from "./launch.ts";
import { usageOfResult } from "./headless.ts";

const streaming = [
  "-p",
  "--input-format",
  "stream-json",
  "--output-format",
  "stream-json",
  "--verbose",
  "--include-partial-messages",
  "--permission-prompt-tool",
  "stdio",
];
/** The tools with which nothing can be changed. */
const readingTools = ["Read", "Glob", "Grep"];

export const claudeDriver: Driver = {
  prepare(launch, { readOnly, tools, context }) {
    const prepared = prepareClaude(withoutTerminal(launch));
    const [program = "claude", ...rest] = prepared.argv;
    const only = readOnly === true ? readingTools.filter((tool) => tools?.includes(tool) ?? true) : tools;
    const limits = only === undefined ? [] : ["--tools", only.join(",")];
    const isCopy = context === "fork" && launch.resume !== undefined;
    return Promise.resolve({
      ...prepared,
      files: prepared.files.map((file) =>
        file.path.endsWith("settings.json") ? { ...file, content: withoutPermissionHook(file.content) } : file,
      ),
      argv: [program, ...streaming, ...limits, ...(isCopy ? ["--fork-session"] : []), ...rest],
    });
  },

  async open(pipe, start) {
    const session = new ClaudeStream(pipe, start);
    await session.begin();
    return session;
  },
};

/** The waiting hook belongs to a terminal: the holder is the one who waits here. */
function withoutTerminal(launch: Launch): Launch {
  const { opening: _, waitCommand: __, ...rest } = launch;
  return rest;
}

/** The question comes over the pipe: put by the hook as well it would be asked twice. */
function withoutPermissionHook(content: string): string {
  const settings = parseObject(content);
  const { PermissionRequest: _, ...hooks } = asObject(settings?.["hooks"]) ?? {};
  return `${JSON.stringify({ ...settings, hooks }, null, 2)}\n`;
}

interface Turn {
  readonly hear: (event: TurnEvent) => void;
  readonly end: (end: TurnEnd) => void;
  readonly fail: (cause: Error) => void;
  readonly tools: Map<string, string>;
  said: string;
  isAcknowledged: boolean;
  isInterrupted: boolean;
}

class ClaudeStream implements DrivenSession {
  readonly #pipe: Pipe;
  readonly #start: DriveStart;
  readonly #answers = new Map<string, () => void>();
  #id: string;
  #turn: Turn | undefined;
  #over: Error | undefined;

  constructor(pipe: Pipe, start: DriveStart) {
    this.#pipe = pipe;
    this.#start = start;
    this.#id = (start.fork === true ? undefined : start.resume) ?? start.launch.sessionId ?? "";
    pipe.listen((line) => this.#take(line));
    void this.#untilEnded();
  }

  readonly transcript = undefined;

  async #untilEnded(): Promise<void> {
    this.#over = new Error(`the program ended: ${await this.#pipe.ended}`);
    this.#turn?.fail(this.#over);
    for (const settle of this.#answers.values()) settle();
  }

  get id(): string {
    return this.#id;
  }

  async begin(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answers.set("begin", resolve);
    this.#pipe.write({ type: "control_request", request_id: "begin", request: { subtype: "initialize" } });
    await promise;
    if (this.#over !== undefined) throw this.#over;
  }

  turn(text: string, hear: (event: TurnEvent) => void): Promise<TurnEnd> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    const { promise, resolve, reject } = Promise.withResolvers<TurnEnd>();
    const settle = (): void => void (this.#turn = undefined);
    this.#turn = {
      hear,
      end: (end) => (settle(), resolve(end)),
      fail: (cause) => (settle(), reject(cause)),
      tools: new Map(),
      said: "",
      isAcknowledged: false,
      isInterrupted: false,
    };
    this.#pipe.write({ type: "user", message: { role: "user", content: text } });
    return promise;
  }

  interrupt(): void {
    if (this.#turn === undefined) return;
    this.#turn.isInterrupted = true;
    const request_id = crypto.randomUUID();
    this.#pipe.write({ type: "control_request", request_id, request: { subtype: "interrupt" } });
  }

  #take(line: Json): void {
    const turn = this.#turn;
    switch (line["type"]) {
      case "control_response":
        this.#answers.get(asText(asObject(line["response"])?.["request_id"]) ?? "")?.();
        return;
      case "control_request":
        return void this.#answer(line);
      case "system":
        if (line["subtype"] === "init") this.#isSame(asText(line["session_id"]) ?? "");
        return;
      case "stream_event":
        if (asText(asObject(line["event"])?.["type"]) === "message_start") this.#acknowledge();
        return;
      case "assistant":
        if (turn !== undefined) this.#read(asObject(line["message"]) ?? {}, turn);
        return;
      case "user":
        if (turn !== undefined) this.#results(asObject(line["message"]) ?? {}, turn);
        return;
      case "result":
        return this.#end(line, turn);
      default:
    }
  }

  /** The one that was to be resumed goes on: another would not know what it was told, and would not be the one that is watched. */
  #isSame(id: string): void {
    const { resume, fork } = this.#start;
    if (resume !== undefined && fork !== true && id !== resume) {
      this.#turn?.fail(new Error(`it answered with another conversation: ${id} instead of ${resume}`));
      return;
    }
    this.#id = id;
  }

  #acknowledge(): void {
    const turn = this.#turn;
    if (turn === undefined || turn.isAcknowledged) return;
    turn.isAcknowledged = true;
    turn.hear({ kind: "acknowledged" });
  }

  #read(message: Json, turn: Turn): void {
    // Its own words about an error are no answer of the model.
    if (message["model"] !== "<synthetic>") this.#acknowledge();
    for (const block of objectsIn(message["content"])) {
      const text = asText(block["text"]);
      if (block["type"] === "text" && text !== undefined) {
        turn.said = text;
        turn.hear({ kind: "said", text });
      } else if (block["type"] === "tool_use") {
        const tool = asText(block["name"]) ?? "a tool";
        turn.tools.set(asText(block["id"]) ?? "", tool);
        turn.hear({ kind: "tool-began", tool, files: touchedFiles(block["input"]), input: block["input"] });
      }
    }
  }

  #results(message: Json, turn: Turn): void {
    for (const block of objectsIn(message["content"])) {
      if (block["type"] !== "tool_result") continue;
      turn.hear({ kind: "tool-ended", tool: turn.tools.get(asText(block["tool_use_id"]) ?? "") ?? "a tool" });
    }
  }

  #end(line: Json, turn: Turn | undefined): void {
    const isError = line["is_error"] === true || line["subtype"] === "error_during_execution";
    const text = asText(line["result"]) ?? turn?.said ?? "";
    const interrupted = turn?.isInterrupted === true ? { interrupted: true as const } : {};
    turn?.end({
      ok: !isError && turn.isInterrupted === false,
      text: isError ? "" : text,
      ...(isError ? { error: text || "the turn failed" } : {}),
      ...interrupted,
      usage: usageOfResult(line, Date.now()),
    });
  }

  async #answer(line: Json): Promise<void> {
    const request = asObject(line["request"]) ?? {};
    const respond = (response: unknown): void =>
      this.#pipe.write({
        type: "control_response",
        response: { subtype: "success", request_id: line["request_id"], response },
      });
    if (request["subtype"] !== "can_use_tool") {
      const error = "this request is not known here";
      return this.#pipe.write({
        type: "control_response",
        response: { subtype: "error", request_id: line["request_id"], error },
      });
    }
    const { launch, ask } = this.#start;
    const input = request["input"] ?? {};
    const { allow, message } = await ask({ tool: asText(request["tool_name"]) ?? "", input, cwd: launch.cwd });
    respond(allow ? { behavior: "allow", updatedInput: input } : { behavior: "deny", message });
  }
}
