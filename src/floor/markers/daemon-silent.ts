// `daemon-silent-count`: how many watchdog ticks in a row found a daemon that is there and does not answer. Gone as soon as it answers.

import { addToTally, clearTally, readTally } from "./tally.ts";

const name = "daemon-silent-count";

export const countDaemonSilent = (home: string, nowMs: number): number => addToTally(home, name, nowMs);
export const daemonSilentCount = (home: string): number => readTally(home, name);
export const clearDaemonSilent = (home: string): boolean => clearTally(home, name);
