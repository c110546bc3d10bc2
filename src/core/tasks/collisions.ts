// Finds the parts of a task's declared scope that are being worked on already: by other tasks, and in open findings, of the same repository.

import type { TasksTable } from "../../store/tables/tasks.ts";
import { listFindings } from "../findings/queries.ts";
import { repositoriesOf } from "./repositories.ts";
import { scopeOverlap } from "./rules.ts";
import type { TaskContext } from "./task-context.ts";
import { listTasks } from "./tasks.sql.ts";

export async function collisions(context: TaskContext, task: TasksTable): Promise<string[]> {
  const scope = JSON.parse(task.scope) as string[];
  if (scope.length === 0) return [];
  const busy = await listTasks(context.store.db, context.constellation, { states: ["in_progress", "ready"] });
  const near = busy.flatMap((other) => {
    const shared = other.number === task.number ? [] : scopeOverlap(scope, JSON.parse(other.scope) as string[]);
    return shared.length === 0 ? [] : [{ other, shared }];
  });
  const { findings } = await listFindings(context, { all: false, limit: 10_000 });
  const told = findings.flatMap((one) => {
    const shared = scopeOverlap(scope, one.files);
    return shared.length === 0 ? [] : [{ ...one, shared }];
  });
  // git is asked only when names are alike.
  if (near.length + told.length === 0) return [];
  const places = new Places(context);
  const here = await places.of(task);
  const isHere = (identities: readonly string[]): boolean => identities.some((one) => here.includes(one));
  const lines: string[] = [];
  for (const { other, shared } of near) {
    if (isHere(await places.of(other))) lines.push(`task ${other.number} works on ${shared.join(", ")} too`);
  }
  for (const { repository, title, shared } of told) {
    if (isHere([repository])) lines.push(`an open finding is about ${shared.join(", ")}: ${title}`);
  }
  return lines;
}

/** Finds the repositories that each task is about, asked once per path. */
class Places {
  readonly #context: TaskContext;
  readonly #known = new Map<string, Promise<string>>();

  constructor(context: TaskContext) {
    this.#context = context;
  }

  of(task: TasksTable): Promise<string[]> {
    return Promise.all(
      repositoriesOf(task).map(({ repository }) => {
        const known = this.#known.get(repository) ?? this.#ask(repository);
        this.#known.set(repository, known);
        return known;
      }),
    );
  }

  /** Returns a path's repository. A path that is in no repository, or cannot be asked about, stands for itself. */
  async #ask(path: string): Promise<string> {
    try {
      return (await this.#context.machine.identityOf(path)) ?? path;
    } catch {
      return path;
    }
  }
}
