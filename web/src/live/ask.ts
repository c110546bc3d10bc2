// Asks the daemon for an operation, as every door does: what is shown and done here is an operation, with the authority of the token.

import type { InputOf, OutputOf } from "../../../src/protocol/operation.ts";
import type { operations } from "../../../src/protocol/operations/all.ts";
import { storedSession } from "./session.ts";

export type Operations = typeof operations;
export type OperationName = keyof Operations;
export type Answer<Name extends OperationName> = OutputOf<Operations[Name]>;
export type Input<Name extends OperationName> = InputOf<Operations[Name]>;

/** An expected no, with its stable code and a hint. */
export class Refused extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  constructor(code: string, message: string, hint: string | undefined) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
/** Nobody answered: what is shown is as old as it was. */
export class NobodyAnswers extends Error {}
/** The token is over: only another link helps. */
export class SessionOver extends Error {}

const patienceMs = 30_000;

export async function ask<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  return (await askByName(name, input, signal)) as Answer<Name>;
}

export async function askByName(name: string, input: unknown, signal?: AbortSignal): Promise<unknown> {
  const deadline = AbortSignal.timeout(patienceMs);
  let response: Response;
  try {
    response = await fetch(`/op/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...bearer() },
      body: JSON.stringify(input),
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw new NobodyAnswers(deadline.aborted ? "the daemon did not answer in time" : "the daemon does not answer");
  }
  // A slow answer begins with blanks, and its failure comes in the body alone.
  const body = (await response.json().catch(() => undefined)) as { error?: WireFailure } | undefined;
  if (body?.error === undefined && response.ok) return body;
  throw failureOf(response.status, body?.error);
}

export function bearer(): Record<string, string> {
  const session = storedSession();
  return session === undefined ? {} : { authorization: `Bearer ${session.token}` };
}

interface WireFailure {
  readonly kind?: string;
  readonly message?: string;
  readonly code?: string;
  readonly hint?: string;
}

function failureOf(status: number, error: WireFailure | undefined): Error {
  const message = error?.message ?? `the daemon answered ${status}`;
  if (status === 401) return new SessionOver(message);
  return error?.code === undefined ? new Error(message) : new Refused(error.code, message, error.hint);
}
