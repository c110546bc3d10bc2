// Landing work. Asking writes rows; the harvester, a loop of the daemon, takes them up, holding the lease. The rows are the
// journal: a harvester that was killed leaves rows that have not ended, and the next one takes them up again.
//
// The phases of a row: queued, fetched (the target's tip is known), picked (its commits stand on it), gated (the gate said
// yes), pushing (what is about to be pushed is written down), ended. Nothing before `pushing` is seen by anyone, so it is
// simply done again. After `pushing` the origin is asked whether it has the commits that the row names, and all commits of a
// task, and of a train, are pushed in one step. Nothing is read from the commits themselves: agents write those. After an outage
// a row waits (`waiting`) until it is due again.

import { Refusal } from "../../../protocol/errors.ts";
import { makeId } from "../../../protocol/ids.ts";
import type { HarvestsTable, TasksTable } from "../../../store/tables/tasks.ts";
import type { Tx } from "../../../store/group-commit.ts";
import type { ReadContext } from "../../context.ts";
import { tasksWithOpenPull } from "../../pulls/queries.ts";
import { criteriaOf } from "../evidence/criteria.sql.ts";
import { landableOf } from "./landable.ts";
import { letGoOfKept } from "./ready-refs.ts";
import type { Lease } from "./harvest-lease.ts";
import { harvestLease, whileHolding } from "./harvest-lease.ts";
import { noteOverClaims, refuseUnlessOwner } from "./held-by-claims.ts";
import { inLandingOrder } from "../rules.ts";
import { newRow, type Where } from "./new-harvest.ts";
import type { TaskContext } from "../task-context.ts";
import { harvestsOfTrain, openHarvests, updateHarvest } from "./harvests.sql.ts";
import { edgesOf, findTask, listTasks } from "../tasks.sql.ts";
import { workspacesOf } from "../workspaces/workspaces.sql.ts";
import { runTrain } from "./merge-train.ts";
import type { TrainMember } from "./train-member.ts";

export interface HarvestReceipt {
  readonly train: string;
  readonly tasks: number[];
  /** Closed before: nothing is left to do. */
  readonly landed: { task: number; sha: string }[];
}

export async function askHarvest(
  context: TaskContext,
  input: { tasks: readonly number[]; all: boolean; over_claim?: boolean },
): Promise<HarvestReceipt> {
  const { store, constellation } = context;
  if (input.over_claim === true) refuseUnlessOwner(context);
  // Reached before the transaction: what a task without a workspace would land on.
  const fallback = await originsOf(context, input);
  return store.write(async (tx) => {
    const named = await Promise.all(input.tasks.map((number) => findTask(tx.db, constellation, number)));
    const wanted = input.all ? await readyWithoutPull(tx.db, constellation) : named;
    const landed = wanted.flatMap(({ number, state, landed_sha: sha }) =>
      state === "closed" && sha !== null ? [{ task: number, sha }] : [],
    );
    const pending = await openHarvests(tx.db, constellation);
    const underWay = (task: TasksTable): boolean => pending.some((row) => row.task === task.number);
    const open = wanted.filter((task) => task.state !== "closed" && !underWay(task));
    for (const task of open) refuseIfNotReady(task);
    const joined = wanted.find(underWay);
    // Asked for again while it waits after an outage, it is tried at once.
    for (const row of pending.filter(
      ({ phase, task }) => phase === "waiting" && wanted.some((one) => one.number === task),
    ))
      await updateHarvest(tx.db, row.id, { phase: "queued", retry_ms: null });
    if (open.length === 0 && landed.length === 0 && joined === undefined)
      throw new Refusal("task.nothing-to-land", "no task is ready to land", {});
    const earlier = pending.find((row) => row.task === joined?.number)?.train;
    const train =
      open.length === 0 && earlier !== undefined ? earlier : makeId("trn", tx.nowMs, context.random.bytes(10));
    let place = 0;
    for (const task of inLandingOrder(open, await edgesOf(tx.db, constellation))) {
      const spaces = landableOf(await workspacesOf(tx.db, constellation, { task: task.number, withRemoved: true }));
      for (const space of spaces.length === 0 ? [undefined] : spaces) {
        place += 1;
        const where = space ?? fallback.get(task.number);
        if (where === undefined)
          throw new Refusal("task.no-workspace", `task ${task.number} has no workspace`, { task: task.number });
        await tx.insert("harvests", newRow(context, { nowMs: tx.nowMs, train, place, task, space, where }));
      }
    }
    if (input.over_claim === true) {
      const trainOf = new Map(pending.map((row) => [row.task, row.train]));
      for (const { number } of wanted.filter(({ state }) => state !== "closed"))
        await noteOverClaims(context, tx, number, trainOf.get(number) ?? train);
    }
    const asked = open.map(({ number }) => number);
    if (asked.length > 0)
      await tx.record({
        type: "harvest.asked",
        subject: `train:${train}`,
        actor: context.actor,
        data: { tasks: asked },
      });
    return { train, tasks: wanted.filter(({ state }) => state !== "closed").map(({ number }) => number), landed };
  });
}

/** What has its pull request goes on by itself. Named by its number, it is judged anew. */
async function readyWithoutPull(db: Tx["db"], constellation: string): Promise<TasksTable[]> {
  const open = new Set(await tasksWithOpenPull(db, constellation));
  return (await listTasks(db, constellation, { states: ["ready"] })).filter(({ number }) => !open.has(number));
}

function refuseIfNotReady(task: TasksTable): void {
  if (task.state === "ready" || task.state === "needs_review") return;
  throw new Refusal(
    "task.not-allowed",
    `task ${task.number} is ${task.state}; only what is ready, or was sent back for review, can be harvested`,
    { task: task.number, state: task.state },
    `When its work is committed: \`constel task ready ${task.number}\`.`,
  );
}

/** For tasks without a workspace whose branch was pushed by somebody. */
async function originsOf(
  context: TaskContext,
  input: { tasks: readonly number[]; all: boolean },
): Promise<Map<number, Where>> {
  const { store, constellation, machine } = context;
  const tasks = input.all
    ? await listTasks(store.db, constellation, { states: ["ready"] })
    : await Promise.all(input.tasks.map((number) => findTask(store.db, constellation, number)));
  const found = new Map<number, Where>();
  for (const task of tasks) {
    const spaces = landableOf(await workspacesOf(store.db, constellation, { task: task.number, withRemoved: true }));
    if (task.state === "closed" || task.branch === null || spaces.length > 0) continue;
    const facts = await machine.workspaces.inspect(task.repository ?? task.root);
    found.set(task.number, { origin: facts.origin, target: task.target ?? facts.defaultTarget });
  }
  return found;
}

/** The rows of a train, for whoever waits for its end. */
export async function harvestRows(
  { store }: ReadContext,
  input: { train: string },
): Promise<{ harvests: (Omit<HarvestsTable, "report"> & { report: Record<string, unknown> })[] }> {
  const rows = await harvestsOfTrain(store.db, input.train);
  return { harvests: rows.map((row) => ({ ...row, report: JSON.parse(row.report) as Record<string, unknown> })) };
}

/** One round of the harvester. True when it found work, so that another round may find more. */
export async function harvestRound(context: TaskContext, signal: AbortSignal): Promise<boolean> {
  const nowMs = context.clock.nowMs();
  const pending = (await openHarvests(context.store.db, context.constellation)).filter(
    ({ retry_ms: retryMs }) => retryMs === null || retryMs <= nowMs,
  );
  const [first] = pending;
  if (first === undefined) return false;
  // Harvests asked for one by one for the same branch are not mixed: each request is a train of its own.
  const same = pending.filter(
    (row) => row.train === first.train && row.origin === first.origin && row.target === first.target,
  );
  const held = await whileHolding(context, harvestLease(context.constellation), async (lease) => {
    const members = await membersOf(context, same);
    await land(context, lease, members, signal);
  });
  await letGoOfKept(context);
  return held !== undefined;
}

async function land(
  context: TaskContext,
  lease: Lease,
  members: readonly TrainMember[],
  signal: AbortSignal,
): Promise<void> {
  const [first] = members;
  if (first === undefined) return;
  const { origin, target } = first.row;
  const source = first.workspace?.source ?? first.task.repository ?? first.task.root;
  const wish = { origin, source, target: target ?? "main" };
  await runTrain(context, { lease, members, signal, open: () => context.machine.grounds.open(wish) });
}

async function membersOf(context: TaskContext, rows: readonly HarvestsTable[]): Promise<TrainMember[]> {
  const { store, constellation } = context;
  const spaces = await workspacesOf(store.db, constellation, { withRemoved: true });
  const members: TrainMember[] = [];
  for (const row of rows) {
    const task = await findTask(store.db, constellation, row.task);
    const criteria = await criteriaOf(store.db, constellation, row.task);
    members.push({ row, task, criteria, workspace: spaces.find(({ id }) => id === row.workspace) });
  }
  return members;
}
