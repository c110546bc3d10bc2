// Defines what each protocol's file gives the server: how a request is read, and how an answer, its stream and an error are written.

import type { ToolCall } from "./calls.ts";
import type { Conversation } from "./conversation.ts";
import type { JsonObject } from "./json.ts";

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

export interface Tokens {
  /** Without what came from the cache or went into it. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

export interface Answer {
  /** Unique to this answer; ids of its parts begin with it. */
  readonly id: string;
  readonly model: string;
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly tokens: Tokens;
}

export interface Failure {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

export interface StreamEvent {
  readonly event?: string;
  readonly data: unknown;
  /** A piece of the content: `chunk_ms` passes before it. */
  readonly isPiece?: boolean;
}

export interface Protocol {
  readonly read: (received: Received) => Conversation;
  readonly whole: (answer: Answer) => JsonObject;
  readonly events: (answer: Answer, received: Received) => readonly StreamEvent[];
  readonly failure: (failure: Failure) => JsonObject;
}

const pieceLength = 40;

/** A text as it is streamed: a few words at a time. Whole characters, also those of two units. */
export function piecesOf(text: string): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / pieceLength) }, (_, at) =>
    characters.slice(at * pieceLength, (at + 1) * pieceLength).join(""),
  );
}

/** Ids of one answer's calls: the part before the point names the round. */
export function callId(answer: Answer, at: number): string {
  return `call_${answer.id}.${at}`;
}

export function roundOf(id: string): string {
  return id.split(".")[0] ?? id;
}
