// Works out when cron expressions fire by formatting every minute of a span: slow, plain, and apart from the code it is compared with. It
// reads the fields that the tests generate, no more.

export type Walk = readonly { readonly atMs: number; readonly wall: number }[];

/** Every step of a span, as the wall clock shows it. */
export function walkOf(zone: string, fromMs: number, toMs: number, stepMs = 60_000): { atMs: number; wall: number }[] {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  const walk: { atMs: number; wall: number }[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += stepMs) {
    walk.push({ atMs, wall: Date.parse(`${format.format(atMs).replace(" ", "T")}Z`) });
  }
  return walk;
}

/** Returns when an expression fires, by looking at every step of a walk. */
export function byWalking(text: string, walk: Walk, stepMs = 60_000): number[] {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = text.split(" ");
  const allowed = (field: string, upTo: number): boolean[] => Array.from({ length: upTo }, (_, at) => fits(field, at));
  const [minutes, hours, days] = [allowed(minute, 60), allowed(hour, 24), allowed(day, 32)];
  const [months, weekdays] = [allowed(month, 13), allowed(weekday, 7)];
  const everyHour = hours.every(Boolean);
  const isStar = day.startsWith("*") || weekday.startsWith("*");
  const matches = (wall: number): boolean => {
    const date = new Date(wall);
    if (minutes[date.getUTCMinutes()] !== true || hours[date.getUTCHours()] !== true) return false;
    if (months[date.getUTCMonth() + 1] !== true) return false;
    const [byDay, byWeek] = [days[date.getUTCDate()] === true, weekdays[date.getUTCDay()] === true];
    return isStar ? byDay && byWeek : byDay || byWeek;
  };
  const found: number[] = [];
  let newest = Number.NEGATIVE_INFINITY;
  let before: number | undefined;
  for (const { atMs, wall } of walk) {
    let fires = matches(wall) && (everyHour || wall > newest);
    if (before !== undefined && !everyHour) {
      for (let skipped = before + stepMs; skipped < wall && !fires; skipped += stepMs) fires = matches(skipped);
    }
    if (fires) found.push(atMs);
    newest = Math.max(newest, wall);
    before = wall;
  }
  return found;
}

function fits(field: string, value: number): boolean {
  return field.split(",").some((item) => {
    const [range = "", step = "1"] = item.split("/");
    const [low, high] = range === "*" ? [undefined, undefined] : range.split("-").map(Number);
    if (low === undefined) return value % Number(step) === 0; // only fields that start at 0 are given a step
    return value >= low && value <= (high ?? low) && (value - low) % Number(step) === 0;
  });
}
