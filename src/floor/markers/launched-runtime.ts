// `runtime-<agent>`: the runtime the agent was last launched on, so that recovery brings it back on the same one.

import { readMarker } from "./marker-files.ts";
import { markers } from "./markers.ts";

/** Undefined when it was never launched, or when the file does not hold a runtime's name. */
export function launchedRuntime(home: string, agent: string): string | undefined {
  const name = readMarker(home, markers.runtime(agent))?.trim();
  return name !== undefined && /^[a-z][a-z0-9-]{0,39}$/.test(name) ? name : undefined;
}
