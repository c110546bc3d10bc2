// The OpenAI Responses API, as Codex uses it: plain tools, freeform tools such as `apply_patch`, tools in namespaces (those of
// MCP servers), and code mode, where tools come in an input item and one of them, `exec`, runs JavaScript.

import type { ToolCall } from "./calls.ts";
import { type Conversation, type OfferedTool, type Piece, toolName } from "./conversation.ts";
import { contentText, type JsonObject, listOf, objectOf, objectsOf, textOf } from "./json.ts";
import { userPieces } from "./machine-text.ts";
import { type Answer, callId, piecesOf, type Protocol, type Received, roundOf, type StreamEvent } from "./protocol.ts";

export const responses: Protocol = {
  read,
  whole: (answer) => responseOf(answer, "completed"),
  events,
  failure: ({ type, message }) => ({ error: { type, code: type, message, param: null } }),
};

function read({ headers, body }: Received): Conversation {
  const input = typeof body["input"] === "string" ? [userMessage(body["input"])] : objectsOf(body["input"]);
  const format = objectOf(objectOf(body["text"])["format"]);
  const more = input.filter(({ type }) => type === "additional_tools").flatMap(({ tools }) => listOf(tools));
  const tools = [...listOf(body["tools"]), ...more].flatMap((tool) => offered(objectOf(tool)));
  const pieces = piecesIn(input);
  return {
    api: "responses",
    model: textOf(body["model"]),
    stream: body["stream"] === true,
    session: headers["session-id"] ?? headers["session_id"] ?? headers["thread-id"] ?? textOf(body["prompt_cache_key"]),
    side: isHousekeeping(tools, pieces),
    system: textOf(body["instructions"]),
    pieces,
    tools,
    ...(format["type"] === "json_schema" ? { schema: objectOf(format["schema"]) } : {}),
  };
}

/** A title is asked for like a turn, instructions and patch tool included, but with nothing that could run a command. */
function isHousekeeping(tools: readonly OfferedTool[], pieces: readonly Piece[]): boolean {
  const runs = tools.some(({ name }) => /^(exec|exec_command|shell|shell_command|local_shell)$/.test(name));
  return !runs && pieces.some(({ kind }) => kind === "machine");
}

function userMessage(text: string): JsonObject {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

function offered(tool: JsonObject, namespace?: string): OfferedTool[] {
  const name = textOf(tool["name"]);
  const within = namespace === undefined ? {} : { namespace };
  switch (tool["type"]) {
    case "namespace":
      return objectsOf(tool["tools"]).flatMap((one) => offered(one, name));
    case "custom":
      return [{ name, kind: "custom", ...within }];
    case "local_shell":
      return [{ name: "local_shell", kind: "local_shell" }];
    default:
      // Tools that the vendor runs (web search) have a type and no name.
      return [{ name: name || textOf(tool["type"]), kind: "function", ...within }];
  }
}

function piecesIn(items: readonly JsonObject[]): Piece[] {
  const names = new Map<string, string>();
  return items.flatMap((item): Piece[] => {
    const type = textOf(item["type"]) || "message";
    const id = textOf(item["call_id"]);
    if (type === "message") return messagePieces(item);
    if (type.endsWith("_call_output")) {
      const text = outputText(item["output"]);
      return [{ kind: "result", tool: names.get(id) ?? "", text, round: roundOf(id) }];
    }
    if (!type.endsWith("_call")) return [];
    const tool = nameOf(item);
    names.set(id, tool);
    const text = textOf(item["arguments"] ?? item["input"]) || JSON.stringify(item["action"] ?? {});
    return [{ kind: "call", tool, text, round: roundOf(id) }];
  });
}

function messagePieces({ role, content }: JsonObject): Piece[] {
  const parts = typeof content === "string" ? [content] : objectsOf(content).map(({ text }) => textOf(text));
  if (role === "assistant") return [{ kind: "answer", text: parts.join("\n") }];
  return role === "user" ? userPieces(parts) : [{ kind: "machine", text: parts.join("\n") }];
}

function nameOf(item: JsonObject): string {
  const name = textOf(item["name"]) || textOf(item["type"]).replace(/_call$/, "");
  const namespace = textOf(item["namespace"]);
  return toolName({ name, kind: "function", ...(namespace === "" ? {} : { namespace }) });
}

function outputText(output: unknown): string {
  const content = objectOf(output)["content"];
  return contentText(content ?? output);
}

function responseOf(answer: Answer, status: "in_progress" | "completed"): JsonObject {
  const { id, model, tokens } = answer;
  const input = tokens.input + tokens.cacheRead;
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: tokens.cacheRead },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: tokens.reasoning },
    total_tokens: input + tokens.output,
  };
  const done = status === "completed";
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: 0,
    model,
    status,
    output: done ? itemsOf(answer) : [],
    usage: done ? usage : null,
  };
}

function itemsOf(answer: Answer): JsonObject[] {
  const { id, thinking, text, calls } = answer;
  const summary = [{ type: "summary_text", text: thinking }];
  return [
    ...(thinking === "" ? [] : [{ id: `rs_${id}`, type: "reasoning", summary, encrypted_content: null }]),
    ...(text === "" && calls.length > 0 ? [] : [messageItem(id, text)]),
    ...calls.map((call, at) => callItem(call, callId(answer, at), `fc_${id}_${at}`)),
  ];
}

function messageItem(id: string, text: string): JsonObject {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { id: `msg_${id}`, type: "message", role: "assistant", status: "completed", content };
}

function callItem({ kind, name, namespace, input }: ToolCall, call_id: string, id: string): JsonObject {
  const within = namespace === undefined ? {} : { namespace };
  const common = { id, call_id, status: "completed" };
  if (kind === "local_shell")
    return { ...common, type: "local_shell_call", action: { type: "exec", ...objectOf(input) } };
  if (kind === "custom") return { ...common, type: "custom_tool_call", name, ...within, input };
  return { ...common, type: "function_call", name, ...within, arguments: JSON.stringify(input) };
}

function events(answer: Answer): readonly StreamEvent[] {
  const all = [
    { type: "response.created", response: responseOf(answer, "in_progress") },
    { type: "response.in_progress", response: responseOf(answer, "in_progress") },
    ...itemsOf(answer).flatMap(itemEvents),
    { type: "response.completed", response: responseOf(answer, "completed") },
  ];
  return all.map((data, sequence_number) => ({
    event: data.type,
    data: { ...data, sequence_number },
    isPiece: data.type.endsWith(".delta"),
  }));
}

interface Told {
  readonly type: string;
  readonly [name: string]: unknown;
}

function itemEvents(item: JsonObject, output_index: number): Told[] {
  const at = { item_id: item["id"], output_index };
  return [
    { type: "response.output_item.added", output_index, item: begun(item) },
    ...contentEvents(item, at),
    { type: "response.output_item.done", output_index, item },
  ];
}

function begun(item: JsonObject): JsonObject {
  switch (item["type"]) {
    case "message":
      return { ...item, status: "in_progress", content: [] };
    case "reasoning":
      return { ...item, summary: [] };
    case "function_call":
      return { ...item, status: "in_progress", arguments: "" };
    case "custom_tool_call":
      return { ...item, status: "in_progress", input: "" };
    default:
      return item;
  }
}

function contentEvents(item: JsonObject, at: JsonObject): Told[] {
  switch (item["type"]) {
    case "message": {
      const part = objectsOf(item["content"])[0] ?? {};
      const text = textOf(part["text"]);
      const here = { ...at, content_index: 0 };
      return [
        { type: "response.content_part.added", ...here, part: { ...part, text: "" } },
        ...piecesOf(text).map((delta) => ({ type: "response.output_text.delta", ...here, delta })),
        { type: "response.output_text.done", ...here, text },
        { type: "response.content_part.done", ...here, part },
      ];
    }
    case "reasoning": {
      const part = objectsOf(item["summary"])[0] ?? {};
      const text = textOf(part["text"]);
      const here = { ...at, summary_index: 0 };
      return [
        { type: "response.reasoning_summary_part.added", ...here, part: { ...part, text: "" } },
        ...piecesOf(text).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...here, delta })),
        { type: "response.reasoning_summary_text.done", ...here, text },
        { type: "response.reasoning_summary_part.done", ...here, part },
      ];
    }
    case "function_call": {
      const text = textOf(item["arguments"]);
      return [
        ...piecesOf(text).map((delta) => ({ type: "response.function_call_arguments.delta", ...at, delta })),
        { type: "response.function_call_arguments.done", ...at, arguments: text },
      ];
    }
    case "custom_tool_call": {
      const text = textOf(item["input"]);
      return [
        ...piecesOf(text).map((delta) => ({ type: "response.custom_tool_call_input.delta", ...at, delta })),
        { type: "response.custom_tool_call_input.done", ...at, input: text },
      ];
    }
    default:
      return [];
  }
}
