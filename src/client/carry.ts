// Carries one call over a connection and makes its answer or its failure of what comes back. socket.ts has the daemon of this machine at the other
// end, remote.ts one elsewhere.

import { Outage } from "../protocol/errors.ts";
import { fromWire, slowHeader, warningHeader } from "../protocol/wire.ts";
import type { Answer } from "./answer-reader.ts";
import type { Question } from "./connection.ts";

/** A daemon that hangs must not make its callers hang. One that works on something long says so every few seconds. */
const defaultSilenceMs = 60_000;

export interface Carrier {
  /** The place that is called, as an outage names it. */
  readonly place: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Hears what the caller should know beside the answer. */
  readonly warned?: ((warning: string) => void) | undefined;
  /** `begun` is told how to give up. */
  ask(question: Question, begun: (giveUp: (why: unknown) => void) => void): Promise<Answer>;
}

interface Call {
  readonly route: string;
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
  /** The time for which the daemon may say nothing at all. */
  readonly silenceMs: number | undefined;
}

export async function carryCall(carrier: Carrier, { route, input, signal, silenceMs }: Call): Promise<unknown> {
  const silence = new Silence(silenceMs ?? defaultSilenceMs);
  const leave = (): void => silence.giveUp(signal?.reason);
  try {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", leave, { once: true });
    const question = { route, headers: carrier.headers, body: JSON.stringify(input), heard: silence.heard };
    const answer = await carrier.ask(question, silence.begins);
    const body = bodyOf(answer, carrier.place);
    // An answer that had to begin before it was known has its failure in the body.
    const isOk = answer.status >= 200 && answer.status < 300;
    if (!isOk || (answer.headers.has(slowHeader) && isFailure(body))) throw fromWire(body);
    const warning = answer.headers.get(warningHeader);
    if (warning !== undefined) carrier.warned?.(warning);
    return body;
  } finally {
    signal?.removeEventListener("abort", leave);
    silence.end();
  }
}

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
function bodyOf({ text, status }: Answer, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Outage("call the daemon at", place, `it answered ${status} and no JSON`);
  }
}

const isFailure = (body: unknown): boolean => typeof body === "object" && body !== null && "error" in body;
