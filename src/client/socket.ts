// Calls the daemon over its unix socket.

import type { DaemonProof } from "../ports/daemon-proof.ts";
import { Outage, Refusal } from "../protocol/errors.ts";
import { actorHeader, fromWire, slowHeader } from "../protocol/wire.ts";
import { type Caller, callerOver } from "./caller.ts";
import { Door } from "./door.ts";
import { NoDaemon } from "./no-daemon.ts";

export { NoDaemon } from "./no-daemon.ts";

export interface SocketCallerOptions {
  /** Told with each answer which version of constel the daemon is. */
  readonly answeredBy?: (version: string | null) => void;
  /** Whether what listens there is the daemon. Whoever speaks for a person or an agent asks for it. */
  readonly proof?: DaemonProof | undefined;
  /** How long the daemon may say nothing at all. */
  readonly silenceMs?: number;
}

/** A daemon that hangs must not make its callers hang. One that works on something long says so every few seconds. */
const defaultSilenceMs = 60_000;

export function socketCaller(path: string, actor: string, options: SocketCallerOptions = {}): Caller {
  const door = new Door(path, options.proof);
  const headers = { "content-type": "application/json", [actorHeader]: inAscii(actor) };
  return callerOver(async (name, input, { signal }) => {
    try {
      return await ask(name, input, signal);
    } catch (cause) {
      // Another daemon than before answers, and does not know us yet.
      const isUnknown = cause instanceof Refusal && cause.code === "identity.no-pass";
      if (!isUnknown && !(cause instanceof NoDaemon && door.wasOpen)) throw cause;
      door.close();
      return ask(name, input, signal);
    }
  });

  async function ask(name: string, input: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const silence = new Silence(options.silenceMs ?? defaultSilenceMs);
    try {
      const response = await door.request(`/op/${name}`, {
        method: "POST",
        headers,
        body: JSON.stringify(input),
        // Bun would give up by itself after five minutes.
        timeout: false,
        signal: signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]),
      });
      options.answeredBy?.(response.headers.get("x-constel-version"));
      const isSlow = response.headers.has(slowHeader);
      const body = await bodyOf(response, path, isSlow ? silence : undefined);
      // An answer that had to begin before it was known has its failure in the body.
      if (!response.ok || (isSlow && isFailure(body))) throw fromWire(body);
      return body;
    } finally {
      silence.end();
    }
  }
}

/** A header holds nothing else; what is no name stays none, and is refused as what it looks like. */
const inAscii = (name: string): string => name.replaceAll(/[^\x20-\x7e]/gu, (one) => encodeURIComponent(one));

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

/**
 * Bun's own refusals (a body past all limits) and daemons killed in mid-sentence answer something else than JSON. With `silence`, each piece of
 * it counts as heard.
 */
async function bodyOf(response: Response, path: string, silence: Silence | undefined): Promise<unknown> {
  let text: string;
  try {
    // Only an answer that began before it was known comes in pieces worth listening to; going through a stream costs as much as the call.
    text = silence === undefined ? await response.text() : await textInPieces(response, silence);
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

const isFailure = (body: unknown): boolean => typeof body === "object" && body !== null && "error" in body;
