// Holds what agents are to hear next, ready for their hooks (protocol/hear.ts).

import type { Hear } from "../protocol/hear.ts";

export interface HearDesk {
  /** The items that a hook, or we, took up, and when. */
  marks(agent: string): ReadonlyMap<string, number>;
  /** Agents that have, or had, marks. */
  marked(): ReadonlySet<string>;
  /** Takes an item up so that no hook can; false when one was faster. */
  claim(agent: string, item: string): boolean;
  /** Lets go of the mark of an item that lies there no more. */
  forget(agent: string, item: string): void;
  /** Writes only what differs from what lies there; undefined: nothing lies there. */
  lay(agent: string, hear: Hear | undefined): void;
  /** Every agent for whom something lies there. */
  laid(): readonly string[];
}
