// Codex's terminal: its title tells work and questions, its screen the rest.

import type { Screen } from "../../../ports/runtime.ts";
import type { Glance } from "../judge-status.ts";
import type { InputLine } from "../paste.ts";

/** At rest the title is just a name, which a shell could have set as well: that proves nothing. */
export function readCodexTitle(title: string): Glance | undefined {
  if (title.includes("Action Required")) return { state: "waiting", says: "its title says Action Required" };
  if (/^[\u2801-\u28ff]/.test(title)) return { state: "busy", says: "its title shows the spinner" };
  return undefined;
}

export function readCodexScreen(screen: Screen): Glance | undefined {
  const lines = screen.text.split("\n").map((line) => line.trimEnd());
  const last = lines.filter((line) => line !== "").slice(-12);
  // A dialog too, but one that nobody's permission answers.
  if (
    last.some((line) => /^[\s›>]+(?:\d\. )?Sign in with|Welcome to Codex/.test(line)) &&
    promptAt(lines) === undefined
  ) {
    return { state: "logged-out", says: "the screen asks for a login" };
  }
  if (isDialog(lines)) return { state: "waiting", says: "a dialog stands on the screen" };
  if (last.some((line) => line.includes("esc to interrupt")))
    return { state: "busy", says: "the screen says esc to interrupt" };
  return promptAt(lines) === undefined
    ? undefined
    : { state: "idle", says: "the screen shows its input line and no work" };
}

/** An empty line holds a hint, and the cursor before it. */
export function codexInputLine(screen: Screen): InputLine {
  const lines = screen.text.split("\n").map((line) => line.trimEnd());
  if (isDialog(lines)) return "dialog";
  const at = promptAt(lines);
  if (at === undefined) return "none";
  return screen.cursorY === at && screen.cursorX <= 2 ? "empty" : "filled";
}

/** A choice with a number, and below it the keys that answer; a line to type in below it makes it a message of the conversation. */
function isDialog(lines: readonly string[]): boolean {
  const last = lines.filter((line) => line !== "").slice(-16);
  const chosen = last.findLastIndex((line) => /^\s*[›>] \d+\. /.test(line));
  const below = last.slice(chosen + 1);
  return (
    chosen >= 0 &&
    !below.some((line) => /^›( |$)/.test(line)) &&
    below.some((line) =>
      /\b(?:enter|esc)\b.{0,20}\b(?:confirm|select|continue|submit|cancel|back|quit|choose|accept|dismiss|close)\b/i.test(
        line,
      ),
    )
  );
}

/** The row of the prompt sign: the last one, for earlier messages are shown with the same sign. */
function promptAt(lines: readonly string[]): number | undefined {
  const at = lines.findLastIndex((line) => /^›( |$)/.test(line));
  // Below it stand the rest of a long input and a short footer, never a conversation.
  return at < 0 || lines.slice(at + 1).some((line) => /^[•■✗└]/.test(line)) ? undefined : at;
}
