// How constel says no. A refusal is an expected no with a stable code; an outage is the machine failing;
// anything else that is thrown is a bug. Codes are promises, wording is not.

import { catalogue, type RefusalCode } from "./catalogue.ts";

export type Facts = Readonly<Record<string, unknown>>;

export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly facts: Facts;
  readonly hint: string;

  constructor(code: RefusalCode, message: string, facts: Facts = {}, hint?: string) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.facts = facts;
    this.hint = hint ?? catalogue[code].hint;
  }
}

/** The machine failed: names the operation and its target, keeps the cause, says whether trying again may help. */
export class Outage extends Error {
  readonly operation: string;
  readonly target: string;
  readonly mayRetry: boolean;

  constructor(operation: string, target: string, cause: unknown, options: { mayRetry?: boolean } = {}) {
    super(`${operation} ${target}: ${messageOf(cause)}`, { cause });
    this.name = "Outage";
    this.operation = operation;
    this.target = target;
    this.mayRetry = options.mayRetry ?? false;
  }
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** The system error code (ENOENT, EACCES…) of a failed call, if it has one. */
export function systemCode(cause: unknown): string | undefined {
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
