// `runtime-<agent>`: the runtime the agent was last launched on, so that recovery brings it back on the same one.

import { checkAgentId } from "../../protocol/agent-id.ts";
import { putMarker, readMarker } from "./marker-files.ts";

const nameOf = (agent: string): string => `runtime-${checkAgentId(agent)}`;

export const rememberRuntime = (home: string, agent: string, runtime: string): void =>
  putMarker(home, nameOf(agent), runtime);

/** Undefined when it was never launched, or when the file does not hold a runtime's name. */
export function launchedRuntime(home: string, agent: string): string | undefined {
  const name = readMarker(home, nameOf(agent))?.trim();
  return name !== undefined && /^[a-z][a-z0-9-]{0,39}$/.test(name) ? name : undefined;
}
