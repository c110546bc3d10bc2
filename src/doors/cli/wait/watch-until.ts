// Watches something the daemon does by itself until it is over. When the daemon dies meanwhile, asking starts another one,
// which goes on where the journal stands.

import { systemClock } from "../../../host/clock/system-clock.ts";
import { Outage } from "../../../protocol/errors.ts";
import type { CliContext } from "../context.ts";

/** A daemon that was killed under a call is asked again, a few times. */
const patience = 5;

export interface Watched<Answer> {
  readonly ask: () => Promise<Answer>;
  readonly isOver: (answer: Answer) => boolean;
  readonly tell: (answer: Answer) => void;
}

/** The last answer: also when the command is interrupted before it is over. */
export async function watchUntil<Answer>(context: CliContext, watched: Watched<Answer>): Promise<Answer> {
  let failures = 0;
  for (let waitMs = 20; ; waitMs = Math.min(500, waitMs * 1.5)) {
    try {
      const answer = await watched.ask();
      failures = 0;
      watched.tell(answer);
      if (context.signal.aborted || watched.isOver(answer)) return answer;
    } catch (cause) {
      failures += 1;
      if (!(cause instanceof Outage && cause.mayRetry) || failures > patience) throw cause;
    }
    await systemClock.sleep(waitMs, context.signal);
  }
}
