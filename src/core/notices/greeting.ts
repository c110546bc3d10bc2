// The join packet for a session that a person started. Its first hook runs before the daemon has ever heard of it, so that nothing can lie ready
// for it then: it is told at its next prompt what others are told when they start, once.

import type { HearItem } from "../../protocol/hear.ts";
import type { Guest } from "./scene.ts";

/** A session that has been at work for so long is past its beginning. */
const withinMs = 3_600_000;

/** The item without its words; undefined when it is not owed one. Whether it was told already, its mark says. */
export function greetingFor(ungreeted: Guest["ungreeted"], nowMs: number): Omit<HearItem, "text"> | undefined {
  // A start may lie ahead when the clock was set back.
  if (ungreeted === undefined || Math.abs(nowMs - ungreeted.sinceMs) > withinMs) return undefined;
  const { session, sinceMs } = ungreeted;
  return { id: `join-${sinceMs.toString(36)}`, at: ["prompt"], files: [], to: session };
}
