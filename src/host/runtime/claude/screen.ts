// Claude Code's terminal, read as the last resort and before typing.

import type { Screen } from "../../../ports/runtime.ts";
import type { Glance } from "../judge-status.ts";
import type { InputLine } from "../paste.ts";

/** Its title does not tell the state. */
export function readClaudeTitle(): undefined {
  return undefined;
}

export function readClaudeScreen(screen: Screen): Glance | undefined {
  const lines = screen.text.split("\n").map((line) => line.trimEnd());
  const last = lines.filter((line) => line !== "").slice(-30);
  if (isDialog(last)) return { state: "waiting", says: "a dialog stands on the screen" };
  if (last.some((line) => /Select login method|Please run \/login|Paste code here if prompted/.test(line))) {
    return { state: "logged-out", says: "the screen asks for a login" };
  }
  if (saysLoggedOut(lines)) return { state: "logged-out", says: "the screen says: Not logged in", sure: true };
  const foot = last.slice(-4).join("\n");
  if (/^✻ Waiting for \d+ background agents? to finish/m.test(last.join("\n")))
    return { state: "busy", says: "the screen says that agents of its own work in the background" };
  if (/esc to interrupt/.test(foot)) return { state: "busy", says: "the screen says esc to interrupt" };
  if (inputBox(lines) !== undefined) return { state: "idle", says: "the screen shows its input line and no work" };
  return undefined;
}

/** To the right: right above the input line, or below it where the mode stands there. A conversation reaches neither place. */
function saysLoggedOut(lines: readonly string[]): boolean {
  const box = inputBox(lines);
  if (box === undefined) return false;
  const words = /^(?:.*\s{2})?Not logged in · (?:Please run|Run) \/login$/;
  const above = lines[box.from - 2] ?? "";
  const below = lines.slice(box.to + 1, box.to + 4);
  return (above.startsWith("    ") && words.test(above)) || below.some((line) => words.test(line));
}

/**
 * Reads the line where a person would type: between the last two rules, after the prompt sign. An empty line has the cursor right after
 * it.
 */
export function claudeInputLine(screen: Screen): InputLine {
  const lines = screen.text.split("\n").map((line) => line.trimEnd());
  if (isDialog(lines.filter((line) => line !== "").slice(-30))) return "dialog";
  const box = inputBox(lines);
  if (box === undefined) return "none";
  if (box.to - box.from > 1) return "filled";
  // Hints stand in an empty line too, but the cursor stays before them.
  const typed = (lines[box.from] ?? "").replace(/^[❯>!#]\s?/, "");
  return typed === "" || (screen.cursorY === box.from && screen.cursorX <= 2) ? "empty" : "filled";
}

function isDialog(lines: readonly string[]): boolean {
  const text = lines.join("\n");
  const isNumbered =
    /^[^\S\n]*❯ \d+\. /m.test(text) &&
    /Esc to cancel|Enter to (?:select|confirm)|Tab to amend|esc to reject|Do you want|Do you trust/i.test(text);
  // Without numbers, what ends the screen is the key to press.
  return (
    isNumbered || (/^[^\S\n]*❯ \S/m.test(text) && /^\s*Enter to (?:select|confirm) · Esc to/.test(lines.at(-1) ?? ""))
  );
}

function inputBox(lines: readonly string[]): { from: number; to: number } | undefined {
  const rules = lines.flatMap((line, index) => (/^[─╌]{10,}/.test(line) && /─{10,}$/.test(line) ? [index] : []));
  const [top, bottom] = rules.slice(-2);
  if (top === undefined || bottom === undefined || bottom - top < 2) return undefined;
  return /^[❯>!#]/.test(lines[top + 1] ?? "") ? { from: top + 1, to: bottom } : undefined;
}
