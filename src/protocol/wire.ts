// Defines how failures cross the local API: a refusal keeps its code and facts, an outage its nature, a bug only its message.

import { catalogue, type RefusalCode } from "./catalogue.ts";
import { type Facts, messageOf, Outage, outageOf, Refusal } from "./errors.ts";

/** The header that says which process a request is from: the pass it was given (daemon/door/passes.ts). */
export const passHeader = "x-constel-pass";
/** The header that says whom the caller claims to act for. */
export const actorHeader = "x-constel-actor";

interface WireError {
  readonly error: {
    readonly kind: "refusal" | "outage" | "bug";
    readonly message: string;
    readonly code?: string;
    readonly facts?: Facts;
    readonly hint?: string;
    readonly operation?: string;
    readonly target?: string;
    readonly mayRetry?: boolean;
  };
}

export function toWire(cause: unknown): WireError {
  if (cause instanceof Refusal) {
    const { message, code, facts, hint } = cause;
    return { error: { kind: "refusal", message, code, facts, hint } };
  }
  const outage = outageOf(cause);
  if (outage !== undefined) {
    const { message, operation, target, mayRetry } = outage;
    return { error: { kind: "outage", message, operation, target, mayRetry } };
  }
  return { error: { kind: "bug", message: messageOf(cause) } };
}

export function fromWire(body: unknown): Error {
  const error = (body as Partial<WireError> | null)?.error;
  if (error?.kind === "refusal" && error.code !== undefined && Object.hasOwn(catalogue, error.code)) {
    return new Refusal(error.code as RefusalCode, error.message, error.facts, error.hint);
  }
  if (error?.kind === "outage") {
    const prefix = `${error.operation} ${error.target}: `;
    const cause = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
    return new Outage(error.operation ?? "call", error.target ?? "daemon", cause, {
      mayRetry: error.mayRetry ?? false,
    });
  }
  return new Error(error?.message ?? `the daemon answered ${JSON.stringify(body)}`);
}

/**
 * What takes longer than this is answered in two parts: the headers now, and blanks until the answer is known, so that the
 * caller can tell a daemon that works from one that hangs. The failure of such an answer comes in the body alone.
 */
export const keepAliveMs = 5_000;
export const slowHeader = "x-constel-slow";
/** The header of an answer that says what its caller should know beside it, in plain ASCII. */
export const warningHeader = "x-constel-warning";

/** The HTTP status of a failure, for the doors that speak HTTP. */
export function statusOf(cause: unknown): number {
  if (outageOf(cause) !== undefined) return 503;
  if (!(cause instanceof Refusal)) return 500;
  const special: Partial<Record<RefusalCode, number>> = {
    "http.unauthorised": 401,
    "http.no-code": 401,
    "http.foreign-host": 403,
    "http.foreign-origin": 403,
    "http.too-large": 413,
    "http.too-many": 429,
    "operation.unknown": 404,
    "store.corrupt": 503,
    "store.lost": 503,
    "store.not-written": 503,
  };
  return special[cause.code] ?? (catalogue[cause.code].exit === "usage" ? 400 : 409);
}
