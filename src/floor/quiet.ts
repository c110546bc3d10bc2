// `constel quiet`: for a duration, until a moment, off, or show. While it holds, the watchdog calls nothing hung and
// pages that can wait are kept back. Setting it again to an earlier time replaces the later one: the last word counts.

import { parseDuration } from "../protocol/duration.ts";
import { Refusal } from "../protocol/errors.ts";
import type { Clock } from "../ports/machine.ts";
import { clearQuiet, longestQuietMs, quietUntil, setQuietUntil } from "./markers/quiet-until.ts";

export type QuietRequest =
  | { readonly for: string }
  | { readonly until: string }
  | { readonly off: true }
  | { readonly show: true };

export interface QuietState {
  readonly quiet: boolean;
  readonly untilMs: number | undefined;
  readonly line: string;
}

/** As people write it: `2h`, `07:30`, an ISO time, `off`; nothing or `show` asks how it is. */
export function quietRequest(time: string | undefined): QuietRequest {
  if (time === undefined || time === "show") return { show: true };
  if (time === "off") return { off: true };
  return /^(\d+[smhd])+$/i.test(time) ? { for: time } : { until: time };
}

export function quiet(place: { home: string; clock: Clock }, request: QuietRequest): QuietState {
  const { home, clock } = place;
  const nowMs = clock.nowMs();
  if ("off" in request) clearQuiet(home);
  else if (!("show" in request)) {
    const untilMs = "for" in request ? nowMs + parseDuration(request.for) : parseMoment(request.until, nowMs);
    if (untilMs <= nowMs) throw new Refusal("usage.bad-value", "that time is in the past", { untilMs });
    if (untilMs - nowMs > longestQuietMs)
      throw new Refusal("quiet.too-long", "quiet for more than 30 days", { untilMs });
    clearQuiet(home);
    setQuietUntil(home, untilMs, `quiet until ${utc(untilMs)}, asked for at ${utc(nowMs)}`);
  }
  return stateOf(quietUntil(home, clock), nowMs);
}

function stateOf(untilMs: number | undefined, nowMs: number): QuietState {
  if (untilMs === undefined) return { quiet: false, untilMs, line: "quiet is off" };
  const minutes = Math.round((untilMs - nowMs) / 60_000);
  return { quiet: true, untilMs, line: `quiet until ${utc(untilMs)} (${minutes} min)` };
}

const dayMs = 86_400_000;

/** `07:30` (UTC, the next one to come) or an ISO time, taken as UTC when it names no zone. */
function parseMoment(text: string, nowMs: number): number {
  const clockTime = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  if (clockTime !== null) {
    const today = new Date(nowMs).setUTCHours(Number(clockTime[1]), Number(clockTime[2]), 0, 0);
    return today > nowMs ? today : today + dayMs;
  }
  const iso = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(text.trim());
  const zoned = iso === null ? "" : iso[1] !== undefined && iso[4] === undefined ? `${text.trim()}Z` : text.trim();
  const moment = Date.parse(zoned.replace(" ", "T"));
  if (Number.isNaN(moment)) {
    throw new Refusal(
      "usage.bad-value",
      `not a time: ${text}`,
      { text },
      "Write it like 07:30 or 2026-01-02T07:30Z (UTC).",
    );
  }
  return moment;
}

const utc = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
