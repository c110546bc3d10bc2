// What TCP serves beside the operations, for the owner's window: the page, which needs no token; the exchange of a code for one; and the live
// stream. guard-tcp.ts has looked at Host and Origin before any of this is reached.

import { holderOf } from "../../../core/tokens/tokens.ts";
import type { Context } from "../../../core/context.ts";
import { type Asker, refuseUnlessAllowed } from "../../../protocol/authority.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { operations } from "../../../protocol/operations/all.ts";
import { sessionAsked, windowPaths } from "../../../protocol/window.ts";
import { answerPage, pageHeaders } from "./page.ts";
import type { WindowSessions } from "./sessions.ts";
import { streamWindow, type StreamParts } from "./stream-window.ts";

export interface WindowParts extends StreamParts {
  readonly sessions: WindowSessions;
  /** For what is done before anybody is known. */
  readonly context: Context;
}

/** Answers what needs no token; undefined when the request is for something else. */
export async function answerStranger(request: Request, parts: WindowParts): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (pathname !== windowPaths.session) return answerPage(request);
  if (request.method !== "POST") throw new Refusal("input.invalid", "a session is opened with POST");
  // A browser names the page that asks; what names none is no page of ours, and has no token yet either.
  if (request.headers.get("origin") === null)
    throw new Refusal("http.unauthorised", "a session is opened by the page that the link leads to");
  const asked = sessionAsked.safeParse(await request.json().catch(() => undefined));
  if (!asked.success) throw new Refusal("input.invalid", "the body is not a code as JSON");
  return Response.json(await parts.sessions.open(parts.context, asked.data.code), { headers: pageHeaders });
}

/** The stream, for whoever may read the timeline; undefined when the request is for something else. */
export function answerStream(request: Request, asker: Asker, parts: WindowParts): Response | undefined {
  const url = new URL(request.url);
  if (url.pathname !== windowPaths.stream || request.method !== "GET") return undefined;
  const asked = url.searchParams.has("screens")
    ? ([operations["timeline.list"], operations["agents.screen"]] as const)
    : ([operations["timeline.list"]] as const);
  for (const operation of asked) {
    const refusal = refuseUnlessAllowed(asker, operation);
    if (refusal !== undefined) throw refusal;
  }
  const token = tokenOf(request);
  const mayStay = async (): Promise<boolean> =>
    token !== undefined && (await holderOf(parts.context, token)) !== undefined;
  return streamWindow(url, { asker, signal: request.signal, mayStay }, parts);
}

/** The token that a request carries; undefined when it has none, or something else there. */
export const tokenOf = ({ headers }: Request): string | undefined =>
  /^Bearer (\S{8,200})$/.exec(headers.get("authorization") ?? "")?.[1];
