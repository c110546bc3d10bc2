// Lines of cron.toml that wait for the owner's word, from the files alone: `cron accept`, `cron list` and doctor name them without a daemon.

import { cronMark, readCrons } from "../core/schedules/accepted-crons.ts";
import { printCronEntry } from "../core/schedules/cron-file.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import type { WaitingCron } from "../ports/schedules.ts";
import { scheduleFiles } from "./schedule-files.ts";

/** Refused with file and line where cron.toml cannot be read. */
export function waitingCrons(home: string): readonly WaitingCron[] {
  return readCrons(scheduleFiles(home, systemClock)).waiting.map((entry) => ({
    label: entry.label,
    mark: cronMark(entry),
    text: printCronEntry(entry),
  }));
}
