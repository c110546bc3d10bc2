// The A2A door: JSON-RPC at /a2a/rpc and HTTP+JSON at /a2a/v1, both over the same eleven operations. Who may come this far was checked
// before (token, Host, Origin, size, rate). The SDK's server side is not used: its adapters want Express, and its handlers a store of tasks of
// their own (docs/decisions).

import type { Caller } from "../../client/caller.ts";
import { a2aVersion, type A2aSkill } from "../../protocol/a2a.ts";
import { type CardJson, restPath, rpcPath } from "../../protocol/a2a-card.ts";
import { Refusal } from "../../protocol/errors.ts";
import { httpFailure, noMethod, notARequest, parseError, rpcFailure, WireError } from "./errors.ts";
import { answers, type Asked, streams } from "./methods.ts";
import { routeOf } from "./routes.ts";
import { sse } from "./stream.ts";

export interface DoorParts {
  readonly callerFor: (request: Request) => Caller;
  readonly card: (skills: readonly A2aSkill[]) => CardJson;
  readonly nowMs: () => number;
  readonly stopping: AbortSignal;
  readonly onBug: (cause: unknown) => void;
}

export function openA2aDoor(parts: DoorParts): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    // Clients that take the address as a directory ask with a slash at its end.
    if (pathname === rpcPath || pathname === `${rpcPath}/`) return await rpc(request, parts);
    if (pathname.startsWith(`${restPath}/`)) return await rest(request, pathname.slice(restPath.length), parts);
    return httpFailure(new WireError(noMethod, `nothing is served at ${pathname}`), parts.nowMs());
  };
}

async function rpc(request: Request, parts: DoorParts): Promise<Response> {
  let id: unknown = null;
  let method = "";
  const failure = (cause: unknown): Response => {
    tellOfBug(cause, parts);
    return Response.json(rpcFailure(id, cause, parts.nowMs(), method));
  };
  try {
    if (request.method !== "POST")
      return httpFailure(new WireError(notARequest, "JSON-RPC is asked with POST"), parts.nowMs());
    refuseOtherContent(request);
    const body = await readJson(request);
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw new WireError(notARequest, "the body is not one JSON-RPC request");
    const call = body as { jsonrpc?: unknown; id?: unknown; method?: unknown; params?: unknown };
    if (typeof call.id === "string" || typeof call.id === "number") id = call.id;
    if (
      call.jsonrpc !== "2.0" ||
      typeof call.method !== "string" ||
      (call.id !== undefined && call.id !== null && id === null)
    )
      throw new WireError(notARequest, "a JSON-RPC request has jsonrpc 2.0, an id and a method");
    refuseOtherVersion(request);
    method = call.method;
    if (
      call.params !== undefined &&
      (typeof call.params !== "object" || call.params === null || Array.isArray(call.params))
    )
      throw new Refusal("a2a.message", "the parameters are not an object");
    const asked = askedBy(request, parts);
    if (Object.hasOwn(streams, method)) {
      const events = await streams[method]?.(asked, call.params);
      const wrapped = (body: object): object => ({ jsonrpc: "2.0", id, result: body });
      const failed = (cause: unknown): object => (
        tellOfBug(cause, parts),
        rpcFailure(id, cause, parts.nowMs(), method)
      );
      if (events !== undefined) return sse(events, { wrapped, failed, signal: asked.signal });
    }
    const answer = Object.hasOwn(answers, method) ? answers[method] : undefined;
    if (answer === undefined)
      throw new WireError(noMethod, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
    const result = await answer(asked, call.params);
    return Response.json({ jsonrpc: "2.0", id, result: Object.keys(result).length === 0 ? null : result });
  } catch (cause) {
    return failure(cause);
  }
}

async function rest(request: Request, path: string, parts: DoorParts): Promise<Response> {
  let method = "";
  try {
    const route = routeOf(request.method, path);
    if (route === undefined)
      throw new WireError(noMethod, `nothing is served at ${request.method} ${path.slice(0, 200)}`);
    method = route.method;
    refuseOtherVersion(request);
    const given = { ...(await restParams(request)), ...route.params };
    const asked = askedBy(request, parts);
    if (Object.hasOwn(streams, method)) {
      const events = await streams[method]?.(asked, given);
      const failed = (cause: unknown): object => (
        tellOfBug(cause, parts),
        { error: { message: "the stream broke off" } }
      );
      if (events !== undefined) return sse(events, { wrapped: (body) => body, failed, signal: asked.signal });
    }
    const result = (await answers[method]?.(asked, given)) ?? {};
    return Response.json(result, { headers: { "content-type": typeFor(request) } });
  } catch (cause) {
    tellOfBug(cause, parts);
    return httpFailure(cause, parts.nowMs(), method);
  }
}

const ownType = "application/a2a+json";

/** The protocol's own type for whoever names it; else plain JSON, as its section on this binding has it. */
function typeFor({ headers }: Request): string {
  const named = `${headers.get("accept") ?? ""},${headers.get("content-type") ?? ""}`.toLowerCase();
  return named.includes(ownType) ? ownType : "application/json";
}

async function restParams(request: Request): Promise<object> {
  const { searchParams } = new URL(request.url);
  const asked = Object.fromEntries(searchParams);
  if (request.method !== "POST") return asked;
  refuseOtherContent(request);
  const body = await readJson(request, {});
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new Refusal("a2a.message", "the body is not a JSON object");
  return body;
}

/** One that names no type is taken for JSON. */
function refuseOtherContent(request: Request): void {
  const type = (request.headers.get("content-type") ?? "application/json").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json" && type !== ownType)
    throw new Refusal("a2a.content", `a body of ${JSON.stringify(type?.slice(0, 100))} is not taken, only JSON`);
}

async function readJson(request: Request, empty?: unknown): Promise<unknown> {
  const text = await request.text();
  if (text === "" && empty !== undefined) return empty;
  try {
    return JSON.parse(text);
  } catch {
    throw new WireError(parseError, "the body is not JSON");
  }
}

/** Missing means 0.3, as the specification has it. The patch of a version says nothing. */
function refuseOtherVersion(request: Request): void {
  const given = request.headers.get("a2a-version") ?? new URL(request.url).searchParams.get("A2A-Version") ?? "";
  const version = given.trim() === "" ? "0.3" : given.trim();
  if (/^1\.0(?:\.\d{1,5})?$/.test(version)) return;
  throw new Refusal("a2a.version", `A2A ${version.slice(0, 20)} is not spoken here, only ${a2aVersion}`, {
    version: version.slice(0, 20),
    speaks: [a2aVersion],
  });
}

function askedBy(request: Request, parts: DoorParts): Asked {
  const last = Number(request.headers.get("last-event-id") ?? Number.NaN);
  return {
    caller: parts.callerFor(request),
    signal: AbortSignal.any([request.signal, parts.stopping]),
    after: Number.isSafeInteger(last) && last >= 0 ? last : undefined,
    card: parts.card,
  };
}

function tellOfBug(cause: unknown, { onBug }: DoorParts): void {
  if (!(cause instanceof Refusal || cause instanceof WireError)) onBug(cause);
}
