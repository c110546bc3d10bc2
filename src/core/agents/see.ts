// See: takes in what a look at the agents found. Writes only what changed, and puts on the timeline only that an agent's state
// did. A session's row is made with its launch and closed with its end.

import type { Tx } from "../../store/group-commit.ts";
import type { Store } from "../../store/open.ts";
import type { AgentsTable } from "../../store/tables/agents.ts";
import type { AgentSighting, SeenState } from "./agent.ts";
import { agentRow, noteAccountLimit, openSessions, session, updateAgent, updateSession } from "./agents.sql.ts";
import { eventsFor } from "./rules.ts";

export function seeAgents(store: Store, sightings: readonly AgentSighting[]): Promise<void> {
  return store.write(async (tx) => {
    for (const sighting of sightings) await seeOne(tx, store.constellation, sighting);
  });
}

async function seeOne(tx: Tx, constellation: string, sighting: AgentSighting): Promise<void> {
  const before = await agentRow(tx.db, constellation, sighting.agent);
  const after = rowAfter(before, constellation, sighting, tx.nowMs);
  if (before === undefined) await tx.insert("agents", after);
  else await updateAgent(tx.db, after, after);
  for (const { type, data } of eventsFor(before?.seen as SeenState | undefined, sighting.seen)) {
    await tx.record({ type, subject: `agent:${sighting.agent}`, actor: "daemon", data });
  }
  await keepSessions(tx, constellation, sighting);
  const { agent, runtime, account, seen, wanted } = sighting;
  if (seen.state !== "limited" || wanted === "nothing") return;
  const key = { constellation, runtime, account: account ?? "usual", agent };
  await noteAccountLimit(tx.db, { ...key, until_ms: seen.untilMs ?? tx.nowMs + unknownLimitMs, seen_ms: tx.nowMs });
}

/** Nobody said when it lifts. */
const unknownLimitMs = 3_600_000;

/** The row after one more look. Pure. */
export function rowAfter(
  before: AgentsTable | undefined,
  constellation: string,
  sighting: AgentSighting,
  nowMs: number,
): AgentsTable {
  const { agent, role, runtime, wanted, seen, launchedMs, cwd } = sighting;
  const isSame = before !== undefined && before.seen === seen.state;
  const isNewSession = before === undefined || before.launched_ms !== launchedMs;
  return {
    constellation,
    agent,
    role,
    runtime,
    wanted,
    seen: seen.state,
    seen_until_ms: seen.untilMs ?? null,
    evidence_on: seen.on,
    evidence_says: seen.says.slice(0, 500),
    evidence_at_ms: seen.atMs === undefined ? null : Math.floor(seen.atMs),
    since_ms: isSame ? before.since_ms : nowMs,
    launched_ms: launchedMs,
    session_id: sighting.sessionId ?? (isNewSession ? null : before.session_id),
    task: before?.task ?? null,
    cwd,
    model: sighting.model ?? null,
    account: sighting.account ?? null,
    mail_held: sighting.mailHeld,
    resume_due_ms: resumeDue(isNewSession ? null : before.resume_due_ms, sighting, nowMs),
    updated_ms: nowMs,
  };
}

/** Once a limit has cut an agent's work short it is to be told to go on, unless it does so by itself. */
function resumeDue(before: number | null, { seen, wanted }: AgentSighting, nowMs: number): number | null {
  if (wanted !== "up" || seen.state === "busy" || seen.state === "dead") return null;
  return seen.state === "limited" ? (seen.untilMs ?? nowMs) : before;
}

async function keepSessions(tx: Tx, constellation: string, sighting: AgentSighting): Promise<void> {
  const { agent, launchedMs, ended } = sighting;
  for (const older of await openSessions(tx.db, constellation, agent)) {
    if (older.started_ms === launchedMs) continue;
    await updateSession(tx.db, older, { ended_ms: tx.nowMs });
  }
  const known = await session(tx.db, constellation, agent, launchedMs);
  const end =
    ended === undefined
      ? {}
      : {
          ended_ms: known?.ended_ms ?? tx.nowMs,
          exit_status: ended.exitStatus ?? known?.exit_status ?? null,
          exit_signal: ended.exitSignal ?? known?.exit_signal ?? null,
        };
  const named = sighting.sessionId === undefined ? {} : { session_id: sighting.sessionId };
  if (known !== undefined) {
    const changes = { ...named, ...end };
    if (Object.keys(changes).length > 0) await updateSession(tx.db, known, changes);
    return;
  }
  await tx.insert("sessions", {
    constellation,
    agent,
    started_ms: launchedMs,
    runtime: sighting.runtime,
    session_id: null,
    because: sighting.because,
    cwd: sighting.cwd,
    ended_ms: null,
    exit_status: null,
    exit_signal: null,
    ...named,
    ...end,
  });
}
