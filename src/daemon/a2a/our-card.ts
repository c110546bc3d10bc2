// Our agent card as others are shown it: signed, with the skills that our agents declare now.

import { skillsHere } from "../../core/a2a/skills.ts";
import { cardKeys } from "../../host/a2a/card-keys.ts";
import { signCard } from "../../host/a2a/signed-card.ts";
import type { Clock } from "../../ports/machine.ts";
import type { A2aSkill } from "../../protocol/a2a.ts";
import { cardOf, type CardJson } from "../../protocol/a2a-card.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Store } from "../../store/open.ts";

export interface OurCardParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly version: string;
  readonly addresses: () => { readonly http: string | null; readonly served: string | null };
}

export interface OurCard {
  readonly now: () => Promise<CardJson>;
  readonly with: (skills: readonly A2aSkill[]) => CardJson;
  /** The time since which the card is as it is. */
  readonly sinceMs: () => number;
}

export function ourCard({ settings, store, clock, version, addresses }: OurCardParts): OurCard {
  const { home, config } = settings;
  /** Signing takes a millisecond and ES256 signs differently each time: while the card says the same, it is the same. */
  let last: { readonly of: string; readonly card: CardJson; readonly sinceMs: number } | undefined;
  const withSkills = (skills: readonly A2aSkill[]): CardJson => {
    const { http, served } = addresses();
    const address = config["a2a.url"] || served || http || "";
    const constellation = config["constellation.name"] || store.constellation;
    const card = cardOf({ constellation, address, version, skills });
    const of = JSON.stringify(card);
    if (last?.of !== of) last = { of, card: signCard(card, cardKeys(home, clock)), sinceMs: clock.nowMs() };
    return last.card;
  };
  return {
    now: async () => withSkills(await skillsHere({ store })),
    with: withSkills,
    sinceMs: () => last?.sinceMs ?? clock.nowMs(),
  };
}
