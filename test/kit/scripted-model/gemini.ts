// The Gemini API, as Gemini CLI uses it.

import { type Conversation, isSide, type Piece } from "./conversation.ts";
import { contentText, type JsonObject, listOf, objectOf, objectsOf, textOf } from "./json.ts";
import { userPieces } from "./machine-text.ts";
import { type Answer, piecesOf, type Protocol, type Received, type StreamEvent } from "./protocol.ts";

/** `/v1beta/models/<model>:<method>`. */
export const geminiPath = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;

export const gemini: Protocol = {
  read,
  whole: (answer) => chunk(answer, partsOf(answer), true),
  events,
  failure: ({ status, type, message }) => ({ error: { code: status, message, status: type, details: [] } }),
};

function read({ path, body }: Received): Conversation {
  const [, model = "", method] = geminiPath.exec(path) ?? [];
  const config = objectOf(body["generationConfig"]);
  const schema = config["responseJsonSchema"] ?? config["responseSchema"];
  const declared = objectsOf(body["tools"]).flatMap(({ functionDeclarations }) => objectsOf(functionDeclarations));
  const tools = declared.map(({ name }) => ({ name: textOf(name), kind: "function" as const }));
  const system = contentText(objectOf(body["systemInstruction"] ?? body["system_instruction"])["parts"]);
  return {
    api: "gemini",
    model: decodeURIComponent(model),
    stream: method === "streamGenerateContent",
    session: "",
    side: isSide(tools, system),
    system,
    pieces: piecesIn(objectsOf(body["contents"])),
    tools,
    ...(schema === undefined ? {} : { schema: objectOf(schema) }),
  };
}

function piecesIn(contents: readonly JsonObject[]): Piece[] {
  return contents.flatMap(({ role, parts }, at): Piece[] => {
    const all = objectsOf(parts);
    if (role === "model") {
      return all.flatMap((part): Piece[] => {
        if (typeof part["text"] === "string") return [{ kind: "answer", text: part["text"] }];
        const call = objectOf(part["functionCall"]);
        if (!("name" in call)) return [];
        return [{ kind: "call", tool: textOf(call["name"]), text: JSON.stringify(call["args"]), round: String(at) }];
      });
    }
    const results = all.filter((part) => "functionResponse" in part).map((part) => objectOf(part["functionResponse"]));
    return [
      ...results.map((result): Piece => {
        const text = outputText(objectOf(result["response"]));
        return { kind: "result", tool: textOf(result["name"]), text, round: String(at) };
      }),
      ...userPieces(all.map(({ text }) => textOf(text)).filter((text) => text !== "")),
    ];
  });
}

function outputText(response: JsonObject): string {
  const output = response["output"] ?? response["error"] ?? response["content"];
  if (typeof output === "string") return output;
  return listOf(output).length > 0 ? contentText(output) : JSON.stringify(response);
}

function partsOf({ thinking, text, calls }: Answer): JsonObject[] {
  return [
    ...(thinking === "" ? [] : [{ text: thinking, thought: true }]),
    ...(text === "" ? [] : [{ text }]),
    ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
  ];
}

function chunk(answer: Answer, parts: readonly JsonObject[], isLast: boolean): JsonObject {
  const { tokens, model, id } = answer;
  const prompt = tokens.input + tokens.cacheRead;
  const usageMetadata = {
    promptTokenCount: prompt,
    cachedContentTokenCount: tokens.cacheRead,
    candidatesTokenCount: tokens.output,
    thoughtsTokenCount: tokens.reasoning,
    totalTokenCount: prompt + tokens.output + tokens.reasoning,
  };
  const content = { role: "model", parts };
  return {
    candidates: [{ index: 0, content, ...(isLast ? { finishReason: "STOP" } : {}) }],
    ...(isLast ? { usageMetadata } : {}),
    modelVersion: model,
    responseId: id,
  };
}

function events(answer: Answer): readonly StreamEvent[] {
  const pieces = [
    ...piecesOf(answer.thinking).map((text) => ({ text, thought: true })),
    ...piecesOf(answer.text).map((text) => ({ text })),
    ...partsOf({ ...answer, thinking: "", text: "" }),
  ];
  const parts = pieces.length === 0 ? [{ text: "" }] : pieces;
  return parts.map((part, at) => ({ data: chunk(answer, [part], at === parts.length - 1), isPiece: true }));
}

/** For `:countTokens`. */
export function countedGeminiTokens(body: JsonObject): JsonObject {
  return { totalTokens: Math.ceil(JSON.stringify(body["contents"] ?? body).length / 4) };
}
