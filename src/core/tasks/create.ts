// Creating tasks: one by one, and many from elsewhere. Importing the same source again changes nothing.

import type { Criterion } from "../../protocol/acceptance.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { Context } from "../context.ts";
import { criteriaOf, setCriteria } from "./evidence/criteria.sql.ts";
import { criterionOf, readCriterion } from "./evidence/criteria.ts";
import { repositoryColumns } from "./repositories.ts";
import type { TaskContext } from "./task-context.ts";
import { findImported, findTask, isImported, nextNumber, recordTask } from "./tasks.sql.ts";

export interface NewTask {
  readonly title: string;
  readonly directive?: string | undefined;
  readonly brief?: string | undefined;
  readonly priority: string;
  readonly estimate_ms?: number | undefined;
  readonly root: string;
  readonly repositories: readonly string[];
  readonly target?: string | undefined;
  readonly scope: readonly string[];
  readonly after: readonly number[];
  /** What it must show, as typed: a command or a sentence each. */
  readonly accept?: readonly string[] | undefined;
  /** push or pull-request; if absent, as the repository says. */
  readonly by?: string | undefined;
}

export async function createTask(context: TaskContext, input: NewTask): Promise<CreatedTask> {
  for (const repository of input.repositories) await refuseUnlessRepository(context, repository);
  const brief = input.brief === undefined ? undefined : context.machine.readBrief(input.root, input.brief);
  return context.store.write(async (tx) => {
    for (const after of input.after) await findTask(tx.db, context.constellation, after);
    const number = await insert(context, tx, input, { brief: brief?.path, sourceKey: undefined });
    return { number, criteria: (await criteriaOf(tx.db, context.constellation, number)).map(criterionOf) };
  });
}

export interface CreatedTask {
  readonly number: number;
  readonly criteria: Criterion[];
}

/** Now, and not in the night when somebody is to work on it. */
export async function refuseUnlessRepository({ machine }: TaskContext, path: string): Promise<void> {
  if ((await machine.identityOf(path)) !== undefined) return;
  throw new Refusal("git.not-a-repository", `${path} is not in a git repository`, { path });
}

export interface ImportedTask {
  readonly key: string;
  readonly title: string;
  readonly directive: string;
  readonly priority: string;
  readonly estimate_ms?: number | undefined;
}

export async function importTasks(
  context: TaskContext,
  input: { root: string; repository?: string | undefined; tasks: readonly ImportedTask[] },
): Promise<{ created: number[]; known: number }> {
  if (input.repository !== undefined) await refuseUnlessRepository(context, input.repository);
  return context.store.write(async (tx) => {
    const created: number[] = [];
    for (const task of input.tasks) {
      const made = await importInto(context, tx, { ...input, task });
      if (made.isNew) created.push(made.number);
    }
    return { created, known: input.tasks.length - created.length };
  });
}

/** True when a task was made from this entry of a source before. */
export const wasImported = ({ store, constellation }: Context, key: string): Promise<boolean> =>
  isImported(store.db, constellation, key);

/** Inside a job. The task of this entry: made now, or when it was imported before. */
export async function importInto(
  context: TaskContext,
  tx: Tx,
  { root, repository, task }: { root: string; repository?: string | undefined; task: ImportedTask },
): Promise<{ number: number; isNew: boolean }> {
  if (await isImported(tx.db, context.constellation, task.key))
    return { number: await findImported(tx.db, context.constellation, task.key), isNew: false };
  const repositories = repository === undefined ? [] : [repository];
  const input = { ...task, root, repositories, scope: [], after: [] };
  return { number: await insert(context, tx, input, { brief: undefined, sourceKey: task.key }), isNew: true };
}

async function insert(
  context: Context,
  tx: Tx,
  input: NewTask,
  more: { brief: string | undefined; sourceKey: string | undefined },
): Promise<number> {
  const { constellation } = context;
  const number = await nextNumber(tx.db, constellation);
  await tx.insert("tasks", {
    constellation,
    number,
    title: input.title,
    directive: input.directive ?? "",
    state: "open",
    priority: input.priority,
    brief: more.brief ?? null,
    agent: null,
    root: input.root,
    ...repositoryColumns(input.repositories),
    target: input.target ?? null,
    branch: null,
    scope: JSON.stringify(input.scope),
    estimate_ms: input.estimate_ms ?? null,
    actual_ms: null,
    landed_sha: null,
    ready_sha: null,
    reason: null,
    source_key: more.sourceKey ?? null,
    created_by: context.actor,
    created_ms: tx.nowMs,
    updated_ms: tx.nowMs,
    started_ms: null,
    ready_ms: null,
    closed_ms: null,
    evidence: null,
    land_by: input.by ?? null,
  });
  await setCriteria(tx, { constellation, task: number }, (input.accept ?? []).map(readCriterion));
  for (const after of new Set(input.after)) {
    if (after === number) throw new Refusal("task.waits-for-itself", `task ${number} cannot wait for itself`);
    await tx.insert("task_after", { constellation, task: number, after });
  }
  await recordTask(context, tx, number, "created", {
    title: input.title.slice(0, 200),
    priority: input.priority,
    ...(more.sourceKey === undefined ? {} : { imported_from: more.sourceKey }),
  });
  return number;
}
