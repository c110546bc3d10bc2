// A span of time in words: "30 minutes", "1 day". Whole units only, so that nothing is rounded.

import { counted } from "./counted.ts";

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

export function spanWords(ms: number): string {
  const [unit, size] = units.find(([, one]) => ms >= one && ms % one === 0) ?? ["millisecond", 1];
  return counted(ms / size, unit);
}
