// The five fields of a cron expression: minute, hour, day of the month, month, day of the week. Lists, ranges, steps and English
// names are read; L, W, # and ? are refused, as are seconds, years and @names, because programs disagree about what they mean.
// A day counts when both day fields fit; when neither begins with `*`, one of them is enough, as in every Unix cron.

import { counted } from "../../protocol/counted.ts";
import { Refusal } from "../../protocol/errors.ts";

export interface CronFields {
  /** As it was written, with single spaces. */
  readonly text: string;
  /** In ascending order. */
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly months: ReadonlySet<number>;
  readonly daysOfMonth: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly daysOfWeek: ReadonlySet<number>;
  /** True when one of the two day fields is enough. */
  readonly eitherDay: boolean;
}

export function parseCron(text: string): CronFields {
  const written = text.trim().split(/[ \t]+/);
  const given = written.join(" ");
  if (given === "") throw refuse(given, "it is empty", "Five fields: minute hour day month weekday.");
  if (given.startsWith("@")) throw refuse(given, "names such as @daily are not read", macroHint(given));
  if (/^(?:CRON_)?TZ=/.test(given))
    throw refuse(given, "the time zone is given apart", "Use --tz, or zone in cron.toml.");
  if (written.length !== 5) {
    const count = counted(written.length, "field");
    const hint = written.length === 6 || written.length === 7 ? " There are no seconds and no years." : "";
    throw refuse(given, `it has ${count}, not 5`, `Five fields: minute hour day month weekday.${hint}`);
  }
  const [minutes, hours, days, months, weekdays] = fields.map((field, at) => valuesOf(field, written[at] ?? "", given));
  if (!minutes || !hours || !days || !months || !weekdays) throw new Error("five fields were read");
  const daysOfWeek = new Set(weekdays.map((day) => day % 7));
  const isStar = (at: number): boolean => written[at]?.startsWith("*") === true;
  const eitherDay = !isStar(2) && !isStar(4);
  if (!eitherDay && !months.some((month) => days.some((day) => day <= (monthDays[month - 1] ?? 0)))) {
    throw refuse(given, `no month it names has a day ${days[0]}`, impossibleHint(months, days));
  }
  return { text: given, minutes, hours, months: new Set(months), daysOfMonth: new Set(days), daysOfWeek, eitherDay };
}

/** Tells whether a calendar day fits. `weekday` 0 is Sunday. */
export function fitsDay(cron: CronFields, month: number, day: number, weekday: number): boolean {
  if (!cron.months.has(month)) return false;
  const byMonth = cron.daysOfMonth.has(day);
  const byWeek = cron.daysOfWeek.has(weekday);
  return cron.eitherDay ? byMonth || byWeek : byMonth && byWeek;
}

interface Field {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const monthNames = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const fields: readonly Field[] = [
  { name: "minute", low: 0, high: 59 },
  { name: "hour", low: 0, high: 23 },
  { name: "day of the month", low: 1, high: 31 },
  { name: "month", low: 1, high: 12, names: ["", ...monthNames] },
  { name: "day of the week", low: 0, high: 7, names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] },
];

/** Every value of a field, ascending. Sunday may appear as 0 and as 7. */
function valuesOf(field: Field, text: string, whole: string): number[] {
  const found = new Set<number>();
  for (const item of text.split(",")) {
    const [range = "", step, ...more] = item.split("/");
    const complain = (problem: string, hint: string): Refusal =>
      refuse(whole, `the ${field.name} ${JSON.stringify(text)} ${problem}`, hint);
    if (more.length > 0) throw complain("has two steps", "Write one step: 0-30/5.");
    const [low, high] = rangeOf(field, range, step !== undefined, complain);
    const by = step === undefined ? 1 : stepOf(field, step, high - low, complain);
    for (let value = low; value <= high; value += by) found.add(value);
  }
  return [...found].sort((a, b) => a - b);
}

type Complain = (problem: string, hint: string) => Refusal;

function rangeOf(field: Field, text: string, hasStep: boolean, complain: Complain): [low: number, high: number] {
  // A week has seven days, though Sunday has two numbers.
  const last = field.high === 7 ? 6 : field.high;
  if (text === "*") return [field.low, last];
  const [from = "", to, ...more] = text.split("-");
  if (more.length > 0) throw complain("is not a range", `Write a range as ${field.low}-${last}.`);
  const low = numberOf(field, from, complain);
  if (to === undefined) return [low, hasStep ? Math.max(low, last) : low];
  let high = numberOf(field, to, complain);
  if (field.high === 7 && high === 0 && low > 0) high = 7; // FRI-SUN
  if (low > high) {
    const wrapped = `${from}-${nameOf(field, last)},${nameOf(field, field.low)}-${to}`;
    throw complain("runs backwards", `A range goes up. To go round, write ${wrapped}.`);
  }
  return [low, high];
}

const nameOf = (field: Field, value: number): string => field.names?.[value] ?? String(value);

function stepOf(field: Field, text: string, span: number, complain: Complain): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) === 0)
    throw complain("has no usable step", "A step is a number from 1: */15.");
  const step = Number(text);
  if (step > Math.max(span, 1)) {
    const hint = field.name === "minute" ? " For longer spans, use the hour: 0 */2 * * *." : "";
    throw complain(`steps by ${step}, past its end`, `A step must be within its range.${hint}`);
  }
  return step;
}

function numberOf(field: Field, text: string, complain: Complain): number {
  const byName = field.names?.indexOf(text.toUpperCase()) ?? -1;
  if (byName !== -1 && text !== "") return byName;
  if (/^\d{1,2}$/.test(text)) {
    const value = Number(text);
    if (value >= field.low && value <= field.high) return value;
    throw complain(`is out of range`, `It goes from ${field.low} to ${field.high}.`);
  }
  if (text === "?") throw complain("has a ?", "Write * for any day.");
  if (/^(?:L|LW|\d*L|L-\d+|\d+W|W|[A-Z]{3}L)$/i.test(text)) {
    throw complain(
      "uses L or W",
      "The last day and the nearest weekday cannot be named. List the days, or run daily and let the task decide.",
    );
  }
  if (text.includes("#"))
    throw complain(
      "uses #",
      "The nth weekday cannot be named. List the days of the month instead: 8-14 is the second week.",
    );
  const names = field.names === undefined ? "" : `, or ${field.names.find(Boolean)} to ${field.names.at(-1)}`;
  throw complain(
    "cannot be read",
    `It takes numbers from ${field.low} to ${field.high}${names}, *, lists, ranges and steps.`,
  );
}

function impossibleHint(months: readonly number[], days: readonly number[]): string {
  const [month = 1] = months;
  const most = Math.max(...months.map((one) => monthDays[one - 1] ?? 0));
  const where =
    months.length === 1 ? monthNames[month - 1] : `none of ${months.map((one) => monthNames[one - 1]).join(", ")}`;
  const has = months.length === 1 ? `${where} has ${most} days at most` : `${where} has more than ${most} days`;
  return `${has}, so day ${days[0]} never comes. Choose a day up to ${most}.`;
}

function macroHint(text: string): string {
  const known: Readonly<Record<string, string>> = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
  };
  const fields = known[text.toLowerCase()];
  return fields === undefined ? "Five fields: minute hour day month weekday." : `Write ${fields}.`;
}

function refuse(text: string, problem: string, hint: string): Refusal {
  return new Refusal(
    "usage.bad-value",
    `the schedule ${JSON.stringify(text)} cannot be used: ${problem}`,
    { schedule: text },
    hint,
  );
}
