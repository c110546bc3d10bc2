// `witnessed-time`: how much time ticks have been there to see, in all. A tick adds what passed since the one before it, and at
// most `mostMs` of it: while the machine slept, or nobody ticked, nothing was seen, so nothing stood still. The uptime is taken
// because the wall clock may be set.

import { putMarker, readMarkerValues } from "./marker-files.ts";
import { markers } from "./markers.ts";

const name = markers.witnessedTime;
/** The failsafe ticks every 120 s; a tick that comes a little late still follows the one before. */
const mostMs = 150_000;

/** Once a tick. Answers the sum so far; it never falls, except when the file was lost. */
export function witness(home: string, uptimeMs: number): number {
  const { uptime_ms: before, witnessed_ms: sum } = readMarkerValues(home, name) ?? {};
  // An uptime that is smaller than before: the machine was started anew.
  const passedMs = typeof before === "number" && uptimeMs > before ? Math.min(uptimeMs - before, mostMs) : 0;
  const witnessedMs = (typeof sum === "number" && sum >= 0 ? sum : 0) + passedMs;
  putMarker(home, name, JSON.stringify({ uptime_ms: uptimeMs, witnessed_ms: witnessedMs }), { sync: false });
  return witnessedMs;
}
