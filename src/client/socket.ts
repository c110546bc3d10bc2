// Calls the daemon over its unix socket.

import { dirname, join } from "node:path";
import { Outage, Refusal, systemCode } from "../protocol/errors.ts";
import { actorHeader, fromWire, passHeader, slowHeader } from "../protocol/wire.ts";
import { type Caller, callerOver } from "./caller.ts";
import { Pass } from "./pass.ts";
import { withShortPath } from "./short-path.ts";

/** Nobody listens there: the daemon is not running. */
export class NoDaemon extends Outage {
  constructor(path: string, cause: unknown) {
    super("connect to", path, cause, { mayRetry: true });
    this.name = "NoDaemon";
  }
}

export interface SocketCallerOptions {
  /** Told with each answer which version of constel the daemon is. */
  readonly answeredBy?: (version: string | null) => void;
  /** How long the daemon may say nothing at all. */
  readonly silenceMs?: number;
}

/** A daemon that hangs must not make its callers hang. One that works on something long says so every few seconds. */
const defaultSilenceMs = 60_000;

export function socketCaller(path: string, actor: string, options: SocketCallerOptions = {}): Caller {
  const pass = new Pass(join(dirname(path), "who.sock"));
  return callerOver(async (name, input, { signal }) => {
    try {
      return await ask(name, input, signal, await pass.word());
    } catch (cause) {
      // Another daemon than before answers, and does not know us yet.
      if (!(cause instanceof Refusal) || cause.code !== "identity.no-pass") throw cause;
      return ask(name, input, signal, await pass.anew());
    }
  });

  async function ask(name: string, input: unknown, signal: AbortSignal | undefined, word: string): Promise<unknown> {
    const silence = new Silence(options.silenceMs ?? defaultSilenceMs);
    try {
      const response = await request(path, `/op/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json", [actorHeader]: actor, [passHeader]: word },
        body: JSON.stringify(input),
        // Bun would give up by itself after five minutes.
        timeout: false,
        signal: signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]),
      });
      options.answeredBy?.(response.headers.get("x-constel-version"));
      const body = await bodyOf(response, path, silence);
      if (!response.ok || isLateFailure(response, body)) throw fromWire(body);
      return body;
    } finally {
      silence.end();
    }
  }
}

/** Ends a call when nothing was heard for so long. */
class Silence {
  readonly #ms: number;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout>;

  constructor(ms: number) {
    this.#ms = ms;
    this.#timer = this.#wait();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    this.end();
    this.#timer = this.#wait();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #wait(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#controller.abort(new Error(`it said nothing for ${this.#ms} ms`)), this.#ms);
  }
}

/** Bun's own refusals (a body past all limits) and daemons killed in mid-sentence answer something else than JSON. */
async function bodyOf(response: Response, path: string, silence: Silence): Promise<unknown> {
  let text: string;
  try {
    // Only an answer that began before it was known comes in pieces worth listening to; going through a stream costs as much as the call.
    text = response.headers.has(slowHeader) ? await textInPieces(response, silence) : await response.text();
  } catch (cause) {
    throw new Outage("call the daemon at", path, cause, { mayRetry: true });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Outage("call the daemon at", path, `it answered ${response.status} and no JSON`);
  }
}

async function textInPieces(response: Response, silence: Silence): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body ?? []) {
    silence.heard();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** An answer that had to begin before it was known has its failure in the body. */
function isLateFailure(response: Response, body: unknown): boolean {
  const isSlow = response.headers.has(slowHeader);
  return isSlow && typeof body === "object" && body !== null && "error" in body;
}

export async function request(path: string, route: string, init: BunFetchRequestInit = {}): Promise<Response> {
  try {
    return await withShortPath(path, (unix) => fetch(`http://constel${route}`, { ...init, unix }));
  } catch (cause) {
    if (isAbsent(cause)) throw new NoDaemon(path, cause);
    if (systemCode(cause) === "EPERM")
      throw new Outage("call the daemon at", path, "a sandbox forbids it; run this command outside of the sandbox");
    throw new Outage("call the daemon at", path, cause, { mayRetry: true });
  }
}

function isAbsent(cause: unknown): boolean {
  const code = systemCode(cause);
  return code === "ECONNREFUSED" || code === "ENOENT" || code === "FailedToOpenSocket" || code === "ConnectionRefused";
}
