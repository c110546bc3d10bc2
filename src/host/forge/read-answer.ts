// Reads single values out of what a forge answered. Others wrote it: a value of another kind than expected counts as missing,
// and one that must be there and is not makes the answer an outage.

import { Outage } from "../../protocol/errors.ts";

export function at(body: unknown, ...keys: readonly (string | number)[]): unknown {
  let here = body;
  for (const key of keys) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}

export function textAt(body: unknown, ...keys: readonly (string | number)[]): string {
  const value = at(body, ...keys);
  return typeof value === "string" ? value.slice(0, 200_000) : "";
}

export function listAt(body: unknown, ...keys: readonly (string | number)[]): readonly unknown[] {
  const value = at(body, ...keys);
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** A whole number that the forge counts by; an answer without it cannot be used. */
export function numberAt(body: unknown, ...keys: readonly (string | number)[]): number {
  const value = at(body, ...keys);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Outage("ask", "the forge", `its answer has no number at ${keys.join(".")}`, { mayRetry: true });
}

/** The name of a commit; anything else must never reach git. */
export function commitAt(body: unknown, ...keys: readonly (string | number)[]): string {
  const value = textAt(body, ...keys);
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value)) return value;
  throw new Outage("ask", "the forge", `its answer has no commit at ${keys.join(".")}`, { mayRetry: true });
}

/** An address that may be shown; nothing else may stand in its place. */
export function addressAt(body: unknown, ...keys: readonly (string | number)[]): string {
  const value = textAt(body, ...keys);
  return /^https?:\/\/[^\s"'<>\\]{1,2000}$/.test(value) ? value : "";
}
