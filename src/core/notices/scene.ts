// Reads what is so at this moment, as far as notices go: who is there and works where, who has which task, what is claimed, who subscribed
// to what. It is read once for a round, and the routing index with it.

import { goneAmong, isThere } from "../claims/keeps-out.ts";
import type { ReadContext } from "../context.ts";
import { isBelieved, standingOf } from "../signed-row.ts";
import { buildIndex, type RoutingIndex, type Subscription } from "./address.ts";
import { subscriptionRows, workplaceRows } from "./notices.sql.ts";
import {
  liveClaims,
  repositoryNames,
  type SceneAgent,
  sceneAgents,
  type SceneTask,
  sceneTasks,
  type SceneWorktree,
  sceneWorkspaces,
  sceneWorktrees,
} from "./scene.sql.ts";
import { type Workers, workersOf } from "./workers.ts";

/** A session that a person started, as its own hooks registered it. */
export interface Guest {
  readonly agent: string;
  readonly runtime: string;
  readonly cwd: string;
  /** It started before anything lay ready for it, in this conversation. */
  readonly ungreeted?: { readonly session: string; readonly sinceMs: number };
}

export interface SceneClaim {
  readonly id: string;
  readonly holder: string;
  readonly repository: string;
  readonly patterns: readonly string[];
  readonly severity: string;
  readonly reason: string;
  readonly isExclusive: boolean;
  readonly madeMs: number;
  readonly endsMs: number;
  readonly worktree: string;
}

export interface Scene {
  readonly agents: ReadonlyMap<string, SceneAgent>;
  readonly worktrees: ReadonlyMap<string, SceneWorktree>;
  readonly tasks: readonly SceneTask[];
  /** By the workspace in which it is worked on. */
  readonly taskAt: ReadonlyMap<string, SceneTask>;
  readonly claims: readonly SceneClaim[];
  readonly workers: Workers;
  readonly index: RoutingIndex;
  readonly repositories: ReadonlyMap<string, string>;
  /** Somebody edited in a worktree that is gone. */
  readonly goneWorkplaces: boolean;
}

export async function readScene(
  { store, clock, audit }: ReadContext,
  input: { readonly root: string; readonly guests: readonly Guest[] },
): Promise<Scene> {
  const { db, constellation } = store;
  const rows = await sceneAgents(db, constellation);
  const agents = new Map(rows.map((row) => [row.agent, row]));
  for (const { agent, runtime, cwd } of input.guests) {
    if (agents.has(agent)) continue;
    agents.set(agent, { agent, runtime, cwd, role: "guest", wanted: "up", seen: "unknown", session_id: null });
  }
  const there = [...agents.values()].filter(isThere);
  const isGone = goneAmong([...agents.values()]);
  const worktrees = await sceneWorktrees(db, constellation);
  const tasks = await sceneTasks(db, constellation);
  const ownerOf = new Map(tasks.map(({ number, agent }) => [number, agent]));
  const workspaces = (await sceneWorkspaces(db, constellation)).flatMap(({ path, task }) => {
    const agent = ownerOf.get(task);
    return agent === undefined ? [] : [{ path, task, agent }];
  });
  const edits = await workplaceRows(db, constellation);
  const workers = workersOf({
    worktrees,
    workspaces,
    sessions: there,
    edits,
    isGone,
    root: input.root,
  });
  // A row that was not signed, or is not what was signed, keeps nobody away.
  const live = (await liveClaims(db, constellation, clock.nowMs())).filter((row) =>
    isBelieved(standingOf(audit?.verify, "claim", row)),
  );
  const claims = live.map((row) => ({
    id: row.id,
    holder: row.holder,
    repository: row.repository,
    patterns: JSON.parse(row.patterns) as string[],
    severity: row.severity,
    reason: row.reason,
    // Whoever is not there and not being brought back cannot be asked, and keeps nobody away; back again, it does until the claim ends.
    isExclusive: row.exclusive === 1 && !isGone(row.holder),
    madeMs: row.made_ms,
    endsMs: row.expires_ms,
    worktree: row.worktree,
  }));
  const known = new Set([
    ...there.map(({ agent }) => agent),
    ...[...workers.values()].flatMap((some) => some.map(({ agent }) => agent)),
    ...tasks.map(({ agent }) => agent).filter((agent) => !isGone(agent)),
  ]);
  const index = buildIndex({
    agents: known,
    workers,
    tasks,
    claims,
    subscriptions: (await subscriptionRows(db, constellation)).map((row) => ({
      agent: row.agent,
      what: row.what as Subscription["what"],
      repository: row.repository,
      value: row.value,
    })),
  });
  const numbered = new Map(tasks.map((task) => [task.number, task]));
  return {
    agents,
    taskAt: new Map(
      workspaces.flatMap(({ path, task: number }) => {
        const task = numbered.get(number);
        return task === undefined ? [] : [[path, task]];
      }),
    ),
    worktrees: new Map(worktrees.map((one) => [one.path, one])),
    tasks,
    claims,
    workers,
    index,
    repositories: await repositoryNames(db, constellation),
    goneWorkplaces: edits.some(({ worktree }) => !worktrees.some(({ path }) => path === worktree)),
  };
}
