// `start-failures-<agent>`: starts in a row of which the agent's program could not make anything (not installed, refused,
// ended before it showed a prompt), with its own words. Gone once the agent is proven alive, or when an operator restarts it.

import { allMarkerValues, putMarker, readMarkerValues } from "./marker-files.ts";
import { markers } from "./markers.ts";

export interface StartFailures {
  /** In a row. */
  readonly count: number;
  readonly lastMs: number;
  /** The program's own last words, or why it was not even started. Not to be trusted. */
  readonly says: string;
  /** At the last one the machine failed (the terminals' server died, the disk was full): the program itself never had its turn. */
  readonly outage: boolean;
}

const longestWords = 500;

export const readStartFailures = (home: string, agent: string): StartFailures | undefined =>
  failuresIn(readMarkerValues(home, markers.startFailures(agent)));

/** Of every agent that has any. */
export function allStartFailures(home: string): ReadonlyMap<string, StartFailures> {
  const all = new Map<string, StartFailures>();
  for (const [agent, values] of allMarkerValues(home, markers.startFailures.prefix)) {
    const failures = failuresIn(values);
    if (failures !== undefined) all.set(agent, failures);
  }
  return all;
}

function failuresIn(values: Readonly<Record<string, unknown>> | undefined): StartFailures | undefined {
  const { count, last_ms: lastMs, says, outage } = values ?? {};
  if (typeof count !== "number" || typeof lastMs !== "number" || !(count > 0)) return undefined;
  return { count, lastMs, says: typeof says === "string" ? says : "", outage: outage === true };
}

export interface StartFailure {
  readonly says: string;
  readonly nowMs: number;
  /** `refused`: nothing would change at a second try, so that it counts twice. `outage`: the machine failed. */
  readonly kind: "ended" | "refused" | "outage";
}

/** One more in a row. */
export function addStartFailure(home: string, agent: string, { says, nowMs, kind }: StartFailure): StartFailures {
  const count = (readStartFailures(home, agent)?.count ?? 0) + (kind === "refused" ? 2 : 1);
  const failures = { count, lastMs: nowMs, says: says.slice(0, longestWords), outage: kind === "outage" };
  putMarker(
    home,
    markers.startFailures(agent),
    JSON.stringify({ count, last_ms: nowMs, says: failures.says, outage: failures.outage }),
  );
  return failures;
}
