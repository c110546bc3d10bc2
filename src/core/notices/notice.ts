// A notice: something addressed to one agent. It is made of parts, one for each finding, claim or event behind it, so that ten
// agents on one cause are one notice for each of them that names the nine others.
//
// A notice is `waiting` while a part of it has not been told, `told` once all were, with the hook or message that proves it,
// `handled` when its agent (or the owner) said that it is done with it or when facts say so (its own change closed the finding), and
// `withdrawn` when nothing of it holds any more for another reason.
// What was told and is over is told once more, as over; then the notice has ended. What was never told ends in silence.

import { severities, type Severity } from "../../protocol/findings.ts";
import type { AgentNoticesTable } from "../../store/tables/notices.ts";

export type NoticeState = "waiting" | "told" | "handled" | "withdrawn";
export type NoticeAbout = "finding" | "claim" | "event";

/** The reason why it is for this agent: the rule that routed it, and the fact that the rule met. */
export interface Reason {
  readonly rule: string;
  readonly fact: string;
}

export interface Part {
  /** `fnd_…`, `clm_…` or `evt_…`: what is behind it. */
  readonly source: string;
  readonly title: string;
  readonly action: string;
  /** The other side, for people: its agents and branch. Empty when there is none. */
  readonly other: string;
  readonly severity: Severity;
  /** Absolute paths in the agent's own worktree. */
  readonly files: readonly string[];
  /** The kinds of evidence it rests on now, as short hashes. */
  readonly kinds: readonly string[];
  /** Those that were told, and as how bad. */
  readonly told: readonly string[];
  readonly toldAs: Severity | null;
  /** The conversation that heard it; absent where nobody can tell. */
  readonly toldTo?: string;
  /** Nobody hears of it before. */
  readonly heardFromMs: number;
  /** An edit of `files` is to be denied while it holds. */
  readonly denies: boolean;
  /** Its agent's work lands after the other side's: should it stand idle and not hear of it, it is woken. */
  readonly wakes?: boolean;
  /** The reason why it no longer holds; null while it does. */
  readonly over: string | null;
  /** It was told, and what its agent then did ended it: that, in words. */
  readonly endedBy?: string;
}

export interface Notice extends Omit<AgentNoticesTable, "reasons" | "parts" | "state" | "severity" | "about"> {
  readonly state: NoticeState;
  readonly severity: Severity;
  readonly about: NoticeAbout;
  readonly reasons: readonly Reason[];
  readonly parts: readonly Part[];
}

/** The worst is 0. */
export const rankOf = (severity: Severity): number => severities.indexOf(severity);

export const worstOf = (some: readonly Severity[]): Severity =>
  severities.find((severity) => some.includes(severity)) ?? "context";

/** More than any kind of finding must hold before anybody hears of it. */
const longestHoldMs = 60_000;

/** There is something in it that its agent has not been told: another kind of evidence, or the same and worse. */
export function isNews(part: Part, nowMs: number): boolean {
  // Nothing waits this long to be heard: a moment so far ahead was noted before the clock was set back.
  const isEarly = nowMs < part.heardFromMs && part.heardFromMs - nowMs <= longestHoldMs;
  if (part.over !== null || isEarly) return false;
  const told = new Set(part.told);
  const isWorse = part.toldAs !== null && rankOf(part.severity) < rankOf(part.toldAs);
  return isWorse || part.kinds.some((kind) => !told.has(kind));
}

/** It was told, is over, and that has not been said yet. */
export const isFarewell = (part: Part): boolean => part.over !== null && part.told.length > 0;
