// The local API: `POST /op/<name>` for every operation, `GET /events` for the timeline as it happens, `/mcp` for agents, `GET /health`.
// The same handler stands behind the unix socket and, guarded, behind loopback TCP.

import { callerOver } from "../../client/caller.ts";
import type { Context } from "../../core/context.ts";
import { type Asker, refuseUnlessAllowed } from "../../protocol/authority.ts";
import type { FindSecrets, FoundSecret } from "../../ports/secrets.ts";
import { Refusal } from "../../protocol/errors.ts";
import { Bounded } from "../../ports/bounded.ts";
import { checkedInput } from "../../protocol/checked-input.ts";
import { type CapabilityRule, refuseWithoutCapability } from "../../protocol/capability-rule.ts";
import { secretRefusal, secretWarning } from "../../protocol/secret-refusal.ts";
import { type SecretModeOf, surfaceOf } from "../../protocol/secret-surfaces.ts";
import { type Words, wordsIn } from "./words-in.ts";
import { finished } from "../../settings/checked-answer.ts";
import { operations } from "../../protocol/operations/all.ts";
import type { Operation } from "../../protocol/operation.ts";
import type { ToolCall } from "../../protocol/tool-call.ts";
import { keepAliveMs, slowHeader, statusOf, toWire, warningHeader } from "../../protocol/wire.ts";
import type { Store } from "../../store/open.ts";
import { answerText } from "./answer-text.ts";
import { FairTurns } from "./fair-turns.ts";
import type { Handlers } from "./handlers.ts";
import { late, LateAnswers } from "./late-answers.ts";
import type { OurCard } from "../a2a/our-card.ts";
import type { StallMeter } from "../stall-meter.ts";
import { streamEvents } from "./stream-events.ts";

export interface ServeParts {
  readonly store: Store;
  readonly handlers: Handlers;
  /** `untilGone`: as in the context. */
  readonly contextFor: (asker: Asker, untilGone: () => AbortSignal) => Context;
  readonly version: string;
  readonly meter?: StallMeter;
  readonly log: (line: string) => void;
  /** Keeps an account of the calls over MCP. */
  readonly recordToolCall?: (call: ToolCall) => void;
  /** Outside agents are served, and are shown this card. */
  readonly a2aCard?: OurCard | undefined;
  /** Refuses what is not to be done by the settings that the daemon runs with. */
  readonly refuseUnlessFollowed?: (operation: Operation) => Promise<void> | undefined;
  /** Looks for secrets in what others will read. */
  readonly findSecrets?: FindSecrets;
  /** The capabilities that are permissions, by the owner's wish. */
  readonly capabilityRules?: readonly CapabilityRule[];
  /** How a secret is met. Without it every one is refused. */
  readonly secretMode?: SecretModeOf;
  /** For tests: how soon a slow answer begins. */
  readonly keepAliveMs?: number;
  /** Aborted when the daemon stops: open streams end. */
  readonly stopping: AbortSignal;
}

/** The address of nearly every request, known without taking it apart: a plain name of an operation and nothing after it. */
const plainOperation = /^https?:\/\/[^/?#]*\/op\/([a-z.-]+)$/;

/** What outside agents ask for lies below. */
export const a2aPath = "/a2a/";

type AnyHandler = (context: Context, input: unknown) => Promise<unknown>;

/** Returns who a request is from. It is asked only for operations, and may refuse. */
export type WhoAsks = (request: Request) => Asker;

export function makeFetch(parts: ServeParts): (request: Request, whoAsks: WhoAsks) => Promise<Response> {
  const ownHeaders = { "x-constel-version": parts.version };
  /** The same for every answer: making it anew would cost more than all that it holds. */
  const answerInit = { headers: new Headers({ ...ownHeaders, "content-type": "application/json;charset=utf-8" }) };
  const answers = new LateAnswers(parts.keepAliveMs ?? keepAliveMs);
  const fair = new FairTurns();
  const mcpDoors = new Bounded<Promise<(request: Request) => Promise<Response>>>(100);

  return async (request, whoAsks) => {
    try {
      const named = plainOperation.exec(request.url)?.[1];
      if (named !== undefined) return await answerOperation(request, whoAsks, named);
      const url = new URL(request.url);
      if (url.pathname === "/health") return Response.json({ ok: true, pid: process.pid }, { headers: ownHeaders });
      if (url.pathname === "/events" && request.method === "GET") return streamEvents(request, url, parts);
      if (url.pathname.startsWith(a2aPath)) return await a2a(request, whoAsks);
      if (url.pathname === "/mcp") return await mcp(request, whoAsks);
      if (url.pathname.startsWith("/op/")) return await answerOperation(request, whoAsks, url.pathname.slice(4));
      throw new Refusal("operation.unknown", `nothing is served at ${url.pathname}`, { path: url.pathname });
    } catch (cause) {
      return Response.json(failure(request, cause), { status: statusOf(cause), headers: ownHeaders });
    }
  };

  function answerOperation(request: Request, whoAsks: WhoAsks, name: string): Promise<Response> {
    const warnings: string[] = [];
    const answer = asked(request, whoAsks, name, (warning) => void warnings.push(warning));
    return answers.inTime(answer).then((first) => {
      if (first !== late) return responseOf(answerText(first), warnings.at(-1));
      const known = answer.catch((cause: unknown) => failure(request, cause));
      return slowly(known, ownHeaders, parts.keepAliveMs ?? keepAliveMs);
    });
  }

  function responseOf(text: string | Promise<string>, warning?: string): Response | Promise<Response> {
    if (typeof text !== "string") return text.then((known) => responseOf(known, warning));
    const response = new Response(text, answerInit);
    if (warning !== undefined) response.headers.set(warningHeader, warning);
    return response;
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

  async function a2a(request: Request, whoAsks: WhoAsks): Promise<Response> {
    const asker = whoAsks(request);
    const { a2aCard } = parts;
    const { openA2aDoor } = await import("../../doors/a2a/door.ts");
    if (a2aCard === undefined) throw new Refusal("a2a.off", "agents from outside are not served here");
    const door = openA2aDoor({
      card: a2aCard.with,
      nowMs: Date.now,
      stopping: parts.stopping,
      onBug: (cause) => parts.log(`a2a: ${cause instanceof Error ? cause.stack : cause}`),
      callerFor: (knock) =>
        callerOver((name, input, { signal }) =>
          perform(
            asker,
            name,
            async () => input,
            () => signal ?? knock.signal,
          ),
        ),
    });
    return await door(request);
  }

  function openMcp(asker: Asker): Promise<(request: Request) => Promise<Response>> {
    return import("../../doors/mcp/http.ts").then(({ openHttpDoor }) =>
      openHttpDoor({
        version: parts.version,
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

  /** Everything that others will read is searched, whichever door it came by: each operation names its own fields. */
  async function refuseSecret(
    { field, text }: Words,
    found: readonly FoundSecret[],
    { name }: Operation,
    asker: Asker,
    { isAllowed, isWarned }: { readonly isAllowed: boolean; readonly isWarned: boolean },
    warn: (warning: string) => void,
  ): Promise<void> {
    const refusal = secretRefusal(field, text, found);
    const isOwners = isAllowed && asker.role === "owner";
    if (!isOwners && !isWarned) throw refusal;
    const data = { operation: name, ...refusal.facts };
    const type = isOwners ? "secret.allowed" : "secret.warned";
    await parts.store.write((tx) => tx.record({ type, actor: asker.name, data }));
    if (!isOwners) warn(secretWarning(field, text, found));
  }

  function asked(request: Request, whoAsks: WhoAsks, name: string, warn: (warning: string) => void): Promise<unknown> {
    if (Object.hasOwn(operations, name) && request.method !== "POST")
      throw new Refusal("input.invalid", "operations are called with POST", { operation: name });
    return perform(
      whoAsks(request),
      name,
      () => request.text().then(parsed),
      () => request.signal,
      warn,
    );
  }

  async function perform(
    asker: Asker,
    name: string,
    read: () => Promise<unknown>,
    gone: () => AbortSignal,
    warn: (warning: string) => void = () => {},
  ): Promise<unknown> {
    if (!Object.hasOwn(operations, name)) {
      throw new Refusal("operation.unknown", `there is no operation ${JSON.stringify(name)}`, { operation: name });
    }
    const operation: Operation = operations[name as keyof typeof operations];
    const refusal = refuseUnlessAllowed(asker, operation);
    if (refusal !== undefined) throw refusal;
    // Most requests need no look, and do without the wait.
    const looking = parts.refuseUnlessFollowed?.(operation);
    if (looking !== undefined) await looking;
    const body = await read();
    const { isAllowed, rest } = withoutAllowance(body);
    const input = checkedInput(operation, rest);
    const lacking = refuseWithoutCapability(asker, name, input, parts.capabilityRules ?? []);
    if (lacking !== undefined) throw lacking;
    const { findSecrets } = parts;
    const secretMode = operation.speaks === undefined ? "off" : (parts.secretMode?.(surfaceOf(name)) ?? "refuse");
    if (operation.speaks !== undefined && findSecrets !== undefined && secretMode !== "off")
      for (const words of wordsIn(input, operation.speaks)) {
        const found = findSecrets(words.text);
        const secrets = found instanceof Promise ? await found : found;
        if (secrets.length > 0) {
          const isWarned = secretMode === "warn";
          await refuseSecret(words, secrets, operation, asker, { isAllowed, isWarned }, warn);
        }
      }
    const handler = parts.handlers[name as keyof Handlers] as AnyHandler;
    const context = parts.contextFor(asker, () => AbortSignal.any([gone(), parts.stopping]));
    const ask = (): Promise<unknown> => handler(context, input);
    const answer = fair.run(asker, operation, () => parts.meter?.during(name, ask) ?? ask());
    return finished(operation, input, await answer);
  }
}

/** The owner's word that a text may hold what looks like a secret. Nobody else's counts. */
function withoutAllowance(body: unknown): { readonly isAllowed: boolean; readonly rest: unknown } {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "allow_secret"))
    return { isAllowed: false, rest: body };
  const { allow_secret: allowed, ...rest } = body as { allow_secret: unknown };
  return { isAllowed: allowed === true, rest };
}

/** A stream of blanks that ends in the answer, so that the caller sees that we live. */
function slowly(answer: Promise<unknown>, headers: Readonly<Record<string, string>>, aliveMs: number): Response {
  let beat: ReturnType<typeof setInterval> | undefined;
  let isHeard = true;
  const body = new ReadableStream<string>({
    async start(stream) {
      beat = setInterval(() => stream.enqueue(" "), aliveMs);
      const known = await answer.then(answerText).finally(() => clearInterval(beat));
      if (!isHeard) return;
      stream.enqueue(known);
      stream.close();
    },
    /** The caller has left; what was asked for is done all the same. */
    cancel() {
      isHeard = false;
      clearInterval(beat);
    },
  });
  return new Response(body, { headers: { ...headers, "content-type": "application/json", [slowHeader]: "1" } });
}

function parsed(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    throw new Refusal("input.invalid", "the body is not JSON", { length: text.length });
  }
}
