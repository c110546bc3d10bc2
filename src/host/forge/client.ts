// The one way by which constel talks HTTP with a forge. Every call is bounded: in time, in the size of the answer, in the pages
// of a list, in tries; and all calls of one client together, in time and in bytes: forges.ts makes one for each thing it asks. Only what may be repeated is repeated. The token goes to the host it is for and to no other: a
// redirect is followed without it, once, and only for reading.
//
// The token lives in a header of the request that is under way and nowhere else. No message of ours repeats a header.

import { messageOf, Outage, Refusal } from "../../protocol/errors.ts";
import type { Clock } from "../../ports/machine.ts";

export interface ForgeClientOptions {
  readonly api: string;
  readonly host: string;
  /** The headers that let us in; asked for before each call, because a token may be renewed. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
  readonly deadlineMs?: number;
  /** For all of its calls together. */
  readonly wholeMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly next: string | undefined;
}

interface Ask {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  /** Statuses that are answers here, not failures. */
  readonly takes?: readonly number[];
  /** The answer is text. */
  readonly isText?: boolean;
}

const deadlineMs = 20_000;
const largestAnswer = 8 * 1024 * 1024;
/** Twenty pages of a list, or ten logs, must not come to hours or to gigabytes. */
const wholeMs = 120_000;
const wholeBytes = 48 * 1024 * 1024;
const tries = 3;
/** A forge that asks for a longer pause than this is asked again by the next round. */
const longestPauseMs = 5_000;
export const mostPages = 20;
export const pageSize = 50;

export class ForgeClient {
  readonly #options: ForgeClientOptions;
  readonly #untilMs: number;
  #bytesLeft = wholeBytes;

  constructor(options: ForgeClientOptions) {
    this.#options = options;
    this.#untilMs = options.clock.nowMs() + (options.wholeMs ?? wholeMs);
  }

  async get(path: string, takes: readonly number[] = []): Promise<Answer> {
    return await this.ask({ method: "GET", path, takes });
  }

  async text(path: string): Promise<string> {
    const { body } = await this.ask({ method: "GET", path, isText: true });
    return String(body);
  }

  /** Every page of a list, up to a bound; a list that is longer is an outage, because a part must not pass for all. */
  async list(path: string): Promise<unknown[]> {
    const found: unknown[] = [];
    const from = path + (path.includes("?") ? "&" : "?");
    for (let page = 1; page <= mostPages; page++) {
      const { body } = await this.get(`${from}per_page=${pageSize}&limit=${pageSize}&page=${page}`);
      if (!Array.isArray(body)) throw this.#outage("ask", path, "its answer is not a list", false);
      found.push(...(body as unknown[]));
      if (body.length < pageSize) return found;
    }
    throw this.#outage("ask", path, `its list has over ${mostPages * pageSize} entries`, false);
  }

  async ask(wish: Ask): Promise<Answer> {
    // What was sent may have been carried out though no answer came: only questions are asked again.
    const most = wish.method === "GET" ? tries : 1;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(wish);
      } catch (cause) {
        const pauseMs = cause instanceof Pause ? cause.ms : 250 * attempt;
        const failure = cause instanceof Pause ? cause.outage : cause;
        const isLast = attempt >= most || !(failure instanceof Outage) || !failure.mayRetry || pauseMs > longestPauseMs;
        if (isLast) throw failure;
        await this.#options.clock.sleep(pauseMs);
      }
    }
  }

  async #once(wish: Ask): Promise<Answer> {
    const { api, headers } = this.#options;
    const url = new URL(api.replace(/\/$/, "") + wish.path);
    const given = await headers();
    const response = await this.#fetch(wish, url, given);
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      return await this.#elsewhere(wish, new URL(location, url));
    }
    return await this.#read(wish, response);
  }

  /** Logs are kept at other hosts, under an address that lets in by itself. */
  async #elsewhere(wish: Ask, url: URL): Promise<Answer> {
    if (wish.method !== "GET" || (url.protocol !== "https:" && url.host !== new URL(this.#options.api).host))
      throw this.#outage(wish.method, wish.path, "it answers with a redirect, which is not followed", false);
    const response = await this.#fetch(wish, url, {});
    if (response.status >= 300) {
      await response.body?.cancel();
      throw this.#outage(wish.method, wish.path, `the place it points to answers ${response.status}`, false);
    }
    return await this.#read(wish, response);
  }

  async #fetch(wish: Ask, url: URL, headers: Readonly<Record<string, string>>): Promise<Response> {
    const leftMs = this.#untilMs - this.#options.clock.nowMs();
    if (leftMs <= 0) throw this.#outage(wish.method, wish.path, "it took too long over all", false);
    try {
      return await fetch(url, {
        method: wish.method,
        redirect: "manual",
        headers: {
          accept: "application/json",
          "user-agent": "constel",
          ...(wish.body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(wish.body === undefined ? {} : { body: JSON.stringify(wish.body) }),
        signal: AbortSignal.timeout(Math.min(this.#options.deadlineMs ?? deadlineMs, leftMs)),
      });
    } catch (cause) {
      throw this.#outage(wish.method, wish.path, messageOf(cause), true);
    }
  }

  async #read(wish: Ask, response: Response): Promise<Answer> {
    const { status } = response;
    const text = await this.#body(wish, response);
    if (status >= 200 && status < 300) return { status, body: this.#parsed(wish, text), next: undefined };
    if (wish.takes?.includes(status) === true) return { status, body: this.#loose(text), next: undefined };
    throw this.#complaint(wish, response, text);
  }

  async #body(wish: Ask, response: Response): Promise<string> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const piece of response.body ?? []) {
        size += piece.length;
        this.#bytesLeft -= piece.length;
        if (this.#bytesLeft < 0) throw new Error("its answers are over 48 MiB together");
        if (size > largestAnswer) {
          // Of a log only the end is wanted, and it has been long enough.
          if (wish.isText !== true) throw new Error("its answer is over 8 MiB");
          const dropped = pieces.shift();
          size -= dropped?.length ?? 0;
        }
        pieces.push(piece);
      }
    } catch (cause) {
      throw this.#outage(wish.method, wish.path, `its answer broke off: ${messageOf(cause)}`, true);
    }
    const whole = Buffer.concat(pieces);
    const said = response.headers.get("content-length");
    if (said !== null && response.headers.get("content-encoding") === null && whole.length < Number(said))
      throw this.#outage(wish.method, wish.path, "its answer broke off", true);
    return whole.toString("utf8");
  }

  #parsed(wish: Ask, text: string): unknown {
    if (wish.isText === true) return text;
    if (text.trim() === "") return undefined;
    try {
      return JSON.parse(text);
    } catch {
      throw this.#outage(wish.method, wish.path, "its answer is cut off or not JSON", true);
    }
  }

  #loose(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  #complaint(wish: Ask, response: Response, text: string): unknown {
    const { status, headers } = response;
    const said = saidIn(this.#loose(text));
    const why = `${status}${said === "" ? "" : `: ${said}`}`;
    const pauseMs = this.#pauseOf(headers);
    const isLimit =
      status === 429 ||
      (status === 403 &&
        (headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after") || /rate limit/i.test(said)));
    if (isLimit || status >= 500) {
      const what = isLimit ? `it asks us to wait (${why})` : `it answers ${why}`;
      return new Pause(this.#outage(wish.method, wish.path, what, true), pauseMs ?? (isLimit ? 60_000 : 250));
    }
    const { host } = this.#options;
    if (status === 401 || status === 403)
      return new Refusal("forge.denied", `${host} does not let us ${wish.method} ${pathOnly(wish.path)} (${why})`, {
        host,
        status,
      });
    if (status === 404)
      return new Refusal("forge.unknown", `${host} has nothing at ${pathOnly(wish.path)}, or does not show it to us`, {
        host,
        status,
      });
    return new Refusal("forge.refused", `${host} refuses ${wish.method} ${pathOnly(wish.path)} (${why})`, {
      host,
      status,
    });
  }

  /** The pause that the forge asks for. */
  #pauseOf(headers: Headers): number | undefined {
    const after = headers.get("retry-after");
    const { clock } = this.#options;
    if (after !== null) {
      const seconds = Number(after);
      const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - clock.nowMs();
      return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
    }
    const reset = Number(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? Number.NaN);
    return headers.get("x-ratelimit-remaining") === "0" && Number.isFinite(reset)
      ? Math.max(0, reset * 1000 - clock.nowMs())
      : undefined;
  }

  #outage(method: string, path: string, why: string, mayRetry: boolean): Outage {
    return new Outage(method === "GET" ? "ask" : "tell", `${this.#options.host}${pathOnly(path)}`, why, { mayRetry });
  }
}

/** An outage after which the forge wants to be left alone for a while. */
class Pause {
  readonly outage: Outage;
  readonly ms: number;

  constructor(outage: Outage, ms: number) {
    this.outage = outage;
    this.ms = ms;
  }
}

const pathOnly = (path: string): string => path.split("?")[0] ?? "";

function saidIn(body: unknown): string {
  const { message, error } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const said = message ?? error;
  const text = typeof said === "string" ? said : said === undefined ? "" : JSON.stringify(said);
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, " ").slice(0, 300);
}
