// Names an agent of another constellation: its id there, and our name for the peer.

/** An agent of another constellation, as people write it: `agent3@desk`. */
export const farAgentPattern = /^(agent[a-z0-9]{1,32})@([A-Za-z0-9][A-Za-z0-9._-]{0,62})$/;

export function parseFarAgent(text: string): { agent: string; peer: string } | undefined {
  const [, agent, peer] = farAgentPattern.exec(text) ?? [];
  return agent === undefined || peer === undefined ? undefined : { agent, peer };
}
