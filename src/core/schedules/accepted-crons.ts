// Any process of the account can write cron.toml, and what stands there runs as the owner's. So a line counts only as the owner has accepted
// it: `cron add` accepts what it writes, and what was written by hand waits for `cron accept`. A mark is over all that a line says, so a
// changed line waits again.

import { createHash } from "node:crypto";
import type { ScheduleFiles } from "../../ports/schedules.ts";
import { Refusal } from "../../protocol/errors.ts";
import { parseCronFile, printCronEntry } from "./cron-file.ts";
import type { CronEntry } from "./schedule.ts";

export interface Crons {
  readonly accepted: readonly CronEntry[];
  /** Written by hand, and not accepted yet. */
  readonly waiting: readonly CronEntry[];
}

export const cronMark = (entry: CronEntry): string => createHash("sha256").update(printCronEntry(entry)).digest("hex");

export function readCrons(files: Pick<ScheduleFiles, "readCron" | "cronPath" | "acceptedCrons">): Crons {
  const entries = parseCronFile(files.readCron() ?? "", files.cronPath);
  if (entries.length === 0) return { accepted: [], waiting: [] };
  const marks = files.acceptedCrons();
  const isAccepted = (entry: CronEntry): boolean => marks.get(entry.label) === cronMark(entry);
  return { accepted: entries.filter(isAccepted), waiting: entries.filter((entry) => !isAccepted(entry)) };
}

/** Before the file is written: dying between the two leaves a mark of a line that is not there, which does nothing. */
export function acceptCron(files: Pick<ScheduleFiles, "acceptedCrons" | "writeAcceptedCrons">, entry: CronEntry): void {
  files.writeAcceptedCrons(new Map([...files.acceptedCrons(), [entry.label, cronMark(entry)]]));
}

/** Before the line is taken out of the file, so that a copy of it that is put back later counts for nothing. */
export function forgetCron(files: Pick<ScheduleFiles, "acceptedCrons" | "writeAcceptedCrons">, label: string): void {
  const marks = new Map(files.acceptedCrons());
  if (marks.delete(label)) files.writeAcceptedCrons(marks);
}

const byHand = "was written into cron.toml by hand, and the owner has not accepted it";

/** Tells such a problem of a file from one that cannot be read. */
export const waitsForOwner = (problem: string): boolean => problem.startsWith("the cron ") && problem.endsWith(byHand);

export const notAccepted = ({ label }: CronEntry): Refusal =>
  new Refusal("schedule.not-accepted", `the cron ${label} ${byHand}`, { label });
