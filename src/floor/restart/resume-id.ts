// Chooses the conversation that an agent takes up again. The id comes from hooks and transcripts, which agents write, and becomes a word of
// a command line: only what looks like an id is one. A conversation of which nothing was stored cannot be resumed, and a program that is
// asked to refuses to start; restart-agents.ts handles that.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { LiveSession, Runtime, RuntimeMachine } from "../../ports/runtime.ts";

const plainId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** Undefined: it begins anew. Never throws: an agent without its conversation is better than none. */
export async function resumeId(
  runtime: Runtime,
  launch: AgentLaunch,
  machine: RuntimeMachine,
): Promise<string | undefined> {
  if (!runtime.abilities.resume || launch.runtime !== runtime.name) return undefined;
  try {
    const session = sessionOf(launch);
    const id = await runtime.currentSession(session, machine);
    if (id === undefined || !plainId.test(id)) return undefined;
    return (await runtime.canResume({ ...session, sessionId: id }, machine)) === false ? undefined : id;
  } catch {
    return undefined;
  }
}

export function sessionOf(launch: AgentLaunch): LiveSession {
  return {
    launch: launch.launch,
    sinceMs: launch.sinceMs,
    ...(launch.sessionId === undefined ? {} : { sessionId: launch.sessionId }),
    ...(launch.leader === undefined ? {} : { pid: launch.leader.pid }),
  };
}
