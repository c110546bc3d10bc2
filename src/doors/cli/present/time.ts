// Times and sizes for people. JSON always has UTC and plain numbers.

export function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
  return `${Math.floor(seconds / 86_400)}d ${Math.floor((seconds % 86_400) / 3600)}h`;
}

/** As one says it where one is: `today 18:04`, `yesterday 18:04`, `2026-01-02 18:04`. */
export function dayAndTime(ms: number, nowMs: number): string {
  const dayOf = (at: number): string => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();
  const [day = "", time = ""] = dayOf(ms).split("T");
  const days = [dayOf(nowMs), dayOf(nowMs - 86_400_000)].map((text) => text.slice(0, 10));
  const named = ["today", "yesterday"][days.indexOf(day)] ?? day;
  return `${named} ${time.slice(0, 5)}`;
}

/** The time of day where that says it all; the date too where it was another day. */
export function shortUtc(ms: number, nowMs: number): string {
  const text = utc(ms);
  return text.slice(0, 10) === utc(nowMs).slice(0, 10) ? text.slice(11) : text.slice(5).replace("T", " ");
}

export function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

export function size(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}
