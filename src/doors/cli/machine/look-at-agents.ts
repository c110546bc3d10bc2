// Finds out which agents are wanted and which are there, with no daemon and no database: the launch files, one question to tmux, and the
// processes of the sessions that people started themselves.

import { listLaunches } from "../../../floor/agents/launch-files.ts";
import { listAgents, type ListedAgent } from "../../../floor/agents/list-agents.ts";
import { presentGuests } from "../../../floor/guests/present-guests.ts";
import { systemLiveness } from "../../../host/process/liveness.ts";
import { readStartFailures } from "../../../floor/markers/start-failures.ts";
import { restartCommand } from "../../../protocol/agent-id.ts";
import { withAgents } from "./agent-machine.ts";
import type { CliContext } from "../context.ts";
import { hasMarker } from "../../../floor/markers/marker-files.ts";
import { markers } from "../../../floor/markers/markers.ts";

export function lookAtAgents(context: CliContext): Promise<readonly ListedAgent[]> {
  return withAgents(context, { lenient: true, creates: false }, async ({ home, terminals }) => [
    ...listAgents(listLaunches(home), await terminals.list()).map((one) => withReason(home, one)),
    ...listGuests(home),
  ]);
}

function listGuests(home: string): ListedAgent[] {
  return presentGuests(home, systemLiveness).here.map(({ agent, runtime, process, startedAt }) => ({
    agent,
    role: "guest",
    wanted: "nothing",
    seen: "up",
    runtime,
    pid: process.pid,
    sinceMs: startedAt,
    attached: false,
  }));
}

/** Adds the reason that the watchdog's markers give for a wanted agent that is not there. */
function withReason(home: string, one: ListedAgent): ListedAgent {
  if (one.wanted !== "up" || one.seen === "up") return one;
  if (hasMarker(home, markers.crashloop(one.agent)))
    return { ...one, leftDown: `quarantined after 5 restarts in 10 minutes; release it: ${restartCommand(one.agent)}` };
  const failures = readStartFailures(home, one.agent);
  return failures === undefined || failures.count < 2 ? one : { ...one, leftDown: `cannot start: ${failures.says}` };
}
