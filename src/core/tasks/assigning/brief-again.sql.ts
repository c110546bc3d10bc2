// Launches of agents: those that run now, and the one that a moment falls into.

import type { Kysely } from "kysely";
import type { Tables } from "../../../store/tables.ts";

type Db = Kysely<Tables>;

interface LaunchedConversation {
  readonly started_ms: number;
  /** Null where it cannot be taken up again, or is not known yet. */
  readonly session_id: string | null;
}

/** By agent, of those that somebody started anew or that were started by hand; constel's own restarts bring a handoff. */
export async function launchesNow(db: Db, constellation: string): Promise<ReadonlyMap<string, LaunchedConversation>> {
  const rows = await db
    .selectFrom("agents")
    .innerJoin("sessions", (join) =>
      join
        .onRef("sessions.constellation", "=", "agents.constellation")
        .onRef("sessions.agent", "=", "agents.agent")
        .onRef("sessions.started_ms", "=", "agents.launched_ms"),
    )
    .select(["agents.agent", "sessions.started_ms", "sessions.session_id"])
    .where("agents.constellation", "=", constellation)
    .where("agents.wanted", "=", "up")
    .where("agents.seen", "<>", "dead")
    .where("sessions.because", "not in", ["crash", "hang"])
    .execute();
  return new Map(rows.map(({ agent, ...launch }) => [agent, { ...launch, started_ms: Number(launch.started_ms) }]));
}

/** The last one that had begun by then. */
export async function launchAt(
  db: Db,
  constellation: string,
  agent: string,
  atMs: number,
): Promise<LaunchedConversation | undefined> {
  return await db
    .selectFrom("sessions")
    .select(["started_ms", "session_id"])
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("started_ms", "<=", atMs)
    .orderBy("started_ms", "desc")
    .executeTakeFirst();
}
