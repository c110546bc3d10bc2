// Lays down what an agent is to hear, and its place, as the daemon does it: with constel's seal.

import * as files from "../../src/floor/hear/hear-files.ts";
import { writePlace as write } from "../../src/floor/hear/place-file.ts";
import { sealedHome } from "../../src/host/keys/seal-for-constel.ts";
import type { AgentPlace } from "../../src/protocol/agent-place.ts";
import type { Hear, HearItem } from "../../src/protocol/hear.ts";

export function writeHear(
  home: string,
  agent: string,
  part: files.HearPart,
  items: readonly HearItem[],
  join?: string | null,
): void {
  files.writeHear(sealedHome(home), agent, part, items, join);
}

export const readHear = (home: string, agent: string): Hear | undefined => files.readHear(sealedHome(home), agent);

export const readHearPart = (home: string, agent: string, part: files.HearPart): readonly HearItem[] =>
  files.readHearPart(sealedHome(home), agent, part);

export const writePlace = (home: string, agent: string, place: AgentPlace): void =>
  write(sealedHome(home), agent, place);
