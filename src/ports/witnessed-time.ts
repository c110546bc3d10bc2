// The time that was seen to pass, beside the time that the wall clock says. Within one boot of the machine its own count of
// uptime tells, suspension included; how long it was switched off nobody can tell. A wall clock that is ahead of what passed by
// more than that allows has jumped, and is not believed until it has gone on steadily for a week or the owner confirms it
// (docs/decisions/0063-a-clock-that-jumped.md). Pure: host/clock keeps it for a home, and the fake clock for a test.

export interface Moment {
  /** Names this boot of the machine. */
  readonly boot: string;
  /** Since that boot, also while the machine was suspended. */
  readonly upMs: number;
  readonly wallMs: number;
}

export interface Witnessed extends Moment {
  /** The latest time that is believed. */
  readonly reachedMs: number;
  readonly jump?: Jump | undefined;
}

export interface Jump {
  /** The time on the wall clock when it was first seen so. Everything made since is measured by the wall clock. */
  readonly fromMs: number;
  /** The time by which the wall clock is ahead of the believed time; below zero, it is behind. */
  readonly aheadMs: number;
  /** For how long it has gone on steadily. */
  readonly steadyMs: number;
}

/** A time server, a slow machine and summer time stay below this. */
export const allowedMs = 3_600_000;
/** A machine is switched off over a weekend or a short holiday. */
export const allowedOffMs = 7 * 86_400_000;
export const believedAfterMs = 7 * 86_400_000;

export function witness(before: Witnessed | undefined, now: Moment): Witnessed {
  if (before === undefined) return { ...now, reachedMs: now.wallMs };
  const isSameBoot = before.boot === now.boot;
  // Of the time before another boot nothing is known; since then, its uptime passed at least.
  const passedMs = isSameBoot ? Math.max(0, now.upMs - before.upMs) : now.upMs;
  const expectedMs = before.reachedMs + passedMs;
  const aheadMs = now.wallMs - expectedMs;
  const { jump } = before;
  if (aheadMs <= (isSameBoot ? allowedMs : allowedOffMs) && aheadMs >= -allowedMs)
    return { ...now, reachedMs: Math.max(expectedMs, now.wallMs) };
  const slackMs = isSameBoot ? allowedMs : allowedOffMs;
  const isSteady = jump !== undefined && Math.abs(aheadMs - jump.aheadMs) <= slackMs;
  if (!isSteady) return { ...now, reachedMs: expectedMs, jump: { fromMs: now.wallMs, aheadMs, steadyMs: 0 } };
  const steadyMs = jump.steadyMs + passedMs;
  if (steadyMs >= believedAfterMs) return { ...now, reachedMs: now.wallMs };
  return { ...now, reachedMs: expectedMs, jump: { ...jump, aheadMs, steadyMs } };
}

/** The owner says that the wall clock is right. */
export const believe = (now: Moment): Witnessed => ({ ...now, reachedMs: now.wallMs });

/** The present for something made at `madeMs`, or long ago. Never ahead of the wall. */
export function settledMs({ wallMs, reachedMs, jump }: Witnessed, madeMs = -Infinity): number {
  return jump !== undefined && madeMs >= jump.fromMs ? wallMs : Math.min(wallMs, reachedMs);
}
