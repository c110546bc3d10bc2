// Calls the daemon over its unix socket.

import type { DaemonProof } from "../ports/daemon-proof.ts";
import { Outage, Refusal } from "../protocol/errors.ts";
import { actorHeader, fromWire, slowHeader } from "../protocol/wire.ts";
import type { DaemonMet } from "./admission.ts";
import type { Answer } from "./answer-reader.ts";
import { type Caller, callerOver } from "./caller.ts";
import { Door } from "./door.ts";
import { NoDaemon } from "./no-daemon.ts";

export { NoDaemon } from "./no-daemon.ts";

export interface SocketCallerOptions {
  /** Hears which daemon it is before anything is asked of it, and may throw. */
  readonly meet?: (daemon: DaemonMet) => void;
  /** Proves whether what listens there is the daemon. Callers that speak for a person or an agent ask for it. */
  readonly proof?: DaemonProof | undefined;
  /** The time for which the daemon may say nothing at all. */
  readonly silenceMs?: number;
}

/** A daemon that hangs must not make its callers hang. One that works on something long says so every few seconds. */
const defaultSilenceMs = 60_000;

export function socketCaller(path: string, actor: string, options: SocketCallerOptions = {}): Caller {
  const door = new Door(path, options.proof, options.meet);
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
    const leave = (): void => silence.giveUp(signal?.reason);
    try {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", leave, { once: true });
      const question = { route: `/op/${name}`, headers, body: JSON.stringify(input), heard: silence.heard };
      const answer = await door.ask(question, silence.begins);
      const body = bodyOf(answer, path);
      // An answer that had to begin before it was known has its failure in the body.
      const isOk = answer.status >= 200 && answer.status < 300;
      if (!isOk || (answer.headers.has(slowHeader) && isFailure(body))) throw fromWire(body);
      return body;
    } finally {
      signal?.removeEventListener("abort", leave);
      silence.end();
    }
  }
}

/** A header holds nothing else; what is no name stays none, and is refused as what it looks like. */
const inAscii = (name: string): string => name.replaceAll(/[^\x20-\x7e]/gu, (one) => encodeURIComponent(one));

/** Ends a call when nothing was heard for so long. */
class Silence {
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout>;
  #end: ((why: unknown) => void) | undefined;
  /** The reason why the call was ended before it had begun. */
  #over: { readonly why: unknown } | undefined;

  constructor(ms: number) {
    this.#ms = ms;
    this.#timer = this.#wait();
  }

  readonly begins = (end: (why: unknown) => void): void => {
    this.#end = end;
    if (this.#over !== undefined) end(this.#over.why);
  };

  readonly heard = (): void => {
    this.end();
    this.#timer = this.#wait();
  };

  giveUp(why: unknown): void {
    this.#over = { why };
    this.#end?.(why);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #wait(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.giveUp(new Error(`it said nothing for ${this.#ms} ms`)), this.#ms);
  }
}

/** Bun's own refusals (a body past all limits) are something else than JSON. */
function bodyOf({ text, status }: Answer, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Outage("call the daemon at", path, `it answered ${status} and no JSON`);
  }
}

const isFailure = (body: unknown): boolean => typeof body === "object" && body !== null && "error" in body;
