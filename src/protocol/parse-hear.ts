// Reads what lies ready for an agent to hear (hear.ts). The file is small and ours, but a hook must stand whatever lies there:
// what is not understood is dropped, sizes are bounded, and characters that a terminal would obey are taken out.
//
// Imports nothing: hooks of agents load this at every tool call.

import type { Hear, HearItem, HearMoment } from "./hear.ts";

/** Past this the whole file is taken for damage. */
export const longestHearBytes = 1024 * 1024;
const mostItems = 500;
const mostFiles = 1000;
const longestPath = 4096;
const longestText = 16_000;

export const hearIdPattern = /^[A-Za-z0-9_-]{1,120}$/;

const moments: readonly string[] = ["start", "prompt", "edit", "stop"] satisfies HearMoment[];

/** Undefined when nothing of it can be used. */
export function parseHear(text: string): Hear | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined; // damaged: nothing to say
  }
  if (!isObject(given) || given["version"] !== 1) return undefined;
  const listed = Array.isArray(given["items"]) ? given["items"].slice(0, mostItems) : [];
  const items = listed.flatMap((item: unknown) => hearItem(item) ?? []);
  const join = plainText(given["join"]);
  return join === undefined ? { version: 1, items } : { version: 1, join, items };
}

/** The item as far as it is understood; undefined when it lacks something. */
export function hearItem(given: unknown): HearItem | undefined {
  if (!isObject(given)) return undefined;
  const { id, at, files, denies } = given;
  const text = plainText(given["text"]);
  if (typeof id !== "string" || !hearIdPattern.test(id) || text === undefined) return undefined;
  if (!Array.isArray(at) || !Array.isArray(files) || files.length > mostFiles) return undefined;
  // Without the one path that it cannot understand, it would be told before any edit.
  if (!files.every((file) => typeof file === "string" && file.startsWith("/") && file.length <= longestPath))
    return undefined;
  const known = at.filter((moment): moment is HearMoment => moments.includes(moment as string));
  const item = { id, at: known, files: files as string[], text };
  return denies === true ? { ...item, denies } : item;
}

/** What a terminal would obey, and what turns the direction of text around. */
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

function plainText(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return value.slice(0, longestText).replaceAll(unprintable, " ");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
