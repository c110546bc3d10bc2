// Contracts in the daemon: has a round of core/services when a worktree or a repository is other than it was, and now and then in any
// case, because an origin may have moved.

import { reactions } from "../../core/reactions.ts";
import { contractsRound } from "../../core/services/contracts-round.ts";
import { allWorktrees, watchedRepositories } from "../../core/services/services.sql.ts";
import { guestsHere } from "../notices/guests-here.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

/** Also when nothing seems different. */
const fullEveryMs = 15_000;

export function contractsLoop({
  settings,
  store,
  clock,
  random,
  sensing,
}: Pick<LoopParts, "settings" | "store" | "clock" | "random" | "sensing">): Round {
  const context = { store, clock, random, constellation: store.constellation };
  const machine = { sight: sensing.contracts, root: settings.root, guests: () => guestsHere(settings.home) };
  let seen = "";
  let lastMs = -Infinity;
  let asked = { writes: -1, guests: "" };
  return {
    async round() {
      const { writes } = store;
      const guests = JSON.stringify(guestsHere(settings.home));
      const isDue = clock.monotonicMs() - lastMs >= fullEveryMs;
      if (!isDue && writes === asked.writes && guests === asked.guests) return undefined;
      asked = { writes: -1, guests };
      const now = JSON.stringify([
        await watchedRepositories(store.db, store.constellation),
        (await allWorktrees(store.db, store.constellation)).map(
          ({ last_observed_ms: _seen, first_seen_ms: _first, ...row }) => row,
        ),
        guests,
      ]);
      if (now === seen && !isDue) {
        asked = { writes, guests };
        return undefined;
      }
      lastMs = clock.monotonicMs();
      await contractsRound(context, machine);
      // Only once it was gone through: what failed is tried again.
      seen = now;
      asked = { writes, guests };
      return reactions.contracts.everyMs;
    },
  };
}
