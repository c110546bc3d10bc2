// Any program that speaks the Agent Client Protocol, version 1, or 2 where the program answers so. In 1 the answer to a prompt comes with the
// end of the turn. In 2 it says that the program took the prompt, and `state_update` tells of the end. In both the first sign of the model (a
// chunk of its words, a thought, a tool call) is the acknowledgement: what a program took, its model may never have seen.
//
// Modes are gone in version 2, so a program that constel sets a mode of is offered version 1 alone.

import type {
  AskedOverPipe,
  DriveStart,
  DrivenSession,
  PermissionAnswer,
  Pipe,
  TurnEnd,
  TurnEvent,
} from "../../../ports/driver.ts";
import type { Usage } from "../../../ports/runtime.ts";
import { JsonRpc, notKnown, RpcError } from "../driving/json-rpc.ts";
import { askedForFiles } from "../driving/asked-for-files.ts";
import { touchedFiles } from "../hook-record.ts";
import { asNumber, asObject, asText, type Json, objectsIn, parseObject } from "../json-lines.ts";

/** A program that does not speak what it is offered answers with the newest that it speaks. */
const newest = 2;
/** Kimi Code says it within a millisecond of the end of its turn. */
const contextWithinMs = 1_000;

export interface AcpTraits {
  /** The mode in which it asks for what it may not do, and the one in which it changes nothing. */
  readonly modes?: { readonly ask: string; readonly readOnly: string };
  /** It says nothing of what a turn used but how much its conversation holds, right after the turn. */
  readonly tellsContextAfter?: true;
  /** Said before the first prompt, by a program that takes no instructions of ours in another way. */
  readonly introduction?: string;
}

export async function openAcp(pipe: Pipe, start: DriveStart, traits: AcpTraits): Promise<DrivenSession> {
  const session = new AcpSession(pipe, start, traits);
  await session.begin();
  return session;
}

interface Turn {
  readonly hear: (event: TurnEvent) => void;
  readonly tools: Map<string, string>;
  /** What was said of each call so far: a request for permission need not say it again. */
  readonly calls: Map<string, Json>;
  readonly usage: Usage[];
  /** By call, until it is over: opencode asks twice of one that leaves the directory, and the owner answers once. */
  readonly answers: Map<string, { readonly asked: string; readonly answer: Promise<PermissionAnswer> }>;
  /** The tokens that its conversation holds. */
  readonly holds: PromiseWithResolvers<number>;
  /** In version 2: the turn is over, with the reason. */
  readonly over: (update: Json) => void;
  said: string;
  isAcknowledged: boolean;
  isInterrupted: boolean;
}

class AcpSession implements DrivenSession {
  readonly #rpc: JsonRpc;
  readonly #start: DriveStart;
  readonly #traits: AcpTraits;
  #introduction: string | undefined;
  #id = "";
  #turn: Turn | undefined;
  #version = 1;

  constructor(pipe: Pipe, start: DriveStart, traits: AcpTraits) {
    this.#start = start;
    this.#traits = traits;
    this.#introduction = start.resume === undefined ? traits.introduction : undefined;
    this.#rpc = new JsonRpc(pipe, {
      answer: (method, params) => this.#answer(method, params),
      notice: (method, params) => this.#hear(method, params),
    });
  }

  readonly transcript = undefined;

  get id(): string {
    return this.#id;
  }

  async begin(): Promise<void> {
    const modes = this.#traits.modes;
    const offered = modes === undefined ? newest : 1;
    const info = { name: "constel", version: "0.1.0" };
    const said = await this.#rpc.request("initialize", {
      protocolVersion: offered,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: info,
      // The names of version 2 for the same.
      ...(offered === 1 ? {} : { capabilities: {}, info }),
    });
    const version = said["protocolVersion"];
    if (typeof version !== "number" || version < 1 || version > offered)
      throw new Error(`it speaks version ${String(version)} of the protocol, constel up to ${offered}`);
    this.#version = version;
    await this.#enter(asObject(said["agentCapabilities"] ?? said["capabilities"]) ?? {});
    const { launch, drive } = this.#start;
    // Of one that may do everything without being asked the mode stays as the user has it.
    if (modes === undefined || (launch.permissions === "all" && drive.readOnly !== true)) return;
    const modeId = drive.readOnly === true ? modes.readOnly : modes.ask;
    await this.#setMode(modeId, modes);
  }

  /**
   * Kimi Code keeps the mode with the conversation, and refuses the one that it is in already, while it tells another one. So a
   * conversation that is taken up again is put into the other mode first; without a yes to the mode that is wanted there is no turn.
   */
  async #setMode(wanted: string, { ask, readOnly }: NonNullable<AcpTraits["modes"]>): Promise<void> {
    const set = (modeId: string) => this.#rpc.request("session/set_mode", { sessionId: this.#id, modeId });
    try {
      await set(wanted);
    } catch (cause) {
      if (!(cause instanceof RpcError) || this.#start.resume === undefined) throw cause;
      await set(wanted === ask ? readOnly : ask);
      await set(wanted);
    }
  }

  async #enter(capabilities: Json): Promise<void> {
    const { launch, resume, fork } = this.#start;
    const common = { cwd: launch.cwd, mcpServers: serversOf(launch.mcp) };
    if (resume === undefined) {
      this.#id = asText((await this.#rpc.request("session/new", common))["sessionId"]) ?? "";
      return;
    }
    const can = asObject(capabilities["sessionCapabilities"] ?? capabilities["session"]) ?? {};
    const verb = fork === true ? "fork" : this.#version === 1 && can["resume"] === undefined ? "load" : "resume";
    if (verb === "fork" && can["fork"] === undefined) throw new Error("it cannot copy a conversation");
    const answer = await this.#rpc.request(`session/${verb}`, { ...common, sessionId: resume });
    const id = asText(answer["sessionId"]) ?? resume;
    if (fork !== true && id !== resume)
      throw new Error(`it answered with another conversation: ${id} instead of ${resume}`);
    this.#id = id;
  }

  async turn(text: string, hear: (event: TurnEvent) => void): Promise<TurnEnd> {
    const { promise: ended, resolve: over } = Promise.withResolvers<Json>();
    const signs = { said: "", isAcknowledged: false, isInterrupted: false };
    const holds = Promise.withResolvers<number>();
    const turn: Turn = {
      hear,
      over,
      holds,
      tools: new Map(),
      calls: new Map(),
      answers: new Map(),
      usage: [],
      ...signs,
    };
    this.#turn = turn;
    const first = this.#introduction;
    this.#introduction = undefined;
    const prompt = [{ type: "text", text: first === undefined ? text : `${first}\n\n${text}` }];
    try {
      const answer = await this.#rpc.request("session/prompt", { sessionId: this.#id, prompt });
      const end = this.#version === 1 ? answer : await Promise.race([ended, this.#rpc.over]);
      const reason = asText(end["stopReason"]) ?? "unknown";
      const usage = usageFrom(asObject(end["usage"])) ?? (await this.#atLeast(turn));
      const isOver = reason === "end_turn";
      return {
        ok: isOver,
        text: isOver ? turn.said.trim() : "",
        ...(isOver ? {} : { error: `the turn ended: ${reason}` }),
        ...(reason === "cancelled" || turn.isInterrupted ? { interrupted: true } : {}),
        usage: usage === undefined ? turn.usage : [usage],
      };
    } finally {
      this.#turn = undefined;
    }
  }

  /** The model read all that the conversation holds at least once. */
  async #atLeast({ usage, holds }: Turn): Promise<Usage | undefined> {
    if (this.#traits.tellsContextAfter !== true || usage.length > 0) return undefined;
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), contextWithinMs);
    const input = await Promise.race([holds.promise, late.promise, this.#rpc.over.catch(() => undefined)]);
    clearTimeout(timer);
    return input === undefined ? undefined : usageFrom({ inputTokens: input, model: this.#start.launch.model });
  }

  interrupt(): void {
    if (this.#turn === undefined) return;
    this.#turn.isInterrupted = true;
    this.#rpc.notify("session/cancel", { sessionId: this.#id });
  }

  #hear(method: string, params: Json): void {
    const turn = this.#turn;
    if (turn === undefined || method !== "session/update" || params["sessionId"] !== this.#id) return;
    const update = asObject(params["update"]) ?? {};
    const usage = usageFrom(asObject(asObject(update["_meta"])?.["usage"]));
    if (usage !== undefined) turn.usage.push(usage);
    noteCall(turn.calls, update);
    switch (update["sessionUpdate"]) {
      case "agent_thought_chunk":
        return this.#acknowledge(turn);
      case "agent_message_chunk": {
        this.#acknowledge(turn);
        turn.said += asText(asObject(update["content"])?.["text"]) ?? "";
        return;
      }
      case "agent_message": {
        // The whole of a message, in version 2.
        this.#acknowledge(turn);
        const words = objectsIn(update["content"]).map((block) => asText(block["text"]) ?? "");
        if (words.length > 0) turn.said = words.join("");
        return;
      }
      case "usage_update":
        return turn.holds.resolve(asNumber(update["used"]));
      case "state_update":
        return this.#state(turn, update);
      case "tool_call": {
        this.#acknowledge(turn);
        turn.said = "";
        const tool = toolNames[asText(update["kind"]) ?? ""] ?? asText(update["title"]) ?? "a tool";
        turn.tools.set(asText(update["toolCallId"]) ?? "", tool);
        return turn.hear({ kind: "tool-began", tool, files: tool === "Edit" ? placesOf(update) : [] });
      }
      case "tool_call_update":
        // In version 2 a call begins with its first update.
        if (this.#version > 1 && !turn.tools.has(asText(update["toolCallId"]) ?? ""))
          this.#hear(method, { ...params, update: { ...update, sessionUpdate: "tool_call" } });
        if (update["status"] !== "completed" && update["status"] !== "failed") return;
        return this.#ended(asText(update["toolCallId"]) ?? "", update, turn);
      default:
    }
  }

  /** Only now all of its input is sure to be there. */
  #ended(id: string, update: Json, turn: Turn): void {
    const input = turn.calls.get(id)?.["rawInput"];
    turn.answers.delete(id);
    turn.calls.delete(id);
    turn.hear({
      kind: "tool-ended",
      tool: turn.tools.get(id) ?? "a tool",
      files: asText(update["kind"]) === "edit" ? placesOf(update) : [],
      ...(input === undefined ? {} : { input }),
    });
  }

  /** Idle before the model gave any sign is the state from before the prompt, unless it says why it stopped. */
  #state(turn: Turn, update: Json): void {
    if (this.#version === 1 || update["state"] !== "idle") return;
    if (turn.isAcknowledged || asText(update["stopReason"]) !== undefined) turn.over(update);
  }

  #acknowledge(turn: Turn): void {
    if (turn.isAcknowledged) return;
    turn.isAcknowledged = true;
    turn.hear({ kind: "acknowledged" });
  }

  /** The same call with the same input is asked once. Another input under its name is another question. */
  #asked(call: Json): Promise<PermissionAnswer> {
    const id = asText(call["toolCallId"]) ?? "";
    const question = askedOf({ ...this.#turn?.calls.get(id), ...call }, this.#start.launch.cwd);
    const asked = JSON.stringify(question);
    const known = this.#turn?.answers.get(id);
    if (id !== "" && known?.asked === asked) return known.answer;
    const answer = this.#start.ask(question);
    this.#turn?.answers.set(id, { asked, answer });
    return answer;
  }

  async #answer(method: string, params: Json): Promise<unknown> {
    if (method !== "session/request_permission" || params["sessionId"] !== this.#id) throw notKnown(method);
    const { allow } = await this.#asked(asObject(params["toolCall"]) ?? {});
    const option = chosen(params["options"], allow ? "allow_once" : "reject_once");
    return { outcome: option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option } };
  }
}

/** Only for this once: whatever it is to be allowed for good stands in constel's rules. */
function chosen(options: unknown, kind: string): string | undefined {
  return asText(objectsIn(options).find((option) => option["kind"] === kind)?.["optionId"]);
}

const toolNames: Readonly<Record<string, string>> = { execute: "Bash", edit: "Edit", read: "Read", search: "Grep" };

const ofCalls = ["kind", "title", "rawInput", "locations"];

function noteCall(calls: Map<string, Json>, update: Json): void {
  const id = asText(update["toolCallId"]);
  if (id === undefined || !String(update["sessionUpdate"]).startsWith("tool_call")) return;
  const said = Object.entries(update).filter(([key, value]) => ofCalls.includes(key) && value !== undefined);
  // Kimi Code streams the input as the text of the call before it has a name for it.
  const streamed = update["rawInput"] === undefined ? inputIn(update["content"]) : undefined;
  calls.set(id, {
    ...calls.get(id),
    ...(streamed === undefined ? {} : { rawInput: streamed }),
    ...Object.fromEntries(said),
  });
}

/** Undefined while it is not whole. */
function inputIn(content: unknown): Json | undefined {
  const [only, ...more] = objectsIn(content).filter(({ type }) => type === "content");
  return more.length > 0 ? undefined : parseObject(asText(asObject(only?.["content"])?.["text"]) ?? "");
}

/** A call with a command is judged by the command, whatever kind the program says it is. */
export function askedOf(call: Json, cwd: string): AskedOverPipe {
  const raw = asObject(call["rawInput"]) ?? {};
  const command = asText(raw["command"]);
  if (command !== undefined) return { tool: "Bash", input: { command }, cwd: asText(raw["cwd"]) ?? cwd };
  const kind = asText(call["kind"]) ?? "";
  const paths = [...new Set([...placesOf(call), ...touchedFiles(raw)])];
  if (kind === "edit") return { ...askedForFiles(paths), cwd };
  const [path] = paths;
  if (kind === "read" && paths.length === 1) return { tool: "Read", input: { file_path: path }, cwd };
  return { tool: asText(call["title"]) ?? kind, input: raw, cwd };
}

function placesOf(call: Json): readonly string[] {
  return objectsIn(call["locations"]).flatMap((one) => asText(one["path"]) ?? []);
}

function usageFrom(said: Json | undefined): Usage | undefined {
  if (said === undefined || said["inputTokens"] === undefined) return undefined;
  const cached = asNumber(said["cachedReadTokens"]);
  return {
    id: `acp:${crypto.randomUUID()}`,
    model: asText(said["model"]) ?? "unknown",
    input: Math.max(0, asNumber(said["inputTokens"]) - cached),
    output: asNumber(said["outputTokens"]),
    cacheRead: cached,
    cacheWrite: asNumber(said["cachedWriteTokens"]),
    atMs: Date.now(),
  };
}

function serversOf(servers: DriveStart["launch"]["mcp"]): readonly unknown[] {
  return Object.entries(servers ?? {}).map(([name, { command, args, env }]) => ({
    name,
    command,
    args,
    env: Object.entries(env ?? {}).map(([key, value]) => ({ name: key, value })),
  }));
}
