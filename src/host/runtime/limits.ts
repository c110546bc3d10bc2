// When does a usage limit lift? Programs say it in many ways: seconds since 1970, a duration, a time of day with or without a
// zone, a date. What cannot be read gets a cautious guess, and says that it is one.

import type { Limit } from "../../ports/runtime.ts";

/** Long enough not to hammer a limited account, short enough that a per-minute limit does not idle an agent for hours. */
export const unknownLiftMs = 15 * 60_000;
/** A lift further away than this was misread. */
const furthestMs = 35 * 24 * 3_600_000;

export function limitFrom(says: string, nowMs: number, options: { zone?: string; liftsAtMs?: number } = {}): Limit {
  const short = says.replace(/\s+/g, " ").trim().slice(0, 300);
  const found = options.liftsAtMs ?? liftTime(says, nowMs, options.zone);
  const sane = found !== undefined && found >= nowMs - 60_000 && found <= nowMs + furthestMs;
  return sane
    ? { untilMs: found, known: true, says: short }
    : { untilMs: nowMs + unknownLiftMs, known: false, says: short };
}

/** True when an error text of a program is about a usage or rate limit. Only for texts known to be errors. */
export function isLimitText(text: string): boolean {
  return /usage limit|rate.?limit|hit your [\w\s’'-]{0,40}limit|limit (?:has been )?reached|quota|RESOURCE_EXHAUSTED|\b429\b|out of (?:usage )?credits|spend limit/i.test(
    text,
  );
}

/** True when an error text of a program says that nobody is logged in. Only for texts known to be errors. */
export function isLoginText(text: string): boolean {
  return /\/login\b|not logged in|invalid (?:x-)?api.?key|authentication[_ ](?:error|failed)|\b401\b|unauthori[sz]ed|token (?:has )?expired|sign in again|please log in/i.test(
    text,
  );
}

/** Says what an error text of a program is about. */
export function failureIn(text: string): "limit" | "login" | "other" {
  return isLimitText(text) ? "limit" : isLoginText(text) ? "login" : "other";
}

function liftTime(text: string, nowMs: number, zone: string | undefined): number | undefined {
  return epochIn(text) ?? instantIn(text) ?? durationIn(text, nowMs) ?? clockTimeIn(text, nowMs, zone);
}

function epochIn(text: string): number | undefined {
  const match = /(?:\||resets?_?at["':\s=]+)(\d{10})(\d{3})?\b/i.exec(text);
  return match === null ? undefined : Number(match[1]) * 1000 + Number(match[2] ?? 0);
}

function instantIn(text: string): number | undefined {
  const match = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(text);
  const parsed = match === null ? Number.NaN : Date.parse(match[0]);
  return Number.isNaN(parsed) ? undefined : parsed;
}

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function durationIn(text: string, nowMs: number): number | undefined {
  const lead =
    /(?:\bin|\bafter|retry-after:?|resets? in)\s+((?:[\d.]+\s*(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|ms|[dhms])(?![a-z])[\s,and]*)+)/i;
  const stretch = lead.exec(text)?.[1];
  if (stretch === undefined) return undefined;
  let total = 0;
  for (const part of stretch.matchAll(/(?<![\d.])([\d.]+)\s{0,3}(ms|[dhms])/gi)) {
    total += Number(part[1]) * (unitMs[(part[2] ?? "").toLowerCase()] ?? 0);
  }
  return total > 0 ? nowMs + Math.ceil(total) : undefined;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** `resets 3pm (Europe/Paris)`, `try again at Nov 20th, 2026 3:05 PM`, `resets Thursday at 15:00`. */
function clockTimeIn(text: string, nowMs: number, zone: string | undefined): number | undefined {
  const tail = /(?:resets?|try again|available|lifts?|again)\s+(?:at|on)?\s*([\s\S]{1,80})/i.exec(text)?.[1];
  if (tail === undefined) return undefined;
  const time = /\b(\d{1,2})(?::(\d\d))?\s*(am|pm)\b|\b(\d{1,2}):(\d\d)\b/i.exec(tail);
  if (time === null) return undefined;
  const half = time[3]?.toLowerCase();
  const hour = half === undefined ? Number(time[4]) : (Number(time[1]) % 12) + (half === "pm" ? 12 : 0);
  const minute = Number(time[2] ?? time[5] ?? 0);
  if (hour > 23 || minute > 59) return undefined;
  const where = knownZone(/\(([A-Za-z]+(?:\/[A-Za-z_+-]+)*)\)|\b(UTC|GMT)\b/.exec(tail)) ?? zone;
  const today = partsIn(nowMs, where);
  const date = new RegExp(
    `\\b(${months.join("|")})[a-z]*\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(\\d{4}))?`,
    "i",
  ).exec(tail);
  if (date !== null) {
    const month = months.indexOf((date[1] ?? "").slice(0, 3).toLowerCase());
    const year = date[3] === undefined ? today.year : Number(date[3]);
    const at = instantOf(year, month, Number(date[2]), hour, minute, where);
    return date[3] === undefined && at < nowMs - 86_400_000
      ? instantOf(year + 1, month, Number(date[2]), hour, minute, where)
      : at;
  }
  const weekday = new RegExp(`\\b(${days.join("|")})[a-z]*\\b`, "i").exec(tail)?.[1];
  let ahead = 0;
  if (weekday !== undefined) ahead = (days.indexOf(weekday.toLowerCase()) - today.weekday + 7) % 7;
  const at = instantOf(today.year, today.month, today.day + ahead, hour, minute, where);
  if (at > nowMs) return at;
  return instantOf(today.year, today.month, today.day + ahead + (weekday === undefined ? 1 : 7), hour, minute, where);
}

function knownZone(match: RegExpExecArray | null): string | undefined {
  const name = match?.[1] ?? match?.[2];
  if (name === undefined) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined; // not a zone, just a word in parentheses
  }
}

interface Parts {
  year: number;
  month: number;
  day: number;
  weekday: number;
  asUtcMs: number;
}

/** The wall clock of a zone at an instant. */
function partsIn(atMs: number, zone: string | undefined): Parts {
  const format = new Intl.DateTimeFormat("en-US", {
    ...(zone === undefined ? {} : { timeZone: zone }),
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const values = Object.fromEntries(format.formatToParts(atMs).map((part) => [part.type, Number(part.value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = values;
  const asUtcMs = Date.UTC(year, month - 1, day, hour, minute, second);
  return { year, month: month - 1, day, weekday: new Date(asUtcMs).getUTCDay(), asUtcMs };
}

/** The instant at which a zone's wall clock shows this; twice corrected, so that a change of offset in between is seen. */
function instantOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  zone: string | undefined,
): number {
  const wanted = Date.UTC(year, month, day, hour, minute);
  let guess = wanted;
  for (let round = 0; round < 2; round++) guess += wanted - partsIn(guess, zone).asUtcMs;
  return guess;
}
