// The bus as this process sees it: the home's files, the real clock and processes, and the keys of whoever runs it.

import type { Bus } from "../../../floor/bus/bus.ts";
import { systemClock, systemRandom } from "../../../host/clock/system-clock.ts";
import { busTrust } from "../../../host/keys/bus-trust.ts";
import { systemLiveness } from "../../../host/process/liveness.ts";
import type { CliContext } from "../context.ts";
import { whoRuns } from "../who-runs.ts";

export function localBus(places: Pick<CliContext["places"], "home" | "agent">): Bus {
  const { home } = places;
  const by = (): string => {
    const { role, name } = whoRuns(places);
    return role === "owner" ? "constellation" : name;
  };
  return {
    home,
    clock: systemClock,
    random: systemRandom,
    liveness: systemLiveness,
    ...busTrust(home, systemClock, by),
  };
}
