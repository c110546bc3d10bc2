// Bytes in and out: a request's body as text, an answer as JSON or as a stream of server-sent events.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { StreamEvent } from "./protocol.ts";

export async function textOfRequest(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

export function sendJson(
  response: ServerResponse,
  status: number,
  content: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(content === undefined ? undefined : JSON.stringify(content));
}

/** Stops quietly when the client has gone. */
export async function sendStream(
  response: ServerResponse,
  events: readonly StreamEvent[],
  beforePiece: () => Promise<void>,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const { event, data, isPiece } of events) {
    if (isPiece === true) await beforePiece();
    if (response.destroyed) return;
    const name = event === undefined ? "" : `event: ${event}\n`;
    response.write(`${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}
