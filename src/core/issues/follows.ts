// Looking at what is followed, and ending it.

import { Refusal } from "../../protocol/errors.ts";
import type { Forges } from "../../ports/forge.ts";
import type { Context, ReadContext } from "../context.ts";
import { findFollow, followsOf, issuesOfTask, tasksOfFollow, updateFollow } from "./issues.sql.ts";

export async function listFollows({ store }: ReadContext, input: { readonly all: boolean; readonly limit: number }) {
  const rows = await followsOf(store.db, store.constellation, input.all);
  const follows = [];
  for (const row of rows.slice(0, input.limit)) {
    const tasks = await tasksOfFollow(store.db, store.constellation, row.id);
    const isOpen = (state: string): boolean => state !== "closed" && state !== "cancelled";
    const { id, origin, label, repository, waiting, looked_ms, created_ms, ended_ms } = row;
    follows.push({
      id,
      origin,
      label,
      repository,
      tasks: tasks.length,
      open: tasks.filter(({ task_state: state }) => isOpen(state)).length,
      waiting,
      waits_for: row.waits_for ?? tasks.find(({ problem }) => problem !== null)?.problem ?? null,
      looked_ms,
      created_ms,
      ended_ms,
    });
  }
  return { total: rows.length, follows };
}

export async function stopFollow(
  { store, constellation, actor }: Context,
  { id }: { readonly id: string },
): Promise<{ id: string; label: string; origin: string }> {
  return await store.write(async (tx) => {
    const found = await findFollow(tx.db, constellation, id);
    const [follow] = found;
    if (follow === undefined || found.length > 1) {
      const why = follow === undefined ? `nothing is followed as ${id}` : `${found.length} are called ${id}`;
      throw new Refusal("issue.unknown-follow", why, { id });
    }
    const { origin, label } = follow;
    if (follow.ended_ms === null) {
      await updateFollow(tx, follow.id, { ended_ms: tx.nowMs });
      await tx.record({ type: "issue.unfollowed", subject: `follow:${follow.id}`, actor, data: { origin, label } });
    }
    return { id: follow.id, label, origin };
  });
}

export interface IssueOfTask {
  readonly number: number;
  readonly url: string;
  /** It is in the repository of this origin. */
  readonly isHere: boolean;
}

/** The issues that a task was made from. */
export async function issuesOf(
  { store }: Pick<ReadContext, "store">,
  forges: Forges,
  about: { readonly task: number; readonly origin: string },
): Promise<IssueOfTask[]> {
  const rows = await issuesOfTask(store.db, store.constellation, about.task);
  if (rows.length === 0) return [];
  const nameOf = (origin: string): string => {
    const { host, repository } = forges.placeOf(origin);
    return `${host}/${repository}`.toLowerCase();
  };
  return rows.map(({ issue, origin, url }) => ({
    number: issue,
    url,
    isHere: nameOf(origin) === nameOf(about.origin),
  }));
}
