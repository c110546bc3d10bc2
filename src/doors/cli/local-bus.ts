// The bus as this process sees it: the home's files, the real clock and processes.

import type { Bus } from "../../floor/bus/bus.ts";
import { systemClock, systemRandom } from "../../host/clock/system-clock.ts";
import { systemLiveness } from "../../host/process/liveness.ts";

export function localBus(home: string): Bus {
  return { home, clock: systemClock, random: systemRandom, liveness: systemLiveness };
}
