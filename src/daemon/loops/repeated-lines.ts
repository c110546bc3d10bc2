// A line that comes again and again is written once, and then how often it came, at most every ten minutes.

import type { Clock } from "../../ports/machine.ts";

const againMs = 600_000;
const mostKnown = 200;

export function withoutRepeats(log: (line: string) => void, clock: Pick<Clock, "monotonicMs">): (line: string) => void {
  const known = new Map<string, { writtenMs: number; more: number }>();
  return (line) => {
    const nowMs = clock.monotonicMs();
    const before = known.get(line);
    if (before !== undefined && nowMs - before.writtenMs < againMs) {
      before.more += 1;
      return;
    }
    known.delete(line);
    known.set(line, { writtenMs: nowMs, more: 0 });
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    log(
      before === undefined || before.more === 0
        ? line
        : `${line} (and ${before.more} times more since it was last written)`,
    );
  };
}
