// OpenAI chat completions, as opencode and other clients of "OpenAI-compatible" servers use them.

import { type Conversation, isSide, type Piece } from "./conversation.ts";
import { contentText, type JsonObject, objectOf, objectsOf, textOf } from "./json.ts";
import { userPieces } from "./machine-text.ts";
import { type Answer, callId, piecesOf, type Protocol, type Received, type StreamEvent } from "./protocol.ts";

export const chat: Protocol = {
  read,
  whole: (answer) => ({
    ...envelope(answer, "chat.completion"),
    choices: [{ index: 0, finish_reason: finishOf(answer), message: messageOf(answer) }],
    usage: usageOf(answer),
  }),
  events,
  failure: ({ type, message }) => ({ error: { type, code: type, message, param: null } }),
};

function read({ headers, body }: Received): Conversation {
  const format = objectOf(body["response_format"]);
  const messages = objectsOf(body["messages"]);
  const isSystem = ({ role }: JsonObject): boolean => role === "system" || role === "developer";
  const tools = objectsOf(body["tools"]).map((tool) => objectOf(tool["function"]));
  const demanded = textOf(objectOf(objectOf(body["tool_choice"])["function"])["name"]);
  const demandedTool = tools.find(({ name }) => name === demanded);
  const offered = tools.map(({ name }) => ({ name: textOf(name), kind: "function" as const }));
  const system = messages
    .filter(isSystem)
    .map(({ content }) => contentText(content))
    .join("\n");
  return {
    api: "chat",
    model: textOf(body["model"]),
    stream: body["stream"] === true,
    session: headers["x-session-id"] ?? headers["x-session-affinity"] ?? "",
    side: isSide(offered, system),
    system,
    pieces: piecesIn(messages.filter((message) => !isSystem(message))),
    tools: offered,
    ...(format["type"] === "json_schema" ? { schema: objectOf(objectOf(format["json_schema"])["schema"]) } : {}),
    ...(demandedTool === undefined
      ? {}
      : { demandedTool: { name: demanded, schema: objectOf(demandedTool["parameters"]) } }),
  };
}

function piecesIn(messages: readonly JsonObject[]): Piece[] {
  const calls = new Map<string, { readonly tool: string; readonly round: string }>();
  return messages.flatMap(({ role, content, tool_calls, tool_call_id }, at): Piece[] => {
    if (role === "tool") {
      const { tool = "", round = "" } = calls.get(textOf(tool_call_id)) ?? {};
      return [{ kind: "result", tool, text: contentText(content), round }];
    }
    if (role === "user") return userPieces([contentText(content)]);
    const text = contentText(content);
    const called = objectsOf(tool_calls).map((call): Piece => {
      const tool = textOf(objectOf(call["function"])["name"]);
      calls.set(textOf(call["id"]), { tool, round: String(at) });
      return { kind: "call", tool, text: textOf(objectOf(call["function"])["arguments"]), round: String(at) };
    });
    return [...(text === "" ? [] : [{ kind: "answer", text } satisfies Piece]), ...called];
  });
}

function envelope({ id, model }: Answer, object: string): JsonObject {
  return { id: `chatcmpl-${id}`, object, created: 0, model };
}

function finishOf({ calls }: Answer): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

function messageOf(answer: Answer): JsonObject {
  const { text, thinking, calls } = answer;
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(thinking === "" ? {} : { reasoning_content: thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((_, at) => toolCallOf(answer, at)) }),
  };
}

function toolCallOf(answer: Answer, at: number): JsonObject {
  const { name = "", input = {} } = answer.calls[at] ?? {};
  return { id: callId(answer, at), type: "function", function: { name, arguments: JSON.stringify(input) } };
}

function usageOf({ tokens }: Answer): JsonObject {
  const prompt = tokens.input + tokens.cacheRead;
  return {
    prompt_tokens: prompt,
    completion_tokens: tokens.output,
    total_tokens: prompt + tokens.output,
    prompt_tokens_details: { cached_tokens: tokens.cacheRead },
    completion_tokens_details: { reasoning_tokens: tokens.reasoning },
  };
}

function events(answer: Answer, { body }: Received): readonly StreamEvent[] {
  const common = envelope(answer, "chat.completion.chunk");
  const chunk = (delta: JsonObject, finish_reason: string | null = null): StreamEvent => ({
    data: { ...common, choices: [{ index: 0, delta, finish_reason }] },
    isPiece: finish_reason === null,
  });
  const wantsUsage = objectOf(body["stream_options"])["include_usage"] === true;
  return [
    { ...chunk({ role: "assistant", content: "" }), isPiece: false },
    ...piecesOf(answer.thinking).map((reasoning_content) => chunk({ reasoning_content })),
    ...piecesOf(answer.text).map((content) => chunk({ content })),
    ...answer.calls.map((_, index) => chunk({ tool_calls: [{ index, ...toolCallOf(answer, index) }] })),
    chunk({}, finishOf(answer)),
    ...(wantsUsage ? [{ data: { ...common, choices: [], usage: usageOf(answer) } }] : []),
    { data: "[DONE]" },
  ];
}
