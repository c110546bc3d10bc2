// The Anthropic Messages API, as Claude Code uses it.

import type { ToolCall } from "./calls.ts";
import { type Conversation, isSide, type Piece } from "./conversation.ts";
import { contentText, type JsonObject, listOf, objectOf, objectsOf, parsed, textOf } from "./json.ts";
import { userPieces } from "./machine-text.ts";
import { type Answer, piecesOf, type Protocol, type Received, type StreamEvent } from "./protocol.ts";

export const anthropic: Protocol = {
  read,
  whole: (answer) => ({ ...envelope(answer), content: blocksOf(answer), usage: usageOf(answer) }),
  events,
  failure: ({ type, message }) => ({ type: "error", error: { type, message } }),
};

function read({ headers, body }: Received): Conversation {
  const format = objectOf(objectOf(body["output_config"])["format"] ?? body["output_format"]);
  const tools = objectsOf(body["tools"]);
  const demanded = textOf(objectOf(body["tool_choice"])["name"]);
  const demandedTool = tools.find(({ name }) => name === demanded);
  const offered = tools.map(({ name }) => ({ name: textOf(name), kind: "function" as const }));
  const system = contentText(body["system"]);
  return {
    api: "anthropic",
    model: textOf(body["model"]),
    stream: body["stream"] === true,
    session: sessionOf(headers, body),
    side: isSide(offered, system),
    system,
    pieces: piecesIn(objectsOf(body["messages"])),
    tools: offered,
    ...("schema" in format ? { schema: objectOf(format["schema"]) } : {}),
    ...(demandedTool === undefined
      ? {}
      : { demandedTool: { name: demanded, schema: objectOf(demandedTool["input_schema"]) } }),
  };
}

function sessionOf(headers: Received["headers"], body: JsonObject): string {
  const user = textOf(objectOf(body["metadata"])["user_id"]);
  return (
    headers["x-claude-code-session-id"] ??
    (textOf(objectOf(parsed(user))["session_id"]) || (/session_([\w-]+)$/.exec(user)?.[1] ?? ""))
  );
}

function piecesIn(messages: readonly JsonObject[]): Piece[] {
  const toolNames = new Map<string, string>();
  return messages.flatMap(({ role, content }, at): Piece[] => {
    if (role === "system") return [{ kind: "machine", text: contentText(content) }];
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
    if (role === "assistant") {
      for (const block of blocks) {
        if (block["type"] === "tool_use") toolNames.set(textOf(block["id"]), textOf(block["name"]));
      }
      return blocks.flatMap((block) => answerPieces(block, at));
    }
    const results = blocks.filter(({ type }) => type === "tool_result");
    // The results stand behind the assistant's message with their calls, so its place names the round.
    return [
      ...results.map((block): Piece => {
        const tool = toolNames.get(textOf(block["tool_use_id"])) ?? "";
        return { kind: "result", tool, text: contentText(block["content"]), round: String(at) };
      }),
      ...userPieces(blocks.filter(({ type }) => type === "text").map(({ text }) => textOf(text))),
    ];
  });
}

function answerPieces(block: JsonObject, at: number): Piece[] {
  if (block["type"] === "text") return [{ kind: "answer", text: textOf(block["text"]) }];
  if (block["type"] !== "tool_use") return [];
  const text = JSON.stringify(block["input"] ?? {});
  return [{ kind: "call", tool: textOf(block["name"]), text, round: String(at) }];
}

function envelope({ id, model, calls }: Answer): JsonObject {
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
  };
}

function blocksOf(answer: Answer): JsonObject[] {
  return [
    ...(answer.thinking === "" ? [] : [{ type: "thinking", thinking: answer.thinking, signature: "scripted" }]),
    ...(answer.text === "" ? [] : [{ type: "text", text: answer.text }]),
    ...answer.calls.map((call, at) => toolUse(answer, call, at)),
  ];
}

function toolUse(answer: Answer, call: ToolCall, at: number): JsonObject {
  return { type: "tool_use", id: `toolu_${answer.id}_${at}`, name: call.name, input: call.input };
}

function usageOf({ tokens }: Answer): JsonObject {
  return {
    input_tokens: tokens.input,
    cache_read_input_tokens: tokens.cacheRead,
    cache_creation_input_tokens: tokens.cacheWrite,
    output_tokens: tokens.output,
  };
}

function events(answer: Answer): readonly StreamEvent[] {
  const started = {
    ...envelope(answer),
    content: [],
    stop_reason: null,
    usage: { ...usageOf(answer), output_tokens: 1 },
  };
  const { stop_reason, stop_sequence } = envelope(answer);
  return [
    named("message_start", { message: started }),
    named("ping", {}),
    ...blocksOf(answer).flatMap(blockEvents),
    named("message_delta", { delta: { stop_reason, stop_sequence }, usage: usageOf(answer) }),
    named("message_stop", {}),
  ];
}

function blockEvents(block: JsonObject, index: number): StreamEvent[] {
  const { empty, deltas } = streamed(block);
  return [
    named("content_block_start", { index, content_block: empty }),
    ...deltas.map((delta) => ({ ...named("content_block_delta", { index, delta }), isPiece: true })),
    named("content_block_stop", { index }),
  ];
}

/** A block begins empty and is filled by deltas of its own kind. */
function streamed(block: JsonObject): { readonly empty: JsonObject; readonly deltas: readonly JsonObject[] } {
  switch (block["type"]) {
    case "thinking":
      return {
        empty: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          ...piecesOf(textOf(block["thinking"])).map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature: block["signature"] },
        ],
      };
    case "text":
      return {
        empty: { type: "text", text: "" },
        deltas: piecesOf(textOf(block["text"])).map((text) => ({ type: "text_delta", text })),
      };
    default:
      return {
        empty: { ...block, input: {} },
        deltas: piecesOf(JSON.stringify(block["input"])).map((json) => ({
          type: "input_json_delta",
          partial_json: json,
        })),
      };
  }
}

function named(type: string, data: JsonObject): StreamEvent {
  return { event: type, data: { type, ...data } };
}

/** For `/v1/messages/count_tokens`: a quarter of the length, as everywhere here. */
export function countedTokens(body: JsonObject): JsonObject {
  const counted = [body["system"], ...listOf(body["messages"]), ...listOf(body["tools"])];
  return { input_tokens: Math.ceil(JSON.stringify(counted).length / 4) };
}
