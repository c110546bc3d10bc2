// Where the next turn of a worker begins, kept over its holder's death: the conversation that copies are made of, and how many turns were had
// since one began anew. Without it, a holder that comes back would take the last copy for the conversation, and count from the beginning.

import { readTrusted, writeTrusted } from "../../files/trusted-files.ts";

export interface KeptConversation {
  readonly session: string;
  readonly turns: number;
}

export const conversationFile = (agent: string): string => `state/runtime/${agent}/conversation.json`;

export function keepConversation(
  home: string,
  agent: string,
  kept: KeptConversation & { readonly last: string },
): void {
  writeTrusted(home, conversationFile(agent), `${JSON.stringify(kept)}\n`);
}

/** Undefined where the agent was started with another conversation than the one that was last here. */
export function keptConversation(
  home: string,
  agent: string,
  resume: string | undefined,
): KeptConversation | undefined {
  const text = resume === undefined ? undefined : readTrusted(home, conversationFile(agent))?.toString("utf8");
  if (text === undefined) return undefined;
  try {
    const { session, turns, last } = JSON.parse(text) as Record<string, unknown>;
    const isWhole =
      typeof session === "string" && typeof turns === "number" && Number.isSafeInteger(turns) && turns > 0;
    return isWhole && last === resume ? { session, turns } : undefined;
  } catch {
    return undefined; // half a file, or somebody else's
  }
}
