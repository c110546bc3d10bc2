// `pane-hash-<agent>`: what the agent's screen and hooks hashed to, and since when they have not changed. Since when is told on
// the time that ticks have witnessed (witnessed-time.ts), not on a clock that jumps or runs on while the machine sleeps.

import { allMarkerValues, putMarker, readMarkerValues } from "./marker-files.ts";
import { markers } from "./markers.ts";

export interface PaneHash {
  readonly hash: string;
  /** Witnessed time. */
  readonly sinceMs: number;
  /** The launch it was seen in: a new one begins anew. */
  readonly launchedMs: number;
}

/**
 * Remembers what was seen now, after `before`, as one look for all agents found it (`allPaneHashes`). `sinceMs` moves only when the hash or the
 * launch does, or when the count began anew.
 */
export function seePaneHash(
  home: string,
  agent: string,
  seen: { readonly hash: string; readonly launchedMs: number },
  witnessedMs: number,
  before: PaneHash | undefined,
): PaneHash {
  const isSame = before?.hash === seen.hash && before.launchedMs === seen.launchedMs;
  if (before !== undefined && isSame && before.sinceMs <= witnessedMs) return before;
  const { hash, launchedMs } = seen;
  putMarker(home, markers.paneHash(agent), JSON.stringify({ hash, since_ms: witnessedMs, launched_ms: launchedMs }), {
    sync: false,
  });
  return { hash, launchedMs, sinceMs: witnessedMs };
}

export function readPaneHash(home: string, agent: string): PaneHash | undefined {
  const values = readMarkerValues(home, markers.paneHash(agent));
  return values === undefined ? undefined : paneHashIn(values);
}

/** Of every agent that has one. */
export function allPaneHashes(home: string): ReadonlyMap<string, PaneHash> {
  const hashes = new Map<string, PaneHash>();
  for (const [agent, values] of allMarkerValues(home, markers.paneHash.prefix)) {
    const seen = paneHashIn(values);
    if (seen !== undefined) hashes.set(agent, seen);
  }
  return hashes;
}

function paneHashIn(values: Readonly<Record<string, unknown>>): PaneHash | undefined {
  const { hash, since_ms: sinceMs, launched_ms: launchedMs } = values;
  return typeof hash === "string" && typeof sinceMs === "number" && typeof launchedMs === "number"
    ? { hash, sinceMs, launchedMs }
    : undefined;
}
