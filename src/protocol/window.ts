// What the owner's window (web/) and the daemon say to each other beside the operations: how the one-time code becomes a token, and what
// comes over the live stream. Safe in a browser; the terminal monitor reads the same stream.
//
// The stream is server-sent events over `fetch`, because a browser's EventSource cannot carry a token. Every message has the sequence number of
// the timeline up to which the reader now knows everything, as its `id`; a reader that lost the connection asks again after the last one.
// Every answer to an operation says in `x-constel-seq` how far the timeline was before it was read: a reader that opens the stream first and
// then reads misses nothing, and may pass over what its answer already holds.

import { z } from "zod";

export const windowPaths = {
  session: "/api/session",
  stream: "/api/stream",
} as const;

/** The fragment of the link that `constel dashboard` opens: `#code=…`. A fragment is sent to no server and stands in no log. */
export const codeInFragment = "code";

/** The header with the number of the newest event before an answer was read. */
export const seqHeader = "x-constel-seq";

export const windowRoles = ["owner", "observer"] as const;
export type WindowRole = (typeof windowRoles)[number];

/** `POST /api/session`, without a token: a code opens one session. */
export const sessionAsked = z.object({ code: z.string().min(20).max(100) });
export const sessionGiven = z.object({
  token: z.string(),
  role: z.enum(windowRoles),
  constellation: z.string(),
  /** The time when the token ends. */
  expires_ms: z.number().int(),
});
export type SessionGiven = z.infer<typeof sessionGiven>;

/** One event of the timeline, as the stream carries it: long texts in `data` are cut. `timeline.list` has them whole. */
export const streamedEvent = z.object({
  seq: z.number().int(),
  at_ms: z.number().int(),
  type: z.string(),
  subject: z.string().nullable(),
  actor: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type StreamedEvent = z.infer<typeof streamedEvent>;

/** An agent's terminal as rows of text, as it was last seen. No row holds a control character. */
export const agentScreen = z.object({
  agent: z.string(),
  /** Null when there is no terminal to show. */
  rows: z.array(z.string()).nullable(),
  seen_ms: z.number().int().nullable(),
  /** The reason why there are no rows. */
  problem: z.string().nullable(),
});
export type AgentScreen = z.infer<typeof agentScreen>;

/**
 * `hello`: the stream begins; all before `seq` is to be read by operations.
 * `events`: what happened up to `seq`, and which kinds of things it concerns.
 * `rows`: something changed that is no event (a state's evidence, tokens used): whoever shows such a thing reads it again.
 * `screen`: one of the screens that were asked for has changed.
 * `resync`: too much happened since `after`; everything is to be read again.
 */
export type StreamMessage =
  | {
      readonly kind: "hello";
      readonly seq: number;
      readonly constellation: string;
      readonly version: string;
      /** Of the token: what its holder may do, and their name. */
      readonly role: string;
      readonly name: string;
      /** The daemon's clock. */
      readonly now_ms: number;
    }
  | {
      readonly kind: "events";
      readonly seq: number;
      readonly subjects: readonly string[];
      readonly events: readonly StreamedEvent[];
    }
  | { readonly kind: "rows"; readonly seq: number }
  | { readonly kind: "screen"; readonly seq: number; readonly screen: AgentScreen }
  | { readonly kind: "resync"; readonly seq: number; readonly why: string };

/** The most events that a reader may be behind and still be told each of them. */
export const mostBehind = 2_000;

/** `GET /api/stream`. `after`: the number of the last message, or nothing for a new beginning. @public for the page */
export function streamPath(after?: number, screens: readonly string[] = []): string {
  const wish = new URLSearchParams();
  if (after !== undefined) wish.set("after", String(after));
  if (screens.length > 0) wish.set("screens", screens.join(","));
  return wish.size === 0 ? windowPaths.stream : `${windowPaths.stream}?${wish}`;
}

/** The kind of thing that an event's type concerns, as a page tells what to read again: `task`, `agent`, `finding`… */
export const subjectOf = (type: string): string => type.slice(0, Math.max(0, type.indexOf("."))) || type;

/** One message as it is written on the stream. JSON has no line break of its own, so one `data` line holds it. */
export const streamLine = ({ kind, ...rest }: StreamMessage): string =>
  `id: ${rest.seq}\nevent: ${kind}\ndata: ${JSON.stringify(rest)}\n\n`;

/** A message that a reader could not hold in mind is no message of ours. */
const longestMessage = 4_000_000;

/** Reads the stream piece by piece. `quiet` is called for each sign of life that says nothing. @public for the page */
export async function* readStream(
  pieces: AsyncIterable<Uint8Array>,
  quiet: () => void = () => {},
): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  let pending = "";
  for await (const piece of pieces) {
    pending += decoder.decode(piece, { stream: true });
    const blocks = pending.split("\n\n");
    pending = blocks.pop() ?? "";
    if (pending.length > longestMessage) throw new Error("a message of the stream has no end");
    for (const block of blocks) {
      const message = asMessage(block);
      if (message === undefined) quiet();
      else yield message;
    }
  }
}

const kinds: readonly string[] = ["hello", "events", "rows", "screen", "resync"] satisfies StreamMessage["kind"][];

function asMessage(block: string): StreamMessage | undefined {
  const kind = /^event: (.*)$/m.exec(block)?.[1];
  const data = /^data: (.*)$/m.exec(block)?.[1];
  if (kind === undefined || data === undefined || !kinds.includes(kind)) return undefined;
  return { kind, ...(JSON.parse(data) as object) } as StreamMessage;
}
