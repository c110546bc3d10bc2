// Any program that speaks the Agent Client Protocol, version 1. There the answer to a prompt comes with the end of the turn, so the first
// sign of the model (a chunk of its words, a thought, a tool call) is the acknowledgement.

import type { AskedOverPipe, DriveStart, DrivenSession, Pipe, TurnEnd, TurnEvent } from "../../../ports/driver.ts";
import type { Usage } from "../../../ports/runtime.ts";
import { JsonRpc, notKnown } from "../driving/json-rpc.ts";
import { askedForFiles } from "../driving/asked-for-files.ts";
import { touchedFiles } from "../hook-record.ts";
import { asNumber, asObject, asText, type Json, objectsIn } from "../json-lines.ts";

/** A program that offers a later one answers with the one that both speak. */
const protocolVersion = 1;

export interface AcpTraits {
  /** The mode in which it asks for what it may not do, and the one in which it changes nothing. */
  readonly modes?: { readonly ask: string; readonly readOnly: string };
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
  readonly usage: Usage[];
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
    const said = await this.#rpc.request("initialize", {
      protocolVersion,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "constel", version: "0.1.0" },
    });
    if (said["protocolVersion"] !== protocolVersion)
      throw new Error(
        `it speaks version ${String(said["protocolVersion"])} of the protocol, constel ${protocolVersion}`,
      );
    await this.#enter(asObject(said["agentCapabilities"]) ?? {});
    const { launch, drive } = this.#start;
    const modes = this.#traits.modes;
    if (modes === undefined || launch.permissions === "all") return;
    const modeId = drive.readOnly === true ? modes.readOnly : modes.ask;
    await this.#rpc.request("session/set_mode", { sessionId: this.#id, modeId });
  }

  async #enter(capabilities: Json): Promise<void> {
    const { launch, resume, fork } = this.#start;
    const common = { cwd: launch.cwd, mcpServers: serversOf(launch.mcp) };
    if (resume === undefined) {
      this.#id = asText((await this.#rpc.request("session/new", common))["sessionId"]) ?? "";
      return;
    }
    const can = asObject(capabilities["sessionCapabilities"]) ?? {};
    const verb = fork === true ? "fork" : can["resume"] === undefined ? "load" : "resume";
    if (verb === "fork" && can["fork"] === undefined) throw new Error("it cannot copy a conversation");
    const answer = await this.#rpc.request(`session/${verb}`, { ...common, sessionId: resume });
    const id = asText(answer["sessionId"]) ?? resume;
    if (fork !== true && id !== resume)
      throw new Error(`it answered with another conversation: ${id} instead of ${resume}`);
    this.#id = id;
  }

  async turn(text: string, hear: (event: TurnEvent) => void): Promise<TurnEnd> {
    const turn: Turn = { hear, tools: new Map(), usage: [], said: "", isAcknowledged: false, isInterrupted: false };
    this.#turn = turn;
    const first = this.#introduction;
    this.#introduction = undefined;
    const prompt = [{ type: "text", text: first === undefined ? text : `${first}\n\n${text}` }];
    try {
      const ended = await this.#rpc.request("session/prompt", { sessionId: this.#id, prompt });
      const reason = asText(ended["stopReason"]) ?? "unknown";
      const usage = usageFrom(asObject(ended["usage"]));
      const isOver = reason === "end_turn";
      if (isOver) this.#acknowledge(turn);
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
    switch (update["sessionUpdate"]) {
      case "agent_thought_chunk":
        return this.#acknowledge(turn);
      case "agent_message_chunk": {
        this.#acknowledge(turn);
        turn.said += asText(asObject(update["content"])?.["text"]) ?? "";
        return;
      }
      case "tool_call": {
        this.#acknowledge(turn);
        turn.said = "";
        const tool = toolNames[asText(update["kind"]) ?? ""] ?? asText(update["title"]) ?? "a tool";
        turn.tools.set(asText(update["toolCallId"]) ?? "", tool);
        return turn.hear({ kind: "tool-began", tool, files: tool === "Edit" ? placesOf(update) : [] });
      }
      case "tool_call_update":
        if (update["status"] !== "completed" && update["status"] !== "failed") return;
        return turn.hear({
          kind: "tool-ended",
          tool: turn.tools.get(asText(update["toolCallId"]) ?? "") ?? "a tool",
          files: asText(update["kind"]) === "edit" ? placesOf(update) : [],
        });
      default:
    }
  }

  #acknowledge(turn: Turn): void {
    if (turn.isAcknowledged) return;
    turn.isAcknowledged = true;
    turn.hear({ kind: "acknowledged" });
  }

  async #answer(method: string, params: Json): Promise<unknown> {
    if (method !== "session/request_permission" || params["sessionId"] !== this.#id) throw notKnown(method);
    const { allow } = await this.#start.ask(askedOf(asObject(params["toolCall"]) ?? {}, this.#start.launch.cwd));
    const option = chosen(params["options"], allow ? "allow_once" : "reject_once");
    return { outcome: option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option } };
  }
}

/** Only for this once: whatever it is to be allowed for good stands in constel's rules. */
function chosen(options: unknown, kind: string): string | undefined {
  return asText(objectsIn(options).find((option) => option["kind"] === kind)?.["optionId"]);
}

const toolNames: Readonly<Record<string, string>> = { execute: "Bash", edit: "Edit", read: "Read", search: "Grep" };

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
