// Looking at schedules: all of them, and one with its next five firings and what its last ones did.

import { Refusal } from "../../protocol/errors.ts";
import type { FiringsTable, SchedulesTable } from "../../store/tables/night.ts";
import type { ReadContext } from "../context.ts";
import { parseCron } from "./cron-fields.ts";
import { nextFirings } from "./firings.ts";
import { newestFirings, type ScheduleKind, scheduleRows } from "./schedules.sql.ts";
import { zoneNamed } from "./zone.ts";

export async function listSchedules({ store }: ReadContext, { kind }: { readonly kind?: ScheduleKind | undefined }) {
  const rows = await scheduleRows(store.db, store.constellation, kind);
  return { schedules: rows.map(described) };
}

const shown = { next: 5, firings: 10 };

export async function showSchedule(
  { store, clock }: ReadContext,
  { kind, label }: { readonly kind: ScheduleKind; readonly label: string },
) {
  const { db, constellation } = store;
  const row = (await scheduleRows(db, constellation, kind)).find((one) => one.label === label);
  if (row === undefined) {
    const name = JSON.stringify(label.slice(0, 80));
    throw new Refusal("schedule.unknown", `there is no ${kind} ${name}`, { kind, label: label.slice(0, 80) });
  }
  const firings = await newestFirings(db, constellation, { kind, label }, shown.firings);
  return {
    schedule: described(row),
    next: nextOf(row, clock.nowMs()),
    firings: firings.map(firingShown),
  };
}

function firingShown(row: FiringsTable) {
  const { constellation: _, action: __, catch_up: catchUp, ...rest } = row;
  return { ...rest, catch_up: catchUp === 1 };
}

/** Without jitter, which is the same every time and at most a few minutes. */
function nextOf({ kind, timing, next_ms: nextMs, seen_ms: seenMs, paused }: SchedulesTable, nowMs: number): number[] {
  if (paused === 1 || nextMs === null) return [];
  if (kind === "loop") return [nextMs];
  const words = timing.split(" ");
  const zone = zoneNamed(words[5] ?? "UTC");
  // Nothing fires again while a clock that was set back catches up.
  return nextFirings(parseCron(words.slice(0, 5).join(" ")), zone, Math.max(nowMs, seenMs), shown.next);
}

function described(row: SchedulesTable) {
  const { constellation: _, action: text, paused, kind, ...rest } = row;
  const { until, on_change: onChange, most, task, ...action } = JSON.parse(text) as StoredAction & LoopParts;
  const ends = {
    until_command: until ?? null,
    change_command: onChange ?? null,
    most: most ?? null,
    task: task ?? null,
  };
  return { ...rest, kind: kind as ScheduleKind, action: action as StoredAction, paused: paused === 1, ...ends };
}

type StoredAction = { agent: string; prompt: string } | { verb: string[] };

interface LoopParts {
  readonly until?: string;
  readonly on_change?: string;
  readonly most?: number;
  readonly task?: number;
}
