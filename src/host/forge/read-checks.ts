// What checks come to. Every forge has its own words for a check; the verdict over all of them, and how much is kept of the red
// ones, is the same everywhere. A word that is not known counts as still running: it is never a yes.

import { type Checks, type RedCheck, tailOf } from "../../ports/forge.ts";
import type { ForgeClient } from "./client.ts";

export interface ReadCheck {
  readonly name: string;
  readonly url: string;
  readonly state: "green" | "red" | "pending";
  /** The end of its log. Asked only of red ones. */
  readonly tail: () => Promise<string> | string;
}

/** A thousand red checks say no more than ten. */
const mostRed = 10;

export async function checksOf(all: readonly ReadCheck[]): Promise<Checks> {
  const red: RedCheck[] = [];
  for (const one of all.filter(({ state }) => state === "red").slice(0, mostRed))
    red.push({ name: one.name.slice(0, 500), url: one.url, tail: tailOf(await one.tail()) });
  if (all.length === 0) return { state: "none", red };
  if (red.length > 0) return { state: "red", red };
  return { state: all.every(({ state }) => state === "green") ? "green" : "pending", red };
}

/** A word in one of the two lists, or a check that still runs. */
export const stateIn =
  (words: { readonly green: readonly string[]; readonly red: readonly string[] }) =>
  (word: string): ReadCheck["state"] =>
    words.green.includes(word) ? "green" : words.red.includes(word) ? "red" : "pending";

/** The log at this address. Empty where it is not shown to us, or not any more. */
export async function logAt(client: ForgeClient, path: string): Promise<string> {
  try {
    return tailOf(await client.text(path));
  } catch {
    return "";
  }
}
