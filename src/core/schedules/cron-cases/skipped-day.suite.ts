// A day that never was: Apia went from 29 to 31 December 2011.

import type { CronRow } from "./cron-row.suite.ts";

export const skippedDay: readonly CronRow[] = [
  [
    "a whole day is skipped",
    "0 9 * * *",
    "Pacific/Apia",
    "2011-12-29T18:00Z",
    "2011-12-29T19:00Z",
    "2011-12-30T10:00Z",
    "2011-12-30T19:00Z",
  ],
  [
    "a date that never was",
    "0 9 30 12 *",
    "Pacific/Apia",
    "2011-12-29T18:00Z",
    "2011-12-30T10:00Z",
    "2012-12-29T19:00Z",
    "2013-12-29T19:00Z",
  ],
  [
    "every hour is not touched by it",
    "0 * * * *",
    "Pacific/Apia",
    "2011-12-29T18:00Z",
    "2011-12-29T19:00Z",
    "2011-12-29T20:00Z",
    "2011-12-29T21:00Z",
  ],
  [
    "a Friday that never was",
    "0 0 * * FRI",
    "Pacific/Apia",
    "2011-12-29T18:00Z",
    "2011-12-30T10:00Z",
    "2012-01-05T10:00Z",
    "2012-01-12T10:00Z",
  ],
  [
    "the day after",
    "0 0 31 12 *",
    "Pacific/Apia",
    "2011-12-29T18:00Z",
    "2011-12-30T10:00Z",
    "2012-12-30T10:00Z",
    "2013-12-30T10:00Z",
  ],
  [
    "two skipped times of a skipped day",
    "*/30 12 29-31 12 *",
    "Pacific/Apia",
    "2011-12-29T18:00Z",
    "2011-12-29T22:00Z",
    "2011-12-29T22:30Z",
    "2011-12-30T10:00Z",
  ],
  [
    "the day clocks land on",
    "0 9 * * SAT",
    "Pacific/Apia",
    "2011-12-29T18:00Z",
    "2011-12-30T19:00Z",
    "2012-01-06T19:00Z",
    "2012-01-13T19:00Z",
  ],
];
