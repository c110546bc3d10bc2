// Typing a message into a terminal so that it is known what became of it. The text is pasted only when the agent is idle and
// shows an empty input line, Enter is pressed only when it still is and the text is seen to stand there, and `delivered` is said
// only when the program's own transcript or hook shows the turn. A busy agent may ask for permission at any moment, and our
// Enter would be its yes: so nothing is typed into one.

import { LRUCache } from "lru-cache";
import type { Clock } from "../../ports/machine.ts";
import {
  type AgentStatus,
  type Delivery,
  type OutgoingMessage,
  type Pane,
  type Permissions,
  type Proof,
  type Screen,
} from "../../ports/runtime.ts";
import { markedText, messageMark } from "../../protocol/message-marks.ts";

/** The state of the line where a person would type. */
export type InputLine = "empty" | "filled" | "dialog" | "none";

export interface PasteTarget {
  readonly pane: Pane;
  readonly clock: Clock;
  readonly inputLine: (screen: Screen) => InputLine;
  readonly proof: () => Promise<Proof | undefined>;
  /** Says why nothing may be typed now. Undefined when the agent is idle, or never asks. */
  readonly unsafe: () => Promise<string | undefined>;
}

const lookMs = 50;
/** The time a program may take to show pasted text; 20 KB took well under a second in each of them. */
const shownMs = 5000;
/** Enter is pressed again when the text still stands there: some programs drop it while they redraw. */
const pressAgainMs = 1500;
const presses = 4;

export async function pasteWithProof(target: PasteTarget, message: OutgoingMessage): Promise<Delivery> {
  const { pane, clock } = target;
  const before = await pane.capture();
  if (before.dead) return unknown(false, "the terminal's program has ended");
  const line = target.inputLine(before);
  // An earlier try may have left it there unsubmitted.
  const stands = line === "filled" && isShown(before, message.id);
  const reason = (stands ? undefined : notNow[line]) ?? (await target.unsafe());
  if (reason !== undefined) return unknown(false, reason);
  if (before.inMode) await pane.leaveMode();
  if (!stands) await pane.paste(markedText(message.id, message.text));

  const startedMs = clock.monotonicMs();
  const left = (): number => message.proofMs - (clock.monotonicMs() - startedMs);
  const hindered = await untilSubmittable(target, message.id, Math.min(shownMs, Math.max(left(), lookMs)));
  if (hindered !== undefined) return unsubmitted(`pasted, but not ${hindered}`);
  await pane.enter();
  let pressed = 1;
  let pressedMs = clock.monotonicMs();
  let last: InputLine = "filled";
  for (;;) {
    const proof = await target.proof();
    if (proof !== undefined) {
      shownAs.delete(message.id);
      return { state: "delivered", way: "paste", proof };
    }
    if (left() <= 0) return last === "filled" ? unsubmitted(stillOpen[last]) : unknown(true, stillOpen[last]);
    const screen = await pane.capture();
    if (screen.dead) return unknown(true, "the program ended before the turn began");
    last = target.inputLine(screen);
    if (last === "filled" && pressed < presses && clock.monotonicMs() - pressedMs > pressAgainMs) {
      if (screen.inMode) await pane.leaveMode();
      if ((await target.unsafe()) === undefined) await pane.enter();
      pressed++;
      pressedMs = clock.monotonicMs();
    }
    await clock.sleep(lookMs);
  }
}

/** For an adapter's `unsafe`: an agent that may ask is typed to only while it is idle (or limited, which is idle too). */
export function unsafeIn(status: AgentStatus, permissions: Permissions): string | undefined {
  if (status.state === "idle" || status.state === "limited") return undefined;
  if (status.state === "busy" && permissions === "all") return undefined;
  return `the agent is ${status.state} (${status.rests.says}); nothing was typed`;
}

/**
 * The text that stands for a long paste of ours on the input line, by message. Programs show `[Pasted Content 2240 chars]` or the like
 * instead of the text, so its mark cannot be seen.
 */
const shownAs = new LRUCache<string, string>({ max: 1000 });

function isShown(screen: Screen, messageId: string): boolean {
  const signs = [messageMark(messageId), shownAs.get(messageId)];
  // Behind it stands nothing but perhaps the frame: what somebody typed there would be sent along.
  return lastLines(screen)
    .split("\n")
    .map((line) => line.replace(/(?<![\s│┃|])[\s│┃|]+$/u, ""))
    .some((line) => signs.some((sign) => sign !== undefined && line.endsWith(sign)));
}

function noteHowShown(screen: Screen, messageId: string): void {
  const sign = /\[Pasted [^\]\n]*\]/i.exec(lastLines(screen))?.[0];
  if (sign !== undefined) shownAs.set(messageId, sign);
}

/** Returns the lines that hold an input line of a few rows and its footer. */
function lastLines(screen: Screen): string {
  return screen.text.trimEnd().split("\n").slice(-8).join("\n");
}

function unsubmitted(reason: string): Delivery {
  return { state: "unknown", way: "paste", sent: true, unsubmitted: true, reason };
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

/** Waits until the text stands on the input line and Enter may be pressed; answers what never came about. */
async function untilSubmittable(target: PasteTarget, messageId: string, withinMs: number): Promise<string | undefined> {
  const startedMs = target.clock.monotonicMs();
  for (;;) {
    const screen = await target.pane.capture();
    const line = screen.dead ? "none" : target.inputLine(screen);
    if (line === "filled") noteHowShown(screen, messageId);
    // A program that has just come back shows for a moment that it works.
    const unsafe = line === "filled" ? await target.unsafe() : undefined;
    if (line === "filled" && unsafe === undefined) return undefined;
    if (target.clock.monotonicMs() - startedMs > withinMs)
      return unsafe === undefined ? `seen on the input line (${line})` : `submitted: ${unsafe}`;
    await target.clock.sleep(lookMs);
  }
}
