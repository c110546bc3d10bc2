// The directory below a root in which a confined agent has its workspaces: `<root>/workspaces/<agent>`. All of it is the agent's to write, so
// that whatever is found there by its path may be a link that the agent laid a moment ago; the directory itself it cannot replace.

import { anAgentId } from "./agent-id.ts";

const below = new RegExp(`^workspaces/${anAgentId}(?=/|$)`);
const within = new RegExp(`^.*?/workspaces/${anAgentId}(?=/|$)`, "s");

/** The one that a path below the root is in, or is, itself below the root; undefined where no confined agent writes. */
export const ownPlaceIn = (relative: string): string | undefined => below.exec(relative)?.[0];

/** Returns the directory that looks like such a place, of any root, and that holds the path or is it. */
export const likelyOwnPlace = (path: string): string | undefined => within.exec(path)?.[0];
