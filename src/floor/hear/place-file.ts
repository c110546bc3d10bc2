// The file beside what an agent is to hear next that says what the rules have to know of it (protocol/agent-place.ts). The daemon
// writes it, hooks read it. It can be made again, so nothing is synced.

import { hasProc, readOwnFile } from "../../files/descend.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { readTrusted } from "../../files/trusted-files.ts";
import { type AgentPlace, longestPlaceBytes, parseAgentPlace } from "../../protocol/agent-place.ts";
import { inHome } from "../../settings/paths.ts";

const fileName = "place.json";

/** Undefined when there is none, or none that is whole and ours. */
export function readPlace(home: string, agent: string): AgentPlace | undefined {
  const text = hasProc
    ? readOwnFile(home, [...inHome.hear.split("/"), agent], fileName, longestPlaceBytes)
    : readTrusted(home, `${inHome.hear}/${agent}/${fileName}`)?.toString("utf8");
  return text === undefined ? undefined : parseAgentPlace(text);
}

export function writePlace(home: string, agent: string, place: AgentPlace): void {
  using directory = TrustedDirectory.open(home, `${inHome.hear}/${agent}`, { create: true });
  directory.write(fileName, `${JSON.stringify(place)}\n`, { sync: false });
}
