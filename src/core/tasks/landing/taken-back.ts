// Landed is what the target has. When somebody rewrites it (a force push to before the landing), a task that landed is `taken_back`:
// no longer closed, told with the reason, and closed again by itself when the target has its work again. A revert is a commit
// like any other and takes nothing back: the work did land, and the history says what became of it.

import { messageOf, Outage } from "../../../protocol/errors.ts";
import type { Ground } from "../../../ports/harvest.ts";
import type { HarvestsTable, TasksTable } from "../../../store/tables/tasks.ts";
import { harvestLease, whileHolding } from "./harvest-lease.ts";
import { landedBy } from "./landed-commits.sql.ts";
import type { TaskContext } from "../task-context.ts";
import { newestTaskEvent } from "../task-events.sql.ts";
import { moveOf } from "../task.ts";
import { landedHarvests } from "./harvests.sql.ts";
import { findTask, recordTask, updateTask } from "../tasks.sql.ts";

/** Work that landed longer ago is history. */
const watchedMs = 30 * 86_400_000;

type Landed = Pick<HarvestsTable, "origin" | "target" | "task" | "landed_sha" | "workspace">;

/** `known`: where each target stood when it was last looked at. Answers which could not be looked at; they are asked again. */
export async function lookForTakenBack(context: TaskContext, known: Map<string, string>): Promise<string[]> {
  const unknown: string[] = [];
  const { store, constellation, clock } = context;
  const rows = await landedHarvests(store.db, constellation, clock.nowMs() - watchedMs);
  for (const [place, landed] of byPlace(rows)) {
    const [first] = landed;
    if (first === undefined) continue;
    try {
      const tip = (await context.machine.workspaces.atOrigin(first.origin, first.target ?? "main")) ?? "";
      const state = `${tip} ${landed.map(({ task }) => task).join(" ")}`;
      if (known.get(place) === state) continue;
      const found = await compare(context, first, landed, tip);
      if (found === "changed") known.clear(); // of a task over several repositories the others are looked at again
      else if (found === "same") known.set(place, state);
    } catch (cause) {
      if (!(cause instanceof Outage)) throw cause;
      unknown.push(messageOf(cause));
    }
  }
  return unknown;
}

function byPlace(rows: readonly Landed[]): Map<string, Landed[]> {
  const places = new Map<string, Landed[]>();
  for (const row of rows) {
    const place = placeOf(row);
    places.set(place, [...(places.get(place) ?? []), row]);
  }
  return places;
}

/** `busy` while a harvester has the landing repository. */
async function compare(
  context: TaskContext,
  first: Landed,
  landed: readonly Landed[],
  tip: string,
): Promise<"same" | "changed" | "busy"> {
  const { origin, target } = first;
  const held = await whileHolding(context, harvestLease(context.constellation), async () => {
    let changes = 0;
    const noted = async (row: Landed, isOnTarget: boolean, why: string): Promise<void> => {
      if (await note(context, row, isOnTarget, why)) changes += 1;
    };
    if (tip === "") {
      for (const row of landed) await noted(row, false, `the origin has no branch ${target} any more`);
      return changes;
    }
    const task = await findTask(context.store.db, context.constellation, first.task);
    const source = task.repository ?? task.root;
    const ground = await context.machine.grounds.open({ origin, source, target: target ?? "main" });
    const now = await ground.fetch();
    for (const row of landed) {
      const why = `${target} no longer has ${row.landed_sha?.slice(0, 12)}, as which it had landed; it stands at ${now.slice(0, 12)}`;
      await noted(row, await isThere(context, ground, row), why);
    }
    return changes;
  });
  return held === undefined ? "busy" : held.value === 0 ? "same" : "changed";
}

/** By its commits, or, after a rewrite that kept them in other words, by what its files read. */
async function isThere(context: TaskContext, ground: Ground, row: Landed): Promise<boolean> {
  if (row.landed_sha === null || (await ground.contains(row.landed_sha))) return true;
  const commits = await landedBy(context, row);
  if (commits.length === 0) return false;
  for (const commit of commits) {
    try {
      if (!(await ground.reads({ from: `${commit}^`, to: commit }))) return false;
    } catch (cause) {
      if (!(cause instanceof Outage)) throw cause;
      return false; // its objects are gone: nobody can say that it is there
    }
  }
  return true;
}

/** True when the task's state changed. */
async function note(context: TaskContext, row: Landed, isOnTarget: boolean, why: string): Promise<boolean> {
  const { store, constellation } = context;
  return store.write(async (tx) => {
    const task: TasksTable = await findTask(tx.db, constellation, row.task);
    if (isOnTarget ? task.state !== "taken_back" : task.state !== "closed") return false;
    if (isOnTarget && (await takenFrom(tx.db, constellation, row.task)) !== placeOf(row)) return false;
    const state = moveOf(task, isOnTarget ? "land_again" : "take_back");
    const reason = isOnTarget ? null : why;
    await updateTask(tx.db, task, { state, reason, updated_ms: tx.nowMs });
    const { landed_sha: sha, target, origin } = row;
    const about = { sha, target, origin, ...(reason === null ? {} : { reason }) };
    await recordTask(context, tx, row.task, isOnTarget ? "landed_again" : "taken_back", about);
    return true;
  });
}

/** From which target the task was taken back last. */
async function takenFrom(db: TaskContext["store"]["db"], constellation: string, task: number): Promise<string> {
  const event = await newestTaskEvent(db, constellation, { task, type: "taken_back" });
  return placeOf(JSON.parse(event?.data ?? "{}") as Pick<Landed, "origin" | "target">);
}

const placeOf = ({ origin, target }: Pick<Landed, "origin" | "target">): string => JSON.stringify([origin, target]);
