// Names an agent of another constellation: its id there, and our name for the peer.

import { anAgentId } from "./agent-id.ts";

/** As people write it: `agent3@desk`. */
export const farAgentPattern = new RegExp(`^(${anAgentId})@([A-Za-z0-9][A-Za-z0-9._-]{0,62})$`);

export function parseFarAgent(text: string): { agent: string; peer: string } | undefined {
  const [, agent, peer] = farAgentPattern.exec(text) ?? [];
  return agent === undefined || peer === undefined ? undefined : { agent, peer };
}
