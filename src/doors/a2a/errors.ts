// Maps our refusals to the errors of A2A: for JSON-RPC a number, for HTTP a status, and for both the reason as the specification names it.

import type { RefusalCode } from "../../protocol/catalogue.ts";
import { outageOf, Refusal } from "../../protocol/errors.ts";
import { timeOf } from "../../protocol/a2a-wire.ts";

export interface A2aError {
  readonly rpc: number;
  readonly http: number;
  /** As google.rpc.Status has it. */
  readonly status: string;
  /** As A2A has it; none for what every protocol has. */
  readonly reason?: string;
}

const invalid: A2aError = { rpc: -32602, http: 400, status: "INVALID_ARGUMENT" };
const internal: A2aError = { rpc: -32603, http: 500, status: "INTERNAL" };
const unsupported = { rpc: -32004, http: 400, status: "UNIMPLEMENTED", reason: "UNSUPPORTED_OPERATION" };
const denied: A2aError = { rpc: -32600, http: 403, status: "PERMISSION_DENIED" };

export const parseError: A2aError = { rpc: -32700, http: 400, status: "INVALID_ARGUMENT" };
export const notARequest: A2aError = { rpc: -32600, http: 400, status: "INVALID_ARGUMENT" };
export const noMethod: A2aError = { rpc: -32601, http: 404, status: "UNIMPLEMENTED" };

const byCode: Partial<Record<RefusalCode, A2aError>> = {
  "a2a.unknown": { rpc: -32001, http: 404, status: "NOT_FOUND", reason: "TASK_NOT_FOUND" },
  "a2a.over": unsupported,
  "a2a.landing": { rpc: -32002, http: 409, status: "FAILED_PRECONDITION", reason: "TASK_NOT_CANCELABLE" },
  "a2a.content": { rpc: -32005, http: 415, status: "INVALID_ARGUMENT", reason: "CONTENT_TYPE_NOT_SUPPORTED" },
  "a2a.version": { rpc: -32009, http: 400, status: "UNIMPLEMENTED", reason: "VERSION_NOT_SUPPORTED" },
  "a2a.off": unsupported,
  "a2a.message": invalid,
  "a2a.message-differs": invalid,
  "a2a.context-differs": invalid,
  "a2a.page": invalid,
  "a2a.push-address": invalid,
  "input.invalid": invalid,
  "secret.found": invalid,
  "a2a.too-many": { rpc: -32603, http: 429, status: "RESOURCE_EXHAUSTED" },
  "http.too-many": { rpc: -32603, http: 429, status: "RESOURCE_EXHAUSTED" },
  "http.too-large": { rpc: -32600, http: 413, status: "INVALID_ARGUMENT" },
  "http.unauthorised": { rpc: -32600, http: 401, status: "UNAUTHENTICATED" },
  "http.foreign-host": denied,
  "http.foreign-origin": denied,
  "authority.outside": denied,
  "authority.scope": denied,
};

/** Stopping what is over has a name of its own. */
const whenStopping: Partial<Record<RefusalCode, A2aError>> = {
  "a2a.over": { rpc: -32002, http: 409, status: "FAILED_PRECONDITION", reason: "TASK_NOT_CANCELABLE" },
};

export function errorOf(cause: unknown, method?: string): A2aError {
  if (cause instanceof WireError) return cause.error;
  if (cause instanceof Refusal) {
    const special = method === "CancelTask" ? whenStopping[cause.code] : undefined;
    return special ?? byCode[cause.code] ?? { rpc: -32603, http: 409, status: "FAILED_PRECONDITION" };
  }
  return outageOf(cause) === undefined ? internal : { rpc: -32603, http: 503, status: "UNAVAILABLE" };
}

/** What is wrong with the request itself, before anything of ours is asked. */
export class WireError extends Error {
  readonly error: A2aError;

  constructor(error: A2aError, message: string) {
    super(message);
    this.name = "WireError";
    this.error = error;
  }
}

/** A bug's own words stay here: they may say what is not for everybody. */
export function wordsFor(cause: unknown): string {
  if (cause instanceof WireError) return cause.message;
  if (cause instanceof Refusal) return `${cause.message}. ${cause.hint}`;
  return outageOf(cause) === undefined ? "internal error" : "temporarily out of order; try again";
}

export function detailsOf(cause: unknown, { reason }: A2aError, nowMs: number): object[] {
  const code = cause instanceof Refusal ? cause.code : undefined;
  const named = reason ?? code?.toUpperCase().replaceAll(/[.-]/g, "_");
  if (named === undefined) return [];
  const metadata = { timestamp: timeOf(nowMs), ...(code === undefined ? {} : { code }) };
  const domain = reason === undefined ? "constel" : "a2a-protocol.org";
  return [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: named, domain, metadata }];
}

export const httpFailure = (cause: unknown, nowMs: number, method?: string): Response => {
  const error = errorOf(cause, method);
  const details = detailsOf(cause, error, nowMs);
  const body = { error: { code: error.http, status: error.status, message: wordsFor(cause), details } };
  const headers = error.http === 401 ? { "www-authenticate": "Bearer" } : undefined;
  return Response.json(body, { status: error.http, ...(headers === undefined ? {} : { headers }) });
};

export const rpcFailure = (id: unknown, cause: unknown, nowMs: number, method?: string): object => {
  const error = errorOf(cause, method);
  const data = detailsOf(cause, error, nowMs);
  return {
    jsonrpc: "2.0",
    id,
    error: { code: error.rpc, message: wordsFor(cause), ...(data.length === 0 ? {} : { data }) },
  };
};
