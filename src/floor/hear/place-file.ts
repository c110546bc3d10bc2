// The file beside what an agent is to hear next that says what the rules have to know of it (protocol/agent-place.ts). The daemon
// writes it, hooks read it. It can be made again, so nothing is synced. Whoever can write to the home could give an agent another place, and so more
// rights: it names its agent and carries constel's seal, and what has none says nothing.

import { hasProc, readOwnFile } from "../../files/descend.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { readTrusted } from "../../files/trusted-files.ts";
import { type AgentPlace, longestPlaceBytes, parseAgentPlace } from "../../protocol/agent-place.ts";
import type { SealedHome } from "../../ports/keys.ts";
import { inHome } from "../../settings/paths.ts";

const fileName = "place.json";

/** Undefined when there is none, or none that is whole and ours. */
export function readPlace({ home, isGenuine }: SealedHome, agent: string): AgentPlace | undefined {
  const text = hasProc
    ? readOwnFile(home, [...inHome.hear.split("/"), agent], fileName, longestPlaceBytes)
    : readTrusted(home, `${inHome.hear}/${agent}/${fileName}`)?.toString("utf8");
  if (text === undefined || !text.startsWith(beginning(agent)) || !isGenuine(text.trim())) return undefined;
  return parseAgentPlace(text);
}

export function writePlace({ home, seal }: SealedHome, agent: string, place: AgentPlace): void {
  using directory = TrustedDirectory.open(home, `${inHome.hear}/${agent}`, { create: true });
  directory.write(fileName, `${seal(JSON.stringify({ for: agent, ...place }))}\n`, { sync: false });
}

/** Another agent's file, with its seal, could be laid down in its place. */
const beginning = (agent: string): string => `{"for":"${agent}",`;
