// Typing a message into a terminal so that it is known what became of it. The text is pasted only when the program shows an
// empty input line and no dialog, Enter is pressed only when the text is seen to stand there, and `delivered` is said only when
// the program's own transcript or hook shows the turn. A dialog that opens in between is never answered by our Enter.

import type { Clock } from "../../protocol/ports.ts";
import {
  type Delivery,
  markedText,
  type OutgoingMessage,
  type Pane,
  type Proof,
  type Screen,
} from "../../protocol/runtime.ts";

/** What stands where a person would type. */
export type InputLine = "empty" | "filled" | "dialog" | "none";

export interface PasteTarget {
  readonly pane: Pane;
  readonly clock: Clock;
  readonly inputLine: (screen: Screen) => InputLine;
  readonly proof: () => Promise<Proof | undefined>;
}

const lookMs = 50;
/** How long a program may take to show pasted text; 20 KB took well under a second in each of them. */
const shownMs = 5000;
/** Enter is pressed again when the text still stands there: some programs drop it while they redraw. */
const pressAgainMs = 1500;
const presses = 4;

export async function pasteWithProof(target: PasteTarget, message: OutgoingMessage): Promise<Delivery> {
  const { pane, clock } = target;
  const before = await pane.capture();
  if (before.dead) return unknown(false, "the terminal's program has ended");
  const reason = notNow[target.inputLine(before)];
  if (reason !== undefined) return unknown(false, reason);
  if (before.inMode) await pane.leaveMode();
  await pane.paste(markedText(message.id, message.text));

  const startedMs = clock.monotonicMs();
  const left = (): number => message.proofMs - (clock.monotonicMs() - startedMs);
  const shown = await see(target, (line) => line === "filled", Math.min(shownMs, Math.max(left(), lookMs)));
  if (shown !== "filled") return unknown(true, `pasted, but not seen on the input line (${shown})`);
  await pane.enter();
  let pressed = 1;
  let pressedMs = clock.monotonicMs();
  let last: InputLine = "filled";
  for (;;) {
    const proof = await target.proof();
    if (proof !== undefined) return { state: "delivered", way: "paste", proof };
    if (left() <= 0) return unknown(true, stillOpen[last]);
    const screen = await pane.capture();
    if (screen.dead) return unknown(true, "the program ended before the turn began");
    last = target.inputLine(screen);
    if (last === "filled" && pressed < presses && clock.monotonicMs() - pressedMs > pressAgainMs) {
      if (screen.inMode) await pane.leaveMode();
      await pane.enter();
      pressed++;
      pressedMs = clock.monotonicMs();
    }
    await clock.sleep(lookMs);
  }
}

function unknown(sent: boolean, reason: string): Delivery {
  return { state: "unknown", way: "paste", sent, reason };
}

const notNow: Readonly<Record<InputLine, string | undefined>> = {
  empty: undefined,
  filled: "somebody's half-typed line stands in the input; nothing was typed",
  dialog: "a dialog is open; nothing was typed",
  none: "the program shows no input line; nothing was typed",
};

const stillOpen: Readonly<Record<InputLine, string>> = {
  empty: "submitted and taken by the program, but no turn with it has begun yet (queued behind the current one)",
  filled: "typed, but it still stands unsubmitted on the input line",
  dialog: "submitted, but a dialog is open and no turn with it has begun yet",
  none: "submitted, but the program shows no input line and no turn with it has begun",
};

async function see(target: PasteTarget, wanted: (line: InputLine) => boolean, withinMs: number): Promise<InputLine> {
  const startedMs = target.clock.monotonicMs();
  for (;;) {
    const screen = await target.pane.capture();
    const line = screen.dead ? "none" : target.inputLine(screen);
    if (wanted(line) || target.clock.monotonicMs() - startedMs > withinMs) return line;
    await target.clock.sleep(lookMs);
  }
}
