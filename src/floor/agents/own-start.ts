// An agent's program may run before its start has written down which process leads the agent: the terminal is made first, and on a busy
// machine a second passes in between. Until then the program is nobody's. Whoever must know whose it is waits here for that word.

import type { Clock } from "../../ports/machine.ts";
import { readLaunch } from "./launch-files.ts";

const lookMs = 10;
/** A start that is still not written down by then has died, and its terminal is made anew. */
const longestMs = 5_000;

/** Returns at once where no start is under way, as for a program that a person runs in the agent's name. */
export async function untilStartIsWritten(home: string, agent: string, clock: Clock): Promise<void> {
  const endMs = clock.monotonicMs() + longestMs;
  while (isStartUnderWay(home, agent) && clock.monotonicMs() < endMs) await clock.sleep(lookMs);
}

function isStartUnderWay(home: string, agent: string): boolean {
  const launch = readLaunch(home, agent);
  return launch?.wanted === "up" && launch.leader === undefined;
}
