// Workspaces as rows: made, listed, branched, removed and restored. Each verb that reaches the machine first writes what it
// is about to do, then does it, then writes that it is done; asked again after a crash between, it goes on.

import { Refusal } from "../../../protocol/errors.ts";
import { makeId } from "../../../protocol/ids.ts";
import type { LeftOut, Restored, SourceFacts } from "../../../ports/workspace.ts";
import type { Tx } from "../../../store/group-commit.ts";
import type { TasksTable, WorkspacesTable } from "../../../store/tables/tasks.ts";
import type { ReadContext } from "../../context.ts";
import { footingOf } from "../footing.ts";
import { branchOf, workspaceName } from "../names.ts";
import { isAbandoned } from "./recover-workspaces.ts";
import { keepRescue, noteRestored } from "./rescues.ts";
import { lastPruned } from "./rescues.sql.ts";
import type { TaskContext } from "../task-context.ts";
import { findTask, recordGit, recordTask, updateTask } from "../tasks.sql.ts";
import { deleteWorkspace, findWorkspace, updateWorkspace, workspacesOf } from "./workspaces.sql.ts";

/** The directory for the workspaces of agents that are not confined, and see one another's. */
const shared = "workspaces";
const firstPort = 20_000;
const portsEach = 10;

export interface CloneInput {
  readonly task: number;
  readonly name?: string | undefined;
  readonly repository?: string | undefined;
  readonly target?: string | undefined;
  readonly fetch: boolean;
  /** The agent that is to work there. */
  readonly agent?: string | undefined;
}

export interface ClonedWorkspace {
  readonly workspace: WorkspacesTable;
  readonly set_up: { copied: string[]; command: string; tail: string };
  readonly notes: string[];
}

export async function cloneWorkspace(context: TaskContext, input: CloneInput): Promise<ClonedWorkspace> {
  const { store, machine, constellation } = context;
  const task = await findTask(store.db, constellation, input.task);
  const repository = input.repository ?? task.repository ?? task.root;
  const source = await machine.workspaces.inspect(repository);
  const row = await reserve(context, input, {
    repository,
    source: source.commonDirectory,
    origin: source.origin,
    target: input.target ?? task.target ?? source.defaultTarget,
  });
  try {
    return await makeReserved(context, input, { task, repository, source, row });
  } finally {
    machine.inHand.delete(row.id);
  }
}

interface Reserved {
  readonly task: TasksTable;
  readonly repository: string;
  readonly source: SourceFacts;
  readonly row: WorkspacesTable;
}

async function makeReserved(
  context: TaskContext,
  input: CloneInput,
  { task, repository, source, row }: Reserved,
): Promise<ClonedWorkspace> {
  const { store, machine } = context;
  const started = context.clock.monotonicMs();
  const { root, place, branch, target } = row;
  const environment = { CONSTEL_TASK: String(task.number), CONSTEL_WORKSPACE: row.path, CONSTEL_BRANCH: branch };
  const ports = { first: row.port_first, count: row.port_count };
  machine.step("workspace.reserved");
  const { onto } = await footingOf(context, task);
  const begins = onto?.target === target ? onto : undefined;
  const isApart = workspacesOfAgent(context, input.agent) !== shared;
  const wish = {
    source: repository,
    facts: source,
    root,
    place,
    branch,
    target,
    begins: begins?.branch,
    fetch: input.fetch,
    ports,
    environment,
  };
  const made = await machine.workspaces.make({ ...wish, isApart }).catch(async (cause: unknown) => {
    if (!(cause instanceof Refusal) || cause.code !== "workspace.exists") throw await giveUp(context, row, cause);
    // It was made, and we were cut off before noting it: nobody has been told of it, so it is as it was made.
    const facts = await machine.workspaces.look(row.path, "HEAD", branch);
    if (facts.branch !== branch || facts.head === undefined) throw await giveUp(context, row, cause);
    const setUp = { copied: [], command: "none" as const, tail: "" };
    const notes = ["it was there from an earlier, interrupted try; its set-up may not have run to its end"];
    return { ...row, base: facts.head, setUp, notes };
  });
  machine.step("workspace.made");
  const problem = ["failed", "late"].includes(made.setUp.command)
    ? `set-up ${made.setUp.command}: ${made.setUp.tail}`
    : null;
  const ready = { ...row, state: "ready", holder: null, base_sha: made.base, path: made.path, problem };
  await store.write(async (tx) => {
    await updateWorkspace(tx.db, row.id, {
      state: "ready",
      holder: null,
      base_sha: made.base,
      path: made.path,
      problem,
    });
    // A second repository has its own target, and does not become the task's.
    const isOnly = task.repositories === "[]" && workspaceName(input.name) === workspaceName(undefined);
    await updateTask(tx.db, task, { branch, ...(isOnly ? { target, repository } : {}), updated_ms: tx.nowMs });
    const { copied } = made.setUp;
    const files = copied.length === 0 ? {} : { copied: [...copied] };
    const facts = { path: made.path, branch, base: made.base, problem, ...files };
    await recordTask(context, tx, task.number, "workspace_made", facts);
    const duration = Math.round(context.clock.monotonicMs() - started);
    await recordGit(context, tx, {
      duration_ms: duration,
      operation: "clone",
      repository: row.source,
      task: task.number,
      outcome: "done",
      detail: made.path,
    });
  });
  return { workspace: ready, set_up: { ...made.setUp, copied: [...made.setUp.copied] }, notes: [...made.notes] };
}

async function giveUp(context: TaskContext, row: WorkspacesTable, cause: unknown): Promise<unknown> {
  await context.store.write((tx) => deleteWorkspace(tx.db, row.id));
  return cause;
}

/** The row before the thing, with ports that no other workspace here has. An interrupted try's row is taken up again. */
async function reserve(
  context: TaskContext,
  input: CloneInput,
  facts: { repository: string; source: string; origin: string; target: string },
): Promise<WorkspacesTable> {
  const { constellation, machine } = context;
  let held: string | undefined;
  const hold = (id: string): void => {
    held = id;
    machine.inHand.add(id);
  };
  /** A row that was not written is held by nobody: otherwise it would be taken for work under way for ever. */
  const letGo = (): void => {
    if (held !== undefined) machine.inHand.delete(held);
  };
  const written = context.store.write(async (tx) => {
    letGo(); // the store may try the same once more
    const task = await findTask(tx.db, constellation, input.task);
    const name = workspaceName(input.name);
    const all = await workspacesOf(tx.db, constellation);
    const mine = all.filter((row) => row.task === task.number);
    const before = mine.find((row) => row.name === name);
    if (before?.state === "making") {
      if (machine.inHand.has(before.id))
        throw new Refusal("workspace.busy", `${before.path} is being made at this moment`, { path: before.path });
      await take(context, tx, before, {});
      hold(before.id);
      return before;
    }
    if (before !== undefined)
      throw new Refusal("workspace.exists", `task ${task.number} has a workspace ${name} at ${before.path}`, {
        path: before.path,
      });
    const taken = new Set(all.map((row) => row.port_first));
    let first = firstPort;
    while (taken.has(first) && first < 64_000) first += portsEach;
    const place = `${workspacesOfAgent(context, input.agent)}/${task.number}/${name}`;
    const row: WorkspacesTable = {
      id: makeId("wsp", tx.nowMs, context.random.bytes(10)),
      constellation,
      task: task.number,
      name,
      state: "making",
      holder: machine.holder,
      root: task.root,
      place,
      path: `${task.root}/${place}`,
      source: facts.source,
      origin: facts.origin,
      target: facts.target,
      // The same name in every repository of a task.
      branch: mine[0]?.branch ?? task.branch ?? branchOf(constellation, task.number, task.title),
      base_sha: "",
      port_first: first,
      port_count: portsEach,
      rescue: null,
      kept_ms: null,
      ready_sha: null,
      problem: null,
      created_ms: tx.nowMs,
      removing_ms: null,
      removed_ms: null,
    };
    hold(row.id);
    await tx.insert("workspaces", row);
    return row;
  });
  return await written.catch((cause: unknown) => {
    letGo();
    throw cause;
  });
}

/** Below the root: the directory that holds the directories of tasks. */
export function workspacesOfAgent({ machine }: TaskContext, agent: string | null | undefined): string {
  const own = agent === null || agent === undefined ? undefined : machine.ownWorkspaces?.(agent);
  return own ?? shared;
}

export async function listWorkspaces(
  { store }: ReadContext,
  input: { task?: number | undefined; all: boolean },
): Promise<{ workspaces: WorkspacesTable[] }> {
  return {
    workspaces: await workspacesOf(store.db, store.constellation, { task: input.task, withRemoved: input.all }),
  };
}

export async function branchWorkspace(
  context: TaskContext,
  input: { task: number; name?: string | undefined; branch: string },
): Promise<{ branch: string }> {
  const row = await find(context, input, ["ready"]);
  await context.machine.workspaces.branch(row.path, input.branch);
  await context.store.write(async (tx) => {
    await updateWorkspace(tx.db, row.id, { branch: input.branch });
    const { constellation, task: number } = row;
    const isOnly = (await workspacesOf(tx.db, constellation, { task: number })).length === 1;
    const named = isOnly ? { branch: input.branch } : {};
    await updateTask(tx.db, { constellation, number }, { ...named, updated_ms: tx.nowMs });
    await recordTask(context, tx, row.task, "branched", { branch: input.branch });
  });
  return { branch: input.branch };
}

export interface RemovedWorkspace {
  readonly path: string;
  readonly rescue: string | null;
  readonly files: number;
  readonly skipped: string[];
  readonly left_out: LeftOut[];
  readonly written_again: boolean;
}

export async function removeWorkspace(
  context: TaskContext,
  input: { task: number; name?: string | undefined; with_ignored: boolean },
): Promise<RemovedWorkspace> {
  const found = await find(context, input, ["ready", "making", "removing"]);
  return await holding(context, found, () => removeFound(context, input, found));
}

async function removeFound(
  context: TaskContext,
  input: { with_ignored: boolean },
  found: WorkspacesTable,
): Promise<RemovedWorkspace> {
  const { store, machine } = context;
  const row = await store.write(async (tx) => {
    const removingMs = found.removing_ms ?? tx.nowMs;
    await take(context, tx, found, { state: "removing", removing_ms: removingMs });
    return { ...found, removing_ms: removingMs };
  });
  machine.step("workspace.removing");
  const started = context.clock.monotonicMs();
  let rescue;
  try {
    rescue = await machine.workspaces.remove({
      root: row.root,
      place: row.place,
      source: row.source,
      name: `${row.task}-${row.name}`,
      nowMs: row.removing_ms,
      bundles: machine.bundles,
      withIgnored: input.with_ignored,
      step: machine.step,
    });
  } catch (cause) {
    // It stands where it stood, unless somebody wrote at its place meanwhile; then the next try goes on.
    const stands = await machine.workspaces.settle({ root: row.root, place: row.place });
    const back = stands ? { state: found.state === "making" ? "making" : "ready", removing_ms: null } : {};
    await store.write((tx) => updateWorkspace(tx.db, row.id, { holder: null, ...back }));
    throw cause;
  }
  machine.step("workspace.gone");
  const where = rescue?.where ?? null;
  await store.write(async (tx) => {
    await updateWorkspace(tx.db, row.id, { state: "removed", holder: null, removed_ms: tx.nowMs, rescue: where });
    if (where !== null) await keepRescue(context, tx, row, where);
    await recordTask(context, tx, row.task, "workspace_removed", { path: row.path, rescue: where });
    const duration = Math.round(context.clock.monotonicMs() - started);
    await recordGit(context, tx, {
      duration_ms: duration,
      operation: "rescue",
      repository: row.source,
      task: row.task,
      outcome: "done",
      detail: where ?? "nothing was there",
    });
  });
  return {
    path: row.path,
    rescue: where,
    files: rescue?.files ?? 0,
    skipped: [...(rescue?.skipped ?? [])],
    left_out: [...(rescue?.leftOut ?? [])],
    written_again: rescue?.isWrittenAgain ?? false,
  };
}

export async function restoreWorkspace(
  context: TaskContext,
  input: { task: number; name?: string | undefined },
): Promise<{ path: string; left_out: LeftOut[]; skipped: string[] }> {
  const row = await find(context, input, ["removed", "restoring"]);
  return await holding(context, row, () => restoreFound(context, row));
}

async function restoreFound(
  context: TaskContext,
  row: WorkspacesTable,
): Promise<{ path: string; left_out: LeftOut[]; skipped: string[] }> {
  const { store, machine } = context;
  const { rescue } = row;
  if (rescue === null) throw new Refusal("workspace.no-rescue", await whyNone(context, row), { path: row.path });
  const live = await workspacesOf(store.db, row.constellation, { task: row.task, name: row.name });
  if (live.some((other) => other.id !== row.id))
    throw new Refusal("workspace.exists", `a newer workspace stands at ${row.path}`, { path: row.path });
  await store.write((tx) => take(context, tx, row, { state: "restoring" }));
  machine.step("workspace.restoring");
  let restored: Restored = { leftOut: [], skipped: [] };
  try {
    const { root, place, source } = row;
    restored = await machine.workspaces.restore({
      root,
      place,
      source,
      where: rescue,
      scratch: machine.bundles,
      step: machine.step,
    });
  } catch (cause) {
    const wasThere = cause instanceof Refusal && cause.code === "workspace.exists" && row.state === "restoring";
    if (!wasThere) {
      await store.write((tx) => updateWorkspace(tx.db, row.id, { state: "removed", holder: null }));
      throw cause;
    }
  }
  await store.write(async (tx) => {
    await updateWorkspace(tx.db, row.id, { state: "ready", holder: null, removing_ms: null, removed_ms: null });
    await noteRestored(tx, row);
    await recordTask(context, tx, row.task, "workspace_restored", { path: row.path, from: rescue });
  });
  return { path: row.path, left_out: [...restored.leftOut], skipped: [...restored.skipped] };
}

async function whyNone({ store }: TaskContext, { id, path }: WorkspacesTable): Promise<string> {
  const prunedMs = await lastPruned(store.db, id);
  if (prunedMs === null) return `nothing was saved of ${path}`;
  return `what was saved of ${path} was kept as long as \`workspaces.rescue_days\` says, and went on ${new Date(prunedMs).toISOString().slice(0, 10)}`;
}

/** While it is worked on, no one else of this process takes it for abandoned. */
async function holding<T>({ machine }: TaskContext, { id, path }: WorkspacesTable, work: () => Promise<T>): Promise<T> {
  if (machine.inHand.has(id))
    throw new Refusal("workspace.busy", `${path} is being worked on at this moment`, { path });
  machine.inHand.add(id);
  try {
    return await work();
  } finally {
    machine.inHand.delete(id);
  }
}

/** Nobody else may be at it: whoever was and is gone has left it to us. */
async function take(
  context: TaskContext,
  tx: Tx,
  row: WorkspacesTable,
  change: Partial<WorkspacesTable>,
): Promise<void> {
  const { holder } = context.machine;
  const now = await findWorkspace(tx.db, row.id);
  const isBusy = !isAbandoned(context, { id: row.id, holder: now?.holder ?? null }, { asking: true });
  if (now === undefined || isBusy || now.state !== row.state)
    throw new Refusal("workspace.busy", `${row.path} is ${now?.state ?? "gone"} at this moment`, { path: row.path });
  await updateWorkspace(tx.db, row.id, { ...change, holder });
}

/** The newest workspace of that name in one of the states. */
async function find(
  context: TaskContext,
  input: { task: number; name?: string | undefined },
  states: readonly string[],
): Promise<WorkspacesTable> {
  const { store, constellation } = context;
  const task = await findTask(store.db, constellation, input.task);
  const all = await workspacesOf(store.db, constellation, { task: task.number, withRemoved: true });
  const name = input.name === undefined ? onlyName(task.number, all, states) : workspaceName(input.name);
  const rows = all.filter((one) => one.name === name);
  const row = rows.findLast(({ state }) => states.includes(state));
  if (row !== undefined) return row;
  const last = rows.at(-1);
  const why = last === undefined ? `has no workspace ${name}` : `has a workspace ${name} that is ${last.state}`;
  throw new Refusal("workspace.unknown", `task ${task.number} ${why}`, { task: task.number, name });
}

/** Nobody named one: `repo`, or the only one there is. */
function onlyName(task: number, all: readonly WorkspacesTable[], states: readonly string[]): string {
  const usual = workspaceName(undefined);
  const names = [...new Set(all.filter(({ state }) => states.includes(state)).map(({ name }) => name))];
  if (names.length < 2 || names.includes(usual)) return names.length === 1 ? (names[0] ?? usual) : usual;
  throw new Refusal(
    "workspace.unknown",
    `task ${task} has the workspaces ${names.join(", ")}`,
    { task, names },
    `Name one of them: \`--name ${names[0]}\`.`,
  );
}
