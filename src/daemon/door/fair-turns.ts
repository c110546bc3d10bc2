// Lets one agent ask for a few lists at a time. Reading is bounded for each request, and its answers are made on the thread that serves everybody:
// a clone that asks a thousand times at once waits for its own requests, and nobody else does.

import { Places } from "../../host/git/places.ts";
import { Bounded } from "../../ports/bounded.ts";
import type { Asker } from "../../protocol/authority.ts";
import type { Operation } from "../../protocol/operation.ts";

const atOnce = 2;
/** More than there are agents. */
const mostAskers = 1_000;

export class FairTurns {
  readonly #places = new Bounded<Places>(mostAskers);

  /** What waits for others (an answer, a permission, a watched worktree) has no place of its own: it holds nobody. */
  run<Answer>({ name, role }: Asker, operation: Operation, work: () => Promise<Answer>): Promise<Answer> {
    const isRead = !operation.needsDaemon || operation.name === "query.run";
    if (role === "owner" || !isRead) return work();
    const places = this.#places.get(name) ?? new Places(atOnce);
    this.#places.set(name, places);
    return places.run(work);
  }
}
