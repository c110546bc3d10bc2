// The local API: `POST /op/<name>` for every operation, `GET /events` for the timeline as it happens, `/mcp` for agents, `GET /health`.
// The same handler stands behind the unix socket and, guarded, behind loopback TCP.

import { callerOver } from "../client/caller.ts";
import type { Context } from "../core/context.ts";
import { type Asker, refuseUnlessAllowed } from "../protocol/authority.ts";
import type { FindSecrets } from "../ports/secrets.ts";
import { Refusal } from "../protocol/errors.ts";
import { Bounded } from "../ports/bounded.ts";
import { checkedInput } from "../protocol/checked-input.ts";
import { secretRefusal } from "../protocol/secret-refusal.ts";
import { wordsIn } from "./words-in.ts";
import { finished } from "../settings/checked-answer.ts";
import { operations } from "../protocol/operations/all.ts";
import type { Operation } from "../protocol/operation.ts";
import type { ToolCall } from "../protocol/tool-call.ts";
import { keepAliveMs, slowHeader, statusOf, toWire } from "../protocol/wire.ts";
import type { Store } from "../store/open.ts";
import type { Handlers } from "./handlers.ts";
import { streamEvents } from "./stream-events.ts";

export interface ServeParts {
  readonly store: Store;
  readonly handlers: Handlers;
  readonly contextFor: (asker: Asker) => Context;
  /** As it is told with this answer. */
  readonly version: () => string;
  readonly log: (line: string) => void;
  /** Keeps an account of the calls over MCP. */
  readonly recordToolCall?: (call: ToolCall) => void;
  /** Refuses what is not to be done by the settings that the daemon runs with. */
  readonly refuseUnlessFollowed?: (operation: Operation) => Promise<void>;
  /** Looks for secrets in what others will read. */
  readonly findSecrets?: FindSecrets;
  /** For tests: how soon a slow answer begins. */
  readonly keepAliveMs?: number;
  /** Aborted when the daemon stops: open streams end. */
  readonly stopping: AbortSignal;
}

/** The address of nearly every request, known without taking it apart: a plain name of an operation and nothing after it. */
const plainOperation = /^https?:\/\/[^/?#]*\/op\/([a-z.-]+)$/;

type AnyHandler = (context: Context, input: unknown) => Promise<unknown>;

/** Who a request is from: asked only for operations, and may refuse. */
export type WhoAsks = (request: Request) => Asker;

export function makeFetch(parts: ServeParts): (request: Request, whoAsks: WhoAsks) => Promise<Response> {
  const ownHeaders = (): Record<string, string> => ({ "x-constel-version": parts.version() });
  const mcpDoors = new Bounded<Promise<(request: Request) => Promise<Response>>>(100);

  return async (request, whoAsks) => {
    try {
      const named = plainOperation.exec(request.url)?.[1];
      if (named !== undefined) return await answerOperation(request, whoAsks, named);
      const url = new URL(request.url);
      if (url.pathname === "/health") return Response.json({ ok: true, pid: process.pid }, { headers: ownHeaders() });
      if (url.pathname === "/events" && request.method === "GET") return streamEvents(request, url, parts);
      if (url.pathname === "/mcp") return await mcp(request, whoAsks);
      if (url.pathname.startsWith("/op/")) return await answerOperation(request, whoAsks, url.pathname.slice(4));
      throw new Refusal("operation.unknown", `nothing is served at ${url.pathname}`, { path: url.pathname });
    } catch (cause) {
      return Response.json(failure(request, cause), { status: statusOf(cause), headers: ownHeaders() });
    }
  };

  function answerOperation(request: Request, whoAsks: WhoAsks, name: string): Promise<Response> {
    return answered(asked(request, whoAsks, name), {
      headers: ownHeaders(),
      failure: (cause) => failure(request, cause),
      aliveMs: parts.keepAliveMs ?? keepAliveMs,
    });
  }

  /** The same operations as tools: the door is loaded when somebody knocks for the first time. */
  async function mcp(request: Request, whoAsks: WhoAsks): Promise<Response> {
    const asker = whoAsks(request);
    const key = JSON.stringify(asker);
    const door = mcpDoors.get(key) ?? openMcp(asker);
    mcpDoors.set(key, door);
    return await (
      await door
    )(request);
  }

  function openMcp(asker: Asker): Promise<(request: Request) => Promise<Response>> {
    return import("../doors/mcp/http.ts").then(({ openHttpDoor }) =>
      openHttpDoor({
        version: parts.version(),
        record: parts.recordToolCall ?? (() => {}),
        onError: (cause) => parts.log(`mcp: ${cause.message}`),
        callerFor: (knock) => {
          const caller = callerOver((name, input, { signal }) =>
            perform(
              asker,
              name,
              async () => input,
              () => signal ?? knock.signal,
            ),
          );
          return { agent: asker.name, caller };
        },
      }),
    );
  }

  function failure(request: Request, cause: unknown): ReturnType<typeof toWire> {
    if (statusOf(cause) === 500)
      parts.log(`bug in ${request.method} ${request.url}: ${cause instanceof Error ? cause.stack : cause}`);
    return toWire(cause);
  }

  /** Everything that others will read, whichever door it came by: each operation names its own fields. */
  async function refuseSecrets(
    { name, speaks }: Operation,
    input: unknown,
    asker: Asker,
    allowed: boolean,
  ): Promise<void> {
    if (speaks === undefined || parts.findSecrets === undefined) return;
    for (const { field, text } of wordsIn(input, speaks)) {
      const found = await parts.findSecrets(text);
      if (found.length === 0) continue;
      const refusal = secretRefusal(field, text, found);
      if (!allowed || asker.role !== "owner") throw refusal;
      const data = { operation: name, ...refusal.facts };
      await parts.store.write((tx) => tx.record({ type: "secret.allowed", actor: asker.name, data }));
    }
  }

  async function asked(request: Request, whoAsks: WhoAsks, name: string): Promise<unknown> {
    if (Object.hasOwn(operations, name) && request.method !== "POST")
      throw new Refusal("input.invalid", "operations are called with POST", { operation: name });
    return perform(
      whoAsks(request),
      name,
      () => bodyOf(request),
      () => request.signal,
    );
  }

  async function perform(
    asker: Asker,
    name: string,
    read: () => Promise<unknown>,
    gone: () => AbortSignal,
  ): Promise<unknown> {
    if (!Object.hasOwn(operations, name)) {
      throw new Refusal("operation.unknown", `there is no operation ${JSON.stringify(name)}`, { operation: name });
    }
    const operation: Operation = operations[name as keyof typeof operations];
    const refusal = refuseUnlessAllowed(asker, operation);
    if (refusal !== undefined) throw refusal;
    // Most requests read, and do without the wait.
    if (operation.effect !== "reads") await parts.refuseUnlessFollowed?.(operation);
    const body = await read();
    const { isAllowed, rest } = withoutAllowance(body);
    const input = checkedInput(operation, rest);
    if (operation.speaks !== undefined) await refuseSecrets(operation, input, asker, isAllowed);
    const handler = parts.handlers[name as keyof Handlers] as AnyHandler;
    let signal: AbortSignal | undefined;
    const context = {
      ...parts.contextFor(asker),
      // Most do not wait for anything, and do without.
      get signal() {
        return (signal ??= AbortSignal.any([gone(), parts.stopping]));
      },
    };
    return finished(operation, input, await handler(context, input));
  }
}

/** The owner's word that a text may hold what looks like a secret. Nobody else's counts. */
function withoutAllowance(body: unknown): { readonly isAllowed: boolean; readonly rest: unknown } {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "allow_secret"))
    return { isAllowed: false, rest: body };
  const { allow_secret: allowed, ...rest } = body as { allow_secret: unknown };
  return { isAllowed: allowed === true, rest };
}

/** At once when it is known soon; else a stream of blanks that ends in the answer, so that the caller sees that we live. */
async function answered(
  answer: Promise<unknown>,
  {
    headers,
    failure,
    aliveMs,
  }: {
    readonly headers: Readonly<Record<string, string>>;
    readonly failure: (cause: unknown) => unknown;
    readonly aliveMs: number;
  },
): Promise<Response> {
  const isLate = Symbol("late");
  const { promise: late, resolve } = Promise.withResolvers<typeof isLate>();
  const timer = setTimeout(() => resolve(isLate), aliveMs);
  let first: unknown;
  try {
    first = await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
  if (first !== isLate) return Response.json(first, { headers });
  const body = new ReadableStream<string>({
    async start(stream) {
      const beat = setInterval(() => stream.enqueue(" "), aliveMs);
      const known = await answer.catch(failure).finally(() => clearInterval(beat));
      try {
        stream.enqueue(JSON.stringify(known));
        stream.close();
      } catch {
        // The caller has left; what was asked for was done all the same.
      }
    },
  });
  return new Response(body, { headers: { ...headers, "content-type": "application/json", [slowHeader]: "1" } });
}

async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text();
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    throw new Refusal("input.invalid", "the body is not JSON", { length: text.length });
  }
}
