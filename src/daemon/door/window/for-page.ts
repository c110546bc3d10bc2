// What leaves the daemon for a browser: the same answer, with every text as it may be shown. What acts on a terminal, turns the direction of
// writing or has no shape is its number, as on the command line (protocol/safe-text.ts), and a text that no page could lay out is cut.

import { forTerminal } from "../../../protocol/safe-text.ts";
import type { StoredEvent } from "../../../store/timeline.ts";
import type { StreamedEvent } from "../../../protocol/window.ts";

/** Longer than any brief, shorter than what makes a browser stutter. */
const longestText = 100_000;
/** On the stream only the head of a text is wanted: whoever wants it whole asks for it. */
const streamed = { text: 300, entries: 20, depth: 3 } as const;

export function forPage<Value>(value: Value, longest = longestText): Value {
  return shown(value, longest) as Value;
}

function shown(value: unknown, longest: number): unknown {
  if (typeof value === "string") return shownText(value, longest);
  if (Array.isArray(value)) return value.map((one) => shown(one, longest));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [shownText(name, longest), shown(one, longest)]),
  );
}

function shownText(text: string, longest: number): string {
  if (text.length <= longest) return forTerminal(text.toWellFormed());
  const left = text.length - longest;
  return `${forTerminal(text.slice(0, longest).toWellFormed())}… (${left} more characters)`;
}

/** An event as the stream carries it: it names what happened, and its details are cut to what fits a line. */
export const forStream = ({ seq, at_ms, type, subject, actor, data }: StoredEvent): StreamedEvent => ({
  seq,
  at_ms,
  type: shownText(type, streamed.text),
  subject: subject === null ? null : shownText(subject, streamed.text),
  actor: shownText(actor, streamed.text),
  data: briefly(data, streamed.depth) as Record<string, unknown>,
});

function briefly(value: unknown, depth: number): unknown {
  if (typeof value === "string") return shownText(value, streamed.text);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.slice(0, streamed.entries).map((one) => briefly(one, depth - 1));
  const entries = Object.entries(value).slice(0, streamed.entries);
  return Object.fromEntries(entries.map(([name, one]) => [shownText(name, streamed.text), briefly(one, depth - 1)]));
}
