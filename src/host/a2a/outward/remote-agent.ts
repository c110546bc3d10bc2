// An agent of somebody else's, asked over A2A 1.0 by the first of its interfaces that we speak: JSON-RPC or HTTP+JSON. The token goes to the
// origin that the owner named; to another that the card names only if a pinned key signed the card.

import { a2aVersion } from "../../../protocol/a2a.ts";
import { Outage, Refusal } from "../../../protocol/errors.ts";
import type { Jwk } from "../jws.ts";
import { askAddress, type OutwardRules, readAddress } from "./ask-address.ts";
import { fetchCard, type TheirCard } from "./fetch-card.ts";
import { theirAnswer, type TheirMessage, theirTask, type TheirTask } from "./their-task.ts";

export interface RemotePlace {
  readonly url: string;
  readonly token?: string | undefined;
  /** One of these must have signed the card. None: whoever is at the address is taken for it. */
  readonly keys: readonly Jwk[];
}

export interface Asking {
  /** Sent again with the same id, it is the same request. */
  readonly messageId: string;
  readonly text: string;
  readonly skill?: string | undefined;
  readonly task?: string | undefined;
  readonly context?: string | undefined;
}

export type Reply =
  | { readonly kind: "task"; readonly task: TheirTask }
  | { readonly kind: "message"; readonly message: TheirMessage };

export interface RemoteAgent {
  readonly card: TheirCard;
  send(asking: Asking, signal?: AbortSignal): Promise<Reply>;
  task(id: string, signal?: AbortSignal): Promise<TheirTask>;
  cancel(id: string, signal?: AbortSignal): Promise<TheirTask>;
}

const mostBytes = 16 * 1024 * 1024;
const deadlineMs = 60_000;

type Interface = TheirCard["supportedInterfaces"][number];
type Call = (
  method: string,
  rest: { readonly verb: "GET" | "POST"; readonly path: string },
  params: object,
  signal?: AbortSignal,
) => Promise<unknown>;

export async function meet({ url, token, keys }: RemotePlace, allowed: readonly string[]): Promise<RemoteAgent> {
  const { origin, host } = readAddress(url);
  const rules: OutwardRules = { named: [origin], allowed };
  const card = await fetchCard(url, keys, rules);
  if (keys.length > 0 && card.signedBy.length === 0)
    throw new Refusal("a2a.forged", `none of the keys that you pinned signed the card of ${host}`, { host });
  const way = interfaceOf(card, origin);
  const headers = {
    "a2a-version": a2aVersion,
    accept: "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const call = way.protocolBinding === "JSONRPC" ? overRpc(way, headers, rules) : overRest(way, headers, rules);
  return {
    card,
    async send({ messageId, text, skill, task, context }, signal) {
      const message = {
        messageId,
        role: "ROLE_USER",
        parts: [{ text }],
        ...(task === undefined ? {} : { taskId: task }),
        ...(context === undefined ? {} : { contextId: context }),
        ...(skill === undefined ? {} : { metadata: { skill } }),
      };
      const params = { message, configuration: { returnImmediately: true } };
      const answer = await call("SendMessage", { verb: "POST", path: "/message:send" }, params, signal);
      const read = theirAnswer.safeParse(answer);
      if (read.data?.task !== undefined) return { kind: "task", task: read.data.task };
      if (read.data?.message !== undefined) return { kind: "message", message: read.data.message };
      throw new Refusal("a2a.their-answer", `${host} answered a message with neither a task nor a message`, { host });
    },
    async task(id, signal) {
      const path = `/tasks/${encodeURIComponent(id)}`;
      return readTask(await call("GetTask", { verb: "GET", path }, { id }, signal), id, host);
    },
    async cancel(id, signal) {
      const path = `/tasks/${encodeURIComponent(id)}:cancel`;
      return readTask(await call("CancelTask", { verb: "POST", path }, { id }, signal), id, host);
    },
  };
}

/** Another task than the one that was asked for is no answer. */
function readTask(answer: unknown, id: string, host: string): TheirTask {
  const read = theirTask.safeParse(answer);
  if (!read.success || read.data.id !== id)
    throw new Refusal("a2a.their-answer", `${host} answered with no such task`, { host, task: id });
  return read.data;
}

function interfaceOf({ supportedInterfaces, signedBy }: TheirCard, origin: string): Interface {
  const known = supportedInterfaces.filter(
    ({ protocolBinding, protocolVersion }) =>
      ["JSONRPC", "HTTP+JSON"].includes(protocolBinding) && /^1\.0(\.\d+)?$/.test(protocolVersion),
  );
  if (known.length === 0)
    throw new Refusal("a2a.their-answer", `${origin} speaks no A2A ${a2aVersion} by JSON-RPC or HTTP+JSON`, { origin });
  const own = known.find(({ url }) => URL.parse(url)?.origin === origin);
  const found = own ?? (signedBy.length > 0 ? known[0] : undefined);
  if (found === undefined)
    throw new Refusal(
      "a2a.address",
      `the card of ${origin} leads elsewhere (${known[0]?.url}), and no key that you pinned signed it`,
      { origin },
    );
  return found;
}

const overRpc =
  ({ url }: Interface, headers: Readonly<Record<string, string>>, rules: OutwardRules): Call =>
  async (method, _, params, signal) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: crypto.randomUUID(), method, params });
    const said = await askAddress(
      url,
      {
        method: "POST",
        body,
        headers: { ...headers, "content-type": "application/json" },
        mostBytes,
        deadlineMs,
        signal,
      },
      rules,
    );
    const answer = jsonIn(said.text) as { result?: unknown; error?: { code?: unknown; message?: unknown } } | undefined;
    if (answer?.error !== undefined && answer.error !== null) throw theyRefuse(url, said.status, answer.error);
    if (said.status !== 200 || answer?.result === undefined) throw noAnswer(url, said.status);
    return answer.result;
  };

const overRest =
  ({ url }: Interface, headers: Readonly<Record<string, string>>, rules: OutwardRules): Call =>
  async (_, { verb, path }, params, signal) => {
    const body =
      verb === "GET"
        ? {}
        : { body: JSON.stringify(params), headers: { ...headers, "content-type": "application/json" } };
    const address = `${url.replace(/(?<!\/)\/+$/, "")}${path}`;
    const said = await askAddress(address, { method: verb, headers, mostBytes, deadlineMs, signal, ...body }, rules);
    const answer = jsonIn(said.text) as { error?: { code?: unknown; message?: unknown } } | undefined;
    if (said.status >= 200 && said.status < 300 && answer !== undefined) return answer;
    if (answer?.error !== undefined && answer.error !== null) throw theyRefuse(url, said.status, answer.error);
    throw noAnswer(url, said.status);
  };

function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What passes by itself is an outage: it may be asked again. */
function noAnswer(url: string, status: number): Error {
  const { host } = new URL(url);
  if (status === 408 || status === 429 || status >= 500)
    return new Outage("ask", host, new Error(`it answers ${status}`), { mayRetry: true });
  return new Refusal("a2a.their-answer", `${host} answers ${status}, and no JSON of A2A`, { host, status });
}

function theyRefuse(url: string, status: number, { code, message }: { code?: unknown; message?: unknown }): Error {
  if (status === 429 || status === 503) return noAnswer(url, status);
  const { host } = new URL(url);
  const says = typeof message === "string" ? message.slice(0, 500) : "without a reason";
  const number = typeof code === "number" || typeof code === "string" ? String(code).slice(0, 20) : "";
  return new Refusal("a2a.they-refuse", `${host} refuses: ${says}${number === "" ? "" : ` (${number})`}`, {
    host,
    code: number,
    status,
  });
}
