// The shelf of facts in a home that is there: a command that is run without one leaves no trace.

import { existsSync } from "node:fs";
import { KeptFacts } from "../host/facts/kept-facts.ts";
import { programState } from "../host/facts/program-state.ts";
import type { FactsShelf } from "../ports/facts-shelf.ts";
import type { FactsWish } from "../protocol/check.ts";
import { inHome } from "../settings/paths.ts";

/** undefined where nothing is to be kept, or can be. */
export function keepFacts(wish: FactsWish | undefined): FactsShelf | undefined {
  if (wish === undefined || wish.maxBytes === 0 || !existsSync(wish.home)) return undefined;
  const program = programState();
  if (program === undefined) return undefined;
  return new KeptFacts({ place: { root: wish.home, relative: inHome.facts }, program, maxBytes: wish.maxBytes });
}
