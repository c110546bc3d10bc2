// Defines how constel says no. A refusal is an expected no with a stable code; an outage is the machine failing; anything else that is
// thrown is a bug. Codes are promises, wording is not.

import type { RefusalCode } from "./catalogue.ts";

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
    this.hint = hint ?? usualHint(code);
  }
}

/** The catalogue is large and nearly every command ends without a refusal: it is loaded when the first one is made. */
function usualHint(code: RefusalCode): string {
  const { catalogue } = require("./catalogue.ts") as typeof import("./catalogue.ts");
  return catalogue[code].hint;
}

/** The machine failed: names the operation and its target, keeps the cause, says whether trying again may help. */
export class Outage extends Error {
  readonly operation: string;
  readonly target: string;
  readonly mayRetry: boolean;

  constructor(operation: string, target: string, cause: unknown, options: { mayRetry?: boolean } = {}) {
    super(`${operation} ${target}: ${inWords(cause)}`, { cause });
    this.name = "Outage";
    this.operation = operation;
    this.target = target;
    this.mayRetry = options.mayRetry ?? false;
  }
}

export const diskIsFull = "the disk is full";

/** How the machine fails, for people who do not know its codes. Rights are not among them: there the path in its own words helps most. */
const failures: Readonly<Record<string, string>> = {
  ENOSPC: diskIsFull,
  SQLITE_FULL: diskIsFull,
  EDQUOT: "this account may not fill more of the disk",
  EROFS: "this file system can only be read",
  EIO: "the disk fails to read or write",
  EMFILE: "this program has too many files open",
  ENFILE: "the machine has too many files open",
  ENOMEM: "the machine has no memory left",
};

function inWords(cause: unknown): string {
  return failures[systemCode(cause) ?? ""] ?? messageOf(cause);
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** The system error code (ENOENT, EACCES…) of a failed call, if it has one. */
export function systemCode(cause: unknown): string | undefined {
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** Rights, room, and a disk or a kernel that fails: only the machine can be blamed for these, wherever they are met. */
const machinesOwn: ReadonlySet<string> = new Set(
  "EACCES EPERM EROFS ENOSPC EDQUOT EIO EMFILE ENFILE ENOMEM ESTALE".split(" "),
);

/** The outage that a failure is, also where nobody expected the machine to fail; undefined for a refusal and for a bug. */
export function outageOf(cause: unknown): Outage | undefined {
  if (cause instanceof Outage) return cause;
  if (cause instanceof Refusal || !machinesOwn.has(systemCode(cause) ?? "")) return undefined;
  const { syscall = "use", path } = cause as { syscall?: string; path?: string };
  return new Outage(syscall, path ?? (syscall === "use" ? "the machine" : "a file"), cause);
}
