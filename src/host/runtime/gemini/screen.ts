// Gemini CLI's terminal: its title tells work and questions, its screen the rest.

import type { Screen } from "../../../ports/runtime.ts";
import type { Glance } from "../judge-status.ts";
import type { InputLine } from "../paste.ts";

/** It says Ready before it shows an input line, so that word alone is not taken for idle. */
export function readGeminiTitle(title: string): Glance | undefined {
  if (title.startsWith("✦") || title.startsWith("⏲")) return { state: "busy", says: "its title says Working" };
  if (title.startsWith("✋")) return { state: "waiting", says: "its title says Action Required" };
  return undefined;
}

export function readGeminiScreen(screen: Screen): Glance | undefined {
  const lines = screen.text.split("\n").map((line) => line.trimEnd());
  const limit = lines.find((line) => line.startsWith("│ Usage limit reached for "));
  if (isDialog(lines) && limit !== undefined) return { state: "limited", says: limit.replaceAll("│", "").trim() };
  // A dialog too, but one that nobody's permission answers.
  if (asksForLogin(lines)) return { state: "logged-out", says: "the screen asks for a login" };
  const question = questionOn(lines);
  if (isDialog(lines) && question !== undefined) return { state: "waiting", says: `asks: ${question}` };
  if (isDialog(lines)) return { state: "waiting", says: "a dialog stands on the screen" };
  const last = lines.filter((line) => line !== "").slice(-12);
  if (last.some((line) => line.includes("esc to cancel,")))
    return { state: "busy", says: "the screen says esc to cancel" };
  return promptAt(lines) === undefined
    ? undefined
    : { state: "idle", says: "the screen shows its input line and no work" };
}

/** An empty line holds a hint, and the cursor before it. */
export function geminiInputLine(screen: Screen): InputLine {
  const lines = screen.text.split("\n").map((line) => line.trimEnd());
  if (isDialog(lines)) return "dialog";
  const at = promptAt(lines);
  if (at === undefined) return "none";
  if ((lines[at] ?? "").includes("Type your message or @path/to/file")) return "empty";
  return screen.cursorY === at && screen.cursorX <= 3 ? "empty" : "filled";
}

function isDialog(lines: readonly string[]): boolean {
  const last = lines.filter((line) => line !== "").slice(-16);
  return last.some((line) => /^[│\s]*● \d+\. /.test(line));
}

/** Returns the agent's question to its user: the first words in a frame of that name. */
function questionOn(lines: readonly string[]): string | undefined {
  const top = lines.findLastIndex((line) => /^\s*╭─+/.test(line));
  const framed = lines.slice(top + 1).map((line) => line.replaceAll("│", "").trim());
  return framed[0] === "Answer Questions"
    ? framed
        .slice(1)
        .find((line) => line !== "")
        ?.slice(0, 300)
    : undefined;
}

/** In the frame that ends the screen, and with no line to type in below: a conversation may hold the same words. */
function asksForLogin(lines: readonly string[]): boolean {
  const last = lines.filter((line) => line !== "").slice(-24);
  return (
    promptAt(lines) === undefined &&
    last.some((line) => /^[│\s]*(?:How would you like to authenticate|Enter Gemini API Key)/.test(line))
  );
}

/** The prompt sign stands a few rows above the footer, below the last rule. */
function promptAt(lines: readonly string[]): number | undefined {
  const rule = lines.findLastIndex((line) => /^[─▄▀]{20,}/.test(line));
  if (rule < 0) return undefined;
  const at = lines.findIndex((line, index) => index > rule && /^ [>*!] /.test(line));
  return at < 0 ? undefined : at;
}
