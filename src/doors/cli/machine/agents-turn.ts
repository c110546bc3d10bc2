// One at a time: who starts or ends agents of a home waits for whoever does so already.

import { waitForLock } from "../../../host/process/file-lock.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { Clock } from "../../../ports/machine.ts";
import { inHome } from "../../../settings/paths.ts";

/** The time that a second `up` waits for the first. A start takes seconds; programs that tell their version slowly, more. */
const turnMs = 120_000;

export async function agentsTurn<T>(home: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(home, inHome.agentsLock, clock, turnMs);
  if (lock === undefined) throw new Refusal("agents.busy", "another constel is starting or ending agents", { home });
  try {
    return await work();
  } finally {
    lock.release();
  }
}
