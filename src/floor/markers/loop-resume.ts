// `loop-resume`: the root went down while under a loop, and the next session takes the loop up again if it comes soon.

import { markerMtimeMs, putMarker, readMarker, readMarkerValues } from "./marker-files.ts";
import { markers } from "./markers.ts";

const name = markers.loopResume;

export interface LoopResume {
  /** The loop, as its file in `state/loops/` is named. */
  readonly loop: string;
  readonly agent: string;
  readonly writtenAtMs: number;
  /** The point to go on from, in words. */
  readonly pickup: string;
}

export function writeLoopResume(home: string, resume: LoopResume): void {
  const { writtenAtMs, ...rest } = resume;
  const body = { ...rest, written_at_ms: writtenAtMs, written_at: new Date(writtenAtMs).toISOString() };
  putMarker(home, name, JSON.stringify(body, null, 2));
}

/** Undefined when there is none; `damaged` with what is there when it cannot be read. */
export function readLoopResume(home: string): LoopResume | { damaged: string } | undefined {
  const body = readMarker(home, name);
  if (body === undefined) return undefined;
  const { loop, agent, written_at_ms: writtenAtMs, pickup } = readMarkerValues(home, name) ?? {};
  if (typeof loop !== "string" || loop === "" || typeof agent !== "string") return { damaged: body.slice(0, 500) };
  return {
    loop,
    agent,
    writtenAtMs: typeof writtenAtMs === "number" ? writtenAtMs : (markerMtimeMs(home, name) ?? 0),
    pickup: typeof pickup === "string" ? pickup : "",
  };
}
