// The claims of the constellation for one look at a repository, with no daemon of its own: `check` and `try` warn of a trespass as the
// watcher does.

import type { RepositoryObserver } from "../ports/git.ts";
import type { KnownClaims } from "../protocol/claims.ts";
import type { ClaimParts } from "../sensing/claim-scene.ts";

type AskClaims = (repository: string) => Promise<KnownClaims>;

/** Nothing where there is no constellation. */
export async function claimParts(
  observer: RepositoryObserver,
  ask: AskClaims | undefined,
): Promise<{ readonly claims?: ClaimParts }> {
  if (ask === undefined) return {};
  const { held, unknown } = await ask(observer.identity);
  const branch = held.length === 0 ? undefined : await observer.defaultBranch();
  const landing = branch === undefined ? undefined : await observer.snapshotOf(branch.commit);
  return { claims: { held: () => held, landing: () => landing, unknown } };
}
