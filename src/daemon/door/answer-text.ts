// The text of an answer. A list of ten thousand tasks takes a tenth of a second to write out, so long lists are written a part at a time and
// others have their turn in between.

import { letOthers } from "../../ports/turns.ts";

/** Shorter lists are written in a few milliseconds. */
const longList = 500;
const itemsAtOnce = 100;

/** As `JSON.stringify` has it; later, where the answer holds a long list. */
export function answerText(answer: unknown): string | Promise<string> {
  return hasLongList(answer) ? inParts(answer) : JSON.stringify(answer);
}

type Answer = Readonly<Record<string, unknown>>;

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length >= longList;

function hasLongList(answer: unknown): answer is Answer {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return false;
  return Object.values(answer).some(isLong);
}

async function inParts(answer: Answer): Promise<string> {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue;
    const text = isLong(value) ? await listText(value) : JSON.stringify(value);
    fields.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${fields.join(",")}}`;
}

async function listText(list: readonly unknown[]): Promise<string> {
  const parts: string[] = [];
  for (let from = 0; from < list.length; from += itemsAtOnce) {
    await letOthers();
    parts.push(JSON.stringify(list.slice(from, from + itemsAtOnce)).slice(1, -1));
  }
  return `[${parts.join(",")}]`;
}
