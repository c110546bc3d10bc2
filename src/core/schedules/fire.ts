// A firing becomes a row, once: its key is the row's. Where it stands in line behind earlier firings of the same schedule is decided
// here; carry-out.ts does what it says.

import { makeId } from "../../protocol/ids.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { FiringsTable } from "../../store/tables/night.ts";
import type { Context } from "../context.ts";
import { placeFiring } from "./overlap.ts";
import type { Action, Overlap } from "./schedule.ts";
import { agentStanding, firingRow, openFirings, type ScheduleKind, updateFiring } from "./schedules.sql.ts";

export interface NewFiring {
  readonly kind: ScheduleKind;
  readonly label: string;
  readonly key: string;
  readonly dueMs: number;
  readonly catchUp: boolean;
  readonly missed: number;
  readonly lateMs: number;
  readonly action: Action;
  readonly overlap: Overlap;
}

/** Answers the firing that it replaces, when that is a verb which must be ended; a key that is known changes nothing. */
export async function fire(
  context: Pick<Context, "constellation" | "random" | "actor">,
  tx: Tx,
  firing: NewFiring,
): Promise<readonly string[]> {
  const { constellation, random, actor } = context;
  const { kind, label, key, action, overlap } = firing;
  if ((await firingRow(tx.db, constellation, key)) !== undefined) return [];
  const open = (await openFirings(tx.db, constellation)).filter((one) => one.kind === kind && one.label === label);
  const running = open.filter(({ state }) => state === "running");
  const waiting = open.filter(({ state }) => state === "waiting");
  const full = await isFull(tx, constellation, action);
  const placing = placeFiring(overlap, { running: running.length > 0, waiting: waiting.length > 0, full });
  const over = { ended_ms: tx.nowMs };
  const replaced = placing === "replace" ? running : placing === "replace-waiting" ? waiting : [];
  for (const one of replaced)
    await updateFiring(tx.db, constellation, one.key, { ...over, state: "replaced", detail: `replaced by ${key}` });
  const row: FiringsTable = {
    constellation,
    key,
    kind,
    label,
    due_ms: firing.dueMs,
    at_ms: tx.nowMs,
    catch_up: firing.catchUp ? 1 : 0,
    missed: firing.missed,
    late_ms: Math.max(0, Math.round(firing.lateMs)),
    action: JSON.stringify(action),
    overlap,
    state: "waiting",
    message_id: action.verb === undefined ? makeId("msg", tx.nowMs, random.bytes(10)) : null,
    began_ms: null,
    ended_ms: null,
    detail: null,
    ...(placing === "join" ? { ...over, state: "joined", detail: `done by ${waiting[0]?.key ?? "another"}` } : {}),
    ...(placing === "skip"
      ? { ...over, state: "skipped", detail: `${running[0]?.key ?? "another"} is under way` }
      : {}),
  };
  await tx.insert("firings", row);
  const data = { key, due_ms: row.due_ms, catch_up: firing.catchUp, missed: firing.missed, state: row.state };
  await tx.record({ type: "schedule.fired", subject: `${kind}:${label}`, actor, data });
  return replaced.filter(({ action: old }) => (JSON.parse(old) as Action).verb !== undefined).map((one) => one.key);
}

/** An agent takes a prompt when it stands idle. Verbs find their own room: a task without a free clone is queued. */
export async function isFull(tx: Pick<Tx, "db">, constellation: string, action: Action): Promise<boolean> {
  if (action.agent === undefined) return false;
  const agent = await agentStanding(tx.db, constellation, action.agent);
  return agent === undefined || agent.wanted !== "up" || agent.seen !== "idle";
}
