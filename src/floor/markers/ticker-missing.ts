// `ticker-missing-count`: how many watchdog ticks in a row found no ticker. Gone as soon as one finds it.

import { addToTally, clearTally, readTally } from "./tally.ts";

const name = "ticker-missing-count";

export const countTickerMissing = (home: string, nowMs: number): number => addToTally(home, name, nowMs);
export const tickerMissingCount = (home: string): number => readTally(home, name);
export const clearTickerMissing = (home: string): boolean => clearTally(home, name);
