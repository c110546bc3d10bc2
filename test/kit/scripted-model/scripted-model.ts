// A stand-in for a model's endpoint that answers by rules, so that real agent programs can be tested with real tools, real hooks
// and no model. README.md beside this file says how rules are written and how each program is pointed here.

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic, countedTokens } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { control } from "./control.ts";
import { answerOf, decide, failureOf } from "./decide.ts";
import { countedGeminiTokens, gemini, geminiPath } from "./gemini.ts";
import { Holds } from "./holds.ts";
import { objectOf, parsed } from "./json.ts";
import type { Protocol, Received } from "./protocol.ts";
import { type LoggedRequest, RequestLog } from "./request-log.ts";
import { responses } from "./responses.ts";
import { checkedRules, type Rule, type Rules } from "./rules.ts";
import { sendJson, sendStream, textOfRequest } from "./wire.ts";

export interface ScriptedModelOptions {
  /** The rules themselves, or the path of a file with them. */
  readonly rules?: unknown;
  /** 0, the default, takes any that is free. */
  readonly port?: number;
  /** A file that each request is added to, as a line of JSON. */
  readonly log?: string;
  readonly vars?: Readonly<Record<string, string>>;
  /** Leaves bodies out of the log. */
  readonly light?: boolean;
}

export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const model = new ScriptedModel(options);
  await model.listen(options.port ?? 0);
  return model;
}

export class ScriptedModel {
  readonly holds = new Holds();
  readonly #log: RequestLog;
  readonly #vars: Readonly<Record<string, string>>;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #closing = new AbortController();
  /** Ids of answers are unique also to a session that is resumed after a restart. */
  readonly #run = crypto.randomUUID().slice(0, 8);
  readonly #answered = new Map<Rule, number>();
  #rules: Rules = {};
  #answers = 0;
  #url = "";

  constructor({ rules, log, vars = {}, light = false }: ScriptedModelOptions) {
    this.#log = new RequestLog(log, light);
    this.#vars = vars;
    this.setRules(rules ?? {});
  }

  get url(): string {
    return this.#url;
  }

  get requests(): readonly LoggedRequest[] {
    return this.#log.entries;
  }

  /** Replaces the rules; refuses some that are not understood, and keeps those it has. */
  setRules(rules: unknown): void {
    const given = typeof rules === "string" ? (JSON.parse(readFileSync(rules, "utf8")) as unknown) : rules;
    const vars = { ...objectOf(objectOf(given)["vars"]), ...this.#vars };
    this.#rules = checkedRules({ ...objectOf(given), vars });
    this.#answered.clear();
  }

  release(hold: string): void {
    this.holds.release(hold);
  }

  /** Forgets requests, how often rules answered, and what was released. */
  reset(): void {
    this.#log.reset();
    this.#answered.clear();
    this.holds.reset();
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers that are under way are cut. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://model").pathname;
    const headers = headersOf(request);
    const text = await textOfRequest(request);
    if (path.startsWith("/__")) return control(this, request.method ?? "GET", path, text, response);
    const body = parsed(text);
    const received: Received = { path, headers, body: objectOf(body) };
    const protocol = request.method === "POST" ? protocolFor(path) : undefined;
    if (protocol !== undefined) return this.#answer(protocol, received, response);
    this.#log.add({ path, headers, ...(body === undefined ? {} : { body }) });
    const [status, content] = otherAnswer(received);
    sendJson(response, status, request.method === "HEAD" ? undefined : content);
  }

  async #answer(protocol: Protocol, received: Received, response: ServerResponse): Promise<void> {
    const conversation = protocol.read(received);
    const decision = decide(this.#rules, conversation, (rule) => this.#answered.get(rule) ?? 0);
    const { situation, rule, reply } = decision;
    if (rule !== undefined) this.#answered.set(rule, (this.#answered.get(rule) ?? 0) + 1);
    const answer = attempt(() => answerOf(`${this.#run}${++this.#answers}`, decision, conversation));
    const { api, model, session, side, prompt, step, results, tools } = situation;
    this.#log.add({
      ...received,
      api,
      model,
      stream: conversation.stream,
      side,
      session,
      prompt,
      step,
      results,
      rule: rule === undefined ? null : (rule.name ?? `rule ${(this.#rules.rules ?? []).indexOf(rule) + 1}`),
      reply,
      tools,
      ...(answer instanceof Error ? { problem: answer.message } : {}),
    });

    const gone = AbortSignal.any([this.#closing.signal, closed(response)]);
    if (reply.hold !== undefined) await this.holds.wait(reply.hold, gone);
    await passed(reply.delay_ms ?? 0, gone);
    if (gone.aborted) return;
    if (reply.drop === true) return void response.socket?.destroy();
    if (answer instanceof Error) {
      const failure = { status: 500, type: "api_error", message: answer.message };
      return sendJson(response, 500, protocol.failure(failure));
    }
    if (reply.error !== undefined) {
      const failure = failureOf(reply.error);
      return sendJson(response, failure.status, protocol.failure(failure), reply.error.headers);
    }
    if (!conversation.stream) return sendJson(response, 200, protocol.whole(answer));
    return sendStream(response, protocol.events(answer, received), () => passed(reply.chunk_ms ?? 0, gone));
  }
}

function protocolFor(path: string): Protocol | undefined {
  if (path.endsWith("/messages")) return anthropic;
  if (path.endsWith("/responses")) return responses;
  if (path.endsWith("/chat/completions")) return chat;
  return geminiPath.test(path) && !path.endsWith(":countTokens") ? gemini : undefined;
}

/** Answers what is asked besides answers: whether the server is there, and how long a text is. */
function otherAnswer({ path, body }: Received): readonly [status: number, content: unknown] {
  if (path.endsWith("/messages/count_tokens")) return [200, countedTokens(body)];
  if (path.endsWith(":countTokens")) return [200, countedGeminiTokens(body)];
  if (path === "/api/hello") return [200, { message: "hello" }];
  return [404, { error: { type: "not_found_error", message: `the scripted model has nothing at ${path}` } }];
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function attempt<T>(make: () => T): T | Error {
  try {
    return make();
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

function closed(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return gone.signal;
}

function passed(ms: number, gone: AbortSignal): Promise<void> {
  if (ms === 0 || gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    gone.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
