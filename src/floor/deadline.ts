// Bounds what a port takes. Ports have deadlines of their own; this one holds when a port forgets, because a session that
// waits for ever on one step is as bad as a dead one.

import type { Clock } from "../ports/machine.ts";

export class DeadlinePassed extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = "DeadlinePassed";
  }
}

/** The port's answer, or DeadlinePassed. The port is told through the signal and left to end by itself. */
export async function withDeadline<T>(clock: Clock, ms: number, use: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const passed = new AbortController();
  const answered = new AbortController();
  const late = clock.sleep(ms, answered.signal).then((): never => {
    passed.abort();
    throw new DeadlinePassed(ms);
  });
  // When the answer comes first, the sleep ends early and its rejection is nobody's concern.
  late.catch(() => undefined);
  try {
    return await Promise.race([use(passed.signal), late]);
  } finally {
    answered.abort();
  }
}
