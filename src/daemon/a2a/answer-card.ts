// Answers with the public card, which needs no token. It changes rarely: whoever has it is told that it is the same.

import { createHash } from "node:crypto";
import { cardPath } from "../../protocol/a2a-card.ts";
import type { OurCard } from "./our-card.ts";

/** Undefined when the request is for something else. */
export async function answerCard(request: Request, card: OurCard | undefined): Promise<Response | undefined> {
  if (card === undefined || new URL(request.url).pathname !== cardPath) return undefined;
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const body = JSON.stringify(await card.now());
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  const changed = new Date(card.sinceMs()).toUTCString();
  const headers = {
    "content-type": "application/json",
    "cache-control": "public, max-age=60",
    etag,
    "last-modified": changed,
  };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : body, { headers });
}
