// Constel's own seal, on files of the home from which it is told whose a process is, what an agent is to hear and what it may.

import { constellationHolder, type SealedHome } from "../../ports/keys.ts";
import { isSealed, sealedBy, sealerOf } from "./seals.ts";

/** The line stays as it is while there is no key yet. */
export const sealForConstel =
  (home: string): ((json: string) => string) =>
  (json) =>
    sealerOf(home, constellationHolder)?.seal(json) ?? json;

/** Believed without a seal only where there never was a key. */
export const isConstels =
  (home: string): ((text: string) => boolean) =>
  (text) =>
    !isSealed(home, constellationHolder) || sealedBy(home, text, [constellationHolder]) !== undefined;

export const sealedHome = (home: string): SealedHome => ({
  home,
  seal: sealForConstel(home),
  isGenuine: isConstels(home),
});
