// Cases about the spelling of a field: names in any case, ranges, lists, steps, and both numbers of Sunday.

import type { CronRow } from "./cron-row.suite.ts";

export const fields: readonly CronRow[] = [
  ["7 is Sunday", "0 22 * * 7", "UTC", "2026-11-15T00:00Z", "2026-11-15T22:00Z", "2026-11-22T22:00Z"],
  ["0 is Sunday", "0 22 * * 0", "UTC", "2026-11-15T00:00Z", "2026-11-15T22:00Z", "2026-11-22T22:00Z"],
  [
    "a range up to Sunday",
    "0 22 * * fri-sun",
    "UTC",
    "2026-11-15T00:00Z",
    "2026-11-15T22:00Z",
    "2026-11-20T22:00Z",
    "2026-11-21T22:00Z",
  ],
  [
    "the same in numbers",
    "0 22 * * 5-7",
    "UTC",
    "2026-11-15T00:00Z",
    "2026-11-15T22:00Z",
    "2026-11-20T22:00Z",
    "2026-11-21T22:00Z",
  ],
  ["names of months in any case", "0 6 * jan,JUL *", "Europe/Berlin", "2026-11-15T00:00Z", "2027-01-01T05:00Z"],
  [
    "a step over names",
    "0 6 1 jan-mar/2 *",
    "Europe/Berlin",
    "2026-11-15T00:00Z",
    "2027-01-01T05:00Z",
    "2027-03-01T05:00Z",
  ],
  [
    "a step from a start",
    "5/20 * * * *",
    "UTC",
    "2026-11-15T00:00Z",
    "2026-11-15T00:05Z",
    "2026-11-15T00:25Z",
    "2026-11-15T00:45Z",
    "2026-11-15T01:05Z",
  ],
  [
    "a list with a stepped range",
    "10-20/5,50 8 * * *",
    "UTC",
    "2026-11-15T09:00Z",
    "2026-11-16T08:10Z",
    "2026-11-16T08:15Z",
    "2026-11-16T08:20Z",
    "2026-11-16T08:50Z",
  ],
  [
    "a step as wide as its range",
    "0-59/59 0 * * *",
    "UTC",
    "2026-11-15T00:00Z",
    "2026-11-15T00:59Z",
    "2026-11-16T00:00Z",
  ],
];
