// Spans of time as people write them: `90m`, `1h30m`, `1.5h`, `2d`.

import { Refusal } from "./errors.ts";

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A bare number has no unit and is refused: minutes to one are hours to another. */
export function parseDuration(text: string): number {
  const trimmed = text.trim().toLowerCase();
  if (!/^(?:\d{1,6}(?:\.\d{1,3})?[smhd])+$/.test(trimmed))
    throw new Refusal(
      "usage.bad-value",
      `not a duration: ${text.slice(0, 100)}`,
      { text },
      "Write it like 90m, 1h30m or 2d.",
    );
  let sumMs = 0;
  for (const part of trimmed.matchAll(/(?<![\d.])([\d.]+)([smhd])/g))
    sumMs += Number(part[1]) * unitMs[part[2] as keyof typeof unitMs];
  return Math.round(sumMs);
}

/** The shortest way to write a span: `2h`, `30d`. */
export function durationText(ms: number): string {
  const unit = (["d", "h", "m", "s"] as const).find((one) => ms >= unitMs[one] && ms % unitMs[one] === 0);
  return unit === undefined ? `${ms / 1_000}s` : `${ms / unitMs[unit]}${unit}`;
}
