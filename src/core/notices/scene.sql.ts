// Holds the queries of routing and join packets to the tables of others: agents, worktrees, tasks and claims, each in one question.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { AgentsTable } from "../../store/tables/agents.ts";
import type { ClaimsTable } from "../../store/tables/observed.ts";

type Db = Kysely<Tables>;

export type SceneAgent = Pick<AgentsTable, "agent" | "role" | "runtime" | "wanted" | "seen" | "cwd" | "session_id"> & {
  /** Absent for a session that only said that it is there. */
  readonly launched_ms?: number;
};

export async function sceneAgents(db: Db, constellation: string): Promise<SceneAgent[]> {
  return await db
    .selectFrom("agents")
    .select(["agent", "role", "runtime", "wanted", "seen", "cwd", "session_id", "launched_ms"])
    .where("constellation", "=", constellation)
    .orderBy("agent")
    .execute();
}

export interface SceneWorktree {
  readonly path: string;
  readonly repository: string;
  readonly branch: string | null;
  readonly agent: string | null;
}

export async function sceneWorktrees(db: Db, constellation: string): Promise<SceneWorktree[]> {
  return await db
    .selectFrom("worktrees")
    .select(["path", "repository", "branch", "agent"])
    .where("constellation", "=", constellation)
    .orderBy("path")
    .execute();
}

export interface SceneTask {
  readonly number: number;
  readonly agent: string;
  readonly title: string;
  readonly state: string;
  readonly ready_ms: number | null;
}

/** Those that somebody has. */
export async function sceneTasks(db: Db, constellation: string): Promise<SceneTask[]> {
  const rows = await db
    .selectFrom("tasks")
    .select(["number", "agent", "title", "state", "ready_ms"])
    .where("constellation", "=", constellation)
    .where("agent", "is not", null)
    .where("state", "not in", ["closed", "cancelled"])
    .orderBy("number")
    .execute();
  return rows.map(({ agent, ...task }) => ({ ...task, agent: agent ?? "" }));
}

export async function sceneWorkspaces(db: Db, constellation: string): Promise<{ path: string; task: number }[]> {
  return await db
    .selectFrom("workspaces")
    .select(["path", "task"])
    .where("constellation", "=", constellation)
    .where("state", "=", "ready")
    .execute();
}

export async function liveClaims(db: Db, constellation: string, nowMs: number): Promise<ClaimsTable[]> {
  return await db
    .selectFrom("claims")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("expires_ms", ">", nowMs)
    .where("dropped_ms", "is", null)
    .orderBy("id")
    .execute();
}

export async function repositoryNames(db: Db, constellation: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("repositories")
    .select(["identity", "name"])
    .where("constellation", "=", constellation)
    .execute();
  return new Map(rows.map(({ identity, name }) => [identity, name]));
}
