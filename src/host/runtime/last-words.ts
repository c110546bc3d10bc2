// Tells how an idle agent's last turn ended, in its own words where hooks or transcript have them, else as its screen shows. Pure.

import { screenTail } from "../../protocol/screen-tail.ts";
import type { Evidence, LastWords } from "../../ports/runtime.ts";

const longest = 300;
/** Of a screen: the input line and the line below it say little, so a few more are taken. */
const screenLines = 6;

/** The end of a text, in whole words: half of a secret is nothing that could be told as one and taken out. */
export function endOf(text: string): string {
  const whole = text.trim();
  return whole.length < longest ? whole : whole.slice(-longest).replace(/^\S*\s*/, "");
}

export function lastWordsOf({ hooks, rows, screen }: Evidence): LastWords | undefined {
  const prompts = [
    ...hooks.filter(({ event }) => event === "prompt-submitted"),
    ...rows.filter(({ kind }) => kind === "prompt"),
  ];
  const prompted = prompts.reduce((latest, { at }) => Math.max(latest, at), 0);
  const toMessage = prompts.some(({ at, messages }) => prompted - at < sameMs && (messages?.length ?? 0) > 0);
  const ends = [
    ...rows.filter(({ kind }) => kind === "answer" || kind === "turn-ended" || kind === "turn-failed"),
    ...hooks.filter(({ event, inSubagent }) => event.startsWith("turn-") && inSubagent !== true),
  ]
    // A prompt's row may be written a moment after its answer began.
    .filter(({ at, says }) => at >= prompted - sameMs && (says ?? "").trim() !== "")
    .sort((a, b) => a.at - b.at);
  const said = ends.at(-1)?.says;
  if (said !== undefined) return { text: endOf(said), said: true, toMessage };
  const text = endOf(screenTail(screen?.text ?? "", screenLines).join("\n"));
  return text === "" ? undefined : { text, said: false, toMessage };
}

/** A hook and a row about one prompt are written within this time. */
const sameMs = 2000;
