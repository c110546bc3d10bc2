// A request to a model, whatever its protocol: what was said so far, by whom, and which tools are offered. Each protocol's file
// reads its requests into this; the rules look at nothing else.

import type { JsonObject } from "./json.ts";

export type Api = "anthropic" | "responses" | "chat" | "gemini";

/** One thing in a conversation, in the order in which the model is shown it. */
export type Piece =
  /** Something a person said (or that reached the model as if): one piece a message. */
  | { readonly kind: "user"; readonly text: string }
  /** Context that the client wrote by itself: reminders, environment, notifications. */
  | { readonly kind: "machine"; readonly text: string }
  | { readonly kind: "answer"; readonly text: string }
  /** Calls of one answer share a round. */
  | { readonly kind: "call"; readonly tool: string; readonly text: string; readonly round: string }
  | { readonly kind: "result"; readonly tool: string; readonly text: string; readonly round: string };

export interface OfferedTool {
  readonly name: string;
  /** `custom` takes text instead of JSON. */
  readonly kind: "function" | "custom" | "local_shell";
  /** Codex groups tools: those of an MCP server, and some of its own. */
  readonly namespace?: string;
}

export interface Conversation {
  readonly api: Api;
  readonly model: string;
  readonly stream: boolean;
  readonly session: string;
  /** The client's own business (titles, routing, summaries) and not a turn. */
  readonly side: boolean;
  readonly system: string;
  readonly pieces: readonly Piece[];
  readonly tools: readonly OfferedTool[];
  /** The client demands an answer of this shape. */
  readonly schema?: JsonObject;
  /** The client demands a call of this tool. */
  readonly demandedTool?: { readonly name: string; readonly schema: JsonObject };
}

/** The view of a conversation that rules and templates have. */
export interface Situation {
  readonly api: Api;
  readonly model: string;
  readonly session: string;
  readonly prompt: string;
  /** 1 right after the prompt, one more for each tool round since; 0 once the prompt has been answered. */
  readonly step: number;
  readonly results: readonly { readonly tool: string; readonly text: string }[];
  readonly latest: string;
  readonly context: string;
  readonly tools: readonly string[];
  readonly cwd: string;
  readonly side: boolean;
}

export function situationOf(conversation: Conversation): Situation {
  const { api, model, session, system, pieces, tools } = conversation;
  const promptAt = pieces.findLastIndex(({ kind }) => kind === "user");
  const prompt = pieces[promptAt];
  const since = pieces.slice(pieces.findLastIndex(({ kind }) => kind === "answer" || kind === "call") + 1);
  return {
    api,
    model,
    session,
    prompt: prompt?.kind === "user" ? prompt.text : "",
    step: stepOf(pieces.slice(promptAt + 1)),
    results: since.flatMap((piece) => (piece.kind === "result" ? [{ tool: piece.tool, text: piece.text }] : [])),
    latest: textsOf(since),
    context: [system, textsOf(pieces)].join("\n"),
    tools: tools.map(toolName),
    cwd: cwdOf([system, ...pieces.flatMap((piece) => (piece.kind === "machine" ? [piece.text] : []))]),
    side: conversation.side,
  };
}

/** Housekeeping comes with instructions of its own and no tools; a turn always has some. */
export function isSide(tools: readonly OfferedTool[], instructions: string): boolean {
  return tools.length === 0 && instructions !== "";
}

/** As the rules know it. Only the namespace of an MCP server is part of the name; those of Codex's own tools are its affair. */
export function toolName({ name, namespace }: OfferedTool): string {
  return namespace?.startsWith("mcp__") === true ? `${namespace}__${name}` : name;
}

function textsOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("\n");
}

/** Counted from what came after the prompt, so that no state is kept and a resumed session is answered like any other. */
function stepOf(after: readonly Piece[]): number {
  const answered = after.some((piece, at) => {
    if (piece.kind !== "answer") return false;
    // Words before a call, or between two calls, belong to their round.
    const next = after.slice(at + 1).find(({ kind }) => kind !== "answer");
    const before = after.slice(0, at).findLast(({ kind }) => kind !== "answer");
    return next?.kind !== "call" && before?.kind !== "call";
  });
  if (answered) return 0;
  return 1 + new Set(after.flatMap((piece) => (piece.kind === "result" ? [piece.round] : []))).size;
}

const cwdPatterns = [
  /<cwd>([^<]+)<\/cwd>/,
  /(?:Primary w|W)orking directory: *(\/[^\n]*)/,
  /Workspace Directories:\**\s*-\s*(\/[^\n]*)/,
  /working in the (?:following )?director(?:y|ies):\s*(?:- *)?(\/[^\n]*)/,
];

/** Returns the directory that the client told the model it works in. Empty when it has not. */
function cwdOf(texts: readonly string[]): string {
  for (const pattern of cwdPatterns) {
    for (const text of texts.toReversed()) {
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) return found.trim();
    }
  }
  return "";
}
